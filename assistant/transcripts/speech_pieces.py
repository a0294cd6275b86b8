"""Pieces of speech: the output of every reader, in reading order, before sentences are cut.

A reader knows one format and nothing of sentences; ``sentences.py`` knows sentences and no format.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from assistant.core.domain import DoubtfulLabel


@dataclass(frozen=True, slots=True)
class Piece:
    """Speech as the source divides it: a cue, a turn or a paragraph. Times are in seconds.

    ``line`` is the number in the source, from 1 (line, cue, row or paragraph, depending on the
    format). ``starts_turn`` is true if the source itself says that a new turn begins, even by the
    same speaker.
    """

    text: str
    line: int
    speaker: str | None = None
    start: float | None = None
    end: float | None = None
    starts_turn: bool = False


@dataclass(slots=True)
class Parsed:
    """The output of a reader, with a warning for everything it guessed, repaired or left out.

    ``language`` is the code or name that the source declares, "" if it declares none.
    ``heading`` is the text before the speech. ``doubtful_labels`` are lines that may begin with a label, whose speaker is unknown.
    ``label_evidence`` has the grounds for each label in words, by the name in the label.
    """

    pieces: list[Piece] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    title: str = ""
    language: str = ""
    event_date: date | None = None
    heading: str = ""
    doubtful_labels: list[DoubtfulLabel] = field(default_factory=list)
    label_evidence: dict[str, str] = field(default_factory=dict)
