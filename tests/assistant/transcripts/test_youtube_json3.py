"""YouTube's json3: which events are speech, and when a line ends."""

from __future__ import annotations

import json

from tests.assistant.transcripts.reading import parse


def test_a_line_ends_where_the_next_begins() -> None:
    """A line stays on the screen while the next is spoken; its time does not."""
    events = [
        {"tStartMs": 0, "dDurationMs": 8000, "segs": [{"utf8": "one"}]},
        {"tStartMs": 3000, "dDurationMs": 2000, "segs": [{"utf8": "two"}]},
    ]
    assert [(piece.start, piece.end) for piece in parse(json.dumps({"events": events})).pieces] == [
        (0.0, 3.0),
        (3.0, 5.0),
    ]


def test_a_manual_track_keeps_its_line_breaks_as_spaces() -> None:
    """Manual captions have one segment an event with breaks inside."""
    events = [{"tStartMs": 0, "dDurationMs": 2000, "segs": [{"utf8": "one\ntwo"}]}]
    assert [piece.text for piece in parse(json.dumps({"events": events})).pieces] == ["one two"]
