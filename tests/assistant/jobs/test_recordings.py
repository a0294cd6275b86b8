"""Recordings: pieces that go on where they broke off, a quota, and files that go with their debate."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from assistant.commands.cli import main
from assistant.core.errors import TranscriptError
from assistant.core.settings import Settings
from assistant.jobs import recordings
from assistant.jobs.check_service import CheckService
from assistant.jobs.recordings import (
    IncomingRecording,
    Recording,
    RecordingStore,
    file_digest,
    permitted_file,
    playback_copy_path,
)
from assistant.transcription import playback_copy
from tests.assistant.transcription import sounds
from tests.assistant.ui import factory


@pytest.fixture
def store(tmp_path):
    """The recordings of an empty home."""
    with RecordingStore.open_in(tmp_path, f"sqlite:///{tmp_path / 'lectern.db'}") as opened:
        yield opened


def kept(tmp_path, document: str, name: str = "a.mp3") -> Recording:
    """A recording of which Lectern has the file and an Opus file beside it."""
    path = tmp_path / "recordings" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"sound")
    opus = playback_copy_path(tmp_path, path)
    opus.write_bytes(b"opus")
    return Recording(document, name, path, True, opus, "A debate", None, "Ada", 1.0)


def test_a_recording_goes_on_where_it_broke_off(tmp_path):
    """Also in a new process: what has arrived is on the disk."""
    IncomingRecording.for_file(tmp_path, "ada", "17", "a.mp4", 6).begin()
    IncomingRecording.for_file(tmp_path, "ada", "17", "a.mp4", 6).add(0, b"abcd")
    again = IncomingRecording.for_file(tmp_path, "ada", "17", "a.mp4", 6)
    assert again.offset == 4

    again.add(4, b"ef")
    digest, path = again.finish()

    assert path.read_bytes() == b"abcdef"
    assert file_digest(path) == digest
    assert path.suffix == ".mp4"


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize(("offset", "piece"), [(1, b"x"), (0, b"too much")])
def test_a_piece_that_does_not_fit_is_refused(tmp_path, offset, piece):
    """Nothing of it is written."""
    incoming = IncomingRecording.for_file(tmp_path, "", "", "a.mp4", 4)
    incoming.begin()
    with pytest.raises(ValueError, match="continue at byte 0"):
        incoming.add(offset, piece)
    assert incoming.offset == 0


@pytest.mark.threat("reviewer")
def test_a_recording_beyond_the_quota_is_refused_before_it_is_sent(tmp_path):
    """In one line that says what to do."""
    with pytest.raises(TranscriptError, match=r"only .* GB is free\. Delete recordings"):
        IncomingRecording.for_file(tmp_path, "", "", "a.mp4", recordings.QUOTA_BYTES + 1).begin()


@pytest.mark.threat("reviewer")
def test_a_strange_name_makes_no_strange_file(tmp_path):
    """A name is shown, never trusted."""
    incoming = IncomingRecording.for_file(tmp_path, "", "", "../../x.py; rm", 1)
    incoming.begin()
    incoming.add(0, b"x")

    digest, path = incoming.finish()

    assert tmp_path / "recordings" / digest == path


def test_a_forgotten_recording_leaves_no_file(store, tmp_path):
    """Neither its own nor the one made for browsers."""
    store.add(kept(tmp_path, "d" * 64))
    store.forget("d" * 64)

    assert store.of("d" * 64) is None
    assert list((tmp_path / "recordings").iterdir()) == []


def test_a_file_that_two_transcripts_share_stays_until_both_forget_it(store, tmp_path):
    """The same recording may have been added to two."""
    recording = kept(tmp_path, "d" * 64)
    store.add(recording)
    store.add(kept(tmp_path, "e" * 64))
    store.forget("d" * 64)

    assert store.of("e" * 64).playable.is_file()


@pytest.mark.threat("operator")
def test_a_recording_that_is_only_referred_to_is_never_deleted(store, tmp_path):
    """It is the person's own file."""
    own_path = tmp_path / "mine.mp3"
    own_path.write_bytes(b"sound")
    store.add(Recording("d" * 64, own_path.name, own_path, False))
    store.forget("d" * 64)

    assert own_path.is_file()


@pytest.fixture
def outside(tmp_path) -> Path:
    """A file of somebody else, outside the folder of recordings."""
    path = tmp_path / "production" / "recordings" / "a.mp3"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"sound")
    return path


def insert_row(store, **values) -> str:
    """Write a row as a backup brings it, and return the digest of its transcript."""
    recording_fields = {"document": "d" * 64, "name": "a.mp3", "path": "", "kept": True, "opus": ""}
    debate_fields = {"title": "A debate", "event_date": None, "added_by": "Ada", "added": 1.0}
    with store._writing() as connection:
        connection.execute(
            recordings.recordings_table.insert().values(
                {**recording_fields, **debate_fields, **values}
            )
        )
    return values.get("document", "d" * 64)


@pytest.mark.threat("operator")
@pytest.mark.parametrize("column", ["path", "opus"])
def test_a_forgotten_recording_deletes_no_file_of_another_home(store, outside, column):
    """A restored copy has the paths of the computer that it was backed up on."""
    document = insert_row(store, **{column: str(outside)})

    store.forget(document)

    assert outside.is_file()


@pytest.mark.threat("operator")
@pytest.mark.parametrize("column", ["path", "opus"])
def test_a_replaced_recording_deletes_no_file_of_another_home(store, outside, tmp_path, column):
    """The row in place of which another one is stored is no more to be trusted."""
    document = insert_row(store, **{column: str(outside)})

    store.add(kept(tmp_path, document, "b.mp3"))

    assert outside.is_file()


@pytest.mark.threat("backup holder")
@pytest.mark.parametrize("column", ["path", "opus"])
def test_a_kept_recording_outside_the_folder_is_not_played(store, outside, column):
    """A hostile backup may name any file of this computer."""
    document = insert_row(store, **{column: str(outside)})

    recording = store.of(document)

    assert recording.playable is None


@pytest.mark.threat("backup holder")
@pytest.mark.parametrize("name", ["", ".", "..", "/", "x/..", "a\0b", "x" * 300, "parts"])
@pytest.mark.parametrize("column", ["path", "opus"])
def test_a_stored_name_that_is_no_file_reaches_nothing(store, tmp_path, name, column):
    """It is neither played nor deleted."""
    incoming = IncomingRecording.for_file(tmp_path, "", "", "a.mp4", 4)
    incoming.begin()
    document = insert_row(store, **{column: name})

    playable = store.of(document).playable
    store.forget(document)

    assert playable is None
    assert incoming.path.parent.is_dir()


@pytest.mark.threat("backup holder")
def test_a_link_out_of_the_folder_is_not_followed(store, outside, tmp_path):
    """Neither to play the file nor to delete it."""
    folder = tmp_path / recordings.RECORDINGS_FOLDER
    folder.mkdir()
    (folder / "link.mp3").symlink_to(outside)
    document = insert_row(store, path="link.mp3")

    playable = store.of(document).playable
    store.forget(document)

    assert playable is None
    assert outside.is_file()


def test_a_path_that_an_earlier_version_stored_still_names_its_file(store, tmp_path):
    """It was absolute, for the file and for its copy."""
    recording = kept(tmp_path, "d" * 64)
    document = insert_row(store, path=str(recording.file), opus=str(recording.playback_copy))

    assert store.of(document).file == recording.file
    assert store.of(document).playback_copy == recording.playback_copy


def test_recordings_that_moved_with_their_home_are_played(tmp_path):
    """Only the names of the files are stored, the copy's as well."""
    old = tmp_path / "old"
    old.mkdir()
    with RecordingStore.open_in(old, f"sqlite:///{old / 'lectern.db'}") as store:
        store.add(kept(old, "d" * 64))
    new = old.rename(tmp_path / "new")

    with RecordingStore.open_in(new, f"sqlite:///{new / 'lectern.db'}") as store:
        recording = store.of("d" * 64)

    assert recording.file == new / recordings.RECORDINGS_FOLDER / "a.mp3"
    assert recording.playable.parent == new / recordings.RECORDINGS_FOLDER


def test_a_file_shared_under_an_old_and_a_new_name_stays(store, tmp_path):
    """One row has the absolute path of an earlier version, the other one the name."""
    recording = kept(tmp_path, "d" * 64)
    store.add(recording)
    insert_row(
        store, document="e" * 64, path=str(recording.file), opus=str(recording.playback_copy)
    )

    store.forget("d" * 64)

    assert store.of("e" * 64).file.is_file()
    assert store.of("e" * 64).playable.is_file()


@pytest.mark.threat("backup holder")
def test_a_file_of_another_recording_is_not_deleted_as_a_copy(store, tmp_path):
    """A hostile row may name a recording of this home as its copy for browsers."""
    recording = kept(tmp_path, "d" * 64)
    store.add(recording)
    insert_row(store, document="e" * 64, kept=False, path="/mine.mp3", opus="a.mp3")

    store.forget("e" * 64)

    assert recording.file.is_file()


@pytest.mark.threat("backup holder")
def test_a_file_outside_the_folder_is_not_stored_as_kept(store, outside):
    """Lectern would never find it again."""
    with pytest.raises(ValueError, match="there is no file"):
        store.add(Recording("d" * 64, "a.mp3", outside, True))

    assert store.of("d" * 64) is None


@pytest.mark.threat("reviewer")
def test_only_files_that_are_allowed_may_be_named(tmp_path):
    """A path that leads out of the folder by a link is none of it."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link.mp3").symlink_to(tmp_path / "secret")
    (tmp_path / "secret").write_text("x")

    with pytest.raises(TranscriptError, match="isn't allowed to open this path"):
        permitted_file(str(folder / "link.mp3"), allowed=lambda path: path.is_relative_to(folder))
    with pytest.raises(TranscriptError, match="isn't a file"):
        permitted_file(str(folder / "none.mp3"), allowed=lambda path: True)


def test_what_browsers_cannot_play_is_made_by_a_job(tmp_path):
    """A page need not wait for it.

    A recording that cannot be decoded is told, and not tried again with every look.
    """
    path = sounds.write(tmp_path / "a.mkv", sounds.tone(25), "pcm_s16le")
    opus = playback_copy_path(tmp_path, path)
    recording = Recording("a" * 64, "a.mkv", path, False, opus)
    broken = Recording("b" * 64, "b.mkv", path, False, opus)
    desk = CheckService.open(Settings(home=tmp_path / "home"))
    try:
        assert not playback_copy.is_playable(path)
        assert recording.playable is None
        desk.make_playable(recording)
        factory.wait_for_jobs(desk)
        assert opus == recording.playable
        assert playback_copy.is_playable(opus)

        opus.unlink()
        path.write_bytes(b"no sound")
        desk.make_playable(broken)
        factory.wait_for_jobs(desk)
        assert "isn't a recording that Lectern can decode" in desk.make_playable(broken).error
    finally:
        desk.close()


@pytest.mark.threat("reviewer")
def test_recordings_that_begin_together_keep_the_quota(tmp_path, monkeypatch):
    monkeypatch.setattr(recordings, "QUOTA_BYTES", 1000)
    begun = []

    for number in range(3):
        incoming = IncomingRecording.for_file(tmp_path, "ada", str(number), f"{number}.mp4", 900)
        try:
            incoming.begin()
        except TranscriptError:
            continue
        begun.append(number)

    assert begun == [0]


def test_a_recording_that_goes_on_does_not_count_twice(tmp_path, monkeypatch):
    monkeypatch.setattr(recordings, "QUOTA_BYTES", 1000)
    incoming = IncomingRecording.for_file(tmp_path, "ada", "1", "a.mp4", 900)
    incoming.begin()
    incoming.add(0, bytes(600))

    incoming.begin()

    assert incoming.offset == 600


def test_a_refused_recording_takes_no_room(tmp_path, monkeypatch):
    monkeypatch.setattr(recordings, "QUOTA_BYTES", 1000)
    with pytest.raises(TranscriptError):
        IncomingRecording.for_file(tmp_path, "ada", "1", "a.mp4", 1001).begin()

    IncomingRecording.for_file(tmp_path, "ada", "2", "b.mp4", 1000).begin()

    assert [part.name for part in recordings.cut_short_recordings(tmp_path)] == ["b.mp4"]


def announced_long_ago(home: Path, size: int) -> IncomingRecording:
    """Return a recording that was announced two hours ago and of which nothing has arrived."""
    recording = IncomingRecording.for_file(home, "eve", "1", "a.mp4", size)
    recording.begin()
    two_hours_ago = time.time() - 2 * recordings.ANNOUNCED_LIMIT_S
    os.utime(recording.announcement, (two_hours_ago, two_hours_ago))
    return recording


def test_a_recording_that_was_only_announced_reserves_no_room_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(recordings, "QUOTA_BYTES", 1000)
    announced_long_ago(tmp_path, 900)

    IncomingRecording.for_file(tmp_path, "ada", "2", "b.mp4", 200).begin()

    names = {part.name for part in recordings.cut_short_recordings(tmp_path)}
    assert names == {"a.mp4", "b.mp4"}


def test_a_recording_of_which_bytes_arrived_keeps_its_room(tmp_path, monkeypatch):
    monkeypatch.setattr(recordings, "QUOTA_BYTES", 1000)
    recording = announced_long_ago(tmp_path, 900)
    recording.add(0, b"1")
    os.utime(recording.path, (0, 0))
    os.utime(recording.announcement, (0, 0))

    with pytest.raises(TranscriptError, match="GB is free"):
        IncomingRecording.for_file(tmp_path, "ada", "2", "b.mp4", 200).begin()


def test_a_recording_that_lost_its_room_is_refused_when_it_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(recordings, "QUOTA_BYTES", 1000)
    recording = announced_long_ago(tmp_path, 900)
    IncomingRecording.for_file(tmp_path, "ada", "2", "b.mp4", 200).begin()

    with pytest.raises(TranscriptError, match="GB is free"):
        recording.add(0, b"1")

    assert recording.offset == 0


def test_a_recording_that_was_cut_short_is_listed_until_it_is_whole(tmp_path):
    incoming = IncomingRecording.for_file(tmp_path, "ada", "1", "a.mp4", 6)
    incoming.begin()
    incoming.add(0, b"abcd")
    (part,) = recordings.cut_short_recordings(tmp_path)

    assert (part.name, part.arrived, part.size) == ("a.mp4", 4, 6)

    incoming.add(4, b"ef")
    incoming.finish()
    assert recordings.cut_short_recordings(tmp_path) == []


def test_a_part_of_an_earlier_version_is_listed(tmp_path):
    parts = tmp_path / "recordings" / "parts"
    parts.mkdir(parents=True)
    (parts / ("a" * 64)).write_bytes(b"abcd")
    (parts / "notes.txt").write_text("a file of the operator")

    (part,) = recordings.cut_short_recordings(tmp_path)

    assert (part.key, part.arrived, part.size) == ("a" * 64, 4, 0)


@pytest.mark.threat("operator")
def test_a_purge_deletes_a_recording_that_was_cut_short_and_no_other_file(tmp_path, capsys):
    parts = tmp_path / "recordings" / "parts"
    incoming = IncomingRecording.for_file(tmp_path, "ada", "1", "a.mp4", 6)
    incoming.begin()
    incoming.add(0, b"abcd")
    (parts / "notes.txt").write_text("a file of the operator")
    home = ["--home", str(tmp_path)]
    assert main(["purge", *home]) == 0
    label = capsys.readouterr().out.split("\t")[0]

    assert main(["purge", *home, "recording:0000", "--yes"]) == 1
    assert main(["purge", *home, label, "--yes"]) == 0

    assert [path.name for path in parts.iterdir()] == ["notes.txt"]
