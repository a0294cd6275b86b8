"""Who held which office when."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.report.offices import OFFICES, changed_hands

BY_NAME = {office.called: office for office in OFFICES}


@pytest.mark.parametrize("office", OFFICES, ids=lambda office: office.called)
def test_terms_follow_each_other(office):
    """First days rise, and nobody follows themselves."""
    days = [first_day for first_day, _ in office.terms]
    assert sorted(set(days)) == days
    assert all(
        holder != next_holder
        for (_, holder), (_, next_holder) in zip(office.terms, office.terms[1:], strict=False)
    )


@pytest.mark.parametrize(
    ("called", "day", "who"),
    [
        ("the presidency", "2017-01-19", "Barack Obama"),
        ("the presidency", "2017-01-20", "Donald Trump"),
        ("the presidency", "1960-01-01", ""),
        ("the vice presidency", "2016-10-04", "Joe Biden"),
        ("the office of Speaker of the House", "2016-02-13", "Paul Ryan"),
        ("the leadership of the Senate's majority", "2014-07-01", "Harry Reid"),
        ("the leadership of the House's minority", "2012-10-03", "Nancy Pelosi"),
        ("the office of Secretary of State", "2012-10-22", "Hillary Clinton"),
    ],
)
def test_an_office_has_its_holder_of_the_day(called, day, who):
    """Read from the public lists; nobody before a list begins."""
    assert BY_NAME[called].holder(date.fromisoformat(day)) == who


@given(st.sampled_from(OFFICES), st.dates(date(1990, 1, 1), date(2024, 12, 31)))
def test_the_title_with_the_name_of_its_holder_is_the_office(office, day):
    """On every day, and only for whoever holds it then.

    Presidents keep the title, so their name tells nothing.
    """
    title = {"the presidency": "President", "the vice presidency": "Vice President"}.get(
        office.called
    )
    title = title or {"Speaker": "House Speaker", "Secretary": "Secretary of State"}.get(
        office.called.split()[3]
    )
    title = title or f"{office.called.split()[4][:-2]} {office.called.split()[5]} leader"
    who = office.holder(day)
    named_holder = office.named(f"Yesterday {title} {who} spoke.", day) if who else ""
    assert named_holder == (f"{title} {who}" if who and not office.for_life else "")
    assert office.named(f"Yesterday {title} Jane Placeholder spoke.", day) == ""


@given(st.dates(date(1995, 1, 1), date(2030, 1, 1)), st.integers(0, 9000))
def test_an_office_that_nobody_left_has_not_changed_hands(day, later):
    """A change is reported if, and only if, somebody else holds it on the later day."""
    now = day + timedelta(later)
    changes = list(
        changed_hands("The president and the vice president met the House speaker.", day, now)
    )
    names = ("the presidency", "the vice presidency", "the office of Speaker of the House")
    assert [name for name in names if BY_NAME[name].holder(day) != BY_NAME[name].holder(now)] == [
        t[2] for t in changes
    ]
