"""When a claim has aged: records, today, periods, the presidency; never without both days."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.domain import Agreement, VerifiedClaim
from assistant.report.ageing import ageing, ageing_of_match
from tests.assistant import made_up

EVENT = date(2018, 6, 1)


def claim(statement: str, claim_day: str = "2013-03-10") -> VerifiedClaim:
    """A claim with the day it was said."""
    return VerifiedClaim("1", statement, claim_date=date.fromisoformat(claim_day))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Unemployment is the lowest it has ever been.", "the record may have been broken since"),
        ("Oil production is at an all-time high.", "the record may have been broken since"),
        (
            "Right now 20 million people are out of work.",
            "“Right now” was March 2013: it may have changed since",
        ),
        (
            "Last year we lost $500 billion on trade.",
            "the claim’s figure is for 2012, and may have changed since",
        ),
        (
            "Since 2009, 4 million jobs were lost.",
            "the claim’s figure is for 2013, and may have changed since",
        ),
        (
            "The president signed the bill.",
            "was Barack Obama in 2013: the presidency has changed hands since",
        ),
        (
            "House Speaker John Boehner flew home.",
            "was said in 2013: the office of Speaker of the House has changed hands since",
        ),
        (
            "The vice president has a dog.",
            "was Joe Biden in 2013: the vice presidency has changed hands since",
        ),
    ],
)
def test_what_has_aged_is_said(statement: str, expected: str) -> None:
    """In a plain sentence that quotes the claim's own words or its period."""
    (warning,) = ageing(claim(statement), EVENT)
    assert warning.endswith(expected)


@pytest.mark.parametrize(
    ("statement", "said", "event"),
    [
        ("Unemployment is the lowest it has ever been.", "2018-05-10", EVENT),  # weeks ago
        ("Unemployment is the lowest it has ever been.", "2019-05-10", EVENT),  # said afterwards
        ("Unemployment is the lowest it has ever been.", "2013-05-10", None),
        ("The president signed the bill.", "2017-05-10", EVENT),  # the same one
        ("Senate Majority Leader Mitch McConnell spoke.", "2016-05-10", EVENT),
        (
            "President Obama signed the bill.",
            "2013-05-10",
            EVENT,
        ),  # he is named, and keeps the title
        ("The president of Mexico was here.", "2013-05-10", EVENT),
        ("House Speaker Dean Cannon of Florida spoke.", "2013-05-10", EVENT),  # another House
        (
            "The secretary of state counts the votes.",
            "2013-05-10",
            EVENT,
        ),  # of which state is not said
        ("John Smith voted against the bill.", "2013-05-10", EVENT),
    ],
)
def test_what_has_not_aged_is_not_said(statement: str, said: str, event: date | None) -> None:
    """Too near, afterwards, undated, or nothing in it that ages."""
    assert ageing(claim(statement, said), event) == []


@pytest.mark.parametrize(
    ("statement", "has_aged"),
    [
        ("In 1965 half of American adults smoked.", False),
        ("Between 2001 and 2008 prices rose 20 percent.", False),
        ("In 2013 prices rose 20 percent.", True),  # the year wasn't over
        ("Since 1993 the tax has been 18 cents.", True),  # a period that goes on
        ("Last year we lost $500 billion on trade.", True),  # another year by now
    ],
)
def test_figures_of_a_past_year_that_both_texts_name_do_not_age(
    statement: str, has_aged: bool
) -> None:
    """If only the claim names the year, the figure may be another one now."""
    assert bool(ageing(claim(statement), EVENT, has_same_dates=True)) is has_aged
    assert ageing(claim(statement), EVENT)


def test_a_match_says_whether_both_texts_name_the_year() -> None:
    statement = claim("In 1965 half of American adults smoked.")
    other_match = made_up.match(statement)  # only the claim names the year
    match = replace(other_match, agreement={"dates": Agreement.SAME})

    assert ageing_of_match(match, EVENT) == []
    assert ageing_of_match(other_match, EVENT)


def test_a_claim_without_a_day_does_not_age() -> None:
    """Nothing is guessed."""
    assert ageing(VerifiedClaim("1", "The lowest ever."), EVENT) == []


@given(st.text(max_size=60), st.dates(), st.dates())
def test_any_statement_can_be_looked_at(statement: str, said: date, event: date) -> None:
    """No text and no calendar breaks it."""
    assert all(ageing(VerifiedClaim("1", statement, claim_date=said), event))
