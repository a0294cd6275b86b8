"""The bench's table, the contract of its output, and how two systems are compared, on made-up debates."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from bench import sentence_ranking
from tests.training.shared.made import IDS, example
from training.ranker import systems
from training.ranker.learners import fit_lectern
from training.shared import gold
from training.shared.scoring import Scores
from training.shared.tasks import Task

EXAMPLES = [example(f"2016010{i}_X", seed=i) for i in range(1, 5)]
KEYS = [
    "MAP",
    "R@50",
    "Hit@1",
    "MAP_inner",
    "MAP_0_1",
    "MAP_0_3",
    "MAP_05_1",
    "MAP_05_3",
    "MAP_H_1",
    "MAP_H_3",
]


@pytest.fixture(scope="module")
def task() -> Task:
    """Four debates, the same in both settings; the other three train for each."""
    golds = {late: gold.verdicts([e.debate for e in EXAMPLES]) for late in (False, True)}
    both = {late: list(EXAMPLES) for late in (False, True)}
    return Task(both, EXAMPLES, {"": golds}, {e.debate.name: i for i, e in enumerate(EXAMPLES)})


@pytest.fixture(scope="module")
def found(task: Task):
    """The rows and scores of a learnt system and of one that knows nothing."""
    fit = lambda allowed: fit_lectern(allowed)  # noqa: E731
    ranked_systems = [
        ("lectern", partial(systems.learnt, fit=fit)),
        (
            "last first",
            lambda tested, _: {
                e.debate.name: Scores(np.arange(e.inputs.sentence_count), -e.right.astype(float))
                for e in tested
            },
        ),
    ]
    is_kept = lambda debate: np.arange(len(debate.lines)) > 0  # noqa: E731
    return sentence_ranking.run(
        task, ranked_systems, SimpleNamespace(ids=IDS, kept=is_kept), gold.NO_SLIPS
    )


def test_rows_keep_the_contract(found) -> None:
    """System, the ten columns, the same as of the event, and the AP of each debate.

    Fit for JSON.
    """
    for result_row in found[0]:
        assert set(result_row) == {"system", *KEYS, "folds", "as_of_event"}
        assert set(KEYS) <= set(result_row["as_of_event"])
        assert set(result_row["folds"]) == {e.debate.name for e in EXAMPLES}
        assert json.loads(json.dumps(result_row)) == result_row


def test_what_check_drops_is_not_found(found) -> None:
    """The row of Lectern takes the path of ``check``.

    The same with nothing dropped stands beside it.
    """
    result_rows, scored = found
    assert [result_row["system"] for result_row in result_rows] == [
        "lectern",
        "lectern, nothing dropped",
        "last first",
    ]
    name = EXAMPLES[0].debate.name
    through, whole_sentences = (
        scored[system][False][name].sentences for system in ("lectern", sentence_ranking.WHOLE)
    )
    assert through[0] == -np.inf
    assert np.array_equal(through[1:], whole_sentences[1:])
    relevant = EXAMPLES[0].relevant
    assert relevant[0]
    assert result_rows[0]["R@50"] < result_rows[1]["R@50"]


def test_two_systems_are_compared_in_both_settings(
    task: Task, found, capsys: pytest.CaptureFixture
) -> None:
    """The difference is that of the rows' MAP, lies in its interval, and is the same in both equal settings."""
    result_rows, scored = found
    compared = sentence_ranking.compare(task, scored, "lectern", "last first")
    assert list(compared) == ["all claims", "as of the event"]
    assert compared["all claims"] == compared["as of the event"]
    all_claims = compared["all claims"]
    assert (
        pytest.approx(result_rows[0]["MAP"] - result_rows[2]["MAP"], abs=2e-4)
        == all_claims["difference"]
    )
    assert all_claims["interval"].low <= all_claims["difference"] <= all_claims["interval"].high
    assert 0 < all_claims["p, sentences"] <= 1
    assert all_claims["p, transcripts"] == pytest.approx(2 / 16)
    assert "p, transcripts" in capsys.readouterr().out


def test_a_curve_by_claims_looked_at_goes_through_the_rows(
    task: Task, found, tmp_path: Path
) -> None:
    """MAP_0 and MAP_H do not fall with more claims, agree with the table at 1 and 3, and MAP_H lies in its interval."""
    result_rows, scored = found
    sentence_ranking.write_curve(task, scored, SimpleNamespace(ids=IDS), tmp_path / "map-h.csv")
    head, *lines = (tmp_path / "map-h.csv").read_text("utf-8").splitlines()
    values = {
        int(float(line.split(",")[0])): [float(v) for v in line.split(",")[1:]] for line in lines
    }
    assert head == "claims,MAP_0,MAP_H,MAP_H low,MAP_H high"
    assert list(values) == list(sentence_ranking.CURVE)
    for r in (1, 3):
        assert (
            pytest.approx([result_rows[0][f"MAP_0_{r}"], result_rows[0][f"MAP_H_{r}"]], abs=1e-4)
            == values[r][:2]
        )
    for column in (0, 1):
        assert sorted(v[column] for v in values.values()) == [v[column] for v in values.values()]
    assert all(low <= middle <= high for _, middle, low, high in values.values())
    assert (tmp_path / "map-h.png").exists()


def test_a_system_does_not_differ_from_itself(task: Task, found) -> None:
    """No difference, p 1."""
    same = sentence_ranking.compare(task, found[1], "lectern", "lectern")["all claims"]
    assert same["difference"] == 0.0
    assert same["p, transcripts"] == 1.0
    assert same["p, sentences"] == 1.0


def test_the_slips_are_named_on_the_command_line() -> None:
    """Every slip of the gold has its word."""
    assert set(sentence_ranking.SLIPS) == {
        "empty-verdict",
        "wide-claims",
        "last-sentence",
        "literal-precision",
    }
    assert gold.Slips(**dict.fromkeys(sentence_ranking.SLIPS.values(), True)) == gold.Slips(
        True, True, True, True
    )


@pytest.mark.parametrize("given", [["--debates", "debates", "--one-in", "0"], ["--one-in", "20"]])
def test_one_in_wants_a_whole_number_and_debates(
    given: list[str], capsys: pytest.CaptureFixture
) -> None:
    """Refused by name before anything is opened."""
    with pytest.raises(SystemExit):
        sentence_ranking.main(["--data", "data", *given])
    assert "--one-in" in capsys.readouterr().err.splitlines()[-1]
