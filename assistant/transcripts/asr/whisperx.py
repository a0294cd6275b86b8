"""WhisperX: Whisper's segments with aligned words and diarised speakers; ``word_segments`` repeats the words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from assistant.transcripts.asr.json_fields import content, keys, numbered, objects, string, timed
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed, Piece


def sniff(source: RawSource) -> bool:
    """Return whether segments hold words with alignment scores, or a second list repeats the words."""
    data = content(source)
    if not keys(data, "segments"):
        return False
    rows = objects(data["segments"])
    return "word_segments" in data or any("score" in word for row in rows for word in objects(row.get("words")))


def parse(source: RawSource) -> Parsed:
    """Return one piece for each segment; numbers and signs, which have no times, are inside it."""
    data = content(source)
    rows = [(line, row | {"speaker": _speaker(row)}) for line, row in numbered(data["segments"])]
    pieces = [Piece(line=line, **timed(row)) for line, row in rows if string(row.get("text"))]
    return Parsed(pieces, language=string(data.get("language")))


def _speaker(row: dict[str, Any]) -> Any:
    """Return who speaks in a segment, by its words where it does not say so itself."""
    speakers = Counter(string(word["speaker"]) for word in objects(row.get("words")) if word.get("speaker"))
    return row.get("speaker") or next((name for name, _ in speakers.most_common(1)), None)
