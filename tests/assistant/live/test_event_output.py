"""Repeats and health in words."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from types import SimpleNamespace

import pytest

from assistant.live.event import Feed, Health, Occurrence
from assistant.live.event_output import (
    fields_of_output_line,
    health_line,
    ordinal,
    repeats_in_words,
    summary,
)

TONIGHT = [datetime(2024, 9, 10, 21, minute).timestamp() for minute in (14, 30, 45)]
HERE = [
    Occurrence("city", "City debate", date(2024, 9, 10), n, at)
    for n, at in zip((3, 9, 20), TONIGHT, strict=True)
]
MARCH = Occurrence("march", "Debate in the hall", date(2024, 3, 4), 7, TONIGHT[0] - 1e7)


@pytest.mark.parametrize(
    ("times", "number", "expected"),
    [
        (HERE[:1], 3, ""),
        (HERE, 9, "2nd strong match tonight, first at 21:14"),
        (
            [MARCH, *HERE],
            20,
            "3rd strong match tonight, first at 21:14; also in Debate in the hall (4 Mar 2024)",
        ),
        ([MARCH, *HERE[:1]], 3, "also in Debate in the hall (4 Mar 2024)"),
        ([MARCH, *HERE], 21, ""),
    ],
)
def test_repeats_are_told_in_words(times, number, expected):
    """How many times tonight, when first, and where else."""
    assert repeats_in_words(times, "city", number) == expected


def test_ordinals_are_english():
    """Teens are regular."""
    assert "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 103rd 111th".split() == [
        ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111)
    ]


def test_health_says_when_it_is_behind():
    """Lag and queue in words; what is done about it."""
    printed = health_line(Health((), TONIGHT[0], 7, 4.2, None, (0.31, 0.9)))

    assert printed == (
        "last words at 21:14:00 · 7 sentences wait to be checked, the oldest for 4 s · "
        "the most check-worthy go first · checked 0.3 s after a sentence ends (95% of them within 0.9 s)"
    )
    assert health_line(Health((), None, 0, 0.0, None, None)) == "no words yet"


@pytest.mark.parametrize(
    ("unheard", "told"),
    [
        ((None,), ""),
        ((None, 0.4), "hearing keeps up · "),
        ((7.3, 0.4), "hearing is 7 s behind and leaves nothing out · "),
    ],
)
def test_health_says_whether_hearing_keeps_up(unheard, told):
    """Of the slowest source that is listened to; nothing where words come."""
    feeds = tuple(Feed("test", TONIGHT[0], "", unheard=seconds) for seconds in unheard)

    health = Health(feeds, TONIGHT[0], 0, 0.0, None, None)
    assert health_line(health) == f"last words at 21:14:00 · {told}all sentences are checked"


def test_of_an_event_that_nobody_follows_only_what_is_there_is_told():
    """No pace of hearing or of checks.

    What waits to be checked waits until somebody follows it again.
    """
    feed = Feed("test", TONIGHT[0], "", unheard=7.3)
    health = Health((feed,), TONIGHT[0], 1, 4.2, None, (0.31, 0.9))

    assert (
        health_line(health, followed=False)
        == "last words at 21:14:00 · 1 sentence waits to be checked, the oldest for 4 s"
    )


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the time zone cannot be changed here")
def test_equal_hours_at_the_end_of_summer_time_stay_apart(monkeypatch):
    """The hour from two to three comes twice that night."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    moments = [datetime(2024, 10, 27, hour, 30, tzinfo=UTC).timestamp() for hour in (0, 1)]
    outcome = SimpleNamespace(report='{"sentences": [{}]}')

    rows = [
        fields_of_output_line(
            SimpleNamespace(name="city"), SimpleNamespace(said=moment), outcome, []
        )
        for moment in moments
    ]

    monkeypatch.undo()
    time.tzset()
    assert [row["said"] for row in rows] == [
        "2024-10-27T02:30:00+02:00",
        "2024-10-27T02:30:00+01:00",
    ]


def test_the_summary_counts_matches_by_strength():
    """Those of a ranker without strengths are counted by tier."""
    outcomes = [("good", "likely"), ("strong", "likely"), ("good", "possible"), ("", "likely")]
    sentences = [
        SimpleNamespace(kept=True, tier=tier, strength=strength) for strength, tier in outcomes
    ]
    sentences.append(SimpleNamespace(kept=False, tier=None, strength=""))
    health = Health((), None, 0, 0.0, None, None)
    log = SimpleNamespace(sentences=lambda name: sentences, health=lambda name, now: health)

    printed = summary(log, SimpleNamespace(name="city"))

    assert printed == ("5 sentences → 4 check-worthy → 1 strong · 1 likely · 2 good · no words yet")
