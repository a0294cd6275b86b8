"""Caption files as they occur, one golden file a case; who speaks inside cue text."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.transcripts.captions import finish
from assistant.transcripts.cues import Cue
from tests.assistant.transcripts import reading


@pytest.mark.parametrize("case", reading.cases("captions"), ids=lambda path: path.name)
def test_golden(case: Path) -> None:
    """The file reads as the expectation beside it says."""
    reading.compare(case)


def spoken(*texts: str) -> list[tuple[str | None, str]]:
    cues = [Cue(i, text, float(i), i + 1.0) for i, text in enumerate(texts, 1)]
    return [(piece.speaker, piece.text) for piece in finish(cues, "a.srt", []).pieces]


def test_a_speaker_holds_until_the_next_label() -> None:
    """Captions name a speaker once."""
    expected = [("HOLT", "Good evening."), ("HOLT", "Welcome."), ("CLINTON", "Thank you.")]
    assert expected == spoken("HOLT: Good evening.", "Welcome.", "CLINTON: Thank you.")


def test_a_chevron_without_a_name_ends_the_turn_of_the_speaker() -> None:
    """After >> somebody else speaks, and nobody knows who."""
    assert [("HOLT", "Good evening."), (None, "Hello."), (None, "Hi.")] == spoken(
        "HOLT: Good evening.", ">> Hello.", "Hi."
    )


def test_two_speakers_share_the_time_of_a_cue() -> None:
    """Each part of a cue gets its share of the cue's time; together they fill it."""
    first, second = finish([Cue(1, "abcde >> abcde", 10.0, 20.0)], "a.srt", []).pieces
    assert (10.0, 20.0) == (first.start, second.end)
    assert 14.0 < first.end == second.start < 17.0


def test_a_label_in_a_cue_of_its_own_names_the_next_cue() -> None:
    """The label stands alone; the speech follows in the next cue and starts the turn."""
    pieces = finish([Cue(1, "NARRATOR:", 0.0, 1.0), Cue(2, "It was cold.", 1.0, 2.0)], "a.srt", []).pieces
    assert [("NARRATOR", "It was cold.", True)] == [(p.speaker, p.text, p.starts_turn) for p in pieces]


def test_a_colon_in_a_sentence_is_no_label() -> None:
    """Words before a colon that nobody uses as a label twice stay words."""
    assert [(None, "And so: we begin.")] == spoken("And so: we begin.")


def test_a_name_in_brackets_with_speech_behind_it_is_a_label() -> None:
    """Some captioners write the speaker in square brackets; the same brackets mark sounds."""
    assert [("Alba", "In 1928,"), ("Alba", "she left.")] == spoken("[Alba] In 1928,", "[applause]", "she left.")
