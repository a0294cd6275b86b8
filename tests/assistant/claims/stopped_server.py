"""A PostgreSQL server whose processes are stopped, with their connections open."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg


def processes_of(url: str) -> list[int]:
    """Return the processes of a server, the one that takes connections last."""
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        backends = connection.execute("SELECT pid FROM pg_stat_activity").fetchall()
        (folder,) = connection.execute("SHOW data_directory").fetchone()
        own_process = connection.info.backend_pid
    first_line = (Path(folder) / "postmaster.pid").read_text().splitlines()[0]
    pids = [pid for (pid,) in backends if pid != own_process]
    return [*pids, int(first_line)]


@contextmanager
def stopped(url: str):
    """Stop a server and all its connections, as SIGSTOP does, until the end."""
    pids = processes_of(url)
    try:
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        yield
    finally:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
