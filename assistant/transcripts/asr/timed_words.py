"""Joins timed words into pieces of speech that are short enough to be placed in time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.transcripts.speech_pieces import Piece

PAUSE_S = 2.0
_ENDS = (".", "?", "!", "…", '."', '?"', '!"', ".”", "?”", "!”")


@dataclass(frozen=True, slots=True)
class Word(Piece):
    """A recognised word; ``glued`` marks punctuation that belongs to the word before."""

    glued: bool = False


def pieces(words: Iterable[Word]) -> list[Piece]:
    """Return the words joined up to each change of speaker, end of a sentence or pause of two seconds."""
    runs: list[list[Word]] = []
    for word in (word for word in words if word.text):
        if runs and (word.glued or not _breaks(runs[-1], word)):
            runs[-1].append(word)
        else:
            runs.append([word])
    return [_piece(run) for run in runs]


def _breaks(run: list[Word], word: Word) -> bool:
    if run[-1].text.endswith(_ENDS) or word.speaker != run[0].speaker:
        return True
    last = next((w.end for w in reversed(run) if w.end is not None), None)
    return last is not None and word.start is not None and word.start - last > PAUSE_S


def _piece(run: list[Word]) -> Piece:
    text = "".join(word.text if word.glued else f" {word.text}" for word in run)
    start = min((word.start for word in run if word.start is not None), default=None)
    end = max((word.end for word in run if word.end is not None), default=None)
    return Piece(" ".join(text.split()), run[0].line, run[0].speaker, start, end)
