"""Recordings that arrive and are not stored: no file of them stays on the disk."""

from __future__ import annotations

import pytest

from assistant.api import uploads_in
from assistant.api.uploads_in import ReceivedFile
from assistant.jobs.recordings import Recording, RecordingStore

DIGEST = "a" * 64


@pytest.fixture
def store(tmp_path):
    database = f"sqlite:///{tmp_path / 'lectern.db'}"
    with RecordingStore.open_in(tmp_path, database) as opened:
        opened.folder.mkdir()
        yield opened


def received(store, suffix):
    path = store.folder / f"{DIGEST}{suffix}"
    path.write_bytes(b"ID3\x04")
    return ReceivedFile(DIGEST, path=path)


def names(store):
    return sorted(path.name for path in store.folder.iterdir())


@pytest.mark.threat("api client")
def test_a_recording_under_other_names_takes_no_more_room(store):
    for suffix in (".mp3", ".wav", ".abc"):
        uploads_in.store_recording(store, received(store, suffix), f"n{suffix}", "token a")

    assert names(store) == [f"{DIGEST}.mp3"]
    assert store.of(DIGEST).existing_file.name == f"{DIGEST}.mp3"


@pytest.mark.threat("api client")
def test_a_recording_of_a_refused_request_does_not_stay(store):
    uploads_in.discard(store, received(store, ".mp3"))

    assert names(store) == []


def test_a_recording_that_another_transcript_uses_stays(store):
    arrived = received(store, ".mp3")
    store.add(Recording("b" * 64, "night.mp3", arrived.path, is_owned=True))

    uploads_in.discard(store, arrived)

    assert names(store) == [f"{DIGEST}.mp3"]


def test_a_transcript_has_no_file_to_delete(store):
    uploads_in.discard(store, ReceivedFile(DIGEST, data=b"RIVERA: Yes."))

    assert names(store) == []
