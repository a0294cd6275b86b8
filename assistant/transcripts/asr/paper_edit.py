"""Word lists of transcript editors.

Digital paper edit and slate (words and paragraphs joined by time), BBC Kaldi.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from assistant.transcripts.asr.json_fields import (
    content,
    first,
    keys,
    named,
    numbered,
    objects,
    time,
    timed,
)
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has words with paragraphs, or Kaldi's words below retval or with punctuation."""
    data = _inner(content(source))
    if not keys(data, "words"):
        return False
    word = first(data["words"])
    return (
        keys(word, "text", "start")
        and "paragraphs" in data
        or keys(word, "word", "start")
        and "punct" in word
    )


def parse(source: RawSource) -> Parsed:
    """Return one piece for each paragraph, and the joined words where there are no paragraphs."""
    data = _inner(content(source))
    rows = numbered(data["words"])
    words = [
        word
        for word in (Word(line=line, **timed(row, text=_text_key(row))) for line, row in rows)
        if word.text
    ]
    turns = sorted(
        (t for t in objects(data.get("paragraphs")) if time(t.get("start")) is not None), key=_start
    )
    if not turns:
        return Parsed(pieces(words))
    return Parsed(
        [piece for turn, spoken in _joined(turns, words) for piece in _paragraph(turn, spoken)]
    )


def _inner(data: Any) -> Any:
    """Return the object with the words.

    Kaldi puts it below retval, the editors may put it below transcript.
    """
    for name in ("retval", "transcript"):
        if isinstance(data, dict) and keys(data.get(name), "words"):
            return data[name]
    return data


def _text_key(row: dict[str, Any]) -> str:
    return next((key for key in ("punct", "text") if row.get(key)), "word")


def _start(turn: dict[str, Any]) -> float:
    return time(turn.get("start")) or 0.0


def _joined(
    turns: list[dict[str, Any]], words: list[Word]
) -> list[tuple[dict[str, Any], list[Word]]]:
    """Return every paragraph with the words that begin from its start on, up to the next paragraph's."""
    starts = [_start(turn) for turn in turns]
    joined: list[tuple[dict[str, Any], list[Word]]] = [(turn, []) for turn in turns]
    for word in words:
        place = bisect_right(starts, (word.start or 0.0) + 0.001) - 1
        joined[max(place, 0)][1].append(word)
    return joined


def _paragraph(turn: dict[str, Any], words: list[Word]) -> list[Piece]:
    speaker = named(turn.get("speaker"))
    return [
        Piece(p.text, p.line, speaker, p.start, p.end, i == 0) for i, p in enumerate(pieces(words))
    ]
