"""Several labels of one person become one; labels that could be two people stay two."""

from __future__ import annotations

from collections import Counter

import pytest

from assistant.transcripts.people import merged, same_people
from assistant.transcripts.pieces import Piece


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
    """The fullest label stands for the person, the most frequent of equals."""
    assert expected == same_people(Counter(counts))


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
    """Whoever could be somebody else stays apart."""
    counts = Counter(dict.fromkeys(labels, 3))
    assert {label: label for label in labels} == same_people(counts)


def test_mergers_are_told() -> None:
    """A merger changes the pieces and is told with the number of turns; the unknown stays unknown."""
    pieces = [Piece("a", 1, "MR. LUND"), Piece("b", 2, None), Piece("c", 3, "DAVID LUND")]
    changed, warnings = merged(pieces)
    assert ["DAVID LUND", None, "DAVID LUND"] == [piece.speaker for piece in changed]
    assert ["MR. LUND was taken for DAVID LUND (turns or cues: 1)"] == warnings


def test_hundreds_of_labels_are_left_alone() -> None:
    """A file whose every row has another name is no debate; nothing is merged, and that is told."""
    pieces = [Piece("a", i, f"Person{i} Lund") for i in range(1000)]
    changed, warnings = merged(pieces)
    assert pieces == changed and "1000 different labels" in warnings[0]
