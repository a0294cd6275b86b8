"""Whisper's JSON: openai-whisper, faster-whisper and whisper.cpp, which differ in a few keys."""

from __future__ import annotations

from typing import Any

from assistant.transcripts import caption_speech
from assistant.transcripts.asr.json_fields import (
    as_object,
    as_text,
    decoded_json,
    has_keys,
    numbered_objects,
    objects_in,
    piece_fields,
    sniffer_of_paths,
)
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

sniff = sniffer_of_paths(
    "transcription[].offsets",
    "transcription[].timestamps",
    *(f"{rows}[].{key}" for rows in ("segments", "") for key in ("avg_logprob", "no_speech_prob")),
)


def parse(source: RawSource) -> Parsed:
    """Return the segments as captions.

    Whisper has learnt chevrons and labels from captions and writes them, too.
    """
    data = decoded_json(source)
    if has_keys(data, "transcription"):
        cues = _cpp(data)
    else:
        segment_holder = data if isinstance(data, list) else as_object(data).get("segments")
        cues = segments(objects_in(segment_holder))
    result = as_object(as_object(data).get("result"))
    language = as_object(data).get("language") or result.get("language")
    return caption_speech.read_cues(cues, source.name, language=as_text(language))


def segments(entries: list[dict[str, Any]]) -> list[Piece]:
    """Return the cues of a list of segments with text, times in seconds, and maybe a speaker."""
    return [
        Piece(line=line, **piece_fields(entry))
        for line, entry in enumerate(entries, 1)
        if as_text(entry.get("text"))
    ]


def _cpp(data: dict[str, Any]) -> list[Piece]:
    """Return the cues of whisper.cpp, whose times are milliseconds.

    It announces a change of speaker one segment ahead.
    """
    cues = []
    starts_turn = False
    for line, segment in numbered_objects(data["transcription"]):
        offsets_ms = as_object(segment.get("offsets"))
        fields = piece_fields(segment | offsets_ms, start="from", end="to", per_second=1000)
        fields["text"] = fields["text"].replace("[SPEAKER_TURN]", "").strip()
        if fields["text"]:
            cues.append(Piece(line=line, starts_turn=starts_turn, **fields))
        # The next segment begins a turn.
        starts_turn = bool(segment.get("speaker_turn_next"))
    return cues
