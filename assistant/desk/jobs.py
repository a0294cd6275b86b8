"""Background jobs that outlive the page that started them: progress, and a file at the end.

Checks have one worker per process, loads of fact-checks another, so that nobody waits for a download with a check.

The caller chooses the id of a job: the same id never runs twice at a time, and a finished job is read from its file,
which is complete or absent.
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

OnProgress = Callable[[str, int, int], None]
IsCancelled = Callable[[], bool]
Work = Callable[[OnProgress, IsCancelled], bytes]
LOG = logging.getLogger("lectern.jobs")


class State(StrEnum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` units of a ``stage``, which began ``at`` this time of the clock."""

    stage: str = ""
    done: int = 0
    total: int = 0
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Job:
    """A job at a moment; ``error`` is one line, ``ahead`` the number of jobs before it, ``keep`` its file if given.

    ``loads``: it brings fact-checks, beside the checks.
    """

    id: str
    title: str
    state: State = State.WAITING
    progress: Progress = Progress()
    error: str = ""
    ahead: int = 0
    keep: Path | None = None
    loads: bool = False

    @property
    def over(self) -> bool:
        """Return whether it has ended."""
        return self.state in (State.DONE, State.FAILED, State.CANCELLED)

    def seconds_left(self, now: float) -> float | None:
        """Return the time left in this stage at its speed so far, None while that is unknown."""
        p = self.progress
        spent = now - p.at
        if self.state is not State.RUNNING or not p.total or not p.done or spent < 0.1:
            return None
        return spent * (p.total - p.done) / p.done


@dataclass
class Jobs:
    """The jobs of this process; their files are ``<id>.json`` in ``folder``."""

    folder: Path
    clock: Callable[[], float] = time.monotonic
    _jobs: dict[str, Job] = field(default_factory=dict)
    _stops: dict[str, threading.Event] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _worker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="job"))
    _loader: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="load"))

    def submit(
        self, job_id: str, title: str, work: Work, *, keep: Path | None = None, again: bool = False, loads: bool = False
    ) -> Job:
        """Return the job of this id: the one that waits or runs, the finished one unless ``again``, or a new one.

        ``work(on_progress, is_cancelled)`` returns the bytes of the file; it raises Cancelled when it has to stop.
        ``keep`` is the file, if not ``<id>.json`` in the folder.
        """
        with self._lock:
            known = self._known(job_id)
            if known and not known.over or known and known.state is State.DONE and not again:
                return known
            self._stops[job_id] = threading.Event()
            job = self._jobs[job_id] = Job(job_id, title, keep=keep, loads=loads)
        (self._loader if loads else self._worker).submit(self._run, job_id, work)
        return job

    def get(self, job_id: str) -> Job | None:
        """Return a job as it is now: done if only its file exists, None if there is neither job nor file."""
        with self._lock:
            job = self._known(job_id)
            if job and job.state is State.WAITING:
                before = list(self._jobs)[: list(self._jobs).index(job_id)]
                job = replace(
                    job, ahead=sum(not self._jobs[i].over and self._jobs[i].loads == job.loads for i in before)
                )
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
        """Return the file of a finished job, None if it has none."""
        path = self.path(job_id)
        return path.read_bytes() if path and path.is_file() else None

    def path(self, job_id: str) -> Path | None:
        """Return the path of a job's file, None if the id cannot be part of a file name."""
        if job_id in self._jobs and self._jobs[job_id].keep:
            return self._jobs[job_id].keep
        return self.folder / f"{job_id}.json" if job_id.isalnum() and job_id.isascii() else None

    def close(self) -> None:
        """Stop all jobs and wait for the workers."""
        with self._lock:
            for stop in self._stops.values():
                stop.set()
        self._worker.shutdown(wait=True)
        self._loader.shutdown(wait=True)

    def _known(self, job_id: str) -> Job | None:
        if job_id in self._jobs:
            return self._jobs[job_id]
        path = self.path(job_id)
        return Job(job_id, "", State.DONE) if path and path.is_file() else None

    def _run(self, job_id: str, work: Work) -> None:
        stop = self._stops[job_id]
        self._set(job_id, state=State.RUNNING)
        try:
            if stop.is_set():
                raise Cancelled("stopped before it began.")
            self._write(job_id, work(lambda stage, done, total: self._tick(job_id, stage, done, total), stop.is_set))
        except Cancelled:
            self._set(job_id, state=State.CANCELLED)
        except LecternError as error:
            self._set(job_id, state=State.FAILED, error=str(error))
        except OSError as error:
            reason = f"{error.filename or self.folder}: {error.strerror or error}. Free some space and check again."
            self._set(job_id, state=State.FAILED, error=reason)
        except Exception as error:  # the worker goes on; the page shows one line, the log has the rest
            LOG.exception("job %s failed", job_id)
            self._set(job_id, state=State.FAILED, error=f"an error in Lectern ({type(error).__name__}: {error}).")
        else:
            self._set(job_id, state=State.DONE)

    def _write(self, job_id: str, data: bytes) -> None:
        path = self.path(job_id)
        if path is None:
            raise ValueError(f"a job id is letters and digits, not {job_id!r}")
        files.write(path, data)

    def _tick(self, job_id: str, stage: str, done: int, total: int) -> None:
        with self._lock:
            job = self._jobs[job_id]
            at = job.progress.at if stage == job.progress.stage else self.clock()
            self._jobs[job_id] = replace(job, progress=Progress(stage, done, total, at))

    def _set(self, job_id: str, **changes: object) -> None:
        with self._lock:
            self._jobs[job_id] = replace(self._jobs[job_id], **changes)
