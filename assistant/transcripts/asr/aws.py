"""AWS Transcribe: items of words and punctuation with times written as text.

Speakers in a list beside them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assistant.transcripts.asr.json_fields import (
    content,
    first,
    having,
    mapping,
    numbered,
    objects,
    string,
    timed,
)
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.speech_pieces import Parsed
from assistant.transcripts.text_decoding import RawSource

sniff = having("results.items[]")


def parse(source: RawSource) -> Parsed:
    """Return the joined words; an empty speaker label stays unknown."""
    results = content(source)["results"]
    by_start = _speakers(results)
    words: list[Word] = []
    for line, item in numbered(results["items"]):
        glued = item.get("type") == "punctuation"
        label = (
            item.get("speaker_label")
            or by_start.get(str(item.get("start_time")))
            or item.get("channel_label")
        )
        best = {**first(item.get("alternatives")), **item, "speaker": label}
        word = Word(
            line=line,
            glued=glued,
            **timed(best, text="content", start="start_time", end="end_time"),
        )
        words.append(replace(word, speaker=words[-1].speaker) if glued and words else word)
    return Parsed(pieces(words), language=string(results.get("language_code")))


def _speakers(results: dict[str, Any]) -> dict[str, str]:
    """Return the speaker label by the start of an item, as the older schema gives it."""
    labels = mapping(results.get("speaker_labels"))
    return {
        str(item.get("start_time")): string(
            item.get("speaker_label") or segment.get("speaker_label")
        )
        for segment in objects(labels.get("segments"))
        for item in objects(segment.get("items"))
    }
