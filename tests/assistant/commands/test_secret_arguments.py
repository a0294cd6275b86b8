"""Tokens and passwords of the command line are not in the list of processes."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assistant.commands import secret_arguments

PASSWORD_URL = "postgresql+psycopg://ann:hunter2@127.0.0.1:1/lectern"


@pytest.mark.threat("local account")
@pytest.mark.parametrize(
    "arguments",
    [
        ["serve", "--event", "city", "--token", "open-sesame"],
        ["serve", "--token=open-sesame", "--event", "city"],
        ["serve", "--tok", "open-sesame", "--event", "city"],
        ["serve", "--tok=open-sesame"],
        ["claims", "status", "--database-url", "postgresql://ann:open-sesame@db/lectern"],
        ["claims", "status", "--database-url=postgresql://db/lectern?password=open-sesame"],
        ["claims", "status", "--database", "postgresql://ann:open-sesame@db/lectern"],
        ["move", "--to", "postgresql://ann:open-sesame@db/lectern"],
        ["move", "--to=postgresql://ann:open-sesame@[db/lectern"],
    ],
)
def test_a_secret_moves_to_the_environment_and_back(arguments, monkeypatch):
    visible, secrets = secret_arguments.split_secrets(arguments)

    assert "open-sesame" not in " ".join(visible)
    for name, value in secrets.items():
        monkeypatch.setenv(name, value)
    assert secret_arguments.with_secrets(visible) == arguments
    assert not set(secrets) & set(os.environ)


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "night.txt", "--out", "token", "--title", "--token"],
        ["claims", "status", "--database-url", "sqlite:///lectern.db"],
        ["claims", "search", "password=1"],
        ["serve", "--token", ""],
    ],
)
def test_other_arguments_stay(arguments):
    assert secret_arguments.split_secrets(arguments) == (arguments, {})


@pytest.mark.slow
@pytest.mark.threat("local account")
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs Linux")
def test_a_password_is_not_in_the_list_of_processes(tmp_path):
    command = [
        sys.executable,
        "-m",
        "assistant",
        "claims",
        "status",
        "--database-url",
        PASSWORD_URL,
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        seen = []
        while process.poll() is None:
            try:
                seen.append(Path(f"/proc/{process.pid}/cmdline").read_text().split("\0"))
            except OSError:
                break
            time.sleep(0.01)
        error = process.stderr.read()

    assert "hunter2" not in " ".join(seen[-2] if len(seen) > 1 else seen[-1])
    assert "cannot be reached" in error
    assert "hunter2" not in error
