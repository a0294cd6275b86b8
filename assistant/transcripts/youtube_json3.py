"""YouTube's json3 captions: events with a start in milliseconds and segments of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from assistant.transcripts import caption_speech
from assistant.transcripts.asr.json_fields import (
    MILLISECONDS_PER_S,
    decoded_json,
    end_after,
    numbered_objects,
    objects_in,
    seconds_or_none,
    sniffer_of_paths,
)
from assistant.transcripts.cues import without_markup
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource

sniff = sniffer_of_paths("events[].tStartMs")


def parse(source: RawSource) -> ParsedTranscript:
    """Return the speech of every event with text.

    Window events and appended line breaks have none.
    """
    cues = list(_cues(decoded_json(source)["events"]))
    ended_cues = [_end_at_next(cue, next_cue) for cue, next_cue in zip_longest(cues, cues[1:])]
    return caption_speech.read_cues(ended_cues, source.name)


def _cues(events: list[Any]) -> Iterator[SpeechPiece]:
    for line, event in numbered_objects(events):
        segment_texts = [segment.get("utf8") for segment in objects_in(event.get("segs"))]
        text = without_markup("".join(text for text in segment_texts if isinstance(text, str)))
        if text:
            start = seconds_or_none(event.get("tStartMs"), MILLISECONDS_PER_S)
            duration = seconds_or_none(event.get("dDurationMs"), MILLISECONDS_PER_S)
            yield SpeechPiece(text, line, None, start, end_after(start, duration))


def _end_at_next(cue: SpeechPiece, next_cue: SpeechPiece | None) -> SpeechPiece:
    """Return the cue, ended at the start of the next.

    A line stays on the screen while the next is already spoken.
    """
    if next_cue is None or cue.start is None or next_cue.start is None:
        return cue
    if cue.start >= next_cue.start:
        return cue
    return replace(cue, end=min(cue.end or next_cue.start, next_cue.start))
