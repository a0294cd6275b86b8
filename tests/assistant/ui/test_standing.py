"""The rows about parts, roundings and age on the card."""

from __future__ import annotations

from datetime import date

from assistant.ground.domain import Match, VerifiedClaim
from assistant.ui import standing


def match(statement: str) -> Match:
    """A match of a claim said in 2013."""
    claimed = VerifiedClaim("1", statement, claim_date=date(2013, 3, 10))
    return Match(claimed, rank=1, score=1.0, tier=None, measures=(0.0,) * 19)


def test_roundings_and_age_are_rows() -> None:
    """In the words of both texts, escaped."""
    rows = dict(standing.rows("Nearly 65,000 jobs & more", match("Today 64,000 jobs are <lost>"), date(2018, 6, 1)))
    assert rows["Rounds to"] == "65,000 here, 64,000 in the claim"
    assert "March 2013" in rows["Age"]


def test_the_part_that_a_claim_settles_is_named() -> None:
    """Only where a sentence has several."""
    rows = dict(standing.rows("Crime is up, but 5 million jobs are lost.", match("5 million jobs are lost"), None))
    assert rows["May settle"] == "the second part: “but 5 million jobs are lost.”"


def test_nothing_to_say_is_no_row() -> None:
    """The same figure, and no day of the event."""
    assert standing.rows("64,000 jobs", match("64,000 jobs are lost"), None) == []
