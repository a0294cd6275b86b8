"""Caption files as they occur, one golden file a case; who speaks inside cue text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.transcripts.caption_speech import read_cues, without_doubles, without_rolled_lines
from assistant.transcripts.speech_pieces import SpeechPiece
from tests.assistant.transcripts import reading

WORDS = st.lists(
    st.sampled_from("we build nine bridges and close the old mill no yes".split()),
    min_size=1,
    max_size=5,
)


@pytest.mark.parametrize("case", reading.cases("captions"), ids=lambda path: path.name)
def test_golden(case: Path) -> None:
    """The file reads as the expectation beside it says."""
    reading.compare(case)


def cue(line: int, text: str, start: float | None = None, end: float | None = None) -> SpeechPiece:
    return SpeechPiece(text, line, None, start, end)


def spoken(*texts: str) -> list[tuple[str | None, str]]:
    cues = [cue(i, text, float(i), i + 1.0) for i, text in enumerate(texts, 1)]
    return [(piece.speaker, piece.text) for piece in read_cues(cues, "a.srt").pieces]


def test_a_speaker_holds_until_the_next_label() -> None:
    """Captions name a speaker once."""
    expected = [("HOLT", "Good evening."), ("HOLT", "Welcome."), ("CLINTON", "Thank you.")]
    assert spoken("HOLT: Good evening.", "Welcome.", "CLINTON: Thank you.") == expected


def test_a_chevron_without_a_name_ends_the_turn_of_the_speaker() -> None:
    """After >> somebody else speaks, and nobody knows who."""
    assert spoken("HOLT: Good evening.", ">> Hello.", "Hi.") == [
        ("HOLT", "Good evening."),
        (None, "Hello."),
        (None, "Hi."),
    ]


def test_two_speakers_share_the_time_of_a_cue() -> None:
    """Each part of a cue gets its share of the cue's time; together they fill it."""
    first_piece, second = read_cues([cue(1, "abcde >> abcde", 10.0, 20.0)], "a.srt").pieces
    assert (first_piece.start, second.end) == (10.0, 20.0)
    assert 14.0 < first_piece.end == second.start < 17.0


def test_a_cue_that_is_only_a_label_names_the_next_cue() -> None:
    """The cue is only a label; the speech follows in the next cue and starts the turn."""
    pieces = read_cues(
        [cue(1, "NARRATOR:", 0.0, 1.0), cue(2, "It was cold.", 1.0, 2.0)], "a.srt"
    ).pieces
    assert [(piece.speaker, piece.text, piece.starts_turn) for piece in pieces] == [
        ("NARRATOR", "It was cold.", True)
    ]


def test_a_colon_in_a_sentence_is_no_label() -> None:
    """Words before a colon that nobody uses as a label twice stay words."""
    assert spoken("And so: we begin.") == [(None, "And so: we begin.")]


def test_a_name_in_brackets_with_speech_behind_it_is_a_label() -> None:
    """Some captioners write the speaker in square brackets; the same brackets mark sounds."""
    assert spoken("[Alba] In 1928,", "[applause]", "she left.") == [
        ("Alba", "In 1928,"),
        ("Alba", "she left."),
    ]


def rolled(lines: list[str]) -> list[SpeechPiece]:
    """Each line three times, as YouTube writes them.

    New, alone for 10 ms, and above the next line.
    """
    cues = []
    for i, line in enumerate(lines):
        above = [lines[i - 1]] if i else []
        cues.append(cue(i, "\n".join([*above, line]), 2.0 * i, 2.0 * i + 1.99))
        cues.append(cue(i, line, 2.0 * i + 1.99, 2.0 * i + 2.0))
    return cues


@given(st.lists(WORDS.map(" ".join), min_size=3, max_size=12))
def test_rolling_captions_give_every_line_once(lines: list[str]) -> None:
    """Whatever the lines are, equal neighbours included, unrolling gives them back."""
    unrolled, _ = without_rolled_lines(rolled(lines))
    assert lines == [cue.text for cue in unrolled]


def test_a_growing_line_gives_only_what_is_new() -> None:
    """Live captions that grow word by word are not read once for each word."""
    grown = [
        cue(1, "we"),
        cue(2, "we build"),
        cue(3, "we build nine"),
        cue(4, "we build nine\nbridges"),
    ]
    assert [cue.text for cue in without_rolled_lines(grown)[0]] == [
        "we",
        "build",
        "nine",
        "bridges",
    ]


@given(st.lists(WORDS.map(" ".join), min_size=2, max_size=12, unique=True))
def test_captions_that_do_not_roll_stay_as_they_are(lines: list[str]) -> None:
    """Different lines that do not continue one another are left alone."""
    cues = [cue(i, f"{i} {line}", float(i), i + 1.0) for i, line in enumerate(lines)]
    assert without_rolled_lines(cues) == (cues, 0)


def test_a_line_said_twice_by_a_person_is_kept() -> None:
    """One repetition is no habit of the file."""
    cues = [
        cue(i, text)
        for i, text in enumerate(["No.", "No.", "I said no.", "And you heard it.", "So did he."])
    ]
    assert without_rolled_lines(cues) == (cues, 0)


def test_doubles_of_joined_segments_are_read_once() -> None:
    """A cue across the border of two stream segments is in both."""
    cues = [
        cue(1, "a", 0.0, 5.0),
        cue(2, "a", 0.0, 5.0),
        cue(3, "a", 5.0, 6.0),
        cue(4, "x"),
        cue(5, "x"),
    ]
    assert without_doubles(cues) == ([cues[0], cues[2], cues[3], cues[4]], 1)


def test_cues_out_of_order_are_found_by_line() -> None:
    """A cue that starts before the one above it, untimed cues aside."""
    cues = [cue(1, "a", 5.0), cue(4, "b"), cue(7, "c", 2.0), cue(9, "d", 3.0)]
    warning = "a.srt:7: this cue starts before the one above it; the order of the file was kept"
    assert read_cues(cues, "a.srt").warnings == [warning]


def voiced(*cues_with_voices: tuple[str, str]) -> list[tuple[str | None, str]]:
    cues = []
    for line, (voice, text) in enumerate(cues_with_voices, 1):
        cues.append(SpeechPiece(text, line, voice, float(line), line + 1.0))
    return [(piece.speaker, piece.text) for piece in read_cues(cues, "a.vtt").pieces]


@pytest.mark.parametrize("words", ["President Donald Hale.", "President Hale:", "MS. LUND."])
def test_a_cue_with_only_a_name_does_not_rename_a_voice_with_a_name(words: str) -> None:
    """A sentence goes on in the next cue, which holds nothing but a name."""
    expected = [("David Roe", "Please welcome"), ("David Roe", words), ("David Roe", "Sit down.")]
    assert voiced(*expected) == expected


@pytest.mark.parametrize("words", ["Senator Hale.", "Senator Hale:"])
def test_a_later_cue_with_only_a_name_does_not_rename_a_numbered_voice(words: str) -> None:
    """Only the first cue of a voice can name it."""
    expected = [("S00", "A question for"), ("S00", words), ("S00", "Did you vote?")]
    assert voiced(*expected) == expected


def test_the_first_cue_with_only_a_label_names_a_numbered_voice() -> None:
    """The label may come again before each turn of the voice."""
    turns = [("S00", "Moderator:"), ("S00", "Good evening."), ("S01", "Abara: ")]
    turns += [("S01", "Thank you."), ("S00", "Moderator:"), ("S00", "Welcome.")]
    expected = [("Moderator", "Good evening."), ("Abara", "Thank you."), ("Moderator", "Welcome.")]
    assert voiced(*turns) == expected
