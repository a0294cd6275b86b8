"""Single words with times, put together to stretches of speech that are short enough to place in time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.transcripts.pieces import Piece

PAUSE_S = 2.0
_ENDS = (".", "?", "!", "…", '."', '?"', '!"', ".”", "?”", "!”")


@dataclass(frozen=True, slots=True)
class Word:
    """A word as recognised. ``glued`` is punctuation that belongs to the word before; ``line`` counts from 1."""

    text: str
    line: int
    start: float | None = None
    end: float | None = None
    speaker: str | None = None
    glued: bool = False


def pieces(words: Iterable[Word]) -> list[Piece]:
    """Return the words joined up to each change of speaker, end of a sentence or pause of two seconds."""
    done: list[Piece] = []
    open_words: list[Word] = []
    for word in (word for word in words if word.text):
        if open_words and not word.glued and _breaks(open_words[-1], word, open_words):
            done.append(_piece(open_words))
            open_words = []
        open_words.append(word)
    return done + ([_piece(open_words)] if open_words else [])


def _breaks(before: Word, word: Word, so_far: list[Word]) -> bool:
    if before.text.endswith(_ENDS) or word.speaker != so_far[0].speaker:
        return True
    last = next((w.end for w in reversed(so_far) if w.end is not None), None)
    return last is not None and word.start is not None and word.start - last > PAUSE_S


def _piece(words: list[Word]) -> Piece:
    text = ""
    for word in words:
        text += word.text if word.glued or not text else f" {word.text}"
    starts = [word.start for word in words if word.start is not None]
    ends = [word.end for word in words if word.end is not None]
    start, end = min(starts, default=None), max(ends, default=None)
    return Piece(" ".join(text.split()), words[0].line, words[0].speaker, start, end)
