"""Whether a process lives."""

from __future__ import annotations

import os
import subprocess
import sys

from assistant.core.processes import alive


def test_a_process_lives_until_it_has_ended() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert alive(os.getpid()) and alive(process.pid)
    process.communicate(b"\n")
    assert not alive(process.pid)


def test_a_process_of_somebody_else_lives() -> None:
    assert alive(1)
