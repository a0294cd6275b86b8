"""SCC: codes that cannot be decoded."""

from __future__ import annotations

import pytest

from assistant.core.errors import MalformedTranscript
from assistant.transcripts import read_bytes
from tests.assistant.transcripts.reading import parse


def test_broken_codes_are_refused_in_one_line() -> None:
    """A line of no hexadecimal words is an error that names the file and the remedy."""
    with pytest.raises(
        MalformedTranscript, match=r"^a\.scc: .*Export the captions as SRT or WebVTT\.$"
    ):
        parse("Scenarist_SCC V1.0\n\n00:00:01:00\tzzzz qqqq\n", "a.scc")


def test_lower_case_follows_the_codes() -> None:
    """Odd-parity bytes are characters: 54 and e5 are T and e."""
    parsed = parse(
        "Scenarist_SCC V1.0\n\n00:00:01:00\t9420 9470 54e5 73f4 942f\n\n00:00:03:00\t942c\n",
        "a.scc",
    )
    assert [piece.text for piece in parsed.pieces] == ["Test"]


def test_captions_that_are_painted_and_say_nothing_are_refused() -> None:
    """Codes that only open a screen: found by fuzzing."""
    with pytest.raises(MalformedTranscript, match="has no text that somebody says"):
        read_bytes(b"Scenarist_SCC V1.0\n\n00:00:00:00\t9425 9425 94ad 94ad 9470\n", "a.scc")
