"""Lists of turns that do not say the unit of their times."""

from __future__ import annotations

import json

import pytest

from assistant.core.errors import TranscriptError, UnknownFormat
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


def _lines(*values: object) -> str:
    return "\n".join(json.dumps(value) for value in values)


@pytest.mark.parametrize(
    ("partial_flag", "final_flag"),
    [
        ({"is_final": False}, {"is_final": True}),
        ({"completed": False}, {"completed": True}),
        ({"end_of_turn": False}, {"end_of_turn": True}),
        ({"partial": True}, {"partial": False}),
        ({"isInterim": True}, {"isInterim": False}),
        ({"type": "realtime"}, {"type": "fullSentence"}),
        ({"message_type": "PartialTranscript"}, {"message_type": "FinalTranscript"}),
    ],
)
def test_partial_results_are_left_out(
    partial_flag: dict[str, object], final_flag: dict[str, object]
) -> None:
    """A recorded live stream repeats a sentence while it grows."""
    text = _lines(
        {"text": "Rents fell by", "start": 0.0, "end": 1.0} | partial_flag,
        {"text": "Rents fell by nine percent.", "start": 0.0, "end": 2.0} | final_flag,
        {"text": "Wages did not fall.", "start": 2.0, "end": 4.0} | final_flag,
    )
    parsed = parse(text, "a.jsonl")
    expected = ["Rents fell by nine percent.", "Wages did not fall."]
    assert [piece.text for piece in parsed.pieces] == expected
    assert "partial results that later ones replace, left out: 1" in parsed.warnings


def test_readings_inside_a_partial_result_are_left_out() -> None:
    """The flag stands in the message, the text in a list inside it."""
    messages = []
    for is_final, text in [
        (False, "It fell by"),
        (True, "It fell by a third."),
        (True, "Wages did not."),
    ]:
        message = {"is_final": is_final, "channel": {"alternatives": [{"transcript": text}]}}
        messages.append({"t": 1.0, "msg": message})
    parsed = parse(_lines(*messages), "a.jsonl")
    assert [piece.text for piece in parsed.pieces] == ["It fell by a third.", "Wages did not."]


def test_turns_sent_again_are_read_once() -> None:
    """Each message of a live stream repeats the finished turns before it."""
    opening = {"start": 0.0, "end": 2.0, "text": "Rents fell by nine percent."}
    answer = {"start": 2.0, "end": 4.0, "text": "Wages did not fall."}
    parsed = parse(_lines({"segments": [opening]}, {"segments": [opening, answer]}), "a.jsonl")
    assert [piece.text for piece in parsed.pieces] == [opening["text"], answer["text"]]
    assert "turns with the time and the text of an earlier one, left out: 1" in parsed.warnings


def test_a_file_of_partial_results_is_refused() -> None:
    """None of its text is finished."""
    partial = {"is_final": False, "text": "Rents fell by", "start": 0.0}
    with pytest.raises(TranscriptError):
        parse(json.dumps([partial, partial]), "a.json")


def test_published_fact_checks_are_not_speech() -> None:
    """A database of fact-checks dropped in by mistake."""
    review = {"claimReviewed": "Rents fell.", "textualRating": "False", "body": "We read the law."}
    with pytest.raises(UnknownFormat, match="no transcript in a known form"):
        parse(json.dumps([review, review]), "claims.json")


def test_quotations_from_several_transcripts_are_not_one_transcript() -> None:
    """Labelled sentences of a test set name the file that they are from."""
    quotes = [
        {"transcript": "first.vtt", "speaker": "Ann", "text": "Rents fell by nine percent."},
        {"transcript": "second.txt", "speaker": "Bob", "text": "Wages did not fall at all."},
    ]
    with pytest.raises(UnknownFormat, match="no transcript in a known form"):
        parse(json.dumps(quotes), "gold.json")
