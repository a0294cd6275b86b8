"""The pairs and labels that figures and dates are measured on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.edits.spoken import spelled
from bench.wording.figures import (
    Label,
    Pair,
    edit_shares,
    in_words,
    labels,
    left_out,
    right,
    shares,
    years_ago,
)
from features.language.figures.spelling import read_number


@given(st.integers(0, 999_999_999))
def test_what_is_spelled_is_read_back(value: int) -> None:
    """The speller of the bench and the reader of the product were written apart."""
    words = tuple(spelled(value).split())
    assert read_number(words, 0) == (value, len(words))


@pytest.mark.parametrize(
    ("edit", "text", "expected"),
    [
        (in_words, "It cost $2.4 million now, 4%.", "It cost two point four million dollars now, four percent."),
        (left_out, "It cost $2.4 million.", "It cost many ."),
        (lambda text: years_ago(text, 735000), "It fell since 2008.", "It fell over the last five years."),
        (lambda text: years_ago(text, 735000), "It fell in 2012.", "It fell last year."),
    ],
)  # fmt: skip
def test_edits(edit, text: str, expected: str) -> None:
    """Figures in words, left vague, and years told from the day of speaking."""
    assert edit(text) == expected


def test_every_pair_has_one_label_of_each_kind() -> None:
    """Three hundred places, half of them for the test, 150 of a second one, 160 of a third, and only known words."""
    read_labels = labels()
    assert list(range(610)) == [label.place for label in read_labels]
    assert {label.numbers for label in read_labels} == {"same", "rounds", "different", "missing"}
    assert {label.dates for label in read_labels} == {"same", "different", "missing"}


def test_a_rounding_counts_as_the_same() -> None:
    """And a pair is right only if both labels are met."""
    pair = Pair("made up", "Nearly 65,000 jobs in 2012", "64,000 jobs in 2013", 0, 0)
    assert right(pair, Label(0, "rounds", "different")) == (True, True)
    assert right(pair, Label(0, "different", "same")) == (False, False)
    assert shares([pair], [Label(0, "same", "same")])["both"].value == 0


def test_edits_of_statements_are_found_out() -> None:
    """Another figure and another year are different, a rounding is the same.

    A reworded pair shares what is edited.
    """
    details = {"rating": "True", "date_said": "2015-06-01"}
    statements = (
        "The state lost 43,100 jobs in 2009.",
        "Crime in the big cities fell by 31 percent.",
        "Nobody counts.",
    )
    records = [
        {"id": str(i), "statement": statement, **details} for i, statement in enumerate(statements)
    ]
    pairs = [
        Pair("kept", "By 31 percent crime in cities came down.", statements[1], 0, 0),
        Pair("no figure in common", "Crime came down.", statements[1], 0, 0),
    ]
    shares_by_edit = edit_shares(records, pairs, max_edits=2)
    assert [share.of for share in shares_by_edit.values()] == [2, 1, 2, 1]
    assert all(share.value == 1 for share in shares_by_edit.values())
