"""ElevenLabs Scribe: typed words; spaces are words of their own, sounds are events and nobody's speech."""

from __future__ import annotations

from typing import Any

from assistant.transcripts import language
from assistant.transcripts.asr.json_fields import content, keys, named, objects, string, time
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed

_TYPES = {"word", "spacing", "audio_event"}


def sniff(source: RawSource) -> bool:
    """Return whether the words are typed as the service types them."""
    data = content(source)
    return keys(data, "words") and any(
        string(word.get("type")) in _TYPES and "text" in word for word in objects(data["words"])
    )


def parse(source: RawSource) -> Parsed:
    """Return stretches of words by speaker."""
    data = content(source)
    rows = enumerate(objects(data["words"]), 1)
    words = [_word(number, row) for number, row in rows if row.get("type") == "word"]
    return Parsed(pieces(words), language.declared(data.get("language_code")))


def _word(number: int, row: dict[str, Any]) -> Word:
    times = time(row.get("start")), time(row.get("end"))
    return Word(string(row.get("text")), number, *times, named(row.get("speaker_id")))
