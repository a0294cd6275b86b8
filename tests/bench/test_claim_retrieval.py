"""Queries as sentences of debates, and the columns of claim retrieval."""

from __future__ import annotations

from datetime import date

import pytest

from bench.claim_retrieval import as_debates, row
from training.shared.debates import Debate


def test_queries_of_a_debate_get_its_date_and_lines() -> None:
    """The id names debate and line; the debate's name begins with the date."""
    queries = {"20160301_B_0012": "one", "20160301_B_0007": "two"}
    debates, qids = as_debates(queries, {"20160301_B_0012": {"c1": 1}})
    assert [("20160301_B", date(2016, 3, 1).toordinal(), (12, 7), ("one", "two"))] == [
        (d.name, d.day, d.lines, d.texts) for d in debates
    ]
    assert qids == {("20160301_B", 12): "20160301_B_0012", ("20160301_B", 7): "20160301_B_0007"}
    assert [(pair.line, pair.claim) for pair in debates[0].pairs] == [(12, "c1")]


def test_queries_of_any_other_id_have_no_date() -> None:
    """They are sentences of one event whose date is not known."""
    debates, qids = as_debates({"tweet-1": "one", "tweet-2": "two"}, {})
    assert [(d.day, d.lines) for d in debates] == [(0, (1, 2))]
    assert set(qids.values()) == {"tweet-1", "tweet-2"}


def test_columns_by_hand() -> None:
    """Right at rank 1 and at rank 2."""
    run = {"a": {"x": 2.0, "y": 1.0}, "b": {"x": 2.0, "y": 1.0}}
    table_row = row("s", run, {"a": {"x": 1}, "b": {"y": 1}})
    assert table_row == {
        "system": "s",
        "MAP@1": 0.5,
        "MAP@3": 0.75,
        "MAP@5": 0.75,
        "MRR": 0.75,
        "Hit@1": 0.5,
        "Hit@5": 1.0,
    }


def test_a_query_without_an_answer_in_the_run_counts_zero() -> None:
    """Nothing was found for b."""
    assert row("s", {"a": {"x": 1.0}}, {"a": {"x": 1}, "b": {"y": 1}})["MRR"] == pytest.approx(0.5)


def test_a_query_of_a_known_transcript_has_its_window() -> None:
    """By debate and line; one whose line is not there has itself, and without transcripts there are no windows."""
    queries = {"20160301_B_0012": "one", "20160301_B_0013": "two"}
    context = [
        Debate(
            "20160301_B",
            1,
            (11, 12),
            ("zero", "one"),
            ("", ""),
            (),
            (("zero", "one"), ("zero", "one")),
        )
    ]
    (heard,), _ = as_debates(queries, {}, context)
    (alone,), _ = as_debates(queries, {})
    assert heard.windows == (("zero", "one"), ("two",))
    assert alone.windows == ()
