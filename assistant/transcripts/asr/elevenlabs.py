"""ElevenLabs Scribe: typed words.

Spaces are words, too, and sounds are events that nobody says.
"""

from __future__ import annotations

from assistant.transcripts.asr.json_fields import (
    decoded_json,
    has_keys,
    numbered_objects,
    objects_in,
    piece_fields,
    text_or_empty,
)
from assistant.transcripts.asr.timed_words import RecognisedWord, pieces_of_words
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.text_decoding import RawSource

_WORD_TYPES = {"word", "spacing", "audio_event"}


def sniff(source: RawSource) -> bool:
    """Return whether the words are typed as the service types them."""
    data = decoded_json(source)
    if not has_keys(data, "words"):
        return False
    return any(
        "text" in word and text_or_empty(word.get("type")) in _WORD_TYPES
        for word in objects_in(data["words"])
    )


def parse(source: RawSource) -> ParsedTranscript:
    """Return the words joined by speaker."""
    data = decoded_json(source)
    words = []
    for line_number, word in numbered_objects(data["words"]):
        if word.get("type") == "word":
            words.append(
                RecognisedWord(
                    line_number=line_number, **piece_fields(word, speaker_key="speaker_id")
                )
            )
    return ParsedTranscript(
        pieces_of_words(words), language=text_or_empty(data.get("language_code"))
    )
