"""Labels: what names a speaker, what only looks like it, and who is nobody."""

from __future__ import annotations

import csv

import pytest

from assistant.core.person_names import label_parts
from assistant.transcripts.speaker_labels import (
    bracketed_label_at,
    label_at,
    speaker_or_none,
    split_at_chevrons,
)
from tests.assistant.transcripts.reading import data_folder

LABELS = {
    "HOLT: Good evening": "HOLT",
    "MR. SMITH: Good evening": "MR. SMITH",
    "THE PRESIDENT: Good evening": "THE PRESIDENT",
    "DAVID MUIR: Tonight": "DAVID MUIR",
    "FORMER PRESIDENT DONALD TRUMP: No": "FORMER PRESIDENT DONALD TRUMP",
    "MARVIN STONE, U.S. NEWS AND WORLD REPORT: Sir": "MARVIN STONE",
    "WOLF BLITZER, CNN ANCHOR: Good": "WOLF BLITZER",
    "SEN. TED CRUZ (R-TX): Yes": "SEN. TED CRUZ",
    "BERNIE SANDERS (I-VT), PRESIDENTIAL CANDIDATE: Yes": "BERNIE SANDERS",
    "Donald Trump (00:34): Well": "Donald Trump",
    "Donald Trump ( 01:02:15 ):": "Donald Trump",
    "Speaker 1 (12:03): Well": "Speaker 1",
    "SPEAKER_02: Well": "SPEAKER_02",
    "**TRUMP:** text": "TRUMP",
    "### Trump: text": "Trump",
    "[*] LEHRER: Good": "LEHRER",
    "[*]CROWLEY: Good": "CROWLEY",
    "MODERATOR[*]RADDATZ: Good": "RADDATZ",
    "MR. LEVY; Good": "MR. LEVY",
    "HOLT:Good": "HOLT",
    "Mr. McHenry. Thank you": "Mr. McHenry",
    "Ms. Williams of Georgia. Thank you": "Ms. Williams of Georgia",
    "The Chairman. The hearing": "The Chairman",
    "Élise Müller: bonjour": "Élise Müller",
    "Q. Where?": "Q",
}
NO_LABELS = [
    "I’m proud that one of us is in this race: General Moss",
    "At 9:00 we vote",
    "The rate was 3:1 in our favour",
    "Here's the deal: no tax",
    "My point is simple: no",
    "https://example.org/debate",
    "NOTE: the debate began at 9",
    "PARTICIPANTS: Ruth Ortega and David Lund",
    "Mr. Smith went home. Then he slept",
    "example:this",
    "we say; no",
]
NOBODY = [
    "UNIDENTIFIED MALE",
    "UNKNOWN",
    "[UNKNOWN]",
    "Unknown Speaker",
    "VOICE",
    "CANDIDATES",
    "Group",
    "Crosstalk",
    "Audience",
    "AUDIENCE MEMBER",
    "MEMBER OF AUDIENCE",
    "Unidentified Participant",
    "WOMAN",
    "spk_unk",
    "",
    "?",
]


@pytest.mark.parametrize("line", LABELS)
def test_label(line: str) -> None:
    """The label at the head of the line is found, without role, time and marks."""
    label = label_at(line)
    assert label is not None and LABELS[line] == label.name


@pytest.mark.parametrize("line", NO_LABELS)
def test_no_label(line: str) -> None:
    """What only looks like a label is speech."""
    assert label_at(line) is None


@pytest.mark.parametrize("name", NOBODY)
def test_nobody(name: str) -> None:
    """These names are nobody's."""
    assert speaker_or_none(name) is None


@pytest.mark.parametrize(
    "name", ["Ruth Ortega", "SPEAKER_02", "Speaker 1", "A", "Alba", "THE PRESIDENT", "MODERATOR"]
)
def test_somebody(name: str) -> None:
    """Names, diarisation marks and roles are kept as written."""
    assert speaker_or_none(name) == name


def test_speech_begins_after_the_label() -> None:
    """The end of a label is where the speech begins, and a time in it is read."""
    label = label_at("Donald Trump (01:34): Well, I")
    assert label is not None and ("Donald Trump (01:34): Well, I"[label.end :], label.start) == (
        "Well, I",
        94.0,
    )


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("[Alba] En 1928,", "Alba"),
        ("(Danyel Fisher)", "Danyel Fisher"),
        ("[SPEAKER 3] Yes", "SPEAKER 3"),
    ],
)
def test_name_in_brackets(line: str, name: str) -> None:
    """A name in brackets is a label."""
    label = bracketed_label_at(line)
    assert label is not None and name == label.name


@pytest.mark.parametrize(
    "line", ["[applause]", "(Laughter and applause)", "[the wall] is", "(it was so) and", "[ __ ]"]
)
def test_brackets_without_a_name(line: str) -> None:
    """Sounds and asides in brackets are no labels."""
    assert bracketed_label_at(line) is None


def test_chevrons_cut_turns() -> None:
    """Two or three chevrons begin a turn, wherever they are, escaped or not."""
    text = "I affirm. >> I affirm. &gt;&gt; So do I. >>> NEWS"
    assert split_at_chevrons(text) == [
        (False, "I affirm."),
        (True, "I affirm."),
        (True, "So do I."),
        (True, "NEWS"),
    ]


@pytest.mark.data
def test_the_239_labels_of_the_data_folder() -> None:
    """Every raw label of 1960 to 2016 is recognised, with the last name of the person.

    Typing errors are the exceptions.
    """
    with open(data_folder() / "txt" / "label_inventory_cpd.csv", encoding="utf-8-sig") as file:
        inventory = list(csv.DictReader(file))
    sure_count = 0
    exceptions = set()
    for entry in inventory:
        raw_name = entry["raw_name"]
        surname = entry["clean_name"].split("_")[-1].split()[-1]
        label = label_at(f"{raw_name.rstrip(';')}: Good evening.")
        sure_count += label is not None and label.is_sure
        if (
            label is None
            or label.speaker is not None
            and label_parts(label.name).surname != surname
        ):
            exceptions.add(raw_name)
    assert len(inventory) == 239
    assert sure_count == 239
    assert sorted(exceptions) == OTHER


# Roles, which have no last name, and typing errors, which are joined by their frequency in a file
# (people.py).
OTHER = sorted(
    [
        "THE PRESIDENT",
        "MODERATOR",
        "QUESTION",
        "AUDIENCE QUESTION",
        "ROMNEHY",
        "OBAM",
        "MR. KONDRACKE",
        "MS. O’CONNOR",
        "MS. GIANNOTTI",
    ]
)
