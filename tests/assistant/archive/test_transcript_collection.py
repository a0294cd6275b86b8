"""What is taken in from folders: with titles, dates and speakers.

What is no transcript is skipped by its name.
"""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook

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
    """If the text has no name of a speaker; date and title come from the name, too."""
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
        ("name,title\na.txt,A\n", "no column `file`"),
        ("file,date\na.txt,3/4/2024\n", "manifest.csv:2: '3/4/2024' is not a date .day and month"),
        ("file,title\na.txt,A\na.txt,B\n", "manifest.csv:3: lists 'a.txt' more than once"),
        (
            "file,title\na.txt,A, B\n",
            "manifest.csv:2: the row has 3 cells, but there are 2 column names",
        ),
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

    assert "the transcript has no sentence by SMITH" in skipped.why
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


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("of_excel", [("Town hall", date(2024, 3, 1)), ("Debate", date(2024, 5, 2))]),
        ("us_dates", [("Town hall", date(2024, 3, 1)), ("Debate", date(2024, 5, 22))]),
    ],
)
def test_reported_manifests(store, tmp_path, name, expected):
    """Manifests as spreadsheet programs write them, outside the folder that is added."""
    add_reported(store, tmp_path, f"archive_manifest_{name}.csv")

    assert [(entry.title, entry.event_date) for entry in store.entries()] == expected


def test_rows_that_name_no_file_are_said(store, tmp_path):
    remarks = add_reported(store, tmp_path, "archive_manifest_rows_that_name_no_file.csv")

    assert remarks == ["3 rows of the manifest name no file: one, TWO.TXT, three.txt."]


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\nFile name;Event;Event date\none.txt;Town hall;March 1, 2024\n",
        "Our debates\n\nFILE\tTITLE\tDATE\none.txt\tTown hall\t45352\n",
        "path,title,date,venue\none.txt,Town hall,1.3.2024,Hall A\n",
        "Our debates\nPath to file,Name of the event,Held on\none.txt,Town hall,1 March 2024\n",
        "Transcript file,Debate title,Date of debate,Upload date\none.txt,Town hall,2024-03-01,x\n",
        "file,title,date,event date\none.txt,Town hall,2024-03-05,2024-03-01\n",
        "file,title,date\none.txt,Town hall,2024-03-01\none.txt,Town hall,2024-03-01\n",
        "file,title,date\none.txt,Town hall,2024-03-01\nfile,title,date\n",
        "file,title,date\nfiles\\one.txt,Town hall,2024-03-01\n",
    ],
)
def test_siblings_of_the_manifests(store, tmp_path, text):
    (tmp_path / "list.csv").write_text(text, "utf-16" if "FILE" in text else "utf-8")
    add_files(store, tmp_path, tmp_path / "list.csv")

    entries = {entry.title: entry.event_date for entry in store.entries()}

    assert entries["Town hall"] == date(2024, 3, 1)


def test_a_manifest_without_names_of_columns_is_read_by_its_cells(store, tmp_path):
    (tmp_path / "list.csv").write_text("Town hall,one.txt,3/1/2024\nDebate,two.txt,5/22/2024\n")

    remarks = add_files(store, tmp_path, tmp_path / "list.csv")

    assert [(entry.title, entry.event_date) for entry in store.entries()] == [
        ("Town hall", date(2024, 3, 1)),
        ("Debate", date(2024, 5, 22)),
    ]
    assert remarks[0] == ("manifest: the table has no header row; its columns are numbered from 1.")


def test_cells_that_do_not_show_their_columns_are_refused(store, tmp_path):
    (tmp_path / "list.csv").write_text("one.txt,Town hall,Ann Lee\ntwo.txt,Debate,Tom Okafor\n")

    with pytest.raises(SettingsError, match="has no header row"):
        add_files(store, tmp_path, tmp_path / "list.csv")


def test_a_manifest_in_a_workbook(store, tmp_path):
    book = Workbook()
    book.active.title = "Notes"
    book.active.append(["Read me"])
    sheet = book.create_sheet("Files")
    sheet.append(["File", "Title", "Date"])
    sheet.append(["one.txt", "Town hall", date(2024, 3, 1)])
    book.save(tmp_path / "list.xlsx")

    remarks = add_files(store, tmp_path, tmp_path / "list.xlsx")

    entries = {entry.title: entry.event_date for entry in store.entries()}
    assert entries["Town hall"] == date(2024, 3, 1)
    assert remarks == ["manifest: sheet 'Notes' was not read."]


def test_an_unknown_column_is_named(store, tmp_path):
    (tmp_path / "list.csv").write_text("file,title,venue\none.txt,Town hall,Hall A\n")

    remarks = add_files(store, tmp_path, tmp_path / "list.csv")

    assert remarks == ["manifest: column 'venue' was not used."]


def add_reported(store, tmp_path, name: str) -> list[str]:
    """Add two files with a reported manifest; return the remarks on it."""
    golden = Path(__file__).parents[2] / "golden" / "reported_fact_checks" / name
    return add_files(store, tmp_path, golden)


def add_files(store, tmp_path, manifest: Path) -> list[str]:
    """Add one.txt and two.txt with a manifest; return the remarks on it."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "one.txt").write_text(TALK)
    (folder / "two.txt").write_text(TALK.replace("nine", "ten"))
    remarks: list[str] = []
    list(transcript_collection.add(store, [folder], manifest, on_remark=remarks.append))
    return remarks
