"""Word lists of transcript editors: digital paper edit and slate (words and paragraphs joined by time), BBC Kaldi."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from assistant.transcripts.asr.json_fields import content, first, keys, named, objects, string, time
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed, Piece


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has words with paragraphs, or Kaldi's words below retval or with punctuation."""
    data = _inner(content(source))
    if not keys(data, "words"):
        return False
    word = first(data["words"])
    return keys(word, "text", "start") and "paragraphs" in data or keys(word, "word", "start") and "punct" in word


def parse(source: RawSource) -> Parsed:
    """Return one piece a paragraph, and stretches of words where there is none."""
    data = _inner(content(source))
    words = [_word(number, row) for number, row in enumerate(objects(data["words"]), 1)]
    words = [word for word in words if word.text]
    turns = sorted((t for t in objects(data.get("paragraphs")) if time(t.get("start")) is not None), key=_start)
    if not turns:
        return Parsed(pieces(words))
    return Parsed([piece for turn, spoken in _joined(turns, words) for piece in _paragraph(turn, spoken)])


def _inner(data: Any) -> Any:
    """The object with the words: Kaldi puts it below retval, the editors may put it below transcript."""
    for name in ("retval", "transcript"):
        if isinstance(data, dict) and keys(data.get(name), "words"):
            return data[name]
    return data


def _start(turn: dict[str, Any]) -> float:
    return time(turn.get("start")) or 0.0


def _word(number: int, row: dict[str, Any]) -> Word:
    text = string(row.get("punct") or row.get("text") or row.get("word"))
    return Word(text, number, time(row.get("start")), time(row.get("end")))


def _joined(turns: list[dict[str, Any]], words: list[Word]) -> list[tuple[dict[str, Any], list[Word]]]:
    """Every paragraph with the words that begin from its start on, up to the next paragraph's."""
    starts = [_start(turn) for turn in turns]
    joined: list[tuple[dict[str, Any], list[Word]]] = [(turn, []) for turn in turns]
    for word in words:
        place = bisect_right(starts, (word.start or 0.0) + 0.001) - 1
        joined[max(place, 0)][1].append(word)
    return joined


def _paragraph(turn: dict[str, Any], words: list[Word]) -> list[Piece]:
    speaker = named(turn.get("speaker"))
    spoken = pieces(words)
    return [Piece(p.text, p.line, speaker, p.start, p.end, i == 0) for i, p in enumerate(spoken)]
