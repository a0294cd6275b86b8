"""YouTube's json3 captions: events with a start in milliseconds and segments of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from assistant.transcripts import caption_speech
from assistant.transcripts.asr.json_fields import (
    content,
    end_after,
    having,
    numbered,
    objects,
    time,
)
from assistant.transcripts.cues import without_markup
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

sniff = having("events[].tStartMs")


def parse(source: RawSource) -> Parsed:
    """Return the speech of every event with text.

    Window events and appended line breaks have none.
    """
    cues = list(_cues(content(source)["events"]))
    return caption_speech.read_cues(
        [_end_at_next(*pair) for pair in zip_longest(cues, cues[1:])], source.name
    )


def _cues(events: list[Any]) -> Iterator[Piece]:
    for line, event in numbered(events):
        segments = objects(event.get("segs"))
        text = without_markup(
            "".join(segment["utf8"] for segment in segments if isinstance(segment.get("utf8"), str))
        )
        if text:
            start = time(event.get("tStartMs"), 1000)
            yield Piece(
                text, line, None, start, end_after(start, time(event.get("dDurationMs"), 1000))
            )


def _end_at_next(cue: Piece, following: Piece | None) -> Piece:
    """Return the cue ended where the next begins.

    A line stays on the screen while the next is already spoken.
    """
    if (
        following is None
        or cue.start is None
        or following.start is None
        or not cue.start < following.start
    ):
        return cue
    return replace(cue, end=min(cue.end or following.start, following.start))
