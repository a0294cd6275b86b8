"""What a source hands over: lines as they arrive, and where the source stands after them. Frozen values, no I/O."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from threading import Event as Flag
from typing import Any, Protocol, TypeVar

Place = TypeVar("Place")


class Cut(StrEnum):
    """Where the borders of a source's lines fall: at sentences, anywhere, or to be told from the text."""

    WHOLE = "whole"
    ANYWHERE = "anywhere"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Line:
    """A unit of live text. A later line with the same source and unit replaces the earlier; times are seconds.

    ``seq`` orders the lines of a source; without one they stand as they first came. ``final``: it will not change,
    unless somebody corrects it.
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
    """Lines that came together. ``cursor`` is where to go on after them; it is stored in the same transaction.

    ``warning``: what was wrong, in words, and what was done about it; the source goes on.
    """

    lines: tuple[Line, ...] = ()
    cursor: str | None = None
    warning: str = ""


class Source(Protocol):
    """Where lines come from. One that ends by itself (a file that is replayed, standard input) just returns."""

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
