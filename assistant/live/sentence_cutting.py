"""Cuts lines into sentences while text is still arriving, by the same rules as for files.

A pure function of the lines in their order. A sentence is identified by the unit in which it
begins and its number in that unit, so the same lines give the same sentences however often they
are cut.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.live.live_lines import Cut, Line
from assistant.transcripts import nonspeech, sentences
from assistant.transcripts.speech_pieces import Piece

REACH = 60  # lines before a change that may belong to its sentence
BLOCK = 20  # lines of text without punctuation that are cut together
_TERMINAL = re.compile(r"[.?!…][”’\"')\]]*(?=\s+[“\"'(]?[A-Z0-9]|\s*$)")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class CutSentence:
    """A sentence of live text.

    ``final``: it has ended, and only a correction changes its lines.
    """

    unit: str
    part: int
    text: str
    speaker: str | None
    start: float | None
    end: float | None
    final: bool
    seq: int


@dataclass(frozen=True, slots=True)
class Style:
    """How a source punctuates: the words it has sent, and the marks that end a sentence."""

    words: int = 0
    marks: int = 0

    def plus(self, text: str, *, instead_of: str = "") -> Style:
        """Return the style after some more text, which may replace other text."""
        words = len(text.split()) - len(instead_of.split())
        marks = len(_TERMINAL.findall(text)) - len(_TERMINAL.findall(instead_of))
        return Style(self.words + words, self.marks + marks)

    @property
    def punctuated(self) -> bool:
        """Return whether the text has full stops."""
        return self.marks > 0 and self.marks * sentences.MAX_WORDS_PER_STOP >= self.words


def cut(lines: Sequence[Line], style: Style) -> list[CutSentence]:
    """Return the sentences of consecutive lines of one source.

    The first line must begin a sentence.
    """
    spoken = [(line, text) for line in lines if (text := _speech(line.text))]
    live: list[CutSentence] = []
    for first, last in _runs([line for line, _ in spoken], style):
        run = spoken[first:last]
        live += _sentences(run, over=last < len(spoken) or run[-1][0].cut is Cut.WHOLE)
    return live


def start_of(lines: Sequence[Line], place: int, style: Style) -> int:
    """Return the place at or before ``place`` from which the lines can be cut without looking further back."""
    while place > 0 and may_join(lines[place - 1], lines[place], style):
        place -= 1
    return place


def may_join(before: Line, after: Line, style: Style) -> bool:
    """Return whether a sentence may run from one line into the next."""
    if after.cut is Cut.WHOLE or before.speaker != after.speaker or ended(before.text):
        return False
    if not style.punctuated and (after.seq or 0) % BLOCK == 0:
        return False  # text without any full stop must be cut somewhere
    if after.cut is Cut.ANYWHERE or style.punctuated:
        return True
    letter = _LETTER.search(after.text)
    return bool(letter and letter.group().islower()) or before.text.isupper()


def ended(text: str) -> bool:
    """Return whether a text ends with a mark that ends a sentence."""
    last = text.rstrip()[-12:]
    return bool(last) and any(match.end() == len(last) for match in _TERMINAL.finditer(last))


def _runs(lines: Sequence[Line], style: Style) -> list[tuple[int, int]]:
    """Return where lines that may share sentences begin and end."""
    borders = [i for i in range(1, len(lines)) if not may_join(lines[i - 1], lines[i], style)]
    return list(zip([0, *borders], [*borders, len(lines)], strict=True)) if lines else []


def _sentences(run: Sequence[tuple[Line, str]], *, over: bool) -> list[CutSentence]:
    pieces = [
        Piece(text, i, line.speaker, line.start, line.end) for i, (line, text) in enumerate(run)
    ]
    cut_here, _ = sentences.cut_pieces(pieces)
    live: list[CutSentence] = []
    for number, sent in enumerate(cut_here):
        last = cut_here[number + 1].line if number + 1 < len(cut_here) else len(run) - 1
        line = run[sent.line][0]
        part = live[-1].part + 1 if live and live[-1].unit == line.unit else 0
        whole = over or number + 1 < len(cut_here) or ended(sent.text)
        final = whole and all(run[i][0].final for i in range(sent.line, last + 1))
        times = sent.start, sent.end
        live.append(
            CutSentence(line.unit, part, sent.text, line.speaker, *times, final, line.seq or 0)
        )
    return live


def _speech(text: str) -> str:
    """Return the text without stage directions, "" if nothing is left."""
    said = nonspeech.without_stage(" ".join(text.split()))
    return said if said.strip(" \t\n.,-–—") else ""
