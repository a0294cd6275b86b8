"""The Podcast 2.0 transcript JSON: segments with a body, which may be a single word each."""

from __future__ import annotations

from assistant.transcripts.asr.json_fields import (
    decoded_json,
    numbered_objects,
    piece_fields,
    sniffer_of_paths,
)
from assistant.transcripts.asr.timed_words import RecognisedWord, pieces_of_words
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.text_decoding import RawSource

sniff = sniffer_of_paths("segments[].body")


def parse(source: RawSource) -> ParsedTranscript:
    """Return the segments joined up to the end of a sentence or a change of speaker."""
    words = [
        RecognisedWord(
            line_number=line_number,
            **piece_fields(segment, text_key="body", start_key="startTime", end_key="endTime"),
        )
        for line_number, segment in numbered_objects(decoded_json(source)["segments"])
    ]
    return ParsedTranscript(pieces_of_words(words))
