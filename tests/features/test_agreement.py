"""Numbers, names and dates of two texts: the same, different, or missing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.agreement import Number, Particulars, agreement, particulars, same_number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It cost $3.5 million", [(3.5e6, "money")]),
        ("two hundred thousand people", [(2e5, "plain")]),
        ("a hundred thousand people", [(1e5, "plain")]),
        ("twenty five percent", [(25, "percent")]),
        ("1,234,567 votes and 4.1%", [(1234567, "plain"), (4.1, "percent")]),
        ("one in five women", [(20, "percent")]),
        ("3 out of 4 doctors", [(75, "percent")]),
        ("two thirds of them, half of us", [(200 / 3, "percent"), (50, "percent")]),
        ("12 billion dollars", [(12e9, "money")]),
        ("No one told one of us", []),
        ("$2000 a month", [(2000, "money")]),
    ],
)
def test_numbers_are_read_with_scale_and_kind(text: str, expected: list[tuple[float, str]]) -> None:
    """Digits, words, signs, fractions; pronouns are no numbers."""
    assert [(n.value, n.kind) for n in particulars(text).numbers] == [(pytest.approx(v), k) for v, k in expected]


def test_years_and_months_are_dates() -> None:
    """A bare year is no number; "may" is a month only as a capitalised word after a preposition or beside a year."""
    found = particulars("Since March 2016 we may have hired 300 people, and in May more.")
    assert (found.years, found.months) == ({2016}, {3, 5})
    assert [n.value for n in found.numbers] == [300]
    assert particulars("It may rain").months == set()


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        ("Unemployment is at four percent.", "The unemployment rate is 4.1%.", "same"),
        ("We lost 3.5 million jobs.", "They lost 3 million jobs.", "different"),
        ("We lost many jobs.", "They lost 3 million jobs.", "missing"),
        ("About half of Americans", "49.7% of Americans", "same"),
        ("Crime is up 10 percent.", "Crime is up 14 percent.", "different"),
        ("It took 40 votes", "40 percent of the votes", "missing"),
    ],
)
def test_numbers_agree_up_to_rounding(sentence: str, statement: str, expected: str) -> None:
    """A rounding is the same number, another figure is not; a percentage and a count have nothing to compare."""
    assert agreement(sentence, statement)["numbers"] == expected


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        ("I told Bernie Sanders so.", "Then Jeff Sessions resigned.", "different"),
        ("People say Clinton sold uranium.", "Hillary Clinton gave uranium to Russia.", "same"),
        ("HILLARY CLINTON SOLD URANIUM.", "Hillary Clinton gave uranium to Russia.", "same"),
        ("she sold uranium", "Hillary Clinton gave uranium to Russia.", "missing"),
        ("Clinton sold it.", "Was it Clinton who sold uranium?", "same"),
    ],
)
def test_names_agree(sentence: str, statement: str, expected: str) -> None:
    """One shared name is enough; captions in capitals or small letters share what the other side names."""
    assert agreement(sentence, statement)["names"] == expected


def test_another_year_is_different() -> None:
    """Both name a year, and none is the same."""
    assert agreement("It happened in 2012.", "It happened in 2016.")["dates"] == "different"
    assert agreement("It happened in 2012.", "It happened.")["dates"] == "missing"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [(20, 21, True), (22, 24, False), (25, 24.3, True), (3, 4, False), (10, 14, False), (230, 233, True), (0, 0, True)],
)
def test_a_rounding_is_the_same_number(one: float, other: float, same: bool) -> None:
    """They differ by less than half the rounder one's step, and by a tenth at most."""
    assert same_number(Number(one, "plain"), Number(other, "plain")) is same


numbers = st.builds(Number, st.floats(0, 1e12), st.sampled_from(["plain", "percent", "money"]))


@given(numbers, numbers)
def test_same_number_is_symmetric_and_reflexive(one: Number, other: Number) -> None:
    """Neither side is special, and every number is itself."""
    assert same_number(one, other) == same_number(other, one)
    assert same_number(one, one)


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_can_be_compared_either_way_round(one: str, other: str) -> None:
    """No text breaks the reading, and the verdict does not depend on the side."""
    assert agreement(one, other) == agreement(other, one)


@given(st.text("abc 0123456789.,$%AZ'’\n", max_size=60))
def test_a_text_never_disagrees_with_itself(text: str) -> None:
    """Everything that it names is shared."""
    assert "different" not in agreement(text, text).values()


def test_an_empty_text_names_nothing() -> None:
    """Nothing is found and nothing fails."""
    assert particulars("") == Particulars((), *[frozenset()] * 4)
