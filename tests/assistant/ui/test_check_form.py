"""Between the drop and the check: sentence numbers as a person writes them."""

from __future__ import annotations

import pytest

from assistant.ui.check_form import source_words
from assistant.ui.speaker_form import sentence_numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12-15, 20", [12, 13, 14, 15, 20]),
        ("3", [3]),
        (" 3 - 4 ,3", [3, 4]),
        ("28-999999999", [28, 29, 30]),
        ("0, 31", []),
        ("9-7", []),
        ("", []),
    ],
)
def test_spans_and_numbers_are_read(text, expected):
    """Numbers and spans in any order, none twice, none that the transcript does not have."""
    assert sentence_numbers(text, 30) == expected


@pytest.mark.parametrize("text", ["twelve", "3-x", "-4", "1;2"])
def test_what_is_no_number_is_refused(text):
    """The part that cannot be read is named."""
    with pytest.raises(ValueError, match=text.split(",")[0].strip()):
        sentence_numbers(text, 30)


def test_what_was_read_is_said_in_one_line():
    """Format, sentences, speakers, length."""
    assert source_words("WebVTT", 1204, 5, 5760.0) == "WebVTT, 1,204 sentences, 5 speakers, 96 min"
    assert source_words("plain text", 1, 0, 0.0) == "plain text, 1 sentence, no speakers named"
