"""WhisperX: Whisper's segments with aligned words and diarised speakers; ``word_segments`` repeats the words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from assistant.transcripts import language
from assistant.transcripts.asr.json_fields import content, keys, named, objects, string, time
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed, Piece


def sniff(source: RawSource) -> bool:
    """Return whether segments hold words with alignment scores, or the words stand twice."""
    data = content(source)
    if not keys(data, "segments"):
        return False
    rows = objects(data["segments"])
    return "word_segments" in data or any("score" in word for row in rows for word in objects(row.get("words")))


def parse(source: RawSource) -> Parsed:
    """Return one piece a segment; numbers and signs that have no time of their own lie inside it."""
    data = content(source)
    rows = enumerate(objects(data["segments"]), 1)
    pieces = [_piece(number, row) for number, row in rows if string(row.get("text"))]
    return Parsed(pieces, language.declared(data.get("language")))


def _piece(number: int, row: dict[str, Any]) -> Piece:
    speakers = Counter(string(word["speaker"]) for word in objects(row.get("words")) if word.get("speaker"))
    speaker = row.get("speaker") or next((name for name, _ in speakers.most_common(1)), None)
    return Piece(string(row["text"]), number, named(speaker), time(row.get("start")), time(row.get("end")))
