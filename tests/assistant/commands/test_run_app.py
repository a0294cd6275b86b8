"""The command that serves the app: the script, settings and home folder it starts Streamlit with."""

from __future__ import annotations

import os

import pytest

from assistant.commands import prepare
from assistant.commands.cli import main
from assistant.core.shipped_files import APP_SCRIPT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere the app is a child process")


@pytest.fixture
def started(monkeypatch):
    """The command lines and variables that were started, instead of an app."""
    calls = []

    def started_app(program, command, variables):
        calls.append((command, variables))

    monkeypatch.setattr(prepare, "run", lambda options: None)
    monkeypatch.setattr(os, "execve", started_app)
    return calls


def test_the_app_gets_the_port_and_listens_on_this_computer(started, tmp_path):
    main(["run", "--home", str(tmp_path), "--port", "8777"])

    command = started[0][0]
    assert command[1:5] == ["-m", "streamlit", "run", str(APP_SCRIPT)]
    assert "--server.port=8777" in command
    assert "--server.address=127.0.0.1" in command


def test_the_app_gets_the_home_folder_and_the_database(started, tmp_path):
    database = f"sqlite:///{tmp_path / 'other.db'}"

    main(["run", "--home", str(tmp_path), "--database-url", database])

    variables = started[0][1]
    assert variables["LECTERN_HOME"] == str(tmp_path)
    assert variables["LECTERN_DATABASE_URL"] == database
