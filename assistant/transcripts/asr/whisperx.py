"""WhisperX: Whisper's segments with aligned words and diarised speakers.

``word_segments`` repeats the words.
"""

from __future__ import annotations

from assistant.transcripts.asr.json_fields import content, having, numbered, objects, string, timed
from assistant.transcripts.asr.timed_words import split_by_words
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

sniff = having("segments word_segments", "segments[].words[].score")


def parse(source: RawSource) -> Parsed:
    """Return one piece for each segment, including numbers and signs, which have no times.

    A segment whose words name several speakers is divided.
    """
    data = content(source)
    pieces = []
    for line, segment in numbered(data["segments"]):
        if string(segment.get("text")):
            turn = Piece(line=line, **timed(segment))
            pieces += split_by_words(turn, objects(segment.get("words")))
    return Parsed(pieces, language=string(data.get("language")))
