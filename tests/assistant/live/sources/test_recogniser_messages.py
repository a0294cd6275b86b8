"""Messages of recognisers become lines; repeated text is one unit.

An unreadable message is an error.
"""

from __future__ import annotations

import json

import pytest

from assistant.live.sources.recogniser_messages import Messages, Unreadable


def read(*messages, log=None):
    """Return the text that stands at the end for each unit: (speaker, text, final)."""
    reader = Messages("test")
    stands = {}
    for message in messages:
        for line in reader.read(json.dumps(message)):
            stands[line.unit] = (line.speaker, line.text, line.final)
    return list(stands.values())


def segment(start, text, completed):
    return {
        "start": f"{start:.3f}",
        "end": f"{start + 2:.3f}",
        "text": f" {text}",
        "completed": completed,
    }


def result(text, words, *, start=0.0, final=True):
    spoken = [
        {"word": w, "punctuated_word": w, "start": i, "end": i + 1, "speaker": s}
        for i, (w, s) in enumerate(words)
    ]
    best = {"transcript": text, "words": spoken}
    return {
        "type": "Results",
        "start": start,
        "duration": 2.0,
        "is_final": final,
        "channel": {"alternatives": [best]},
    }


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (
            [
                {"uid": "x", "message": "SERVER_READY", "backend": "faster_whisper"},
                {"uid": "x", "segments": [segment(0, "We built", False)]},
                {"uid": "x", "segments": [segment(0, "We built schools.", True), segment(2, "And", False)]},
                {"uid": "x", "segments": [segment(0, "We built schools.", True), segment(2, "And roads.", True)]},
                {"uid": "x", "message": "DISCONNECT"},
            ],
            [(None, "We built schools.", True), (None, "And roads.", True)],
        ),
        (
            [
                {"type": "config", "useAudioWorklet": True},
                {"lines": [{"speaker": 1, "text": "We built", "start": "0:00:00", "end": "0:00:02"}],
                 "buffer_transcription": "schools"},
                {"lines": [{"speaker": 1, "text": "We built schools.", "start": "0:00:00", "end": "0:00:03"},
                           {"speaker": -2, "text": None}, {"speaker": 2, "text": "No.", "start": "0:00:05"}],
                 "buffer_transcription": ""},
                {"type": "ready_to_stop"},
            ],
            [("Speaker 1", "We built schools.", True), ("Speaker 2", "No.", False)],
        ),
        (
            [
                result("We built", [], final=False),
                result("We built schools. No.", [("We", 0), ("built", 0), ("schools.", 0), ("No.", 1)]),
                {"type": "UtteranceEnd"},
                result("", [], start=9.0),
            ],
            [("Speaker 0", "We built schools.", True), ("Speaker 1", "No.", True)],
        ),
        (
            [
                {"type": "Begin", "id": "x"},
                {"type": "Turn", "turn_order": 0, "end_of_turn": False, "transcript": "we built"},
                {"type": "Turn", "turn_order": 0, "end_of_turn": True, "transcript": "we built schools"},
                {"type": "Turn", "turn_order": 0, "end_of_turn": True, "transcript": "We built schools."},
            ],
            [(None, "We built schools.", True)],
        ),
        (
            [
                {"type": "realtime", "text": "We built"},
                {"type": "fullSentence", "text": "We built schools."},
                {"type": "realtime", "text": "No"},
                {"type": "vad_detect_start"},
            ],
            [(None, "We built schools.", True), (None, "No", False)],
        ),
    ],
    ids=["WhisperLive", "WhisperLiveKit", "Deepgram", "AssemblyAI", "RealtimeSTT"],
)  # fmt: skip
def test_each_recogniser_is_read(messages, expected):
    """Partial text is replaced by what follows it; repeated segments are one."""
    assert read(*messages) == expected


@pytest.mark.parametrize(
    "message",
    [
        "no json",
        '{"segments": [{"start": "x"}]}',
        '{"type": "Results"}',
        '{"segments": 5}',
        b"\xff\xfe",
    ],
)
def test_a_message_that_cannot_be_read_is_told(message):
    """The reason is given, nothing else breaks."""
    with pytest.raises(Unreadable):
        Messages("test").read(message)


@pytest.mark.parametrize("message", ["[1, 2]", '"text"', '{"type": "Metadata"}', "{}"])
def test_what_tells_only_a_state_is_no_line(message):
    """Other messages are passed over."""
    assert Messages("test").read(message) == []


def test_sessions_have_units_of_their_own():
    """After a reconnection the clock begins anew, and overwrites nothing."""
    message = json.dumps({"segments": [segment(0, "We built schools.", True)]})

    assert Messages("test", 1).read(message)[0].unit != Messages("test", 2).read(message)[0].unit
