"""How the app says things: the words of the reports, and those that only a screen needs. Values in, words out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from assistant.ground.domain import RatingClass
from assistant.reports.phrases import (
    SIGNS,
    STANCES,
    clock,
    count,
    coverage,
    day,
    decided,
    gap,
    length,
    measured,
    nothing_found,
    rated,
    said,
)

__all__ = [
    "STANCES",
    "clock",
    "count",
    "coverage",
    "database",
    "day",
    "decided",
    "gap",
    "length",
    "measured",
    "nothing_found",
    "number",
    "old_database",
    "rated",
    "rating_class",
    "read_as",
    "said",
    "time_left",
    "unreadable",
]

NAMED = 3  # files that a warning names


def number(value: int) -> str:
    """Return 1204 as 1,204."""
    return f"{value:,}"


def rating_class(name: str) -> str:
    """Return a rating class in words, for lists to choose from."""
    return SIGNS[RatingClass(name)].words


def time_left(seconds: float | None) -> str:
    """Return a rest of time in words, rounded so that it does not jump about."""
    if seconds is None:
        return "time left not known yet"
    if seconds < 10:
        return "a few seconds left"
    if seconds < 90:
        return f"about {round(seconds / 10) * 10} seconds left"
    return f"about {count(round(seconds / 60), 'minute')} left"


def database(claims: int, publishers: int, newest: date | None) -> str:
    """Return the size and age of the database: ``93,214 fact-checks by 61 publishers, newest 18 Nov 2026``."""
    if not claims:
        return "No fact-checks in the database yet"
    return f"{count(claims, 'fact-check')} by {count(publishers, 'publisher')}, newest {day(newest)}"


def old_database(newest: date | None, event: date | None) -> str:
    """Return the warning that the database ends before the event; nothing if it does not, or a date is unknown."""
    if newest is None or event is None or newest >= event:
        return ""
    days = (event - newest).days
    return (
        f"Your newest fact-check is from {day(newest)}, {count(days, 'day')} before this debate. "
        "Later claims cannot be found."
    )


def unreadable(files: Sequence[str]) -> str:
    """Return the line about stored reports that cannot be read, with the names of their files."""
    named = ", ".join(files[:NAMED]) + (" and others" if len(files) > NAMED else "")
    return f"{count(len(files), 'stored report')} cannot be read: {named}. Check these transcripts again."


def read_as(source_format: str, sentences: int, speakers: int, seconds: float | None) -> str:
    """Return what was read from a file: ``WebVTT, 1,204 sentences, 5 speakers, 96 min``."""
    parts = [source_format, count(sentences, "sentence")]
    parts.append(count(speakers, "speaker") if speakers else "no speakers named")
    if seconds:
        parts.append("under a minute" if seconds < 60 else f"{number(round(seconds / 60))} min")
    return ", ".join(parts)
