"""The Podcast 2.0 transcript JSON: segments with a body, which may be a single word each."""

from __future__ import annotations

from typing import Any

from assistant.transcripts.asr.json_fields import content, keys, named, objects, string, time
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has segments with a body."""
    data = content(source)
    return keys(data, "segments") and any("body" in row for row in objects(data["segments"]))


def parse(source: RawSource) -> Parsed:
    """Return the segments joined up to the end of a sentence or a change of speaker."""
    rows = enumerate(objects(content(source)["segments"]), 1)
    return Parsed(pieces(_word(number, row) for number, row in rows if string(row.get("body"))))


def _word(number: int, row: dict[str, Any]) -> Word:
    speaker = named(row.get("speaker"))
    return Word(string(row["body"]), number, time(row.get("startTime")), time(row.get("endTime")), speaker)
