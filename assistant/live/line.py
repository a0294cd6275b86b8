"""A line of live text as a source delivers it, the arrivals that bring lines, and the cursor to go on from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from threading import Event as Flag
from typing import Any, Protocol, TypeVar

Place = TypeVar("Place")


class Cut(StrEnum):
    """Where the lines of a source are cut: at the ends of sentences, anywhere, or as the text shows."""

    WHOLE = "whole"
    ANYWHERE = "anywhere"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Line:
    """A unit of live text. A later line with the same source and unit replaces the earlier; times are seconds.

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
    cut: Cut = Cut.WHOLE


@dataclass(frozen=True, slots=True)
class Arrival:
    """Lines that came together. ``cursor`` is where to go on after them, stored in the same transaction.

    ``warning``: in words, what went wrong and what was done about it; the source goes on.
    """

    lines: tuple[Line, ...] = ()
    cursor: str | None = None
    warning: str = ""


class Source(Protocol):
    """Where lines come from. ``follow`` returns when the source has an end (a replay, standard input)."""

    name: str

    def follow(self, cursor: str, stop: Flag) -> Iterator[Arrival]:
        """Yield what arrives, from a stored cursor ("" for the beginning) until the source ends or ``stop`` is set."""
        ...


def cursor_at(place: Any) -> str:
    """Return the cursor that stores a place, the dataclass in which a source keeps how far it has read."""
    return json.dumps(asdict(place))


def place_at(kind: type[Place], cursor: str) -> Place:
    """Return the place that a cursor stores, the beginning for "" or what is no cursor of this kind."""
    try:
        return kind(**json.loads(cursor)) if cursor else kind()
    except (ValueError, TypeError):
        return kind()
