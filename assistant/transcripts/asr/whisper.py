"""Whisper's JSON: openai-whisper, faster-whisper and whisper.cpp, which differ in a few keys only."""

from __future__ import annotations

from typing import Any

from assistant.transcripts import captions
from assistant.transcripts.asr.json_fields import content, keys, mapping, named, numbered, objects, string, time, timed
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.cues import Cue
from assistant.transcripts.pieces import Parsed


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has Whisper's segments or whisper.cpp's transcription."""
    data = content(source)
    return _is_cpp(data) or any("avg_logprob" in s or "no_speech_prob" in s for s in _segments(data))


def parse(source: RawSource) -> Parsed:
    """Return the segments as captions: Whisper has learned chevrons and labels from captions and writes them, too."""
    data = content(source)
    cues = _cpp(data) if _is_cpp(data) else segments(_segments(data))
    language = mapping(data).get("language") or mapping(mapping(data).get("result")).get("language")
    return captions.read_cues(cues, source.name, language=string(language))


def segments(rows: list[dict[str, Any]]) -> list[Cue]:
    """Return the cues of a list of segments with text, start, end (seconds) and perhaps a speaker."""
    return [Cue(line=line, **timed(row)) for line, row in enumerate(rows, 1) if string(row.get("text"))]


def _segments(data: Any) -> list[dict[str, Any]]:
    return objects(data.get("segments")) if isinstance(data, dict) else objects(data)


def _is_cpp(data: Any) -> bool:
    return keys(data, "transcription") and any(
        "offsets" in row or "timestamps" in row for row in objects(data["transcription"])
    )


def _cpp(data: dict[str, Any]) -> list[Cue]:
    """Return the cues of whisper.cpp, which counts milliseconds and announces a change of speaker one segment ahead."""
    cues, turns = [], False
    for line, row in numbered(data["transcription"]):
        offsets = mapping(row.get("offsets"))
        start, end = time(offsets.get("from"), 1000), time(offsets.get("to"), 1000)
        text = string(row.get("text")).replace("[SPEAKER_TURN]", "").strip()
        if text:
            cues.append(Cue(line, text, start, end, named(row.get("speaker")), turns))
        turns = bool(row.get("speaker_turn_next"))
    return cues
