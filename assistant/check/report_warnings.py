"""Warnings of a check: an old database, articles that are still being read, a ranker that does not fit the models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from assistant.core.domain import Transcript

if TYPE_CHECKING:
    from assistant.check.loaded_models import Models
    from assistant.claims.claim_index import ClaimIndex

MAX_NAMED_IDS = 5
FIRST_LOOK = "First look"
OLD_DATABASE = "Later claims cannot be found"
MISSING_CLAIMS = "in the index, but not in the database"
UNFIT_RANKER = "The ranker was trained with other models"


def of_check(transcript: Transcript, index: ClaimIndex, models: Models) -> tuple[str, ...]:
    """Return all warnings of a check, beginning with those about how the transcript was read."""
    return (*transcript.warnings, *_of_database(index, transcript.event_date), *_of_models(models))


def of_missing_claims(claim_ids: Sequence[str]) -> tuple[str, ...]:
    """Return the warning that matches were left out because the database lacks their claims."""
    if not claim_ids:
        return ()
    listed_ids = ", ".join(claim_ids[:MAX_NAMED_IDS])
    further_count = len(claim_ids) - MAX_NAMED_IDS
    if further_count > 0:
        listed_ids = f"{listed_ids} and {further_count:,} more"
    return (
        f"Fact-checks {MISSING_CLAIMS}, were left out: {listed_ids}. If nobody withdrew them, "
        "the index may be damaged: run `python -m assistant claims index`.",
    )


def of_ranker(warning: str) -> bool:
    """Return whether a warning says that the ranker was trained with other models."""
    return warning.startswith(UNFIT_RANKER)


def about_check(warning: str) -> bool:
    """Return whether a warning is about the check rather than about how the transcript was read."""
    if of_ranker(warning) or warning.startswith(FIRST_LOOK):
        return True
    return OLD_DATABASE in warning or MISSING_CLAIMS in warning


def _of_database(index: ClaimIndex, event: date | None) -> Iterator[str]:
    newest = index.newest_review
    if newest and event and newest < event:
        day_count = (event - newest).days
        days = "day" if day_count == 1 else "days"
        yield (
            f"The newest fact-check is from {newest:%-d %b %Y}, {day_count:,} {days} before this event. "
            f"{OLD_DATABASE}."
        )
    unread_count = len(index) - int(index.bodies_ready.sum())
    if unread_count:
        yield f"{FIRST_LOOK}: {unread_count:,} articles are still being read; their sentences are not compared yet."


def _of_models(models: Models) -> Iterator[str]:
    parts = ", ".join(models.unfamiliar())
    if parts:
        yield f"{UNFIT_RANKER} than this profile's ({parts}): ranks and tiers are not calibrated for it."
