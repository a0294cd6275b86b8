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
from assistant.transcripts.speech_pieces import SpeechPiece

LINES_PER_SENTENCE = 60  # lines before a change that may belong to its sentence
LINES_PER_BLOCK = 20  # lines of text without punctuation that are cut together
MAX_ENDING_CHARACTERS = 12  # at the end of a text: its last mark and closing quotes
_SENTENCE_END_PATTERN = re.compile(r"[.?!…][”’\"')\]]*(?=\s+[“\"'(]?[A-Z0-9]|\s*$)")
_LETTER_PATTERN = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class CutSentence:
    """A sentence of live text.

    ``unit`` is the key of the line in which it begins, and ``part`` its number among the sentences
    that begin there. ``seq`` orders the lines. ``final``: it has ended, and only a correction
    changes its lines.
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
        added_words = len(text.split()) - len(instead_of.split())
        added_marks = _count_sentence_ends(text) - _count_sentence_ends(instead_of)
        return Punctuation(self.words + added_words, self.marks + added_marks)

    @property
    def punctuated(self) -> bool:
        """Return whether the text has full stops."""
        return self.marks > 0 and self.marks * sentences.MAX_WORDS_PER_STOP >= self.words


def _count_sentence_ends(text: str) -> int:
    return len(_SENTENCE_END_PATTERN.findall(text))


def cut_sentences(lines: Sequence[Line], style: Punctuation) -> list[CutSentence]:
    """Return the sentences of consecutive lines of one source.

    The first line must begin a sentence.
    """
    # The lines with speech, and their speech without stage directions
    spoken_lines: list[Line] = []
    texts: list[str] = []
    for line in lines:
        text = _spoken_text(line.text)
        if text:
            spoken_lines.append(line)
            texts.append(text)
    sentences_so_far: list[CutSentence] = []
    for start, end in _lines_sharing_sentences(spoken_lines, style):
        is_followed = end < len(spoken_lines)
        is_over = is_followed or spoken_lines[end - 1].cut is LineCut.WHOLE
        sentences_so_far += _sentences_in_lines(
            spoken_lines[start:end], texts[start:end], is_over=is_over
        )
    return sentences_so_far


def start_of_cut(lines: Sequence[Line], index: int, style: Punctuation) -> int:
    """Return the index at or before ``index`` from which the lines can be cut.

    The sentences from there on need no earlier lines.
    """
    # From the changed line backwards, as long as a sentence may run from line to line
    start = index
    for earlier_index in range(index - 1, -1, -1):
        # Sentences run on over lines without speech.
        if not _spoken_text(lines[earlier_index].text):
            continue
        has_speech = bool(_spoken_text(lines[start].text))
        if has_speech and not may_join(lines[earlier_index], lines[start], style):
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


def _lines_sharing_sentences(lines: Sequence[Line], style: Punctuation) -> list[tuple[int, int]]:
    """Return the first index of each group of lines that may share sentences, and its end."""
    if not lines:
        return []
    # A group ends before a line into which no sentence can run.
    boundaries = [0]
    for index in range(1, len(lines)):
        if not may_join(lines[index - 1], lines[index], style):
            boundaries.append(index)
    boundaries.append(len(lines))
    return list(pairwise(boundaries))


def _sentences_in_lines(
    lines: Sequence[Line], texts: Sequence[str], *, is_over: bool
) -> list[CutSentence]:
    """Cut the texts of lines. ``is_over``: no later line can belong to the last sentence."""
    pieces = []
    for index, (line, text) in enumerate(zip(lines, texts, strict=True)):
        # The number of a piece is the index of its line.
        pieces.append(SpeechPiece(text, index, line.speaker, line.start, line.end))
    sentences_of_text, _ = sentences.sentences_of_pieces(pieces)
    first_lines = [sentence.line for sentence in sentences_of_text]
    # A sentence has the lines up to the one in which the next sentence begins.
    last_lines = [*first_lines[1:], len(lines) - 1]
    last_index = len(sentences_of_text) - 1
    cut_so_far: list[CutSentence] = []
    for index, sentence in enumerate(sentences_of_text):
        line = lines[sentence.line]
        # The sentences of a unit are numbered from 0.
        part = 0
        if cut_so_far and cut_so_far[-1].unit == line.unit:
            part = cut_so_far[-1].part + 1
        is_whole = is_over or index < last_index or ends_sentence(sentence.text)
        own_lines = lines[sentence.line : last_lines[index] + 1]
        cut_so_far.append(
            CutSentence(
                unit=line.unit,
                part=part,
                text=sentence.text,
                speaker=line.speaker,
                start=sentence.start,
                end=sentence.end,
                final=is_whole and all(own_line.final for own_line in own_lines),
                seq=line.seq or 0,
            )
        )
    return cut_so_far


def _spoken_text(text: str) -> str:
    """Return the text without stage directions, "" if nothing is left."""
    spoken = nonspeech.without_stage_directions(" ".join(text.split()))
    return spoken if spoken.strip(" \t\n.,-–—") else ""
