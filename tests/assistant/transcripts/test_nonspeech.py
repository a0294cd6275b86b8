"""Stage directions, notes and recognisers' inventions are nobody's sentence."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.domain import Sentence
from assistant.transcripts.nonspeech import (
    invention_warnings,
    is_heading,
    is_unspoken_line,
    without_stage_directions,
)
from tests.assistant.transcripts.reading import data_folder


@pytest.mark.parametrize(
    "direction",
    [
        "(Applause)",
        "[Laughter.]",
        "(Laughter).",
        "(Shouts, laughter)",
        "(OFF-MIKE)",
        "[cross talk]",
        "[crosstalk 00:17:14]",
        "(continuing)",
        "(Inaudible).",
        "[BEGIN VIDEO CLIP]",
        "(voice-over)",
        "(on camera)",
        "(through translator)",
        "(ph)",
        "♪ la la ♪",
        "*laughs*",
        "( clock ticking )",
        "[Music]",
        "(Equal amounts of cheering and booing)",
    ],
)
def test_stage_directions_are_removed(direction: str) -> None:
    """A stage direction alone leaves nothing."""
    assert without_stage_directions(direction).strip(" .") == ""


@pytest.mark.parametrize(
    "text",
    [
        "It was [sic] wrong.",
        "We cut taxes (the biggest cut in history).",
        "[the wall] was built",
        "She *did* say it",
        "He is (I think) right",
        "[ __ ] you",
        "Senator (D) Lund",
    ],
)
def test_other_brackets_stay(text: str) -> None:
    """What the speaker or the editor put in brackets is text."""
    assert without_stage_directions(text) == text


def test_a_direction_inside_a_sentence_does_not_cut_it() -> None:
    """The words around a stage direction close up; a pause keeps its dots."""
    assert (
        without_stage_directions("I'm Anna Hale... [applause]... along with Bob")
        == "I'm Anna Hale... ... along with Bob"
    )
    assert without_stage_directions("He lied (CROSSTALK) about it.") == "He lied about it."


@given(st.text(alphabet="ab (]", max_size=60))
def test_text_without_stage_words_is_kept(text: str) -> None:
    """Nothing but stage directions and doubled spaces is ever taken out."""
    assert text.split() == without_stage_directions(text).split()


@pytest.mark.parametrize(
    "line",
    [
        "END",
        "END Part 1, 1992 Debate 1",
        "Note: The debate began at 9 p.m.",
        "Transcription by: CQ Transcriptions",
        "Transcribed by https://otter.ai",
        "No StressLens",
        "No Signal (0.531)",
        "Page 3 of 12",
        "Part 1",
        "Aired 21:00 ET",
        "THIS IS A RUSH TRANSCRIPT. THIS COPY MAY NOT BE IN ITS FINAL FORM AND MAY BE UPDATED.",
        "Copyright 2016 Network",
    ],
)
def test_notes(line: str) -> None:
    """Notes, credits and footers are recognised."""
    assert is_unspoken_line(line)


@pytest.mark.parametrize(
    "line",
    [
        "The end is near.",
        "END the war now, I said.",
        "We take note: it fell.",
        "Part of it is true.",
    ],
)
def test_speech_is_no_note(line: str) -> None:
    """Sentences that begin like notes are speech."""
    assert not is_unspoken_line(line)


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("Federal Taxation", True),
        ("The Nation’s Economy", True),
        ("Yes", False),
        ("We cut taxes.", False),
        ("So it was", False),
        ("Regions Vital to U.S. Interests", True),
    ],
)
def test_headings(line: str, heading: bool) -> None:
    """Short lines in title case without a full stop look like headings."""
    assert is_heading(line) == heading


def _said(*texts: str) -> list[Sentence]:
    return [Sentence(i, i, text) for i, text in enumerate(texts, 1)]


def test_inventions_of_recognisers_are_flagged() -> None:
    """Thanks for watching, and a line three times in a row, are reported by number."""
    warnings = invention_warnings(
        _said("We won.", "Thanks for watching!", "I know.", "I know.", "I know!", "Yes.")
    )
    assert "sentence 2" in warnings[0] and "3 to 5" in warnings[1] and len(warnings) == 2


def test_ordinary_repetition_is_not_flagged() -> None:
    """Two equal sentences and a word of thanks are common."""
    assert invention_warnings(_said("No.", "No.", "Thank you.", "Yes.")) == []


@pytest.mark.data
@pytest.mark.parametrize("file", ["stage_directions_cpd.csv", "meta_lines_cpd.csv"])
def test_rows_of_the_data_folder(file: str) -> None:
    """Every stage direction, heading and note of the debates of 1960 to 2016 is recognised."""
    with open(data_folder() / "txt" / file, encoding="utf-8-sig") as table:
        cells = [cells[0].strip("\ufeff") for cells in csv.reader(table)]
    spoken_lines = []
    for line in cells[1:]:
        is_spoken = bool(without_stage_directions(line).strip(" ."))
        if is_spoken and not is_unspoken_line(line) and not is_heading(line):
            spoken_lines.append(line)
    assert spoken_lines == []
