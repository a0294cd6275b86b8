"""How reports say things."""

from dataclasses import replace
from datetime import date

import pytest

from assistant.ground.domain import Agreement, Decision, KeySentence, RatingClass, Stance, Tier, Why
from assistant.reports import phrases
from tests.assistant import made_up

EVENT = date(2024, 9, 10)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (date(2024, 9, 10), "on the day of this debate"),
        (date(2024, 9, 9), "1 day before this debate"),
        (date(2024, 9, 12), "2 days after this debate"),
        (date(2024, 8, 20), "3 weeks before this debate"),
        (date(2023, 7, 10), "14 months before this debate"),
        (date(2018, 5, 21), "6 years before this debate"),
        (None, ""),
    ],
)
def test_gaps_in_words(other, expected):
    """As a person would say it."""
    assert phrases.gap(EVENT, other) == expected


def test_the_sentence_that_decides_is_quoted_where_there_is_room_for_one():
    """Else the first; and the first beside it where there is room for two."""
    one, two = (KeySentence(i, 0, 1, str(i), 0.5, why) for i, why in enumerate(("debunking pattern", "other words")))
    three = replace(two, index=2, why="repeats the claim, decides the rating")
    match = replace(made_up.match(), key_sentences=(one, two, three))

    assert (three, [one, three]) == (phrases.deciding(match), phrases.proofs(match))
    assert [one] == phrases.proofs(replace(match, key_sentences=(one, two)))
    assert [three] == phrases.proofs(replace(match, key_sentences=(three, one)))
    assert [] == phrases.proofs(replace(match, key_sentences=()))


def test_reasons_have_their_signs():
    """Each its own; words that are no reason of ours stay as they are."""
    key = KeySentence(0, 0, 1, "x", 0.5, "repeats the claim, decides the rating")

    assert "❝ repeats the claim, ⚖ decides the rating" == phrases.why(key)
    assert "in other words" == phrases.why(replace(key, why="in other words"))
    assert len(Why) == len(set(phrases.WHY_SIGNS.values()))


@pytest.mark.parametrize(
    ("seconds", "expected"), [(872.9, "00:14:32"), (0, "00:00:00"), (36_000, "10:00:00"), (None, "")]
)
def test_times(seconds, expected):
    """Hours, minutes and seconds, nothing for an unknown time."""
    assert phrases.clock(seconds) == expected


def test_a_rating_is_the_publishers():
    """Who, what, when."""
    assert phrases.rated(made_up.VCLAIM) == "Lectern sample desk rated this claim True on 4 Mar 2019"


def test_cautions_name_what_differs_and_a_check_that_came_later():
    """Other figures, no truth rating, checked after the event."""
    vclaim = replace(made_up.VCLAIM, rating_class=RatingClass.NOT_A_TRUTH_RATING, review_date=date(2024, 9, 12))
    match = replace(made_up.match(vclaim), agreement={"numbers": Agreement.DIFFERENT, "names": Agreement.SAME})

    assert phrases.cautions(match, EVENT) == [
        "other numbers",
        "the rating is not about truth",
        "checked 2 days after this debate",
    ]


@pytest.mark.parametrize(
    ("stance", "tier", "expected"),
    [
        (Stance.CONTRADICTS, Tier.POSSIBLE, ["one of the two denies it or says the opposite"]),
        (Stance.UNCLEAR, Tier.POSSIBLE, ["may be another claim"]),
        (Stance.UNCLEAR, None, []),
        (Stance.REPEATS, Tier.LIKELY, []),
    ],
)
def test_a_shown_match_that_does_not_repeat_its_claim_says_so(stance, tier, expected):
    """Beside every rating, in every form of report; a candidate that is not shown as a match needs no doubt."""
    assert phrases.doubts(replace(made_up.match(), stance=stance, tier=tier, agreement={})) == expected


def test_agreement_in_words():
    """Same, different, missing, each with its parts."""
    assert phrases.agreement(made_up.match()) == "Same: numbers, names. Missing: dates."


def test_signals_are_the_largest_contributions_in_words():
    """By size, whatever the sign; an input that nobody knows has the words of its name."""
    values = {"numbers_shared": 0.1, "days_apart": -2.0, "own_input": 0.5, "base": 1.0}
    match = replace(made_up.match(), contributions=values)

    assert phrases.signals(match) == [
        "time between the claim and the event -2.00",
        "where every pair starts +1.00",
        "own input +0.50",
    ]


def test_a_decision_in_words():
    """Who, when, why; parts that are missing leave no trace."""
    assert phrases.decided(Decision("confirm")) == "Confirmed"
    assert phrases.decided(Decision("reject", "other year", "Ada", "2024-09-11T09:30:00", "p. 2")) == (
        "Rejected by Ada, 2024-09-11 09:30: other year. p. 2"
    )
    assert phrases.decided(None) == "not reviewed"
