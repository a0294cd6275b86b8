"""Versions, models, thresholds."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

from assistant import __version__
from assistant.core.settings import EMBEDDED
from assistant.ui import provenance


def test_weights_come_with_digest_and_card(tmp_path):
    """Weights are listed with the start of their sha256 and their card.

    A model of one JSON file is its own card.
    """
    (tmp_path / "nli.safetensors").write_bytes(b"weights")
    (tmp_path / "nli.json").write_text(json.dumps({"licence": "Apache-2.0"}))
    (tmp_path / "ranker.json").write_text("{}")
    (tmp_path / "mtm-patterns.json").write_text("{}")  # words, and no model

    nli, ranker = provenance.model_files(tmp_path)

    assert nli.name == "nli.safetensors"
    assert nli.card == {"licence": "Apache-2.0"}
    assert hashlib.sha256(b"weights").hexdigest().startswith(nli.digest)
    assert ranker.name == "ranker.json"
    assert hashlib.sha256(b"{}").hexdigest().startswith(ranker.digest)


def test_models_of_a_folder_inside_have_its_name_before_theirs(tmp_path):
    """The larger re-ranker lies in a folder of its own, and is not taken for the first."""
    (tmp_path / "large").mkdir()
    for folder in (tmp_path, tmp_path / "large"):
        (folder / "reranker.json").write_text("{}")

    names = [model.name for model in provenance.model_files(tmp_path)]
    assert names == ["large/reranker.json", "reranker.json"]


def test_weights_inside_a_card_are_counted_not_shown():
    """Nobody reads a thousand numbers."""
    assert provenance.card_rows({"weights": [0.1] * 1000, "seed": 7}) == [
        ("weights", "1,000 values"),
        ("seed", "7"),
    ]


def test_thresholds_that_are_set_are_shown_and_others_said_to_be_stored():
    """The page never shows a number that is not in force."""
    shown_thresholds = dict(provenance.thresholds(replace(EMBEDDED, likely=0.8)))

    assert shown_thresholds["likely"] == "0.8"
    assert shown_thresholds["possible"] == "stored with the model"


def test_cards_are_flattened():
    """Nested scores become separate rows."""
    card = {"scores": {"mnli": 0.71234}, "data": ["a", "b"], "seed": 7}

    assert provenance.card_rows(card) == [
        ("scores: mnli", "0.712"),
        ("data", "a, b"),
        ("seed", "7"),
    ]


def test_versions_begin_with_lectern():
    """A reader sees which version made a report."""
    assert provenance.versions()[0] == ("Lectern", __version__)


def test_every_part_of_the_profile_names_its_model():
    """Four parts, each with its model and the weights on it."""
    assert ("simcse", "all-MiniLM-L6-v2 with simcse.safetensors") in provenance.part_models(
        EMBEDDED
    )
