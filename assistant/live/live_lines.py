"""A line of live text as a source delivers it, the arrivals that bring lines, and the cursor to go on from."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from threading import Event as Flag
from typing import Any, Protocol, TypeVar

from assistant.core import clean_text

# characters
SPEAKER_CHARACTERS = 300
UNIT_CHARACTERS = 300
LATEST_TIME_S = 1e12  # seconds since 1970 are less
Position = TypeVar("Position")


class LineCut(StrEnum):
    """Where the lines of a source are cut.

    At the ends of sentences, anywhere, or as the text shows. A line that begins a turn continues
    no sentence, but later lines may continue it.
    """

    WHOLE = "whole"
    ANYWHERE = "anywhere"
    AUTO = "auto"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class Line:
    """A unit of live text.

    A later line with the same source and unit replaces the earlier; times are seconds.

    ``seq`` orders the lines of a source; without it the order of arrival does. ``final``: only a correction changes it.
    """

    source: str
    unit: str
    text: str
    speaker: str | None = None
    start: float | None = None
    end: float | None = None
    final: bool = True
    seq: int | None = None
    cut: LineCut = LineCut.WHOLE


@dataclass(frozen=True, slots=True)
class Arrival:
    """Lines that came together.

    ``cursor`` is where to go on after them, stored in the same transaction.

    ``warning``: in words, what went wrong and what was done about it; the source goes on.
    ``unheard``: the seconds of sound that have come and wait, of a source that is listened to.
    """

    lines: tuple[Line, ...] = ()
    cursor: str | None = None
    warning: str = ""
    unheard: float | None = None


def cleaned(arrival: Arrival) -> Arrival:
    """Return an arrival without characters that no database holds, with a warning if it had any.

    A NUL or a lone surrogate in one line would make the database refuse every line after it.
    """
    if arrival == Arrival():
        return arrival
    lines = tuple(_cleaned(line) for line in arrival.lines)
    cursor = None if arrival.cursor is None else clean_text.cleaned(arrival.cursor)
    warnings = [arrival.warning] if arrival.warning else []
    if lines != arrival.lines:
        warnings.append("characters that cannot be stored were left out of a line.")
    return replace(
        arrival, lines=lines, cursor=cursor, warning=clean_text.cleaned(" ".join(warnings))
    )


def _cleaned(line: Line) -> Line:
    speaker = line.speaker and (clean_text.cleaned(line.speaker[:SPEAKER_CHARACTERS]) or None)
    unit = clean_text.cleaned(line.unit)
    if len(unit) > UNIT_CHARACTERS:  # PostgreSQL has no longer keys
        unit = hashlib.sha256(unit.encode()).hexdigest()
    start = _storable_time(line.start)
    end = _storable_time(line.end)
    return replace(
        line, unit=unit, text=clean_text.cleaned(line.text), speaker=speaker, start=start, end=end
    )


def _storable_time(seconds: float | None) -> float | None:
    """Return a time that a database holds, None for what is no number."""
    # A whole number may be too long for ``isfinite``, so its size is compared before.
    if seconds is None or abs(seconds) >= LATEST_TIME_S or not math.isfinite(seconds):
        return None
    return seconds


class Source(Protocol):
    """Where lines come from.

    ``follow`` returns when the source has an end (a replay, standard input).
    """

    name: str

    def follow(self, cursor: str, stop: Flag) -> Iterator[Arrival]:
        """Yield what arrives, from a stored cursor ("" for the beginning) until the source ends or ``stop`` is set."""
        ...


def cursor_at(position: Any) -> str:
    """Return the cursor that stores a place, the dataclass in which a source keeps how far it has read."""
    return json.dumps(asdict(position))


def position_at(kind: type[Position], cursor: str) -> Position:
    """Return the place that a cursor stores, the beginning for "" or what is no cursor of this kind."""
    try:
        return kind(**json.loads(cursor)) if cursor else kind()
    except (ValueError, TypeError):
        return kind()
