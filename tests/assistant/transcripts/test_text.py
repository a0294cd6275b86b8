"""Text, tables and pages as they occur.

One golden file a case, with the pieces expected beside it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.transcripts.numbered_lines import numbered
from assistant.transcripts.plain import read_lines
from tests.assistant.transcripts import reading


@pytest.mark.parametrize("case", reading.cases("text"), ids=lambda path: path.name)
def test_golden(case: Path) -> None:
    """The file reads as the expectation beside it says."""
    reading.compare(case)


def spoken(text: str) -> list[tuple[str | None, str]]:
    return [(piece.speaker, piece.text.strip()) for piece in reading.parse(text).pieces]


def test_colons_in_speech_are_no_labels() -> None:
    """Neither a time of day nor a phrase before a colon changes the speaker."""
    text = "HALE: We met at 9:30.\n\nHere is the truth: it failed.\n\nI’m proud of one thing in this race: General Moss.\n"
    assert [speaker for speaker, _ in spoken(text)] == ["HALE"] * 3


def test_a_label_seen_once_needs_a_full_name() -> None:
    """One capitalised word before a colon, seen once, is speech; a full name is a label."""
    text = "HALE: Good evening.\n\nDavid Lund: Hello.\n\nJobs: we need them.\n"
    assert spoken(text) == [
        ("HALE", "Good evening."),
        ("David Lund", "Hello."),
        ("David Lund", "Jobs: we need them."),
    ]


def test_source_says_unknown() -> None:
    """After a label that names nobody the speaker is unknown, never the one of the turn above."""
    text = "HALE: Good evening.\n\nUNKNOWN: Hello.\n\nAnd more.\n\nUnidentified Speaker: Hi.\n\nVOICE: No.\n"
    assert [speaker for speaker, _ in spoken(text)] == ["HALE", None, None, None, None]


def test_a_long_text_before_the_first_label_is_speech() -> None:
    """Text before the first label is left out only if it is short."""
    text = (
        "We begin with a long story about the river. " * 10
        + "\n\nHALE: Good evening.\n\nLUND: Hello.\n"
    )
    assert spoken(text)[0][0] is None


def test_wrapped_lines_are_one_sentence() -> None:
    """A paragraph broken at eighty columns stays one piece of speech, two paragraphs do not."""
    pieces = read_lines(numbered(["HALE: We built", "the bridge.", "", "It", "is long."])).pieces
    assert [piece.text for piece in pieces] == ["We built", "the bridge.\n", "It", "is long."]


def test_a_paragraph_that_goes_on_in_lower_case_is_no_end() -> None:
    """An empty line inside a sentence, as page breaks leave it, does not end it."""
    pieces = read_lines(numbered(["HALE: We built the", "", "bridge in 1937."])).pieces
    assert [piece.text for piece in pieces] == ["We built the", "bridge in 1937."]


def test_times_that_go_back_are_reported() -> None:
    """A second part whose clock starts anew is kept, with a warning."""
    text = "HALE (00:10):\nOne.\n\nLUND (09:00):\nTwo.\n\nHALE (00:05):\nThree.\n"
    assert any("go back" in warning for warning in reading.parse(text).warnings)


_NAMES = st.sampled_from(
    ["HALE", "RUTH ORTEGA", "MR. LUND", "Speaker 1", "SEN. VALE", "SPEAKER_02", "David Moss"]
)
_SENTENCES = st.lists(
    st.sampled_from(
        [
            "We built 40 plants.",
            "Is it so?",
            "That’s $3.5 million!",
            "No. 1 is Ohio.",
            "He said: “never again.”",
            "At 9:30.",
        ]
    ),
    min_size=1,
    max_size=4,
).map(" ".join)
_TURNS = st.lists(st.tuples(_NAMES, _SENTENCES), min_size=2, max_size=12)


def merged_turns(turns: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(speaker, " ".join(text.split())) for speaker, text in turns]


@given(_TURNS)
def test_plain_turns_written_are_the_turns_read(turns: list[tuple[str, str]]) -> None:
    """A writer of ``NAME: text`` paragraphs and the reader are each other's reverse."""
    written_turns = [("HALE", "Good evening."), *turns, *turns]
    text = "\n\n".join(f"{speaker}: {words}" for speaker, words in written_turns)
    assert spoken(text) == merged_turns(written_turns)


@given(_TURNS, st.integers(0, 5000))
def test_timed_turns_written_are_the_turns_read(turns: list[tuple[str, str]], start: int) -> None:
    """A writer of Rev's ``Name (time):`` lines and the reader are each other's reverse."""
    starts = []
    paragraphs = []
    for index, (speaker, words) in enumerate(turns):
        second = start + 7 * index
        clock_time = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
        starts.append(float(second))
        paragraphs.append(f"{speaker} ({clock_time}):\n{words}")
    pieces = reading.parse("\n\n".join(paragraphs)).pieces
    parsed_turns = [(piece.speaker, piece.text.strip()) for piece in pieces]
    assert parsed_turns == merged_turns(turns)
    assert [piece.start for piece in pieces] == starts


@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    """No text whatever makes the reader of plain text fail."""
    read_lines(numbered(text.split("\n")))
