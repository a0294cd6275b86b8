"""Values out of loosely written JSON."""

from __future__ import annotations

import pytest

from assistant.transcripts.asr.json_fields import decoded_json, seconds_or_none, speaker_from_json
from tests.assistant.transcripts.reading import source


@pytest.mark.parametrize(
    ("speaker", "expected"),
    [
        (0, "Speaker 0"),
        ("1", "Speaker 1"),
        ("A", "Speaker A"),
        ("spk_0", "spk_0"),
        ("Mayor Alden", "Mayor Alden"),
        (None, None),
        ("", None),
        ("UU", None),
        (-1, None),
        ("Unknown Speaker", None),
        ("Group", None),
        (True, None),
    ],
)
def test_speakers_of_recognisers(speaker: object, expected: str | None) -> None:
    """Numbers and letters become names that can be renamed; nobody stays unknown."""
    assert speaker_from_json(speaker) == expected


@pytest.mark.parametrize(
    ("value", "per_second", "expected"),
    [
        (1500, 1000, 1.5),
        ("12.9", 1, 12.9),
        (0, 1, 0.0),
        (None, 1, None),
        ("soon", 1, None),
        (True, 1, None),
        ([], 1, None),
    ],
)
def test_times(value: object, per_second: float, expected: float | None) -> None:
    """Numbers, also written as text; anything else is no time."""
    assert seconds_or_none(value, per_second) == expected


def test_line_separators_inside_strings_do_not_break_the_json() -> None:
    """U+2028 may occur in JSON; decoding the file has made a line feed of it."""
    assert decoded_json(source('{"text": "one\u2028two"}')) == {"text": "one\ntwo"}


def test_text_is_no_json() -> None:
    """None, not an error: the next reader looks at it."""
    assert decoded_json(source("HOLT: Good evening.")) is None
