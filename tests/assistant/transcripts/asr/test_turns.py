"""Lists of turns that do not say the unit of their times."""

from __future__ import annotations

import json

import pytest

from tests.assistant.transcripts.reading import parse

SPEECH = "Good evening to everybody in the hall and to those who are listening at home tonight."


@pytest.mark.parametrize(
    ("end", "expected"), [(6, 6.0), (6000, 6.0), (120, 120.0), (120_000, 120.0)]
)
def test_the_unit_is_the_one_in_which_people_can_speak(end: int, expected: float) -> None:
    """Sixteen words in 6,000 seconds or in .12 seconds are not speech."""
    parsed = parse(json.dumps([{"speaker": "A", "start": 0, "end": end, "text": SPEECH}]), "a.json")
    assert parsed.pieces[0].end == expected
    assert "the file does not say the unit of its times" in parsed.warnings[0]


def test_turns_without_times_are_read() -> None:
    """Nothing is guessed, so nothing is warned."""
    parsed = parse(
        json.dumps([{"speaker": "Ann", "text": "Yes."}, {"speaker": "Bob", "text": "No."}]),
        "a.json",
    )
    assert [(piece.speaker, piece.text, piece.start) for piece in parsed.pieces] == [
        ("Ann", "Yes.", None),
        ("Bob", "No.", None),
    ]
    assert parsed.warnings == []
