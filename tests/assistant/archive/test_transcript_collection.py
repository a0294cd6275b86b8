"""What is taken in from folders: with titles, dates and speakers.

What is no transcript is skipped by its name.
"""

from __future__ import annotations

import os
from datetime import date

import pytest

from assistant.archive import transcript_collection
from assistant.archive.archive_store import ArchiveStore
from assistant.core.errors import SettingsError

TALK = "We built a bridge in 1994. It cost nine million dollars.\n"


@pytest.fixture
def store(tmp_path):
    with ArchiveStore.open(f"sqlite:///{tmp_path / 'home' / 'lectern.db'}") as opened:
        yield opened


@pytest.fixture
def folder(tmp_path):
    year_folder = tmp_path / "debates" / "2024"
    year_folder.mkdir(parents=True)
    (year_folder / "2024-05-01_Ann-Lee_town-hall.txt").write_text(TALK)
    (year_folder / "2024-06-01_first-debate.txt").write_text(
        f"LEE: {TALK}\nOKAFOR: That is not what it cost.\n"
    )
    (year_folder / "other.json").write_text('{"a": 1}')
    (year_folder / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    (year_folder / ".hidden.txt").write_text(TALK)
    return tmp_path / "debates"


def outcomes(added_files):
    return {each.path.name: each.outcome for each in added_files}


def test_a_folder_is_taken_in_and_what_is_no_transcript_skipped(store, folder):
    """A second time nothing is new; each skipped file says why."""
    added_files = list(transcript_collection.add(store, [folder]))

    new = {"2024-05-01_Ann-Lee_town-hall.txt": "new", "2024-06-01_first-debate.txt": "new"}
    assert outcomes(added_files) == new | {"other.json": "skipped", "photo.jpg": "skipped"}
    assert all(each.why for each in added_files if each.outcome == "skipped")
    assert (
        dict.fromkeys(new, "same").items()
        <= outcomes(transcript_collection.add(store, [folder])).items()
    )


def test_a_speech_is_that_of_the_person_in_the_name_of_its_file(store, folder):
    """Where the text names nobody; date and title come from the name, too."""
    list(transcript_collection.add(store, [folder]))

    speech, debate = store.entries()
    assert speech.event_date == date(2024, 5, 1)
    assert {s.speaker for s in store.transcript(speech.id)[1]} == {"Ann Lee"}
    assert {s.speaker for s in store.transcript(debate.id)[1]} == {"LEE", "OKAFOR"}


def test_a_manifest_names_title_date_and_speakers(store, folder):
    """One that lies in the folder is used without being named, and is no transcript."""
    (folder / "manifest.csv").write_text(
        "file,title,date,speaker\n"
        "2024/2024-06-01_first-debate.txt,The debate,2024-06-02,LEE=Ann Lee; OKAFOR=Tom Okafor\n"
    )
    added_files = outcomes(transcript_collection.add(store, [folder]))

    debate = next(e for e in store.entries() if e.title == "The debate")
    assert "manifest.csv" not in added_files
    assert date(2024, 6, 2) == debate.event_date
    assert {s.speaker for s in store.transcript(debate.id)[1]} == {"Ann Lee", "Tom Okafor"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,title\na.txt,A\n", "unknown column 'name'"),
        ("title\nA\n", "no column `file`"),
        ("file,date\na.txt,yesterday\n", "manifest.csv:2: 'yesterday' is not a date"),
    ],
)
def test_a_wrong_manifest_is_refused_before_anything_is_taken_in(store, folder, text, message):
    """With the line."""
    (folder / "manifest.csv").write_text(text)

    with pytest.raises(SettingsError, match=message):
        list(transcript_collection.add(store, [folder]))
    assert store.entries() == []


def test_a_label_that_is_not_there_skips_the_file(store, folder):
    """The speakers that are there are named."""
    (folder / "manifest.csv").write_text(
        "file,speaker\n2024/2024-06-01_first-debate.txt,SMITH=Ann\n"
    )

    skipped = next(
        t
        for t in transcript_collection.add(store, [folder])
        if t.path.name == "2024-06-01_first-debate.txt"
    )

    assert "no sentence is by SMITH" in skipped.why
    assert "LEE" in skipped.why


def test_a_path_that_is_not_there(store, tmp_path):
    """One line."""
    with pytest.raises(SettingsError, match="there is no such file or folder"):
        list(transcript_collection.add(store, [tmp_path / "none"]))


@pytest.mark.threat("operator")
def test_a_link_in_a_folder_is_skipped_unless_it_is_named(store, tmp_path):
    folder = tmp_path / "debates"
    folder.mkdir()
    (tmp_path / "environment.txt").write_text(TALK)
    (folder / "night.txt").symlink_to(tmp_path / "environment.txt")
    (folder / "gone.txt").symlink_to("nowhere")
    (folder / "manifest.csv").symlink_to(tmp_path / "environment.txt")

    skipped = list(transcript_collection.add(store, [folder]))

    assert [file.outcome for file in skipped] == ["skipped"] * 3
    assert store.entries() == []
    named = list(transcript_collection.add(store, [folder / "night.txt"]))
    assert [file.outcome for file in named] == ["new"]


@pytest.mark.threat("operator")
def test_a_name_that_is_not_utf_8_does_not_stop_the_others(store, tmp_path):
    folder = tmp_path / "debates"
    folder.mkdir()
    (folder / os.fsdecode(b"caf\xe9.txt")).write_text(TALK)
    (folder / "night.txt").write_text(TALK.replace("bridge", "tower"))

    added = list(transcript_collection.add(store, [folder]))

    assert [file.outcome for file in added] == ["new", "new"]
    names = {entry.path.rpartition("/")[2] for entry in store.entries()}
    assert names == {"caf\\xe9.txt", "night.txt"}


@pytest.mark.threat("operator")
def test_a_pipe_is_skipped(store, tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")

    (skipped,) = transcript_collection.add(store, [tmp_path / "pipe.txt"])

    assert skipped.why == "is a named pipe, not a file."
