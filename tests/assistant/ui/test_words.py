"""How the app says things."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from assistant.ui import words
from tests.assistant.ui import factory

EVENT = date(2024, 9, 10)


@pytest.mark.parametrize(("value", "said"), [(date(2018, 5, 21), "21 May 2018"), (date(2026, 11, 1), "1 Nov 2026")])
def test_dates_are_written_with_the_month_in_words(value, said):
    """No date can be misread as another."""
    assert said == words.day(value)


@pytest.mark.parametrize(
    ("seconds", "said"), [(872.9, "00:14:32"), (0.0, "00:00:00"), (3661.0, "01:01:01"), (None, "")]
)
def test_times_are_clock_times(seconds, said):
    """Times are hours, minutes, seconds; an unknown one is nothing."""
    assert said == words.clock(seconds)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (EVENT, "on the day of this debate"),
        (EVENT - timedelta(days=1), "1 day before this debate"),
        (EVENT + timedelta(days=3), "3 days after this debate"),
        (EVENT - timedelta(days=21), "3 weeks before this debate"),
        (EVENT - timedelta(days=426), "14 months before this debate"),
        (date(2018, 5, 21), "6 years before this debate"),
        (date(2018, 9, 10), "6 years before this debate"),
        (date(2019, 10, 20), "4 years before this debate"),
        (None, ""),
    ],
)
def test_gaps_are_said_in_words(other, said):
    """The distance to the event is said as a person would, on the right side of it."""
    assert said == words.gap(EVENT, other)


@given(some.integers(0, 20000))
def test_a_gap_never_loses_its_unit(days):
    """Every distance has a number of at least one and a unit that agrees with it, but for no days at all."""
    number, unit = words.length(days).split(" ")

    assert unit.endswith("s") == (number != "1")
    assert int(number) >= 1 or days == 0


def test_the_publisher_rates_not_lectern():
    """The sentence about a rating names the publisher, its own words and the day."""
    said = words.rated(factory.vclaim(0))

    assert "City Desk rated this claim Mostly False on 21 May 2018" == said


def test_a_claim_without_rating_or_date_is_still_a_sentence():
    """What is not known is said to be unknown."""
    from dataclasses import replace

    bare = replace(factory.vclaim(0), rating="", review_date=None, publisher="", claimant="", claim_date=None)

    assert "An unnamed publisher checked this claim and gave no rating, date unknown" == words.rated(bare)
    assert "Claimant not named, date of the claim unknown" == words.said(bare)


def test_an_old_database_is_told_with_the_days():
    """The first screen says how far the database ends before the event."""
    said = words.old_database(date(2021, 1, 29), EVENT)

    assert (
        "Your newest fact-check is from 29 Jan 2021, 1,320 days before this debate. Later claims cannot be found."
        == said
    )


@pytest.mark.parametrize(("newest", "event"), [(EVENT, EVENT), (None, EVENT), (EVENT, None)])
def test_a_database_that_reaches_the_event_needs_no_warning(newest, event):
    """No warning without a reason."""
    assert "" == words.old_database(newest, event)


def test_the_size_of_the_database_has_thousands_separators():
    """The line on the first screen, to the letter."""
    said = words.database(93214, 61, date(2026, 11, 18))

    assert "93,214 fact-checks by 61 publishers, newest 18 Nov 2026" == said


def test_nothing_found_is_said_with_counts():
    """A debate that nothing settles is a result: how many sentences, against how many fact-checks."""
    report = factory.report(40, matched=False)

    said = words.nothing_found(report)

    assert "25 check-worthy sentences, none close enough to any of 19,250 fact-checks." in said


def test_counts_name_every_step():
    """All sentences, the check-worthy, the likely, the possible: as many as the report has."""
    report = factory.report(60)
    counts = report.counts()

    assert (
        f"60 sentences → {counts['check_worthy']} check-worthy → {counts['likely']} likely · "
        f"{counts['possible']} possible" == words.coverage(report)
    )


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (None, "time left not known yet"),
        (4, "a few seconds left"),
        (43, "about 40 seconds left"),
        (95, "about 2 minutes left"),
    ],
)
def test_time_left_is_rounded(seconds, said):
    """A rest of time does not jump about."""
    assert said == words.time_left(seconds)


def test_what_was_read_is_said_in_one_line():
    """Format, sentences, speakers, length."""
    assert "WebVTT, 1,204 sentences, 5 speakers, 96 min" == words.read_as("WebVTT", 1204, 5, 5760.0)
    assert "plain text, 1 sentence, no speakers named" == words.read_as("plain text", 1, 0, 0.0)
