"""WhisperX: Whisper's segments with aligned words and diarised speakers.

``word_segments`` repeats the words.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from assistant.transcripts.asr.json_fields import content, having, numbered, objects, string, timed
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

sniff = having("segments word_segments", "segments[].words[].score")


def parse(source: RawSource) -> Parsed:
    """Return one piece for each segment; numbers and signs, which have no times, are inside it."""
    data = content(source)
    rows = [(line, row | {"speaker": _speaker(row)}) for line, row in numbered(data["segments"])]
    pieces = [Piece(line=line, **timed(row)) for line, row in rows if string(row.get("text"))]
    return Parsed(pieces, language=string(data.get("language")))


def _speaker(row: dict[str, Any]) -> Any:
    """Return who speaks in a segment, by its words where it does not say so itself."""
    speakers = Counter(
        string(word["speaker"]) for word in objects(row.get("words")) if word.get("speaker")
    )
    return row.get("speaker") or next((name for name, _ in speakers.most_common(1)), None)
