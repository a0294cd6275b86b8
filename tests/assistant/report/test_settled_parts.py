"""Which part a match settles, and when a compound sentence is settled as a whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.core.domain import (
    CheckedSentence,
    Decision,
    Match,
    Sentence,
    Strength,
    Tier,
    VerifiedClaim,
)
from assistant.report.settled_parts import (
    left_open,
    open_parts,
    settled_parts,
    settles,
    unsettled_parts,
)

TEXT = "The senator raised taxes on the poor, and 43 million Americans are on food stamps."
FIRST = "The senator raised taxes on the poor."
SECOND = "43 million Americans are on food stamps."


def checked(*statements: str, text: str = TEXT, tier: Tier = Tier.LIKELY) -> CheckedSentence:
    """A sentence with matches of one tier."""
    matches = tuple(
        Match(VerifiedClaim(str(i), statement), rank=i, score=1.0, tier=tier, measures=(0.0,) * 19)
        for i, statement in enumerate(statements, 1)
    )
    return CheckedSentence(
        Sentence(1, 1, text), 1.0, True, tier=tier if matches else None, matches=matches
    )


def test_the_settled_part_is_named() -> None:
    """By its place and its words; a claim that repeats the whole names none."""
    assert (
        settles(TEXT, SECOND) == "the second part: “and 43 million Americans are on food stamps.”"
    )
    assert settles(TEXT, FIRST).startswith("the first part: ")
    assert settles(TEXT, TEXT) == ""
    assert settles(SECOND, SECOND) == ""


@pytest.mark.parametrize(
    ("statements", "settled"), [((FIRST,), False), ((SECOND,), False), ((FIRST, SECOND), True)]
)
def test_a_sentence_is_settled_only_when_every_part_is(
    statements: tuple[str, ...], settled: bool
) -> None:
    """By one claim or by several; half of it is no answer to the rest."""
    assert bool(left_open(checked(*statements))) is not settled


def test_possible_matches_settle_nothing() -> None:
    """Where nothing is likely, nothing is reported as left open."""
    possible = checked(FIRST, SECOND, tier=Tier.POSSIBLE)
    assert left_open(possible) == ""


def test_only_a_strong_match_or_a_confirmed_one_settles_a_part() -> None:
    """A good match settles nothing, though it is likely; so nothing is left open beside it."""
    sentence = checked(FIRST)
    good = replace(sentence.matches[0], strength=Strength.GOOD)
    strong = replace(good, strength=Strength.STRONG)
    confirmed = replace(good, decision=Decision("confirm", by="Ada"))

    open_lines = [
        left_open(replace(sentence, matches=(match,))) for match in (good, strong, confirmed)
    ]

    assert [bool(line) for line in open_lines] == [False, True, True]


def test_a_part_that_nobody_can_check_is_left_open_however_short() -> None:
    """An unverifiable part of docs/research/confidence.md.

    The check of the first part does not settle the sentence.
    """
    assert open_parts(
        checked(FIRST, text=f"{FIRST.rstrip('.')}, and history will smile at it.")
    ) == ("history will smile at it.",)


def test_an_opinion_or_an_appeal_is_not_left_open() -> None:
    """A hope or a question beside a settled part leaves nothing open."""
    assert (
        open_parts(
            checked(FIRST, text="The senator raised taxes on the poor, and I think it was a shame.")
        )
        == ()
    )
    assert left_open(checked(FIRST, text=FIRST)) == ""


def test_a_part_that_is_broken_off_is_not_left_open() -> None:
    """A few words before an ellipsis state nothing; a whole statement before one does."""
    broken_off = checked(FIRST, text="The senator raised taxes on the poor, who has said...")
    whole = checked(
        FIRST, text="The senator raised taxes on the poor, who had voted for her last year..."
    )

    assert open_parts(broken_off) == ()
    assert open_parts(whole) == ("who had voted for her last year...",)


def test_parts_of_a_text_are_those_of_its_card() -> None:
    """The same parts, without a checked sentence around them.

    None where the claim is about the whole.
    """
    assert unsettled_parts(TEXT, [FIRST]) == open_parts(checked(FIRST))
    assert unsettled_parts(TEXT, [FIRST, SECOND]) == unsettled_parts(SECOND, []) == ()
    assert [
        settled_part.text in settles(TEXT, SECOND) for settled_part in settled_parts(TEXT, SECOND)
    ] == [True]
    assert settled_parts(TEXT, TEXT) == ()
