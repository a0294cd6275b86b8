"""kill -9 of a worker, of the scheduler, of everything, in the middle of a run.

Nothing is lost, nothing is doubled.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assistant.archive import bulk_run
from assistant.archive.archive_store import ArchiveStore
from assistant.archive.tables import mentions
from assistant.claims.claim_store import ClaimStore
from assistant.core import settings
from assistant.jobs.report_store import ReportStore
from tests.assistant.test_pipeline import CLAIMS, TEXTS
from tests.free_ports import free_port

pytest.importorskip("distributed", reason="requirements-archive.txt is not installed")
pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[3]
PATIENCE_S = 600
MANY = 12
SOME = 3


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home folder with twelve debates that wait, each with two sentences that match a fact-check."""
    monkeypatch.setenv("LECTERN_HOME", str(tmp_path))
    monkeypatch.delenv("LECTERN_DATABASE_URL", raising=False)
    with ClaimStore.open(settings.load().database) as claims:
        claims.upsert(CLAIMS[:2], source="test")
    (tmp_path / "debates").mkdir()
    for day in range(1, MANY + 1):
        sentences = (*TEXTS, f"This is debate number {day} of the year.") * 8
        text = "".join(f"RIVERA: {text}\n\n" for text in sentences)
        (tmp_path / "debates" / f"2022-03-{day:02}_debate.txt").write_text(text)
    assert started("add", tmp_path / "debates").wait(PATIENCE_S) == 0
    return tmp_path


@pytest.fixture
def processes():
    """A list of processes that are killed with their children when the test is over."""
    running_processes = []
    yield running_processes
    for process in running_processes:
        kill_all(process)


def started(*arguments) -> subprocess.Popen:
    """Start a command of the archive in a session of its own."""
    command = [sys.executable, "-m", "assistant", "archive", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, start_new_session=True)


def scheduler(port: int) -> subprocess.Popen:
    options = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", *options]
    return subprocess.Popen(command, cwd=ROOT, start_new_session=True)


def kill_all(process: subprocess.Popen) -> None:
    """Kill a process with all its children, however they were started."""
    import psutil

    try:
        family = [
            *psutil.Process(process.pid).children(recursive=True),
            psutil.Process(process.pid),
        ]
    except psutil.NoSuchProcess:
        return
    for member in family:
        try:
            member.send_signal(signal.SIGKILL)
        except psutil.NoSuchProcess:
            continue
    process.wait(PATIENCE_S)


def checked() -> int:
    with ArchiveStore.open(settings.load().database) as store:
        return sum(bool(entry.stamp) for entry in store.entries())


def wait_until(condition) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.1)


def workers(process: subprocess.Popen) -> list[int]:
    """Return the numbers of the worker processes of a run."""
    import psutil

    family = psutil.Process(process.pid).children(recursive=True)
    return [member.pid for member in family if "spawn_main" in " ".join(member.cmdline())]


def assert_whole() -> None:
    """Each debate is checked once, twice over; each of its matches and vectors is there once."""
    loaded_settings = settings.load()
    with (
        ArchiveStore.open(loaded_settings.database) as store,
        ReportStore.open(loaded_settings.database) as shelf,
    ):
        entries = store.entries()
        assert (
            MANY == len(entries) == sum(bool(entry.stamp) and not entry.error for entry in entries)
        )
        assert {r for e in entries for r in (e.report_id(), e.report_id(as_of_event=True))} == {
            h.id for h in shelf.report_heads(99)
        }
        mentioned_transcripts = [mention.transcript for mention in store.rows(mentions.select())]
        assert len({mentioned_transcripts.count(entry.id) for entry in entries}) == 1
        assert mentioned_transcripts
        ids = bulk_run.vector_folder(loaded_settings).open().ids.tolist()
        assert sum(entry.sentences for entry in entries) == len(ids) == len(set(ids))


def test_a_killed_worker(home, processes):
    """Another one does what it had."""
    processes.append(run := started("run", "--processes", 2))
    wait_until(lambda: checked() >= SOME)
    os.kill(workers(run)[-1], signal.SIGKILL)

    assert run.wait(PATIENCE_S) == 0
    assert_whole()


def test_everything_killed(home, processes):
    """The next run does the rest."""
    processes.append(run := started("run", "--processes", 2))
    wait_until(lambda: checked() >= SOME)
    kill_all(run)
    assert checked() < MANY

    assert started("run", "--processes", 2).wait(PATIENCE_S) == 0
    assert_whole()


def test_a_killed_scheduler(home, processes):
    """Started again at the same address, it gets what is left from the run, and its worker comes back."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    processes.append(first_scheduler := scheduler(port))
    processes.append(started("worker", address))
    processes.append(run := started("run", "--scheduler", address))
    wait_until(lambda: checked() >= SOME)
    kill_all(first_scheduler)
    assert checked() < MANY
    processes.append(scheduler(port))

    assert run.wait(PATIENCE_S) == 0
    assert_whole()
