"""Rev.ai: monologues of numbered speakers, whose elements include spaces and punctuation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assistant.transcripts.asr.json_fields import (
    content,
    having,
    named,
    numbered,
    objects,
    string,
    time,
)
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

sniff = having("monologues[]")


def parse(source: RawSource) -> Parsed:
    """Return the sentences of every monologue, with the names that the file gives its speakers."""
    data = content(source)
    names = {string(row.get("id")): row.get("name") for row in objects(data.get("speakers"))}
    spoken: list[Piece] = []
    for line, monologue in numbered(data["monologues"]):
        speaker = named(names.get(string(monologue.get("speaker"))) or monologue.get("speaker"))
        for i, (text, start, end) in enumerate(_stretches(objects(monologue.get("elements")))):
            spoken.append(Piece(text, line, speaker, start, end, i == 0))
    return Parsed(spoken)


def _stretches(elements: list[dict[str, Any]]) -> Iterator[tuple[str, float | None, float | None]]:
    """Yield text, start and end of the elements up to each full stop."""
    text = ""
    starts = []
    ends = []
    for element in elements:
        value = element.get("value")
        text += value if isinstance(value, str) and element.get("type") != "unknown" else ""
        starts += [t for t in [time(element.get("ts"))] if t is not None]
        ends += [t for t in [time(element.get("end_ts"))] if t is not None]
        if element.get("type") == "punct" and string(value) in (".", "?", "!"):
            yield " ".join(text.split()), min(starts, default=None), max(ends, default=None)
            text = ""
            starts = []
            ends = []
    if text.strip():
        yield " ".join(text.split()), min(starts, default=None), max(ends, default=None)
