"""Finds out whether a publisher has retracted a fact-check, and why.

A table says so in a column such as *status*, or in place of the rating. A ClaimReview says so in
``creativeWorkStatus`` or ``correction``, or by a day in ``expires`` that is over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from assistant.claims.column_names import letters_and_digits
from assistant.core.written_dates import parse_day

RETRACTED = "Retracted"  # in place of a rating: the publisher has retracted the fact-check
WHY_RETRACTED = "retracted by its publisher"
MAX_RETRACTION_CHARACTERS = 300
STATUS_KEYS = ("creativeWorkStatus", "status", "reviewStatus", "publicationStatus")
REASON_KEYS = ("correction", "retractionReason", "retraction", "correctionNote", "editorNote")
_STATUS_NAMES = frozenset(letters_and_digits(name) for name in STATUS_KEYS)
_REASON_NAMES = frozenset(letters_and_digits(name) for name in REASON_KEYS)
# *This fact-check has been retracted*, *Withdrawn (see note)*, but not *Not retracted*.
_SUBJECT = (
    r"(?:\W|\b(?:the|this|our|fact[- ]?check|check|review|article|story|was|is|been|has|we|have"
    r"|publisher|status)\b)*"
)
_RETRACTED_STATUS_PATTERN = re.compile(
    _SUBJECT
    + r"(?:retract(?:ed|ion)|withdrawn|withdrawal|unpublished|deleted|removed|rescinded)\b",
    re.I,
)
_RETRACTED_TEXT_PATTERN = re.compile(
    _SUBJECT + r"(?:retract(?:ed|ion)|withdrawn|rescinded)\b", re.I
)
_RETRACTED_RATING_PATTERN = re.compile(
    r"\W*(?:(?:fact[- ]?)?check |review )?(?:retracted|withdrawn|retraction)"
    r"(?:\W*$|\s*[:;,.(–—-]|\s+(?:by|on|after|because|due|see|in)\b)",
    re.I,
)
_RETRACTION_LEAD_PATTERN = re.compile(
    r"^\W*(?:retracted|withdrawn|retraction|withdrawal)\s*[:;–—-]\s*", re.I
)
_ONLY_RETRACTED_PATTERN = re.compile(
    rf"(?:{_RETRACTED_STATUS_PATTERN.pattern}(?:\s+by\s+(?:the|its)\s+publisher)?)?\W*", re.I
)


def is_about_retraction(name: str) -> bool:
    """Return whether a column says whether a fact-check still counts, or why not."""
    return letters_and_digits(name) in _STATUS_NAMES | _REASON_NAMES | {"expires"}


def says_retracted(status: str) -> bool:
    """Return whether the words of a status say that the fact-check counts no longer."""
    return _RETRACTED_STATUS_PATTERN.match(status) is not None


def is_retracted_rating(rating: str) -> bool:
    """Return whether words in place of a rating say that the fact-check was retracted."""
    return _RETRACTED_RATING_PATTERN.match(rating) is not None


def reason_in_rating(rating: str) -> str:
    """Return the reason of a retraction that is written in place of a rating."""
    return _with_words("", rating)


def reason_in_row(row: Mapping[str, Any]) -> str:
    """Return why the fact-check of a row counts no longer, "" if nothing in it says so."""
    text_by_name = {
        letters_and_digits(str(name)): value
        for name, value in row.items()
        if isinstance(value, str)
    }
    corrections = [text_by_name[name] for name in _REASON_NAMES if text_by_name.get(name)]
    statuses = [text_by_name[name] for name in _STATUS_NAMES if text_by_name.get(name)]
    return reason_for(statuses, corrections, text_by_name.get("expires"))


def reason_for(statuses: list[str], corrections: list[str], expires: Any) -> str:
    """Return why a fact-check counts no longer, by its status, corrections and last day."""
    retracting_statuses = [text for text in statuses if says_retracted(text)]
    retracting_corrections = [text for text in corrections if _RETRACTED_TEXT_PATTERN.match(text)]
    if retracting_statuses or retracting_corrections:
        # A correction gives the reason, also one that does not name the retraction.
        reasons_best_first = [*retracting_corrections, *corrections, ""]
        status = retracting_statuses[0] if retracting_statuses else ""
        return _with_words(reasons_best_first[0], status)
    last_day = parse_last_day(expires)
    if last_day and last_day < datetime.now(UTC).date():
        return f"declared expired on {last_day.isoformat()} by its publisher"
    return ""


def parse_last_day(expires: Any) -> date | None:
    """Return the day until which a fact-check counts.

    It may lie in the future, unlike the dates of checks.
    """
    written = str(expires or "").strip()
    try:
        return date.fromisoformat(written[:10])
    except ValueError:
        return parse_day(written)


def _with_words(correction: str, status: str) -> str:
    """Return the reason of a retraction with the publisher's words, if they say more."""
    words = _RETRACTION_LEAD_PATTERN.sub("", correction or status)
    if _ONLY_RETRACTED_PATTERN.fullmatch(words):
        return WHY_RETRACTED
    return f"{WHY_RETRACTED}: {words[:MAX_RETRACTION_CHARACTERS]}"
