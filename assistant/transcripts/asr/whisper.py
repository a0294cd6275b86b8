"""Whisper's JSON: openai-whisper, faster-whisper and whisper.cpp, which differ in a few keys only."""

from __future__ import annotations

from typing import Any

from assistant.transcripts import captions
from assistant.transcripts.asr.json_fields import content, first, keys, mapping, named, objects, string, time
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.cues import Cue
from assistant.transcripts.pieces import Parsed


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has Whisper's segments or whisper.cpp's transcription."""
    data = content(source)
    return _is_cpp(data) or any("avg_logprob" in s or "no_speech_prob" in s for s in _segments(data))


def parse(source: RawSource) -> Parsed:
    """Return the segments as captions: Whisper writes down the chevrons and labels that it has learnt from them."""
    data = content(source)
    cues = _cpp(data) if _is_cpp(data) else segments(_segments(data))
    told = data if isinstance(data, dict) else {}
    spoken = told.get("language") or first([told.get("result")]).get("language")
    return captions.finish(cues, source.name, [], declared=string(spoken))


def segments(rows: list[dict[str, Any]]) -> list[Cue]:
    """Return the cues of a list of segments with text, start, end (seconds) and perhaps a speaker."""
    return [
        Cue(number, string(row["text"]), time(row.get("start")), time(row.get("end")), named(row.get("speaker")))
        for number, row in enumerate(rows, 1)
        if string(row.get("text"))
    ]


def _segments(data: Any) -> list[dict[str, Any]]:
    return objects(data.get("segments")) if isinstance(data, dict) else objects(data)


def _is_cpp(data: Any) -> bool:
    return keys(data, "transcription") and any(
        "offsets" in row or "timestamps" in row for row in objects(data["transcription"])
    )


def _cpp(data: dict[str, Any]) -> list[Cue]:
    """whisper.cpp counts offsets in milliseconds; ``speaker_turn_next`` announces a change of speaker."""
    cues, turns = [], False
    for number, row in enumerate(objects(data["transcription"]), 1):
        offsets = mapping(row.get("offsets"))
        start, end = time(offsets.get("from"), 1000), time(offsets.get("to"), 1000)
        text = string(row.get("text")).replace("[SPEAKER_TURN]", "").strip()
        if text:
            cues.append(Cue(number, text, start, end, named(row.get("speaker")), turns))
        turns = bool(row.get("speaker_turn_next"))
    return cues
