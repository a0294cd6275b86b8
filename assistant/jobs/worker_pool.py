"""Background jobs that outlive the page that started them.

Several workers, progress, and a result on the shelf.

The caller chooses the id of a job: the same id never runs twice at a time, in whatever process.
One person's checks run one after the other, so that nobody's wait for them, and so do the loads of
fact-checks beside them.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypedDict, Unpack

from assistant.core.errors import Cancelled, LecternError, StoreError
from assistant.jobs.job_state import Job, JobProgress, JobState
from assistant.jobs.report_store import JobRequest, ReportStore

if TYPE_CHECKING:
    from assistant.check.preview import Glimpse

OnProgress = Callable[[str, int, int], None]
IsCancelled = Callable[[], bool]
JobWork = Callable[[OnProgress, IsCancelled], bytes]
JOBS_LOGGER = logging.getLogger("lectern.jobs")
HEARTBEAT_S = 2.0
STORE_ATTEMPTS = 5  # to store a result
WORKER_COUNT = 4
JOBS_PER_PERSON = 10  # jobs of one person that wait or run


class _Changes(TypedDict, total=False):
    state: JobState
    error: str
    preview: tuple[Glimpse, ...]


@dataclass
class WorkerPool:
    """The jobs of this process, and what the shelf has of those of others."""

    report_store: ReportStore
    workers: int = WORKER_COUNT
    jobs_per_person: int = JOBS_PER_PERSON
    clock: Callable[[], float] = time.time
    _jobs: dict[str, Job] = field(default_factory=dict)
    _works: dict[str, JobWork] = field(default_factory=dict)  # of the jobs that wait
    _stops: dict[str, threading.Event] = field(default_factory=dict)
    _threads: set[threading.Thread] = field(default_factory=set)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _closing: threading.Event = field(default_factory=threading.Event)
    _beating: threading.Thread | None = None

    def submit(self, ask: JobRequest, work: JobWork, *, again: bool = False) -> Job:
        """Return the job of this id.

        The one that waits or runs, the finished one unless ``again``, or a new one.

        ``work(on_progress, is_cancelled)`` returns the bytes of a report (of an ``ask`` with an order) or an outcome;
        it raises Cancelled when it has to stop. Raises: Busy if the person has too many jobs already; StoreError.
        """
        taken = self.report_store.claim_job(
            ask, most=self.jobs_per_person, now=self.clock(), again=again
        )
        if taken is not None:
            return taken
        with self._lock:
            self._stops[ask.id] = threading.Event()
            self._works[ask.id] = work
            self._jobs.pop(ask.id, None)  # a job that is done again comes last
            job = self._jobs[ask.id] = Job(
                ask.id,
                ask.title,
                requested_by=ask.requested_by,
                is_import=not (ask.spec or ask.document),
            )
            self._start_next()
            if self._beating is None:
                self._beating = threading.Thread(target=self._beat, name="jobs' beat", daemon=True)
                self._beating.start()
            return job

    def get(self, job_id: str) -> Job | None:
        """Return a job as it is now, of whatever process.

        None if there is neither job nor report.
        """
        with self._lock:
            job = self._jobs.get(job_id)
            if job and job.state is JobState.WAITING:
                return replace(job, jobs_ahead=self._ahead(job))
            if job and not (job.has_ended and job.state is JobState.DONE):
                return job
        return self.report_store.job(job_id, now=self.clock())

    def active(self) -> tuple[Job, ...]:
        """Return the jobs that wait or run in any process, in their order."""
        own = [job for job in self._jobs.values() if not job.has_ended]
        others = [
            job
            for job in self.report_store.running_jobs(now=self.clock())
            if job.id not in self._jobs
        ]
        return (*own, *others)

    def cancel(self, job_id: str) -> None:
        """Ask a job to stop, wherever it runs; a waiting one never starts."""
        with self._lock:
            stop = self._stops.get(job_id)
            waited = self._works.pop(job_id, None)
            if waited is not None:
                self._set(job_id, state=JobState.CANCELLED)
        if waited is not None:
            self.report_store.finish_job(job_id, JobState.CANCELLED, now=self.clock())
        elif stop is not None:
            stop.set()
        else:
            self.report_store.ask_to_stop(job_id)

    def result(self, job_id: str) -> bytes | None:
        """Return what an import or a hearing made, None if it has not ended well."""
        return self.report_store.outcome(job_id)

    def close(self) -> None:
        """Stop the jobs that run and wait for them; those that wait are left to be run again."""
        with self._lock:
            self._closing.set()
            for stop in self._stops.values():
                stop.set()
            threads = [*self._threads, *([self._beating] if self._beating else [])]
        for thread in threads:
            thread.join()

    def _ahead(self, job: Job) -> int:
        before = list(self._jobs)[: list(self._jobs).index(job.id)]
        return sum(
            not self._jobs[i].has_ended and self._jobs[i].is_import == job.is_import for i in before
        )

    def _start_next(self) -> None:
        """Start waiting jobs while workers are free.

        The first of each person who has none of its kind running.
        """
        running = Counter(
            (job.requested_by, job.is_import)
            for job in self._jobs.values()
            if job.state is JobState.RUNNING
        )
        for job_id in list(self._works):
            lane = self._jobs[job_id].requested_by, self._jobs[job_id].is_import
            if self._closing.is_set() or running.total() >= self.workers:
                return
            if running[lane]:
                continue
            running[lane] += 1
            self._set(job_id, state=JobState.RUNNING)
            work = self._works.pop(job_id)
            thread = threading.Thread(
                target=self._run, args=(job_id, work), name=f"job {job_id}", daemon=True
            )
            self._threads.add(thread)
            thread.start()

    def _run(self, job_id: str, work: JobWork) -> None:
        stop = self._stops[job_id]
        state = JobState.DONE
        error = ""
        try:
            if stop.is_set():
                raise Cancelled("stopped before it began.")
            outcome = work(
                lambda stage, done, total: self._tick(job_id, stage, done, total), stop.is_set
            )
            self._keep(job_id, outcome)
        except Cancelled:
            state = JobState.CANCELLED
        except LecternError as refusal:
            state = JobState.FAILED
            error = str(refusal)
        except OSError as refusal:
            what = f"{refusal.filename or self.report_store.name}: {refusal.strerror or refusal}"
            state = JobState.FAILED
            error = f"{what}. Free some space and check again."
        except (
            Exception
        ) as fault:  # the worker goes on; the page shows one line, the log has the rest
            JOBS_LOGGER.exception("job %s failed", job_id)
            state = JobState.FAILED
            error = f"an error in Lectern ({type(fault).__name__}: {fault})."
        if state is not JobState.DONE:
            with suppress(
                StoreError
            ):  # a full disk: the page of this process says so, and others will see it has gone
                self.report_store.finish_job(job_id, state, now=self.clock(), error=error)
        with self._lock:
            self._set(job_id, state=state, error=error)
            self._threads.discard(threading.current_thread())
            self._start_next()

    def _keep(self, job_id: str, outcome: bytes) -> None:
        """Store what a job made.

        Minutes of work are not lost because somebody else is writing just then.
        """
        for left in reversed(range(STORE_ATTEMPTS)):
            try:
                return self.report_store.finish_job(
                    job_id, JobState.DONE, now=self.clock(), outcome=outcome
                )
            except StoreError:
                if not left or self._closing.wait(HEARTBEAT_S):
                    raise

    def _beat(self) -> None:
        """Store the progress of this process's jobs while there are any, and pass on who asks them to stop."""
        while not self._closing.wait(HEARTBEAT_S):
            with self._lock:
                running = [job for job in self._jobs.values() if not job.has_ended]
                if not running:
                    self._beating = None
                    return
            with suppress(StoreError):  # an import is writing: the next beat comes soon
                for job_id in self.report_store.record_progress(running, now=self.clock()):
                    self._stops[job_id].set()

    def _tick(self, job_id: str, stage: str, done: int, total: int) -> None:
        with self._lock:
            job = self._jobs[job_id]
            goes_on = stage == job.progress.stage
            at, first = (
                (job.progress.started, job.progress.done_before)
                if goes_on
                else (self.clock(), done)
            )
            self._jobs[job_id] = replace(job, progress=JobProgress(stage, done, total, at, first))

    def show_preview(self, job_id: str, preview: tuple[Glimpse, ...]) -> None:
        """Remember the first look of a job of this process, for the page that waits for it."""
        with self._lock:
            self._set(job_id, preview=preview)

    def _set(self, job_id: str, **changes: Unpack[_Changes]) -> None:
        with self._lock:
            self._jobs[job_id] = replace(self._jobs[job_id], **changes)
