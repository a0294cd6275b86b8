"""Pieces of speech: the output of every reader, in reading order, before sentences are cut.

A reader knows one format and nothing of sentences; ``sentences.py`` knows sentences and no format.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from assistant.core.domain import DoubtfulLabel

MAX_NOTED_CHARACTERS = 60
MAX_SHOWN_DOUBTS = 5


@dataclass(frozen=True, slots=True)
class SpeechPiece:
    """Speech as the source divides it: a cue, a turn or a paragraph. Times are in seconds.

    ``line_number`` is the number in the source, from 1 (line, cue, row or paragraph, depending on the
    format). ``starts_turn`` is true if the source itself says that a new turn begins, even by the
    same speaker.
    """

    text: str
    line_number: int
    speaker: str | None = None
    start: float | None = None
    end: float | None = None
    starts_turn: bool = False


@dataclass(slots=True)
class ParsedTranscript:
    """The output of a reader, with a warning for everything it guessed, repaired or left out.

    ``language`` is the code or name that the source declares, "" if it declares none.
    ``heading`` is the text before the speech. ``doubtful_labels`` are lines that may
    begin with a label, whose speaker is unknown.
    ``label_evidence`` has the grounds for each label in words, by the name in the label.
    """

    pieces: list[SpeechPiece] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    title: str = ""
    language: str = ""
    event_date: date | None = None
    heading: str = ""
    doubtful_labels: list[DoubtfulLabel] = field(default_factory=list)
    label_evidence: dict[str, str] = field(default_factory=dict)


def shortened(text: str) -> str:
    """Return a text for a warning, with dots in place of all that is too long for one."""
    return text if len(text) <= MAX_NOTED_CHARACTERS else text[: MAX_NOTED_CHARACTERS - 3] + "..."


def doubt_warning(doubtful_labels: Sequence[DoubtfulLabel]) -> str:
    """Return the warning that quotes lines whose labels were not believed."""
    quoted = ", ".join(
        f"line {doubtful.line} “{shortened(doubtful.text)}”"
        for doubtful in doubtful_labels[:MAX_SHOWN_DOUBTS]
    )
    count = len(doubtful_labels)
    return f"lines that may be speaker labels; the speaker is unknown there ({count}): {quoted}"
