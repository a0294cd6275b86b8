"""The Podcast 2.0 transcript JSON: segments with a body, which may be a single word each."""

from __future__ import annotations

from assistant.transcripts.asr.json_fields import content, having, numbered, timed
from assistant.transcripts.asr.timed_words import RecognisedWord, pieces
from assistant.transcripts.speech_pieces import Parsed
from assistant.transcripts.text_decoding import RawSource

sniff = having("segments[].body")


def parse(source: RawSource) -> Parsed:
    """Return the segments joined up to the end of a sentence or a change of speaker."""
    words = [
        RecognisedWord(line=line, **timed(segment, text="body", start="startTime", end="endTime"))
        for line, segment in numbered(content(source)["segments"])
    ]
    return Parsed(pieces(words))
