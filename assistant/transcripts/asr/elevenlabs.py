"""ElevenLabs Scribe: typed words; spaces are words of their own, sounds are events and nobody's speech."""

from __future__ import annotations

from assistant.transcripts import language
from assistant.transcripts.asr.jsonfile import content, keys, named, objects, time
from assistant.transcripts.asr.words import Word, pieces
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed

_TYPES = {"word", "spacing", "audio_event"}


def sniff(source: RawSource) -> bool:
    """Return whether the words are typed as the service types them."""
    data = content(source)
    return keys(data, "words") and any(word.get("type") in _TYPES and "text" in word for word in objects(data["words"]))


def parse(source: RawSource) -> Parsed:
    """Return stretches of words by speaker."""
    data = content(source)
    words = [
        Word(str(word["text"]), number, time(word.get("start")), time(word.get("end")), named(word.get("speaker_id")))
        for number, word in enumerate(objects(data["words"]), 1)
        if word.get("type") == "word" and str(word.get("text") or "").strip()
    ]
    return Parsed(pieces(words), language.declared(data.get("language_code"), source.name))
