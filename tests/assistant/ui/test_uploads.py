"""Uploads are taken from sessions that were let in, as long as their login lasts."""

from __future__ import annotations

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
