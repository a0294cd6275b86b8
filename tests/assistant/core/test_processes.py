"""Whether a process lives."""

from __future__ import annotations

import os
import subprocess
import sys

from assistant.core.processes import is_alive


def test_a_process_lives_until_it_has_ended() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert is_alive(os.getpid())
    assert is_alive(process.pid)
    process.communicate(b"\n")
    assert not is_alive(process.pid)


def test_a_process_of_somebody_else_lives() -> None:
    assert is_alive(1)
