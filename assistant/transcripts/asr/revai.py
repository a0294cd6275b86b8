"""Rev.ai: monologues of numbered speakers, whose elements include spaces and punctuation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assistant.transcripts.asr.json_fields import (
    decoded_json,
    numbered_objects,
    objects_in,
    seconds_or_none,
    sniffer_of_paths,
    speaker_from_json,
    text_or_empty,
)
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource

sniff = sniffer_of_paths("monologues[]")


def parse(source: RawSource) -> ParsedTranscript:
    """Return the sentences of every monologue, with the speaker names in the file."""
    data = decoded_json(source)
    name_by_id: dict[str, Any] = {}
    for entry in objects_in(data.get("speakers")):
        name_by_id[text_or_empty(entry.get("id"))] = entry.get("name")
    all_pieces: list[SpeechPiece] = []
    # A monologue is the talk of one speaker, and begins a turn.
    for line_number, monologue in numbered_objects(data["monologues"]):
        speaker_id = monologue.get("speaker")
        name = name_by_id.get(text_or_empty(speaker_id))
        speaker = speaker_from_json(name or speaker_id)
        elements = objects_in(monologue.get("elements"))
        for index, (text, start, end) in enumerate(_sentences(elements)):
            is_first = index == 0
            all_pieces.append(
                SpeechPiece(text, line_number, speaker, start, end, starts_turn=is_first)
            )
    return ParsedTranscript(all_pieces)


def _sentences(elements: list[dict[str, Any]]) -> Iterator[tuple[str, float | None, float | None]]:
    """Yield text, start and end of the elements up to each full stop."""
    sentence: list[dict[str, Any]] = []
    for element in elements:
        sentence.append(element)
        is_punctuation = element.get("type") == "punct"
        if is_punctuation and text_or_empty(element.get("value")) in (".", "?", "!"):
            yield _sentence(sentence)
            sentence = []
    text, start, end = _sentence(sentence)
    if text:
        yield text, start, end


def _sentence(elements: list[dict[str, Any]]) -> tuple[str, float | None, float | None]:
    """Return text, start and end of elements. Unknown elements are left out of the text."""
    text = ""
    starts = []
    ends = []
    for element in elements:
        value = element.get("value")
        if isinstance(value, str) and element.get("type") != "unknown":
            text += value
        start = seconds_or_none(element.get("ts"))
        if start is not None:
            starts.append(start)
        end = seconds_or_none(element.get("end_ts"))
        if end is not None:
            ends.append(end)
    return " ".join(text.split()), min(starts, default=None), max(ends, default=None)
