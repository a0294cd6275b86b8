"""Uploads are taken from sessions that were let in, as long as their login lasts."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace

import pytest
from starlette.responses import PlainTextResponse

from assistant.ui import login_settings, uploads
from tests.assistant.ui.conftest import AUTH

testclient = pytest.importorskip("starlette.testclient")


@pytest.fixture
def put(monkeypatch):
    """A function that uploads for a session and returns the status."""
    client = testclient.TestClient(uploads.Uploads(PlainTextResponse("taken")))
    monkeypatch.setattr(uploads, "_admitted", {})
    monkeypatch.setattr(uploads, "_stored", [])
    return lambda session, path="/_stcore/upload_file/": (
        client.put(f"{path}{session}/one", content=b"x").status_code
    )


def admit(monkeypatch, session, deadline):
    monkeypatch.setattr(uploads, "get_script_run_ctx", lambda: SimpleNamespace(session_id=session))
    uploads.admit_session(deadline)


def test_who_was_let_in_uploads(put, monkeypatch):
    """Without an end, or before it; nobody else, wherever the app is mounted."""
    admit(monkeypatch, "ada", None)
    admit(monkeypatch, "ben", time.time() + 3600)
    admit(monkeypatch, "cleo", time.time() - 1)

    assert [put(name) for name in ("ada", "ben", "cleo", "mallory")] == [200, 200, 403, 403]
    assert [put(name, "/lectern/_stcore/upload_file/") for name in ("ada", "mallory")] == [200, 403]


def test_the_oldest_session_is_forgotten_when_there_are_too_many(put, monkeypatch):
    """The table stays small."""
    monkeypatch.setattr(uploads, "MAX_SESSIONS", 2)
    for name in ("ada", "ben", "ada", "cleo"):
        admit(monkeypatch, name, None)

    assert [put(name) for name in ("ada", "ben", "cleo")] == [200, 403, 200]


@pytest.mark.threat("visitor")
def test_nobody_uploads_while_the_login_settings_cannot_be_read(
    put, home, monkeypatch, write_secrets
):
    """Though the login of the session has not ended."""
    write_secrets(AUTH)
    assert login_settings.is_configured()
    admit(monkeypatch, "ada", time.time() + 3600)
    assert put("ada") == 200

    write_secrets(AUTH[:-2])

    assert put("ada") == 503


def upload(person, size_bytes, file_id="one"):
    return uploads._StoredUpload(f"session of {person}", file_id, person, size_bytes)


@pytest.fixture
def small(monkeypatch):
    """Limits of 3 files and 100 bytes a person, and 150 bytes for everybody."""
    monkeypatch.setattr(uploads, "_stored", [])
    monkeypatch.setattr(uploads, "MAX_FILES_PER_PERSON", 3)
    monkeypatch.setattr(uploads, "MAX_BYTES_PER_PERSON", 100)
    monkeypatch.setattr(uploads, "MAX_BYTES", 150)

    def store(person, size_bytes):
        stored = upload(person, size_bytes, f"file {len(uploads._stored)} {size_bytes}")
        is_taken = uploads.make_space_for(stored)
        if is_taken:
            uploads._stored.append(stored)
        return is_taken

    return store


@pytest.mark.threat("reviewer")
def test_uploads_of_one_person_never_fill_the_memory(small):
    """The oldest make space, by number and by size; other people's stay."""
    assert small("ben", 40)
    for size_bytes in (10, 20, 30, 5, 90):
        assert small("ada", size_bytes)
        own = [stored.size_bytes for stored in uploads._stored if stored.person == "ada"]
        assert len(own) <= 3
        assert sum(own) <= 100

    assert own == [5, 90]
    assert [stored.size_bytes for stored in uploads._stored if stored.person == "ben"] == [40]


@pytest.mark.threat("reviewer")
def test_uploads_of_many_people_never_fill_the_memory(small):
    assert small("ada", 80)
    assert not small("ben", 80)
    assert small("ben", 60)


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize(
    ("announced", "statuses"), [(b"60", [503, 200]), (b"40", [200, 200]), (None, [503, 200])]
)
def test_uploads_that_are_being_sent_never_fill_the_memory(
    small, put, monkeypatch, announced, statuses
):
    """Of 100 bytes a person, the announced ones are reserved before any is read."""
    admit(monkeypatch, "ada", None)
    admit(monkeypatch, "ben", None)
    monkeypatch.setattr(uploads, "MAX_FILE_BYTES", 60)
    taken = []

    async def receive_while_others_send():
        taken.append(await status_of("ada", announced))
        taken.append(await status_of("ben", b"9"))
        return {"type": "http.request", "body": b"x"}

    status = asyncio.run(status_of("ada", announced, receive_while_others_send))

    assert taken == statuses
    assert status == 200
    assert uploads._incoming == []


async def end_of_body():
    return {"type": "http.request", "body": b"x"}


async def status_of(session, announced, receive=end_of_body):
    """Upload for a session, with a size that is announced, and return the status."""
    headers = [] if announced is None else [(b"content-length", announced)]
    path = f"/_stcore/upload_file/{session}/{time.monotonic_ns()}"
    scope = {"type": "http", "method": "PUT", "path": path, "headers": headers}
    messages = []

    async def send(message):
        messages.append(message)

    await uploads.Uploads(PlainTextResponse("taken"))(scope, receive, send)
    return messages[0]["status"]


@pytest.mark.threat("reviewer")
def test_a_file_that_announces_too_much_is_never_read(put, monkeypatch):
    admit(monkeypatch, "ada", None)

    async def never_read():
        raise AssertionError("the body was read")

    assert asyncio.run(status_of("ada", b"101000001", never_read)) == 413


@pytest.mark.threat("reviewer")
def test_a_file_without_end_is_never_kept(put, monkeypatch):
    admit(monkeypatch, "ada", None)
    monkeypatch.setattr(uploads, "MAX_FILE_BYTES", 0)

    assert put("ada") == 413
    assert uploads._stored == []
