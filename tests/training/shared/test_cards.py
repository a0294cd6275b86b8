"""Weights, cards and curves as training writes them."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from training.shared import cards

MODELS = Path(__file__).resolve().parents[3] / "models"


def test_weights_and_card_are_read_back(tmp_path: Path) -> None:
    """The card gains the file's size; the tensors keep their type."""
    cards.write_model(
        tmp_path / "x.safetensors", {"w": torch.ones(4, dtype=torch.float16)}, {"what": "ones"}
    )
    assert load_file(tmp_path / "x.safetensors")["w"].dtype == torch.float16
    assert json.loads((tmp_path / "x.json").read_text("utf-8")) == {
        "what": "ones",
        "restricted_data": [],
        "megabytes": 0.0,
    }


def test_a_curve_has_one_header_and_is_drawn(tmp_path: Path) -> None:
    """Rows are added under the first header; the picture lies beside the table."""
    for step in (1, 2):
        cards.append_row(
            tmp_path / "curve.csv", ("step", "loss", "seconds"), (step, 1 / step, step)
        )
    cards.draw_curve(tmp_path / "curve.csv")
    assert (tmp_path / "curve.csv").read_text("utf-8").splitlines() == [
        "step,loss,seconds",
        "1,1.0,1",
        "2,0.5,2",
    ]
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_bounds_are_drawn_as_an_interval_and_have_no_panel(tmp_path: Path) -> None:
    """The picture of a column with bounds is as wide as that of the column alone, and another."""
    from matplotlib import image

    pictures = []
    for i, bounds in enumerate(((), ("map low", "map high"))):
        path = tmp_path / f"{i}.csv"
        for step in (1, 2):
            cards.append_row(
                path, ("step", "map", *bounds), (step, 0.5, *((0.4, 0.6)[: len(bounds)]))
            )
        cards.draw_curve(path)
        pictures.append(image.imread(path.with_suffix(".png")))
    assert pictures[0].shape == pictures[1].shape
    assert (pictures[0] != pictures[1]).any()


@pytest.mark.parametrize("name", ["nli", "simcse", "checkworthiness", "large/reranker"])
def test_shipped_weights_are_small_finite_and_have_a_card(name: str) -> None:
    """Half precision, at most 24 MB, and a card with data, command and scores."""
    path = MODELS / f"{name}.safetensors"
    assert path.stat().st_size <= 24_000_000
    assert all(
        tensor.dtype == torch.float16 and tensor.isfinite().all()
        for tensor in load_file(path).values()
    )
    card = json.loads(path.with_suffix(".json").read_text("utf-8"))
    assert {"what", "base", "data", "command", "scores", "licence"} <= card.keys()


def test_commands_of_the_shipped_cards_are_there() -> None:
    """Every script that a card of ``models/`` names, in training or bench, is a module that can be run."""
    texts = [path.read_text("utf-8") for path in MODELS.rglob("*.json")]
    named_commands = {
        name
        for text in texts
        for name in re.findall(r"python -m ((?:training|bench)[.\w]*\w)", text)
    }

    assert {"training.mtm.train", "training.ranker.train"} <= named_commands
    assert {name for name in named_commands if importlib.util.find_spec(name) is None} == set()


def shipped_cards() -> dict[str, dict]:
    """The cards of the weights that ship, by the name of their file."""
    shipped = {}
    for path in sorted(MODELS.rglob("*.json")):
        values = json.loads(path.read_text("utf-8"))
        card = values.get("card", values)
        if "licence" in card:
            shipped[path.relative_to(MODELS).with_suffix("").as_posix()] = card
    return shipped


def test_every_card_says_which_restricted_data_its_weights_owe_something_to() -> None:
    """As the table has it, from which training takes it."""
    shipped = shipped_cards()

    assert {name: card["restricted_data"] for name, card in shipped.items()} == {
        name: cards.restricted_data(Path(name).name) for name in shipped
    }


def test_weights_that_read_an_entailment_set_without_a_licence_say_so() -> None:
    """The set of Vania et al. is in the table of sets and in the data of SimCSE."""
    readers = {
        name for name, card in shipped_cards().items() if "Vania et al." in str(card.get("data"))
    }

    assert readers >= {"nli", "simcse"}
    for name in readers:
        assert any("Vania et al." in source for source in cards.restricted_data(name)), name


@pytest.mark.parametrize("term", ["-NC", "research use", "no licence stated"])
def test_a_card_whose_data_names_a_restricted_licence_lists_it(term: str) -> None:
    """The licences of its data are in its own words."""
    for name, card in shipped_cards().items():
        if term in str(card.get("data")):
            assert card["restricted_data"] != [], name


def test_the_notice_lists_all_restricted_data_and_the_free_weights() -> None:
    """A newsroom reads it there."""
    notice = (MODELS.parent / "NOTICE").read_text("utf-8")
    shipped = shipped_cards()
    restricted = {source for card in shipped.values() for source in card["restricted_data"]}
    free_weights = {name for name, card in shipped.items() if not card["restricted_data"]}

    assert sorted(source for source in restricted if source not in notice) == []
    assert free_weights == {"checkworthiness"}
    assert sorted(name for name in free_weights if name not in notice) == []
