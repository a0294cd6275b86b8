"""Google Speech-to-Text, v1 and v2: results one after the other; with diarisation the last repeats every word."""

from __future__ import annotations

from typing import Any

from assistant.transcripts import language
from assistant.transcripts.asr.json_fields import content, first, named, objects, string, time
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed, Piece

_STARTS = ("startTime", "startOffset", "start_time", "start_offset")
_ENDS = ("endTime", "endOffset", "end_time", "end_offset")


def sniff(source: RawSource) -> bool:
    """Return whether the results have alternatives with transcripts, and words as objects if any."""
    rows = _results(content(source))
    best = [first(row.get("alternatives")) for row in rows]
    return any("transcript" in a or objects(a.get("words")) for a in best) and not any("timestamps" in a for a in best)


def parse(source: RawSource) -> Parsed:
    """Return the diarised words where the file has them, else one piece a result."""
    rows = _results(content(source))
    spoken = next((row["languageCode"] for row in rows if row.get("languageCode")), "")
    warnings = language.declared(spoken)
    best = [first(row.get("alternatives")) for row in rows]
    tagged = [a for a in best if any(_speaker(word) for word in objects(a.get("words")))]
    if tagged and tagged[-1] is best[-1] and _repeats(best):
        return Parsed(pieces(_words(best[-1], 1)), warnings)
    if tagged:
        return Parsed(pieces(w for number, a in enumerate(best, 1) for w in _words(a, number)), warnings)
    return Parsed([piece for number, a in enumerate(best, 1) if (piece := _piece(number, a)).text], warnings)


def _results(data: Any) -> list[dict[str, Any]]:
    if isinstance(data, dict) and isinstance(data.get("response"), dict):
        data = data["response"]  # a long-running operation
    return objects(data.get("results")) if isinstance(data, dict) else []


def _repeats(best: list[dict[str, Any]]) -> bool:
    """Whether the last result holds more words than its own text: the words of the whole recording."""
    return len(objects(best[-1].get("words"))) > len(string(best[-1].get("transcript")).split())


def _speaker(word: dict[str, Any]) -> str | None:
    return named(word.get("speakerLabel") or word.get("speakerTag") or word.get("speaker_tag") or None)


def _words(alternative: dict[str, Any], line: int) -> list[Word]:
    return [
        Word(string(word.get("word")), line, _time(word, _STARTS), _time(word, _ENDS), _speaker(word))
        for word in objects(alternative.get("words"))
        if word.get("word")
    ]


def _piece(number: int, alternative: dict[str, Any]) -> Piece:
    words = objects(alternative.get("words"))
    text = string(alternative.get("transcript")) or " ".join(string(word.get("word")) for word in words)
    start, end = (_time(words[0], _STARTS), _time(words[-1], _ENDS)) if words else (None, None)
    return Piece(text, number, None, start, end)


def _time(word: dict[str, Any], names: tuple[str, ...]) -> float | None:
    """Seconds of ``"12.900s"`` or ``{"seconds": "12", "nanos": 900000000}``."""
    value = next((word[name] for name in names if name in word), None)
    if isinstance(value, dict):
        whole, rest = time(value.get("seconds", 0)), time(value.get("nanos", 0), 1e9)
        return None if whole is None or rest is None else round(whole + rest, 3)
    return time(string(value).removesuffix("s"))
