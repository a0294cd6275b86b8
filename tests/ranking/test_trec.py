"""Runs and qrels survive their text forms; broken lines are named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.trec import MalformedTrec, read_qrels, read_run

ids = st.text("abc/_019", min_size=1, max_size=6)
numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(st.dictionaries(ids, st.dictionaries(ids, numbers, min_size=1), max_size=4))
def test_a_run_survives_the_round_trip(run: dict[str, dict[str, float]]) -> None:
    """Reading what was written gives the same scores, to the last bit."""
    lines = [
        f"{qid} Q0 {item} 1 {score!r} tag"
        for qid, scores in run.items()
        for item, score in scores.items()
    ]
    assert read_run(lines) == run


@given(st.dictionaries(ids, st.dictionaries(ids, st.integers(0, 3), min_size=1), max_size=4))
def test_qrels_survive_the_round_trip(qrels: dict[str, dict[str, int]]) -> None:
    """Reading what was written gives the same relevance."""
    lines = [
        f"{qid}\t0\t{item}\t{grade}"
        for qid, grades in qrels.items()
        for item, grade in grades.items()
    ]
    assert read_qrels(lines) == qrels


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["q Q0 a 1"], "line 1 has 4 fields"),
        (["", "q Q0 a 1 high t"], "line 2: the score is 'high'"),
        (["q Q0 a 1 2 t", "q Q0 a 2 1 t"], "line 2: a occurs twice in the query q"),
    ],
)
def test_a_broken_run_line_is_named(lines: list[str], found: str) -> None:
    """The error tells the line and what is wrong with it."""
    with pytest.raises(MalformedTrec, match=found):
        read_run(lines)


def test_a_broken_qrels_line_is_named() -> None:
    """The error tells the line and what was expected."""
    with pytest.raises(MalformedTrec, match="line 1 has 2 fields, but needs 4"):
        read_qrels(["q a"])
