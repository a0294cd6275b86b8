"""The times of turns in plain text: every way to write one, before, behind and below a name."""

from __future__ import annotations

import pytest

from assistant.core.domain import Transcript
from assistant.transcripts import reader

TURNS = (
    ("Ann Roe", "Good evening and welcome to the hall."),
    ("Tom Hale (Harbor)", "The port lost 14 percent of its traffic."),
    ("Ann Roe", "How do you explain that loss?"),
)
SPEAKERS = ["Ann Roe", "Tom Hale", "Ann Roe"]


def _read(pattern: str, written: tuple[str, str, str]) -> Transcript:
    """Return the transcript of the turns, with a time and a name in the places of a pattern."""
    turns = [
        pattern.format(time=time, name=name, text=text)
        for time, (name, text) in zip(written, TURNS, strict=True)
    ]
    return reader.transcript("\n\n".join(turns).encode(), "hearing.txt")


def _speech(transcript: Transcript) -> list[tuple[str | None, str]]:
    return [(sentence.speaker, sentence.text) for sentence in transcript.sentences]


EXPECTED = [(name, text) for name, (_, text) in zip(SPEAKERS, TURNS, strict=True)]


@pytest.mark.parametrize(
    "written",
    [
        ("3 seconds", "12 seconds", "1 minute 5 seconds"),
        ("0 minutes 3 seconds", "0 minutes 12 seconds", "1 minute 5 seconds"),
        ("0 Minuten 3 Sekunden", "0 Minuten 12 Sekunden", "1 Minute 5 Sekunden"),
        ("3s", "12s", "1m 5s"),
        ("0:03", "0:12", "1:05"),
        ("[0:03]", "[0:12]", "[1:05]"),
        ("00:00:03", "00:00:12", "00:01:05"),
        ("00;00;03;00", "00;00;12;00", "00;01;05;00"),
    ],
)
@pytest.mark.parametrize(
    "pattern", ["{name}\n{time}\n{text}", "{time}\n{name}: {text}", "{name}   {time}\n{text}"]
)
def test_a_time_below_above_or_behind_a_name_is_no_speech(
    pattern: str, written: tuple[str, str, str]
) -> None:
    transcript = _read(pattern, written)
    assert _speech(transcript) == EXPECTED
    assert [sentence.start for sentence in transcript.sentences] == [3.0, 12.0, 65.0]


@pytest.mark.parametrize(
    "written",
    [
        ("10:02 AM", "10:03 AM", "10:04 AM"),
        ("11:59 a.m.", "12:00 p.m.", "12:01 p.m."),
        ("10:02:00 pm", "10:03:00 pm", "10:04:00 pm"),
        ("[10:02 AM]", "[10:03 AM]", "[10:04 AM]"),
    ],
)
@pytest.mark.parametrize(
    "pattern",
    [
        "{time} {name}: {text}",
        "{name} {time}: {text}",
        "{name}  {time}\n{text}",
        "**{time} {name}:** {text}",
    ],
)
def test_times_of_day_count_from_the_start(pattern: str, written: tuple[str, str, str]) -> None:
    transcript = _read(pattern, written)
    assert _speech(transcript) == EXPECTED
    assert [sentence.start for sentence in transcript.sentences] == [0.0, 60.0, 120.0]
    assert "the times are times of day; they were counted from the first one" in transcript.warnings


@pytest.mark.parametrize(
    "written",
    [
        ("0:03 - 0:10", "0:12 - 0:20", "1:05 - 1:10"),
        ("[0:03 --> 0:10]", "[0:12 --> 0:20]", "[1:05 --> 1:10]"),
        ("[0:03] - [0:10]", "[0:12] - [0:20]", "[1:05] - [1:10]"),
        ("(00:00:03 → 00:00:10)", "(00:00:12 → 00:00:20)", "(00:01:05 → 00:01:10)"),
        ("00;00;03;00 - 00;00;10;00", "00;00;12;00 - 00;00;20;00", "00;01;05;00 - 00;01;10;00"),
    ],
)
@pytest.mark.parametrize(
    "pattern", ["{time}\n{name}\n{text}", "{time} {name}: {text}", "{name} {time}\n{text}"]
)
def test_a_range_of_times_gives_start_and_end(pattern: str, written: tuple[str, str, str]) -> None:
    transcript = _read(pattern, written)
    assert _speech(transcript) == EXPECTED
    # the end of a sentence is estimated within its turn
    assert [sentence.start for sentence in transcript.sentences] == [3.0, 12.0, 65.0]
    ends = [sentence.end for sentence in transcript.sentences]
    assert ends == pytest.approx([10.0, 20.0, 70.0], abs=0.5)


def test_a_range_inside_a_sentence_opens_no_turn() -> None:
    text = "ANN ROE: We met from\n9:30 to 11:00 in the old hall.\nTOM HALE: That is right."
    transcript = reader.transcript(text.encode(), "hearing.txt")
    assert [sentence.text for sentence in transcript.sentences] == [
        "We met from 9:30 to 11:00 in the old hall.",
        "That is right.",
    ]


@pytest.mark.parametrize(
    "notice",
    [
        "Transcription ended after 00:06:12",
        "Meeting ended after 01:06:12 👋",
        "Recording stopped at 2:14 PM",
        "Roe, Ann stopped transcription",
        "Ann Roe started the recording",
    ],
)
def test_a_notice_of_the_recorder_is_no_speech(notice: str) -> None:
    text = f"ANN ROE: Good evening.\n\nTOM HALE: Thank you.\n\n{notice}\n"
    transcript = reader.transcript(text.encode(), "hearing.txt")
    assert [sentence.text for sentence in transcript.sentences] == ["Good evening.", "Thank you."]


def test_speech_about_a_recording_stays() -> None:
    text = "ANN ROE: I know that\nWe started recording\nin May.\n\nTOM HALE: Thank you.\n"
    transcript = reader.transcript(text.encode(), "hearing.txt")
    assert transcript.sentences[0].text == "I know that We started recording in May."


@pytest.mark.parametrize("day", ["Mar 12, 2025", "Wednesday, March 12, 2025, 2:03PM"])
def test_a_date_above_the_title_is_not_the_title(day: str) -> None:
    text = f"{day}\nHarbor hearing\n\nANN ROE: Good evening.\n\nTOM HALE: Thank you.\n"
    transcript = reader.transcript(text.encode(), "notes.txt")
    assert transcript.title == "Harbor hearing"
