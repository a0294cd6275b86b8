"""Pieces of speech: what a reader of any format hands over, in reading order, before sentences are cut.

A reader knows one format and nothing of sentences; ``sentences.py`` knows sentences and no format.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of speech as the source gives it: a cue, a turn or a paragraph.

    ``line`` is the place in the source, counted from 1 (line, cue, row or paragraph as the format counts); times are
    in seconds. ``starts_turn`` is true where the source itself says that a new turn begins, even by the same speaker.
    """

    text: str
    line: int
    speaker: str | None = None
    start: float | None = None
    end: float | None = None
    starts_turn: bool = False


@dataclass(slots=True)
class Parsed:
    """All that a reader makes of one source, with a warning for everything that it guessed, repaired or left out.

    ``language`` is the code or name that the source declares, "" if it declares none.
    """

    pieces: list[Piece] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    title: str = ""
    language: str = ""
    event_date: date | None = None
