"""WhisperX: Whisper's segments with aligned words and diarised speakers.

``word_segments`` repeats the words.
"""

from __future__ import annotations

from assistant.transcripts.asr.json_fields import (
    decoded_json,
    numbered_objects,
    objects_in,
    piece_fields,
    sniffer_of_paths,
    text_or_empty,
)
from assistant.transcripts.asr.timed_words import split_by_words
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource

sniff = sniffer_of_paths("segments word_segments", "segments[].words[].score")


def parse(source: RawSource) -> ParsedTranscript:
    """Return one piece for each segment, including numbers and signs, which have no times.

    A segment whose words name several speakers is divided.
    """
    data = decoded_json(source)
    pieces = []
    for line_number, segment in numbered_objects(data["segments"]):
        if text_or_empty(segment.get("text")):
            turn = SpeechPiece(line_number=line_number, **piece_fields(segment))
            pieces += split_by_words(turn, objects_in(segment.get("words")))
    return ParsedTranscript(pieces, language=text_or_empty(data.get("language")))
