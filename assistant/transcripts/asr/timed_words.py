"""Joins timed words into pieces of speech that are short enough to be placed in time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.transcripts.speech_pieces import Piece

PAUSE_S = 2.0
TIME_TOLERANCE_S = 0.001
_SENTENCE_ENDS = (".", "?", "!", "…", '."', '?"', '!"', ".”", "?”", "!”")


@dataclass(frozen=True, slots=True)
class RecognisedWord(Piece):
    """A recognised word; ``glued`` marks punctuation that belongs to the word before."""

    glued: bool = False


def pieces(words: Iterable[RecognisedWord]) -> list[Piece]:
    """Return words joined up to a change of speaker, the end of a sentence, or a long pause."""
    runs: list[list[RecognisedWord]] = []
    for word in words:
        if not word.text:
            continue
        if runs and (word.glued or not _breaks(runs[-1], word)):
            runs[-1].append(word)
        else:
            runs.append([word])
    return [_piece(run) for run in runs]


def _breaks(run: list[RecognisedWord], word: RecognisedWord) -> bool:
    """Return whether a word begins a new piece."""
    if run[-1].text.endswith(_SENTENCE_ENDS) or word.speaker != run[0].speaker:
        return True
    ends = [previous_word.end for previous_word in run if previous_word.end is not None]
    if not ends or word.start is None:
        return False
    return word.start - ends[-1] > PAUSE_S


def _piece(run: list[RecognisedWord]) -> Piece:
    text = ""
    starts = []
    ends = []
    for word in run:
        text += word.text if word.glued else f" {word.text}"
        if word.start is not None:
            starts.append(word.start)
        if word.end is not None:
            ends.append(word.end)
    start = min(starts, default=None)
    end = max(ends, default=None)
    return Piece(" ".join(text.split()), run[0].line, run[0].speaker, start, end)
