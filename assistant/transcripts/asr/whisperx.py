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
    """Return one piece for each segment, including numbers and signs, which have no times."""
    data = content(source)
    pieces = []
    for line, segment in numbered(data["segments"]):
        if string(segment.get("text")):
            fields = timed(segment | {"speaker": _speaker(segment)})
            pieces.append(Piece(line=line, **fields))
    return Parsed(pieces, language=string(data.get("language")))


def _speaker(segment: dict[str, Any]) -> Any:
    """Return the speaker of a segment, else the most frequent speaker of its words."""
    if segment.get("speaker"):
        return segment["speaker"]
    word_speakers = Counter(
        string(word["speaker"]) for word in objects(segment.get("words")) if word.get("speaker")
    )
    if not word_speakers:
        return None
    return word_speakers.most_common(1)[0][0]
