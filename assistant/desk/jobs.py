"""Work that outlives the page that started it: one worker a process, progress that anybody may read, a file at the end.

A job is known by an id that its maker chooses; the same id is never run twice at a time, and a finished one is read
from its file. What the job makes is written at once, under another name first, so that a file is whole or absent.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from assistant.ground import files
from assistant.ground.errors import Cancelled, LecternError

Tell = Callable[[str, int, int], None]
Asked = Callable[[], bool]
Work = Callable[[Tell, Asked], bytes]
LOG = logging.getLogger("lectern.jobs")


class State(StrEnum):
    """Where a job is in its life."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is. ``done`` of ``total`` units of ``stage``; ``at`` is when the stage began, in clock seconds."""

    stage: str = ""
    done: int = 0
    total: int = 0
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Job:
    """What is known of a job at a moment; ``error`` is one line, ``ahead`` the number of jobs that come first."""

    id: str
    title: str
    state: State = State.WAITING
    progress: Progress = Progress()
    error: str = ""
    started: float = 0.0
    ahead: int = 0
    keep: Path | None = None

    @property
    def over(self) -> bool:
        """Return whether nothing more will happen to it."""
        return self.state in (State.DONE, State.FAILED, State.CANCELLED)

    def seconds_left(self, now: float) -> float | None:
        """Return the rest of the present stage at its present speed; nothing while that speed is unknown."""
        p = self.progress
        spent = now - p.at
        if self.state is not State.RUNNING or not p.total or not p.done or spent < 0.1:
            return None
        return spent * (p.total - p.done) / p.done


@dataclass
class Jobs:
    """The jobs of this process, the newest state of each; results lie in ``folder`` as ``<id>.json``."""

    folder: Path
    clock: Callable[[], float] = time.monotonic
    _jobs: dict[str, Job] = field(default_factory=dict)
    _stops: dict[str, threading.Event] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _worker: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(max_workers=1, thread_name_prefix="job")
    )

    def submit(self, job_id: str, title: str, work: Work, *, keep: Path | None = None, again: bool = False) -> Job:
        """Return the job of this id: the one on its way, the finished one unless ``again``, or a new one.

        ``work(progress, cancelled)`` returns the bytes to keep; it raises Cancelled when it notices ``cancelled()``.
        ``keep`` is the file for them, if not ``<id>.json`` in the folder.
        """
        with self._lock:
            known = self._known(job_id)
            if known and not known.over or known and known.state is State.DONE and not again:
                return known
            self._stops[job_id] = threading.Event()
            job = self._jobs[job_id] = Job(job_id, title, keep=keep)
        self._worker.submit(self._run, job_id, work)
        return job

    def get(self, job_id: str) -> Job | None:
        """Return what is known of a job: the newest state, done if only its file is there, nothing if neither."""
        with self._lock:
            job = self._known(job_id)
            if job and job.state is State.WAITING:
                before = list(self._jobs)[: list(self._jobs).index(job_id)]
                job = replace(job, ahead=sum(not self._jobs[i].over for i in before))
            return job

    def active(self) -> tuple[Job, ...]:
        """Return the jobs that wait or run, in their order."""
        with self._lock:
            return tuple(j for j in self._jobs.values() if not j.over)

    def cancel(self, job_id: str) -> None:
        """Ask a job to stop; a waiting one never starts."""
        with self._lock:
            if job_id in self._stops:
                self._stops[job_id].set()

    def result(self, job_id: str) -> bytes | None:
        """Return what a finished job made, from its file; nothing if it made none."""
        path = self.path(job_id)
        return path.read_bytes() if path and path.is_file() else None

    def path(self, job_id: str) -> Path | None:
        """Return where a job keeps what it makes; nothing if the id could not be a file name of ours."""
        if job_id in self._jobs and self._jobs[job_id].keep:
            return self._jobs[job_id].keep
        return self.folder / f"{job_id}.json" if job_id.isalnum() and job_id.isascii() else None

    def close(self) -> None:
        """Stop all jobs and wait for the worker."""
        with self._lock:
            for stop in self._stops.values():
                stop.set()
        self._worker.shutdown(wait=True)

    def _known(self, job_id: str) -> Job | None:
        if job_id in self._jobs:
            return self._jobs[job_id]
        path = self.path(job_id)
        return Job(job_id, "", State.DONE) if path and path.is_file() else None

    def _run(self, job_id: str, work: Work) -> None:
        stop = self._stops[job_id]
        self._set(job_id, state=State.RUNNING, started=self.clock())
        try:
            if stop.is_set():
                raise Cancelled("stopped before it began.")
            self._write(job_id, work(lambda stage, done, total: self._note(job_id, stage, done, total), stop.is_set))
        except Cancelled:
            self._set(job_id, state=State.CANCELLED)
        except LecternError as error:
            self._set(job_id, state=State.FAILED, error=str(error))
        except OSError as error:
            where = error.filename or self.folder
            self._set(
                job_id, state=State.FAILED, error=f"{where}: {error.strerror or error}. Free the place and check again."
            )
        except Exception as error:  # the worker must live on; the reader is told, the log has the rest
            LOG.exception("job %s failed", job_id)
            self._set(job_id, state=State.FAILED, error=f"an error in Lectern ({type(error).__name__}: {error}).")
        else:
            self._set(job_id, state=State.DONE)

    def _write(self, job_id: str, data: bytes) -> None:
        path = self.path(job_id)
        if path is None:
            raise ValueError(f"a job id is letters and digits, not {job_id!r}")
        files.write(path, data)

    def _note(self, job_id: str, stage: str, done: int, total: int) -> None:
        with self._lock:
            job = self._jobs[job_id]
            at = job.progress.at if stage == job.progress.stage else self.clock()
            self._jobs[job_id] = replace(job, progress=Progress(stage, done, total, at))

    def _set(self, job_id: str, **changes: object) -> None:
        with self._lock:
            self._jobs[job_id] = replace(self._jobs[job_id], **changes)
