"""Dates and periods of a text, resolved against the day it was said, and compared."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.language.figures.date_comparison import compare, may_be_same_date
from features.language.figures.dates import dates

SAID = date(2016, 6, 15).toordinal()


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("three years ago", "2013-01-01", "2013-12-31"),
        ("last year", "2015-01-01", "2015-12-31"),
        ("they voted last year to end it", "2015-01-01", "2015-12-31"),
        ("last year was bad", "2015-01-01", "2015-12-31"),
        ("for our next two years", "2018-06-15", "2018-06-15"),
        ("last month", "2016-05-01", "2016-05-31"),
        ("in March of 2016", "2016-03-01", "2016-03-31"),
        ("March 11, 2009", "2009-03-11", "2009-03-11"),
        ("6/19/2007", "2007-06-19", "2007-06-19"),
        ("in 2012", "2012-01-01", "2012-12-31"),
        ("in twenty twelve", "2012-01-01", "2012-12-31"),
        ("in nineteen oh five", "1905-01-01", "1905-12-31"),
        ("since two thousand, we", "2000-01-01", "2000-12-31"),
        ("In fifty-two, which was", "1952-01-01", "1952-12-31"),
        ("was set up in thirty-three", "1933-01-01", "1933-12-31"),
        ("a dollar back in thirty-eight.", "1938-01-01", "1938-12-31"),
        ("since eighty one we", "1981-01-01", "1981-12-31"),
        ("in nineteen hundred the", "1900-01-01", "1900-12-31"),
        ("three years before 2016", "2013-01-01", "2013-12-31"),
        ("Since a decade after 1998,", "2008-01-01", "2008-12-31"),
        ("two years prior to the year 2000", "1998-01-01", "1998-12-31"),
        ("between 2001 and 2008", "2001-01-01", "2008-12-31"),
        ("2009-2010", "2009-01-01", "2010-12-31"),
        ("early 1990s", "1990-01-01", "1994-12-31"),
        ("the '90s", "1990-01-01", "1999-12-31"),
        ("in the third quarter of 2010", "2010-07-01", "2010-09-30"),
        ("in the past two years", "2014-06-15", "2014-06-15"),
        ("since November", "2015-11-01", "2015-11-30"),
    ],
)
def test_a_date_is_a_period(text: str, first: str, last: str) -> None:
    """By the calendar, or counted from the day it was said."""
    (period,) = dates(text)
    assert [date.fromordinal(int(day)).isoformat() for day in period.days_for_speaker_on(SAID)] == [
        first,
        last,
    ]


@pytest.mark.parametrize(
    "text",
    [
        "$2000",
        "2000 people",
        "2,012 jobs",
        "in two thousand cities",
        "in two thousand and fifty",
        "in fifty-two countries",
        "in fifty-two of them",
        "one in fifty-two, they say",
        "3 out of thirty-six.",
        "in ninety-nine percent of cases",
        "all of thirty-three, and tired",
        "I may go",
        "they march on",
        "",
        "it is 16 percent",
        "his last year",
        "last year in office",
        "the year was bad",
    ],
)
def test_what_is_no_date(text: str) -> None:
    """Figures that look like years, words that look like months."""
    assert dates(text) == ()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("in 2005", "between 2001 and 2008", True),
        ("in 2009", "between 2001 and 2008", False),
        ("since 2009", "since 2009", True),
        ("since 2009", "since 2008", False),
        ("March 2016", "in 2016", True),
        ("in 2015", "in 2016", False),
        ("three years ago", "four years ago", False),
        ("last year", "in 2016", None),
        ("in March", "March 2016", True),
        ("in March", "in April", False),
    ],
)
def test_the_three_rules(one: str, other: str, expected: bool | None) -> None:
    """Between, so many years before or after, direct comparison.

    None where the days of speaking decide.
    """
    assert may_be_same_date(*dates(one), *dates(other)) is expected


@pytest.mark.parametrize(
    ("one", "event", "other", "said", "expected"),
    [
        ("three years ago", "2016-03-01", "in 2013", "2014-01-01", (1, 0)),
        ("three years ago", "2016-03-01", "in 2009", "2014-01-01", (0, 1)),
        ("last year", "2016-03-01", "last year", "2015-05-01", (0, 1)),
        ("in the past three years", "2012-06-01", "since 2009", "2012-01-01", (1, 0)),
        ("this year", "2016-03-01", "in 2016", "2016-05-01", (1, 0)),
        ("a decade ago", "2011-01-25", "a decade ago", "2013-01-17", (1, 0)),
        ("a decade ago", "2011-01-25", "a decade ago", "2019-01-17", (0, 1)),
    ],
)
def test_days_of_speaking_decide(
    one: str, event: str, other: str, said: str, expected: tuple[int, int]
) -> None:
    """What is told from the day of speaking is resolved against that day."""
    days = [date.fromisoformat(day).toordinal() for day in (event, said)]
    verdict = compare(dates(one), dates(other), *days)
    assert (verdict.shared, verdict.clashing) == expected


@given(st.text("0123456789/-' aeilnorstyJMm", max_size=40), st.integers(1, 700_000))
def test_any_text_can_be_resolved(text: str, day: int) -> None:
    """No text breaks the reading or the calendar, and nothing ends before it begins."""
    assert all(
        when.days_for_speaker_on(day)[0] <= when.days_for_speaker_on(day)[1] for when in dates(text)
    )


FRAGMENTS = (
    "three years before 2001|Sept. 11|3/4/2017|May 5, 2016|Mar.|between 1990 and 2000|2001-03|"
    "the '90s|1990s|the twenties|19th century|third quarter of 2011|two weeks ago|in 2016|'08|"
    "in fifty-two, it|over the past ten years|in the last decade|in the next 5 years|two years from now|yesterday|"
    "this past week|nineteen ninety two|two thousand and five|MAY|the year before that|and|to"
).split("|")


@given(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=5))
def test_a_text_with_the_words_of_a_date_is_read_by_its_pattern(fragments: list[str]) -> None:
    """Beside a letter that is not ASCII, every pattern is tried, whatever words a text has."""
    text = " ".join(fragments)

    assert dates(text) == dates(f"{text} ñ")


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("twenty centuries before 1990", "0001-01-01", "0001-12-31"),
        ("nine hundred centuries after 2001", "9998-01-01", "9998-12-31"),
    ],
)
def test_a_year_beyond_the_calendar_is_its_first_or_last(text: str, first: str, last: str) -> None:
    (period,) = dates(text)
    assert [date.fromordinal(int(day)).isoformat() for day in period.days_for_speaker_on(SAID)] == [
        first,
        last,
    ]
