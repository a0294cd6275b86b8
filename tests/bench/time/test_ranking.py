"""Time-aware ranking: its tables from predictions that the tests write."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from bench.time import ranking as temporal
from bench.time.ranking import Claims, Scores
from ranking.temporal import ORDERS
from training.time.lists import ROWS
from training.time.train import STAGES

LAST = STAGES[-1]
ON = Claims(
    [f"c{i}" for i in range(6)], np.array([0, 1, 0, 1, 2, 3]), np.array(["a"] * 4 + ["b"] * 2)
)
RIGHT = ON.label[None]
WRONG = np.array([[1, 0, 1, 0, 3, 2]])
HALF = np.array([[0, 1, 0, 1, 3, 2]])  # right in domain a only


def orders(**order_arrays: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
    """Return predictions of base and every order, wrong where not given."""
    return {
        (row_name, LAST): order_arrays.get(row_name.replace("-", "_"), WRONG)
        for row_name in ("base", *ORDERS)
    }


def test_each_domain_counts_alike() -> None:
    """Four claims right in one, two wrong in the other."""
    assert temporal.mean_over_domains(ON, HALF) == Scores(0.5, 0.5)
    assert temporal.mean_over_domains(ON, np.vstack([HALF, RIGHT])) == Scores(0.75, 0.75)


def test_the_best_order_of_each_domain() -> None:
    """Domain a by an order that is right there; b by the one that is right there.

    Of equals the better everywhere.
    """
    other_order = np.array([[1, 0, 1, 0, 2, 3]])
    row_orders = orders(claim_date=HALF, evidence_centred=other_order)
    assert temporal.best_orders(ON, row_orders, LAST) == {
        "a": "claim-date",
        "b": "evidence-centred",
    }
    equal = orders(claim_date=HALF, claim_centred=RIGHT)
    assert temporal.best_orders(ON, equal, LAST) == {"a": "claim-centred", "b": "claim-centred"}
    joined = temporal.by_domain(ON, row_orders, LAST, {"a": "claim-date", "b": "evidence-centred"})
    assert joined.tolist() == RIGHT.tolist()
    del row_orders["claim-date", LAST]
    with pytest.raises(ValueError, match="no predictions of claim-date"):
        temporal.best_orders(ON, row_orders, LAST)


def test_a_gain_comes_with_its_interval() -> None:
    """The same run gains nothing, surely; a run that is right in one domain of two gains half."""
    assert temporal.gain(ON, RIGHT, RIGHT, "micro", ["a", "b"]) == (0.0, (0.0, 0.0))
    assert temporal.gain(ON, HALF, WRONG, "micro", ["a", "b"]) == (0.5, (0.5, 0.5))
    value, (low, high) = temporal.gain(ON, RIGHT, np.array([[0, 1, 1, 0, 2, 3]]), "micro", ["a"])
    assert value == 0.5
    assert 0 <= low < 0.5 < high <= 1


def test_the_papers_mean_without_politifact() -> None:
    """Put back, its row gives the mean over twenty-six again."""
    whole_scores = Scores(*temporal.PAPER["bilstm", "base"])
    for all_, rest_score, one_score in zip(
        whole_scores, temporal.without_politifact(whole_scores), temporal.POLITIFACT, strict=True
    ):
        assert pytest.approx(all_) == (25 * rest_score + one_score) / 26
        assert rest_score > all_


def write(
    work: Path, row_name: str, dev: np.ndarray, test: np.ndarray | None, seed: int = 17
) -> None:
    """Write what a row predicts, the same in every stage."""
    (work / "predictions").mkdir(exist_ok=True)
    split_orders = {"dev": dev} if test is None else {"dev": dev, "test": test}
    splits = {
        split: {"ids": ON.ids, **{stage: split_order[0].tolist() for stage in STAGES}}
        for split, split_order in split_orders.items()
    }
    (work / "predictions" / f"rnn-{row_name}-{seed}.json").write_text(
        json.dumps({"settings": {}, **splits})
    )


def test_predictions_are_read_by_claim(tmp_path: Path) -> None:
    """A line a seed, in the order asked for; nothing where the part or a claim is missing."""
    write(tmp_path, "base", RIGHT, None)
    write(tmp_path, "base", WRONG, None, seed=18)
    predictions = temporal.read(tmp_path, "rnn", "dev", ["c5", "c0"])
    assert predictions["base", LAST].tolist() == [[3, 0], [2, 1]]
    assert temporal.read(tmp_path, "rnn", "test", ON.ids) == {}
    assert temporal.read(tmp_path, "rnn", "dev", ["c0", "unknown"]) == {}


def test_the_choice_is_made_on_development(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    """An order that is right on development and wrong on test is chosen all the same.

    The oracle is not fooled.
    """
    for row_name in ROWS:
        write(
            tmp_path,
            row_name,
            RIGHT if row_name == "claim-date" else WRONG,
            RIGHT if row_name == "evidence-date" else WRONG,
        )
    splits = {"train": ON, "dev": ON, "test": ON}
    monkeypatch.setattr(temporal, "tested", lambda data: splits)
    monkeypatch.setattr(temporal, "ROUNDS", 20)
    out = tmp_path / "tables.json"
    sheet = tmp_path / "domains.csv"
    temporal.main(["--data", ".", "--work", str(tmp_path), "--json", str(out), "--csv", str(sheet)])
    output = json.loads(out.read_text())
    by_row = {line["row"]: line["micro"] for line in output["table 3"]}
    usual = {"most frequent label": 0.5}  # each domain has two labels as often
    assert {
        **usual,
        **dict.fromkeys(ROWS, 0.0),
        "evidence-date": 1.0,
        temporal.CHOSEN: 0.0,
        temporal.ORACLE: 1.0,
    } == by_row
    assert [line["chosen"] for line in csv.DictReader(sheet.open())] == ["claim-date", "claim-date"]
    assert {line["row"]: line["gain"] for line in output["gains"] if line["measure"] == "micro"}[
        "evidence-date"
    ] == 1.0
    assert "oracle" in capsys.readouterr().out
