"""Cuts lines into sentences while text is still arriving, by the same rules as for files.

A pure function of the lines in their order. A sentence is identified by the unit in which it
begins and its number in that unit, so the same lines give the same sentences however often they
are cut.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from assistant.live.live_lines import Line, LineCut
from assistant.transcripts import nonspeech, sentences
from assistant.transcripts.speech_pieces import Piece

LINES_PER_SENTENCE = 60  # lines before a change that may belong to its sentence
LINES_PER_BLOCK = 20  # lines of text without punctuation that are cut together
MAX_ENDING_CHARACTERS = 12  # at the end of a text: its last mark and closing quotes
_SENTENCE_END_PATTERN = re.compile(r"[.?!…][”’\"')\]]*(?=\s+[“\"'(]?[A-Z0-9]|\s*$)")
_LETTER_PATTERN = re.compile(r"[^\W\d_]")


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
class Punctuation:
    """How a source punctuates: the words it has sent, and the marks that end a sentence."""

    words: int = 0
    marks: int = 0

    def plus(self, text: str, *, instead_of: str = "") -> Punctuation:
        """Return the style after some more text, which may replace other text."""
        words = len(text.split()) - len(instead_of.split())
        marks = len(_SENTENCE_END_PATTERN.findall(text)) - len(
            _SENTENCE_END_PATTERN.findall(instead_of)
        )
        return Punctuation(self.words + words, self.marks + marks)

    @property
    def punctuated(self) -> bool:
        """Return whether the text has full stops."""
        return self.marks > 0 and self.marks * sentences.MAX_WORDS_PER_STOP >= self.words


def cut_sentences(lines: Sequence[Line], style: Punctuation) -> list[CutSentence]:
    """Return the sentences of consecutive lines of one source.

    The first line must begin a sentence.
    """
    spoken_lines: list[tuple[Line, str]] = []
    for line in lines:
        text = _spoken_text(line.text)
        if text:
            spoken_lines.append((line, text))
    cut_so_far: list[CutSentence] = []
    for run_start, run_end in _joinable_runs([line for line, _ in spoken_lines], style):
        run = spoken_lines[run_start:run_end]
        is_followed = run_end < len(spoken_lines)
        is_over = is_followed or run[-1][0].cut is LineCut.WHOLE
        cut_so_far += _sentences_of_run(run, is_over=is_over)
    return cut_so_far


def start_of_cut(lines: Sequence[Line], index: int, style: Punctuation) -> int:
    """Return the place at or before ``index`` from which the lines can be cut without looking further back."""
    start = index
    for earlier_index in range(index - 1, -1, -1):
        # Sentences run on over lines without speech.
        if not _spoken_text(lines[earlier_index].text):
            continue
        is_spoken = bool(_spoken_text(lines[start].text))
        if is_spoken and not may_join(lines[earlier_index], lines[start], style):
            break
        start = earlier_index
    return start


def may_join(earlier: Line, later: Line, style: Punctuation) -> bool:
    """Return whether a sentence may run from one line into the next."""
    begins_anew = later.cut in (LineCut.WHOLE, LineCut.TURN)
    if begins_anew or earlier.speaker != later.speaker or ends_sentence(earlier.text):
        return False
    if not style.punctuated and (later.seq or 0) % LINES_PER_BLOCK == 0:
        return False  # text without any full stop must be cut somewhere
    if later.cut is LineCut.ANYWHERE or style.punctuated:
        return True
    # Without full stops, a line that begins in small letters continues the one before it.
    first_letter = _LETTER_PATTERN.search(later.text)
    begins_in_lower_case = first_letter is not None and first_letter[0].islower()
    return begins_in_lower_case or earlier.text.isupper()


def ends_sentence(text: str) -> bool:
    """Return whether a text ends with a mark that ends a sentence."""
    ending = text.rstrip()[-MAX_ENDING_CHARACTERS:]
    for match in _SENTENCE_END_PATTERN.finditer(ending):
        if match.end() == len(ending):
            return True
    return False


def _joinable_runs(lines: Sequence[Line], style: Punctuation) -> list[tuple[int, int]]:
    """Return the begin and end of each run of lines that may share sentences."""
    if not lines:
        return []
    boundaries = [0]
    for index in range(1, len(lines)):
        if not may_join(lines[index - 1], lines[index], style):
            boundaries.append(index)
    boundaries.append(len(lines))
    return list(pairwise(boundaries))


def _sentences_of_run(run: Sequence[tuple[Line, str]], *, is_over: bool) -> list[CutSentence]:
    """Cut a run of lines. ``is_over``: no later line can belong to its last sentence."""
    pieces = []
    for index, (line, text) in enumerate(run):
        pieces.append(Piece(text, index, line.speaker, line.start, line.end))
    sentences_of_text, _ = sentences.cut_pieces(pieces)
    cut_so_far: list[CutSentence] = []
    for number, sentence in enumerate(sentences_of_text):
        # A sentence has the lines up to the one in which the next sentence begins.
        is_last = number + 1 == len(sentences_of_text)
        last_line = len(run) - 1 if is_last else sentences_of_text[number + 1].line
        line, _ = run[sentence.line]
        part = 0  # the number of the sentence in its unit
        if cut_so_far and cut_so_far[-1].unit == line.unit:
            part = cut_so_far[-1].part + 1
        is_whole = is_over or not is_last or ends_sentence(sentence.text)
        lines_are_final = all(run[i][0].final for i in range(sentence.line, last_line + 1))
        cut_so_far.append(
            CutSentence(
                unit=line.unit,
                part=part,
                text=sentence.text,
                speaker=line.speaker,
                start=sentence.start,
                end=sentence.end,
                final=is_whole and lines_are_final,
                seq=line.seq or 0,
            )
        )
    return cut_so_far


def _spoken_text(text: str) -> str:
    """Return the text without stage directions, "" if nothing is left."""
    spoken = nonspeech.without_stage_directions(" ".join(text.split()))
    return spoken if spoken.strip(" \t\n.,-–—") else ""
