"""ElevenLabs Scribe: typed words.

Spaces are words, too, and sounds are events that nobody says.
"""

from __future__ import annotations

from assistant.transcripts.asr.json_fields import (
    as_text,
    decoded_json,
    has_keys,
    numbered_objects,
    objects_in,
    piece_fields,
)
from assistant.transcripts.asr.timed_words import RecognisedWord, joined_pieces
from assistant.transcripts.speech_pieces import Parsed
from assistant.transcripts.text_decoding import RawSource

_WORD_TYPES = {"word", "spacing", "audio_event"}


def sniff(source: RawSource) -> bool:
    """Return whether the words are typed as the service types them."""
    data = decoded_json(source)
    if not has_keys(data, "words"):
        return False
    return any(
        "text" in word and as_text(word.get("type")) in _WORD_TYPES
        for word in objects_in(data["words"])
    )


def parse(source: RawSource) -> Parsed:
    """Return the words joined by speaker."""
    data = decoded_json(source)
    words = []
    for line, word in numbered_objects(data["words"]):
        if word.get("type") == "word":
            words.append(RecognisedWord(line=line, **piece_fields(word, speaker="speaker_id")))
    return Parsed(joined_pieces(words), language=as_text(data.get("language_code")))
