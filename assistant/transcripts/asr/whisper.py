"""Whisper's JSON: openai-whisper, faster-whisper and whisper.cpp, which differ in a few keys."""

from __future__ import annotations

from typing import Any

from assistant.transcripts import caption_speech
from assistant.transcripts.asr.json_fields import (
    MILLISECONDS_PER_S,
    decoded_json,
    has_keys,
    numbered_objects,
    object_or_empty,
    objects_in,
    piece_fields,
    sniffer_of_paths,
    text_or_empty,
)
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource

sniff = sniffer_of_paths(
    "transcription[].offsets",
    "transcription[].timestamps",
    *(f"{rows}[].{key}" for rows in ("segments", "") for key in ("avg_logprob", "no_speech_prob")),
)


def parse(source: RawSource) -> ParsedTranscript:
    """Return the segments as captions.

    Whisper has learnt chevrons and labels from captions and writes them, too.
    """
    data = decoded_json(source)
    if has_keys(data, "transcription"):
        cues = _cues_of_whisper_cpp(data)
    else:
        entries = data if isinstance(data, list) else object_or_empty(data).get("segments")
        cues = segments(objects_in(entries))
    # whisper.cpp writes the language into an object of its own.
    fields = object_or_empty(data)
    result = object_or_empty(fields.get("result"))
    language = fields.get("language") or result.get("language")
    return caption_speech.read_cues(cues, source.name, language=text_or_empty(language))


def segments(entries: list[dict[str, Any]]) -> list[SpeechPiece]:
    """Return the cues of a list of segments with text, times in seconds, and maybe a speaker."""
    return [
        SpeechPiece(line_number=line_number, **piece_fields(entry))
        for line_number, entry in enumerate(entries, 1)
        if text_or_empty(entry.get("text"))
    ]


def _cues_of_whisper_cpp(data: dict[str, Any]) -> list[SpeechPiece]:
    """Return the cues of whisper.cpp, whose times are milliseconds.

    It announces a change of speaker one segment ahead.
    """
    cues = []
    starts_turn = False
    for line_number, segment in numbered_objects(data["transcription"]):
        offsets_ms = object_or_empty(segment.get("offsets"))
        segment_with_times = {**segment, **offsets_ms}
        fields = piece_fields(
            segment_with_times, start_key="from", end_key="to", units_per_s=MILLISECONDS_PER_S
        )
        fields["text"] = fields["text"].replace("[SPEAKER_TURN]", "").strip()
        if fields["text"]:
            cues.append(SpeechPiece(line_number=line_number, starts_turn=starts_turn, **fields))
        # The next segment begins a turn.
        starts_turn = bool(segment.get("speaker_turn_next"))
    return cues
