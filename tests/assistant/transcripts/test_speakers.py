"""Labels of one person become one, labels that could be two people stay two.

Users correct who speaks.
"""

from __future__ import annotations

from collections import Counter

import pytest

from assistant.core.domain import Sentence, Source, Transcript
from assistant.core.errors import TranscriptError
from assistant.transcripts import reader
from assistant.transcripts.speakers import (
    merged,
    reassign,
    rename,
    rename_in_order,
    same_people,
    speakers,
)
from assistant.transcripts.speech_pieces import SpeechPiece


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        (
            {"MR. SMITH": 7, "HOWARD K. SMITH": 1},
            {"MR. SMITH": "HOWARD K. SMITH", "HOWARD K. SMITH": "HOWARD K. SMITH"},
        ),
        (
            {"Joe R Biden": 9, "Vice President Joe Biden": 2},
            {"Joe R Biden": "Joe R Biden", "Vice President Joe Biden": "Joe R Biden"},
        ),
        ({"ROMNEY": 60, "ROMNEHY": 1}, {"ROMNEY": "ROMNEY", "ROMNEHY": "ROMNEY"}),
        ({"OBAMA": 50, "OBAM": 1}, {"OBAMA": "OBAMA", "OBAM": "OBAMA"}),
        ({"MR. SMITH": 9, "MR. SM1TH": 1}, {"MR. SMITH": "MR. SMITH", "MR. SM1TH": "MR. SMITH"}),
        ({"BUSH": 9, "PRESIDENT BUSH": 3}, {"BUSH": "BUSH", "PRESIDENT BUSH": "BUSH"}),
    ],
)
def test_one_person(counts: dict[str, int], expected: dict[str, str]) -> None:
    """The fullest label names the person, the most frequent of equals."""
    assert same_people(Counter(counts)) == expected


@pytest.mark.parametrize(
    "labels",
    [
        ["MR. KELLY", "MS. KELLY"],
        ["JEB BUSH", "GEORGE BUSH", "BUSH"],
        ["SENATOR CLINTON", "PRESIDENT CLINTON"],
        ["SPEAKER_01", "SPEAKER_02"],
        ["Speaker 1", "Speaker 2"],
        ["THE PRESIDENT", "THE VICE PRESIDENT"],
        ["HALE", "HALL"],
    ],
)
def test_two_people(labels: list[str]) -> None:
    """Labels that could be two people stay two."""
    counts = Counter(dict.fromkeys(labels, 3))
    assert same_people(counts) == {label: label for label in labels}


def test_mergers_are_reported() -> None:
    """A merger changes the pieces and is reported with the number of turns.

    The unknown stays unknown.
    """
    pieces = [
        SpeechPiece("a", 1, "MR. LUND"),
        SpeechPiece("b", 2, None),
        SpeechPiece("c", 3, "DAVID LUND"),
    ]
    changed, warnings = merged(pieces)
    assert [piece.speaker for piece in changed] == ["DAVID LUND", None, "DAVID LUND"]
    assert warnings == ["MR. LUND was taken for DAVID LUND (turns or cues: 1)"]


def test_hundreds_of_labels_are_left_alone() -> None:
    """A file whose every row has another name is no debate.

    Nothing is merged, and that is reported.
    """
    pieces = [SpeechPiece("a", i, f"Person{i} Lund") for i in range(1000)]
    changed, warnings = merged(pieces)
    assert pieces == changed and "1000 different labels" in warnings[0]


@pytest.fixture
def transcript() -> Transcript:
    names = ["SPEAKER_01", "SPEAKER_02", None, "SPEAKER_01"]
    sentences = tuple(Sentence(i, i, f"Sentence {i}.", name) for i, name in enumerate(names, 1))
    return Transcript("Debate", None, Source("a.txt", "text", ""), sentences)


def test_rename(transcript: Transcript) -> None:
    """All sentences of a speaker get the new name; the given transcript stays as it was."""
    renamed = rename(transcript, {"SPEAKER_01": " Ruth  Ortega "})
    assert [sentence.speaker for sentence in renamed] == [
        "Ruth Ortega",
        "SPEAKER_02",
        None,
        "Ruth Ortega",
    ]
    assert transcript.sentences[0].speaker == "SPEAKER_01"


def test_merge(transcript: Transcript) -> None:
    """Two speakers given one name are one."""
    merged = rename(transcript, {"SPEAKER_01": "Ruth Ortega", "SPEAKER_02": "Ruth Ortega"})
    assert dict(speakers(merged)) == {"Ruth Ortega": 3, None: 1}


def test_names_can_be_exchanged(transcript: Transcript) -> None:
    """Two names are swapped in one step."""
    swapped = rename(transcript, {"SPEAKER_01": "SPEAKER_02", "SPEAKER_02": "SPEAKER_01"})
    assert [sentence.speaker for sentence in swapped] == [
        "SPEAKER_02",
        "SPEAKER_01",
        None,
        "SPEAKER_02",
    ]


def test_rename_to_nobody(transcript: Transcript) -> None:
    """A speaker can be made unknown."""
    assert [sentence.speaker for sentence in rename(transcript, {"SPEAKER_01": ""})] == [
        None,
        "SPEAKER_02",
        None,
        None,
    ]


def test_reassign(transcript: Transcript) -> None:
    """Single sentences are given to somebody; all else of them stays."""
    changed = reassign(transcript, [2, 3], "Lund")
    assert [sentence.speaker for sentence in changed] == [
        "SPEAKER_01",
        "Lund",
        "Lund",
        "SPEAKER_01",
    ]
    assert [sentence.text for sentence in transcript] == [sentence.text for sentence in changed]


def test_mistakes_are_reported(transcript: Transcript) -> None:
    """A name or number that is not there is refused with those that are."""
    with pytest.raises(
        TranscriptError,
        match="the transcript has no sentence by Lund. The speakers are SPEAKER_01, SPEAKER_02",
    ):
        rename(transcript, {"Lund": "Moss"})
    with pytest.raises(TranscriptError, match="no sentence 9. The sentences are numbered 1 to 4"):
        reassign(transcript, [1, 9], "Lund")


def test_speakers_are_named_in_the_order_of_appearance() -> None:
    """An empty name leaves one as it is; more names than speakers are refused."""
    labels = ("Speaker 1", None, "Speaker 2", "Speaker 1")
    sentences = [Sentence(i, i, "Yes.", label) for i, label in enumerate(labels, 1)]
    transcript = Transcript("Debate", None, Source("a", "text", ""), tuple(sentences))

    both_named = rename_in_order(transcript, ["Ada", " Ben"])
    second_named = rename_in_order(transcript, ["", "Ben"])

    assert [sentence.speaker for sentence in both_named] == ["Ada", None, "Ben", "Ada"]
    assert [sentence.speaker for sentence in second_named] == [
        "Speaker 1",
        None,
        "Ben",
        "Speaker 1",
    ]
    assert rename_in_order(transcript, [""]) == transcript
    with pytest.raises(TranscriptError, match="has 2 speakers, but 3 names were given"):
        rename_in_order(transcript, ["Ada", "Ben", "Cleo"])


NAMESAKES = """Town hall

John Smith (Mayor): The minimum wage has been $7.25 since 2009.
John Smith (Challenger): Volcanoes emit more carbon dioxide than humans do.
Anna Smith: OPEC was founded in 1960 in Baghdad.
SMITH: Home ownership peaked in 2004.
John Smith (Mayor): Texas produced more wind power than any other state.
"""


def namesakes(text: str, name: str = "hall.txt") -> tuple[list[str | None], str]:
    transcript = reader.transcript(text.encode(), name)
    return [sentence.speaker for sentence in transcript], "\n".join(transcript.warnings)


def test_two_people_of_one_name_are_two_speakers() -> None:
    """Each has the role, and the warning names the label that may be each of them."""
    speakers_in_order, warnings = namesakes(NAMESAKES)

    assert speakers_in_order == [
        "John Smith (Mayor)",
        "John Smith (Challenger)",
        "Anna Smith",
        "SMITH",
        "John Smith (Mayor)",
    ]
    assert "same name has different roles" in warnings
    assert "SMITH may be Anna Smith, John Smith (Challenger) or John Smith (Mayor)" in warnings


def test_namesakes_of_lines_with_a_time_are_two_speakers() -> None:
    lines = [
        "[00:00:01] John Smith (Mayor): The minimum wage has been $7.25 since 2009.",
        "[00:00:09] John Smith (Challenger): Volcanoes emit more carbon dioxide than we do.",
        "[00:00:15] John Smith (Mayor): Texas produced more wind power than any other state.",
    ]
    speakers_in_order, _ = namesakes("\n".join(lines))

    assert speakers_in_order == [
        "John Smith (Mayor)",
        "John Smith (Challenger)",
        "John Smith (Mayor)",
    ]


@pytest.mark.parametrize(
    "marks",
    [
        ("Mayor", "Mayor of Lorne"),
        ("Lab", "Labour"),
        ("voice-over", "on camera"),
        ("V.O.", "CONT'D"),
        ("Mayor", "via Zoom"),
        ("laughing", "Spanish"),
        ("Mayor", "10:02"),
    ],
)
def test_a_name_with_one_role_stays_as_it_is(marks: tuple[str, str]) -> None:
    """Brackets may say how something was said, or the role in other words."""
    role, other_role = marks
    text = NAMESAKES.replace("Mayor", role).replace("Challenger", other_role)
    speakers_in_order, warnings = namesakes(text.replace("SMITH:", "John Smith:"))

    assert set(speakers_in_order) == {"John Smith", "Anna Smith"}
    assert "role" not in warnings


def test_namesakes_of_a_table_are_two_speakers() -> None:
    """A row with the surname alone is not given to the one whose role is in no bracket."""
    table_lines = [
        "speaker,text",
        "John Smith (Mayor),The minimum wage has been $7.25.",
        "John Smith (Challenger),Volcanoes emit more carbon dioxide.",
        "SMITH,Home ownership peaked in 2004.",
        "John Smith (Mayor),Texas has wind power.",
    ]
    speakers_in_order, warnings = namesakes("\n".join(table_lines), "hall.csv")

    assert speakers_in_order[2] == "SMITH"
    assert "SMITH may be John Smith (Challenger) or John Smith (Mayor)" in warnings
