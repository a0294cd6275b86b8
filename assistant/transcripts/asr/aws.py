"""AWS Transcribe: items of words and punctuation with times written as text; speakers in a list beside them."""

from __future__ import annotations

from typing import Any

from assistant.transcripts.asr.json_fields import content, first, keys, mapping, named, numbered, objects, string, time
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has results as items."""
    data = content(source)
    return keys(data, "results") and keys(data["results"], "items") and isinstance(data["results"]["items"], list)


def parse(source: RawSource) -> Parsed:
    """Return the joined words; an empty speaker label stays unknown."""
    results = content(source)["results"]
    by_start = _speakers(results)
    words: list[Word] = []
    for line, item in numbered(results["items"]):
        text = string(first(item.get("alternatives")).get("content"))
        glued = item.get("type") == "punctuation"
        label = item.get("speaker_label") or by_start.get(str(item.get("start_time"))) or item.get("channel_label")
        speaker = words[-1].speaker if glued and words else named(label)
        if text:
            words.append(Word(text, line, time(item.get("start_time")), time(item.get("end_time")), speaker, glued))
    return Parsed(pieces(words), language=string(results.get("language_code")))


def _speakers(results: dict[str, Any]) -> dict[str, str]:
    """Return the speaker label by the start of an item, as the older schema gives it."""
    labels = mapping(results.get("speaker_labels"))
    return {
        str(item.get("start_time")): string(item.get("speaker_label") or segment.get("speaker_label"))
        for segment in objects(labels.get("segments"))
        for item in objects(segment.get("items"))
    }
