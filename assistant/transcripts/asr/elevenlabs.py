"""ElevenLabs Scribe: typed words.

Spaces are words, too, and sounds are events that nobody says.
"""

from __future__ import annotations

from assistant.transcripts.asr.json_fields import content, keys, numbered, objects, string, timed
from assistant.transcripts.asr.timed_words import RecognisedWord, pieces
from assistant.transcripts.speech_pieces import Parsed
from assistant.transcripts.text_decoding import RawSource

_WORD_TYPES = {"word", "spacing", "audio_event"}


def sniff(source: RawSource) -> bool:
    """Return whether the words are typed as the service types them."""
    data = content(source)
    if not keys(data, "words"):
        return False
    return any(
        "text" in word and string(word.get("type")) in _WORD_TYPES
        for word in objects(data["words"])
    )


def parse(source: RawSource) -> Parsed:
    """Return the words joined by speaker."""
    data = content(source)
    words = []
    for line, word in numbered(data["words"]):
        if word.get("type") == "word":
            words.append(RecognisedWord(line=line, **timed(word, speaker="speaker_id")))
    return Parsed(pieces(words), language=string(data.get("language_code")))
