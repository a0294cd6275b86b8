"""Figures of a text: value, kind, range, hedge; and when one is the other or a rounding of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.language.figures.numbers import Figure, figures
from features.language.figures.rounding import (
    EXACT,
    NOT_EQUAL,
    ROUNDED,
    figure_agreement,
    last_digit_unit,
)
from features.language.figures.spelling import WORDS_BELOW_TWENTY, WORDS_FOR_TENS, read_number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It cost $3.5 million", [(3.5e6, "money")]),
        ("two hundred thousand people", [(2e5, "count")]),
        ("a hundred thousand people", [(1e5, "count")]),
        ("two point four million of them", [(2.4e6, "count")]),
        ("a hundred and twenty, twelve hundred", [(120, "count"), (1200, "count")]),
        ("two million five hundred thousand", [(2.5e6, "count")]),
        (
            "half a million or a quarter-million, half-a-dozen",
            [(5e5, "count"), (2.5e5, "count"), (6, "count")],
        ),
        ("two and a half million", [(2.5e6, "count")]),
        ("twenty five percent", [(25, "percent")]),
        ("1,234,567 votes and 4.1%", [(1234567, "count"), (4.1, "percent")]),
        ("one in five women, 3 out of 4 doctors", [(20, "percent"), (75, "percent")]),
        (
            "two thirds of them, half of us, a third of it",
            [(200 / 3, "percent"), (50, "percent"), (100 / 3, "percent")],
        ),
        ("a tenth of a percent", [(0.1, "percent")]),
        ("42 cents of every dollar", [(42, "percent")]),
        ("12 billion dollars", [(12e9, "money")]),
        ("$2000 a month", [(2000, "money")]),
        ("a 16-year low", [(16 * 365.25, "time")]),
        ("ranked 47th, No. 1", [(47, "rank"), (1, "rank")]),
        ("three times as big, doubled", [(3, "times"), (2, "times")]),
        ("No one told one of us about a third job", []),
        ("COVID-19, Title 42, a 401(k), 9/11, HB 697 and an F-35 at 8:30", []),
        ("Keep F-35s, MS-13s and AK-47s away.", []),
    ],
)
def test_figures_are_read_with_value_and_kind(text: str, expected: list[tuple[float, str]]) -> None:
    """Digits, words, signs, shares and spoken forms.

    Pronouns and names that hold a digit are none.
    """
    assert [(f.low, f.kind) for f in figures(text)] == [
        (pytest.approx(value), kind) for value, kind in expected
    ]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("75-85 percent", 75, 85),
        ("between 10 and 15 million jobs", 10e6, 15e6),
        ("$1 to $2 billion", 1e9, 2e9),
    ],
)
def test_a_range_is_one_figure(text: str, low: float, high: float) -> None:
    """Its lower end takes the scale of the upper one.

    A change from one value to another is two figures.
    """
    assert [(f.low, f.high) for f in figures(text)] == [(low, high)]
    assert len(figures("It fell from 10 percent to 5 percent")) == 2


@pytest.mark.parametrize(
    ("text", "hedge"),
    [
        ("nearly 60", "under"),
        ("more than $60", "over"),
        ("about a third", "about"),
        ("60 jobs", ""),
        ("60 or so", "about"),
    ],
)
def test_hedges(text: str, hedge: str) -> None:
    """A rounding word says on which side of the figure the truth lies."""
    assert figures(text)[0].hedge == hedge


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("20 jobs", "21 jobs", ROUNDED),
        ("22 jobs", "24 jobs", NOT_EQUAL),
        ("25 percent", "24.3 percent", ROUNDED),
        ("3 jobs", "4 jobs", NOT_EQUAL),
        ("12.3 million", "13 million", NOT_EQUAL),
        ("230 jobs", "233 jobs", ROUNDED),
        ("over 60,000 jobs", "64,000 jobs", ROUNDED),
        ("60,000 jobs", "64,000 jobs", ROUNDED),
        ("nearly 120 times", "115 times", ROUNDED),
        ("a third of it", "35 percent of it", ROUNDED),
        ("half of it", "50 percent of it", EXACT),
        ("72 to 80 percent", "75 percent", ROUNDED),
        ("10 to 15 million", "10 to 16 million", ROUNDED),
        ("$1 to $11 million", "$4 to $11 million", NOT_EQUAL),
        ("98 percent", "99 percent", NOT_EQUAL),
        ("5 bills", "5 years", NOT_EQUAL),
        ("10 million", "$10 million", EXACT),
    ],
)
def test_a_rounding_is_the_same_figure(one: str, other: str, expected: str) -> None:
    """By less than half the rounder one's step and a tenth at most.

    A hedge or a plain part of a whole widens that.
    """
    assert figure_agreement(figures(one)[0], figures(other)[0]) == expected


@pytest.mark.parametrize(
    ("text", "around"),
    [
        ("A $10 a barrel tax on oil", {"barrel", "tax", "oil"}),
        ("It is 5 percent", set()),
        ("Crime fell 5 percent and wages rose 7 percent", {"crim", "fall", "wag", "ris"}),
    ],
)
def test_what_a_figure_is_about(text: str, around: set[str]) -> None:
    """The words of content nearest to it, bare of their endings; other figures are none."""
    assert figures(text)[0].context == around


made = st.builds(
    Figure, st.floats(0, 1e12), st.just(0.0), st.sampled_from(["count", "percent", "money"]), st.just(frozenset()),
    st.sampled_from(["", "about", "over", "under"]), st.booleans(), st.just(0), st.just(0), st.just("")
).map(lambda f: Figure(f.low, f.low, f.kind, f.units, f.hedge, f.is_rough, 0, 0, ""))  # fmt: skip


@given(made, made)
def test_alike_is_symmetric_and_reflexive(one: Figure, other: Figure) -> None:
    """Neither side is special, and every figure is itself."""
    assert figure_agreement(one, other) == figure_agreement(other, one)
    assert figure_agreement(one, one) == EXACT


@given(st.floats(1e-3, 1e12))
def test_a_step_is_no_larger_than_the_value(value: float) -> None:
    """The last digit that counts belongs to the value."""
    assert 0 < last_digit_unit(value) <= value * (1 + 1e-9)


@given(st.integers(1, 999))
def test_numbers_said_in_words_are_read_back(value: int) -> None:
    """An independent speller and the reader are inverse up to 999."""
    units, tens = (
        {value: word for word, value in table.items()}
        for table in (WORDS_BELOW_TWENTY, WORDS_FOR_TENS)
    )
    hundreds, remainder = divmod(value, 100)
    words = [units[hundreds], "hundred"] if hundreds else []
    if remainder:
        words += ["and"] * bool(words)
        words += (
            [units[remainder]]
            if remainder < 20
            else [tens[remainder // 10 * 10], *([units[remainder % 10]] if remainder % 10 else [])]
        )
    assert read_number(tuple(words), 0) == (value, len(words))


@pytest.mark.parametrize("text", ["🄀", "①②", "It is 🄀 to 🄁.", "🄀th", "No. 🄀", "$🄀 million"])
def test_signs_that_hold_a_digit_break_nothing(text: str) -> None:
    """A digit with a full stop in one sign is not a decimal digit.

    One in a circle is read as itself.
    """
    assert all(figure.low >= 0 for figure in figures(text))


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    """No text breaks the reading, and every figure stands in it."""
    assert all(text[figure.start : figure.end] == figure.text for figure in figures(text))
