"""A draft of ClaimReview (schema.org) for a newsroom's own article about a confirmed match.

The draft has the newsroom's words only: its rating is the newsroom's, never a publisher's, and its
address is empty until the article has one. The published fact-check is its source.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from assistant.core.domain import CheckedSentence, Match, Report
from assistant.core.errors import ReviewError
from assistant.report import contents

SCHEMA_ORG_CONTEXT = "https://schema.org"


@dataclass(frozen=True, slots=True)
class NewsroomRating:
    """The newsroom's own rating: its words, and perhaps its number on a scale."""

    words: str = ""
    value: float | None = None
    worst: float | None = None
    best: float | None = None


@dataclass(frozen=True, slots=True)
class NewsroomEdits:
    """The edits of a person: the newsroom, its rating, and the claim in its words.

    An empty ``claim_reviewed`` is the sentence itself. ``address`` is empty until the article has
    one.
    """

    newsroom: str
    newsroom_address: str = ""
    claim_reviewed: str = ""
    rating: NewsroomRating = NewsroomRating()
    explanation: str = ""
    address: str = ""
    published: date | None = None


def claim_review_draft(
    report: Report, checked_sentence: CheckedSentence, match: Match, edits: NewsroomEdits
) -> dict[str, Any]:
    """Return the draft for a confirmed match of a sentence as JSON-LD.

    Raises: ReviewError unless the match is confirmed, or if an edit is missing or contradictory.
    """
    if not contents.is_confirmed(match):
        raise ReviewError("this match is not confirmed.", remedy="Confirm the match first.")
    if not edits.newsroom.strip():
        raise ReviewError("the newsroom has no name.", remedy="Enter the name of the newsroom.")
    newsroom: dict[str, Any] = {"@type": "Organization", "name": edits.newsroom.strip()}
    if edits.newsroom_address:
        newsroom["url"] = edits.newsroom_address
    draft: dict[str, Any] = {
        "@context": SCHEMA_ORG_CONTEXT,
        "@type": "ClaimReview",
        "url": edits.address,
        "author": newsroom,
        "claimReviewed": edits.claim_reviewed.strip() or checked_sentence.sentence.text,
        "itemReviewed": _claim_as_said(report, checked_sentence),
        "reviewRating": _newsroom_rating(edits),
        "isBasedOn": _published_source(match),
    }
    if edits.published is not None:
        draft["datePublished"] = edits.published.isoformat()
    return draft


def _claim_as_said(report: Report, checked_sentence: CheckedSentence) -> dict[str, Any]:
    """Return the claim as it was said: its words, its speaker, its day and its debate."""
    sentence = checked_sentence.sentence
    transcript = report.transcript
    claim: dict[str, Any] = {
        "@type": "Claim",
        "text": sentence.text,
        "appearance": {"@type": "CreativeWork", "name": transcript.title},
    }
    if sentence.speaker:
        claim["author"] = {"@type": "Person", "name": sentence.speaker}
    if transcript.event_date is not None:
        claim["datePublished"] = transcript.event_date.isoformat()
    return claim


def _newsroom_rating(edits: NewsroomEdits) -> dict[str, Any]:
    """Return the newsroom's rating; its words are empty until a person gives them.

    Raises: ReviewError if its number has no scale, or lies outside of it.
    """
    rating = edits.rating
    values: dict[str, Any] = {"@type": "Rating", "alternateName": rating.words.strip()}
    if edits.explanation.strip():
        values["ratingExplanation"] = edits.explanation.strip()
    # A rating may be in words only, or also a number on a scale such as 1 to 5.
    numbers = (rating.worst, rating.value, rating.best)
    if numbers == (None, None, None):
        return values
    if rating.worst is None or rating.value is None or rating.best is None:
        raise ReviewError("a numeric rating needs a value, a worst value and a best value.")
    if not rating.worst <= rating.value <= rating.best:
        message = f"the rating {rating.value} is not between {rating.worst} and {rating.best}."
        raise ReviewError(message)
    values["ratingValue"] = rating.value
    values["worstRating"] = rating.worst
    values["bestRating"] = rating.best
    return values


def _published_source(match: Match) -> dict[str, Any]:
    """Return the published fact-check, without its rating, which is about another statement."""
    claim = match.claim
    source: dict[str, Any] = {
        "@type": "CreativeWork",
        "name": claim.title or claim.statement,
        "publisher": {"@type": "Organization", "name": claim.publisher},
    }
    address = contents.address(claim)
    if address:
        source["url"] = address
    if claim.review_date is not None:
        source["datePublished"] = claim.review_date.isoformat()
    return source
