"""Types of values that every request and answer of the API uses."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from assistant.core.domain import Match, RatingClass, VerifiedClaim
from assistant.report import contents


def _plain(text: str) -> str:
    """Return a text that every database and model can read. Raises: ValueError."""
    if "\0" in text:
        raise ValueError("must not contain the character U+0000")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            "must not contain an incomplete surrogate pair (invalid Unicode)"
        ) from error
    return text


class MatchStrength(StrEnum):
    """The strength of a match. A related match is too weak for the list."""

    STRONG = "strong"
    GOOD = "good"
    POSSIBLE = "possible"
    RELATED = "related"

    @classmethod
    def of(cls, match: Match) -> MatchStrength:
        """Return the strength of a match, at most possible if its report has none."""
        if match.strength is not None:
            return cls(str(match.strength))
        return cls.RELATED if match.tier is None else cls.POSSIBLE


PlainText = Annotated[str, AfterValidator(_plain)]


class FactCheck(BaseModel):
    """A published fact-check. The rating is the publisher's, and the rating class is Lectern's."""

    id: str
    statement: str = Field(description="the claim that the publisher checked")
    title: str
    claimant: str = Field(description="the person who made the claim, empty if unknown")
    claim_date: date | None
    rating: str
    rating_class: RatingClass
    review_date: date | None = Field(description="the day on which the fact-check was published")
    publisher: str
    url: str
    language: str = Field(description="empty if the answer comes from a stored report")

    @classmethod
    def of(cls, claim: VerifiedClaim, *, language: str | None = None) -> FactCheck:
        """Return a claim without its article; an address that is not of the web is left out."""
        return cls(
            id=claim.id,
            statement=claim.statement,
            title=claim.title,
            claimant=claim.claimant,
            claim_date=claim.claim_date,
            rating=claim.rating,
            rating_class=claim.rating_class,
            review_date=claim.review_date,
            publisher=claim.publisher,
            url=contents.address(claim) or "",
            language=claim.language if language is None else language,
        )
