"""Background jobs that outlive the page that started them, with progress and a stored result.

The caller chooses the id of a job: the same id never runs twice at a time, in any process. One
person's checks run one after another, so that other people don't wait for them. Imports of
fact-checks run beside the checks, also one after another.
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

from assistant.core import processes
from assistant.core.database import AWAY
from assistant.core.errors import Cancelled, LecternError, StoreError
from assistant.jobs.job_state import Job, JobProgress, JobState
from assistant.jobs.report_store import JobRequest, ReportStore
from assistant.jobs.whole_progress import stage_position

if TYPE_CHECKING:
    from assistant.check.preview import Glimpse

OnProgress = Callable[[str, int, int], None]
IsCancelled = Callable[[], bool]
JobWork = Callable[[OnProgress, IsCancelled], bytes]
JOBS_LOGGER = logging.getLogger("lectern.jobs")
HEARTBEAT_S = 2.0
OUTAGE_PATIENCE_S = 3600.0  # for a result while the database cannot be reached
STORE_ATTEMPTS = 5  # before a job fails because its result can't be stored
WORKER_COUNT = 4
JOBS_PER_PERSON = 10  # unfinished jobs that one person may have


class _JobChanges(TypedDict, total=False):
    state: JobState
    error: str
    preview: tuple[Glimpse, ...]


@dataclass
class WorkerPool:
    """The jobs of this process, and the jobs of other processes as the report store has them."""

    report_store: ReportStore
    workers: int = WORKER_COUNT
    jobs_per_person: int = JOBS_PER_PERSON
    clock: Callable[[], float] = time.time
    _jobs: dict[str, Job] = field(default_factory=dict)
    _waiting_work: dict[str, JobWork] = field(default_factory=dict)
    _stop_events: dict[str, threading.Event] = field(default_factory=dict)
    _threads: set[threading.Thread] = field(default_factory=set)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _closing: threading.Event = field(default_factory=threading.Event)
    _heartbeat: threading.Thread | None = None

    def submit(self, request: JobRequest, work: JobWork, *, again: bool = False) -> Job:
        """Start a job, or return the existing one: unfinished, or finished unless ``again``.

        ``work(on_progress, is_cancelled)`` returns the bytes of a report (if the request has a
        spec) or of another outcome. It raises Cancelled when it has to stop.

        Raises: Busy if the person has too many jobs already, StoreError.
        """
        existing_job = self.report_store.claim_job(
            request, max_running_jobs=self.jobs_per_person, now=self.clock(), again=again
        )
        if existing_job is not None:
            return existing_job
        is_import = request.spec is None and not request.document
        job = Job(request.id, request.title, requested_by=request.requested_by, is_import=is_import)
        with self._lock:
            self._stop_events[job.id] = threading.Event()
            self._waiting_work[job.id] = work
            self._jobs.pop(job.id, None)  # a job that is run again comes last
            self._jobs[job.id] = job
            self._start_waiting_jobs()
            if self._heartbeat is None:
                self._heartbeat = threading.Thread(
                    target=self._send_heartbeats, name="jobs' heartbeat", daemon=True
                )
                self._heartbeat.start()
            return job

    def get(self, job_id: str) -> Job | None:
        """Return a job of any process as it is now, None if there is neither job nor report."""
        with self._lock:
            job = self._jobs.get(job_id)
            # A job of this process is known here until it is done; the store has all others.
            if job and job.state is JobState.WAITING:
                return replace(job, jobs_ahead=self._count_ahead(job))
            if job and job.state is not JobState.DONE:
                return job
        return self.report_store.job(job_id, now=self.clock())

    def active(self) -> tuple[Job, ...]:
        """Return the jobs that wait or run in any process, in the order of their requests."""
        jobs_here = [job for job in self._jobs.values() if not job.has_ended]
        all_running_jobs = self.report_store.running_jobs(now=self.clock())
        jobs_elsewhere = [job for job in all_running_jobs if job.id not in self._jobs]
        return (*jobs_here, *jobs_elsewhere)

    def cancel(self, job_id: str) -> None:
        """Ask a job of any process to stop. A waiting job never starts."""
        with self._lock:
            stop_event = self._stop_events.get(job_id)
            waiting_work = self._waiting_work.pop(job_id, None)
            if waiting_work is not None:
                self._change_job(job_id, state=JobState.CANCELLED)
        if waiting_work is not None:
            self.report_store.finish_job(job_id, JobState.CANCELLED, now=self.clock())
        elif stop_event is not None:
            stop_event.set()
        else:
            self.report_store.ask_to_stop(job_id)

    def result(self, job_id: str) -> bytes | None:
        """Return the outcome of an import or a transcription, None unless it succeeded."""
        return self.report_store.outcome(job_id)

    def show_preview(self, job_id: str, preview: tuple[Glimpse, ...]) -> None:
        """Keep the preview of a job of this process, for the page that waits for the job."""
        with self._lock:
            self._change_job(job_id, preview=preview)

    def close(self) -> None:
        """Stop the running jobs and wait for them. Waiting jobs stay, to be run again later."""
        with self._lock:
            self._closing.set()
            for stop_event in self._stop_events.values():
                stop_event.set()
            threads = list(self._threads)
            if self._heartbeat is not None:
                threads.append(self._heartbeat)
        for thread in threads:
            thread.join()

    def _count_ahead(self, job: Job) -> int:
        """Count the unfinished jobs of the same kind that were requested earlier."""
        jobs_ahead = 0
        # The jobs are in the order of their requests.
        for job_id, earlier_job in self._jobs.items():
            if job_id == job.id:
                break
            if not earlier_job.has_ended and earlier_job.is_import == job.is_import:
                jobs_ahead += 1
        return jobs_ahead

    def _start_waiting_jobs(self) -> None:
        """Start waiting jobs while workers are free, at most one of each kind per person."""
        running_count_by_person = Counter(
            (job.requested_by, job.is_import)
            for job in self._jobs.values()
            if job.state is JobState.RUNNING
        )
        for job_id in list(self._waiting_work):
            if self._closing.is_set() or running_count_by_person.total() >= self.workers:
                return
            job = self._jobs[job_id]
            person_and_kind = (job.requested_by, job.is_import)
            if running_count_by_person[person_and_kind]:
                continue
            running_count_by_person[person_and_kind] += 1
            self._change_job(job_id, state=JobState.RUNNING)
            work = self._waiting_work.pop(job_id)
            thread = threading.Thread(
                target=self._run_job, args=(job_id, work), name=f"job {job_id}", daemon=True
            )
            self._threads.add(thread)
            thread.start()

    def _run_job(self, job_id: str, work: JobWork) -> None:
        """Run a job to its end, store how it ended, and start the next one."""
        processes.lower_thread_priority()  # pages are drawn by other threads
        state = JobState.DONE
        error = ""
        try:
            self._run_and_store(job_id, work)
        except Cancelled:
            state = JobState.CANCELLED
        except LecternError as refusal:
            state = JobState.FAILED
            error = str(refusal)
        except OSError as refusal:
            file_name = refusal.filename or self.report_store.name
            reason = refusal.strerror or refusal
            state = JobState.FAILED
            error = f"{file_name}: {reason}. Free some space and check again."
        # the worker stays usable, the page shows one line, and the log has the traceback
        except Exception as fault:
            JOBS_LOGGER.exception("job %s failed", job_id)
            state = JobState.FAILED
            error = f"an error in Lectern ({type(fault).__name__}: {fault})."
        if state is not JobState.DONE:
            # with a full disk only the page of this process shows the error
            with suppress(StoreError):
                self.report_store.finish_job(job_id, state, now=self.clock(), error=error)
        with self._lock:
            self._change_job(job_id, state=state, error=error)
            self._threads.discard(threading.current_thread())
            self._start_waiting_jobs()

    def _run_and_store(self, job_id: str, work: JobWork) -> None:
        stop_event = self._stop_events[job_id]
        if stop_event.is_set():
            raise Cancelled("the job was cancelled before it started.")

        def on_progress(stage: str, done: int, total: int) -> None:
            self._set_progress(job_id, stage, done, total)

        outcome = work(on_progress, stop_event.is_set)
        self._store_outcome(job_id, outcome)

    def _store_outcome(self, job_id: str, outcome: bytes) -> None:
        """Store the outcome of a job; try again if the database is busy or away just then."""
        failed_attempts = 0
        outage_end = time.monotonic() + OUTAGE_PATIENCE_S
        while True:
            try:
                return self.report_store.finish_job(
                    job_id, JobState.DONE, now=self.clock(), outcome=outcome
                )
            except StoreError as error:
                failed_attempts += 1
                may_retry = failed_attempts < STORE_ATTEMPTS
                is_database_away = error.what in AWAY
                if is_database_away:
                    may_retry = time.monotonic() < outage_end
                if not may_retry or self._closing.wait(HEARTBEAT_S):
                    raise

    def _send_heartbeats(self) -> None:
        """Store the progress of this process's jobs until all have ended, and stop those asked to."""
        while not self._closing.wait(HEARTBEAT_S):
            with self._lock:
                unfinished_jobs = [job for job in self._jobs.values() if not job.has_ended]
                if not unfinished_jobs:
                    self._heartbeat = None
                    return
            with suppress(StoreError):  # an import is writing: the next heartbeat comes soon
                ids_to_stop = self.report_store.record_progress(unfinished_jobs, now=self.clock())
                for job_id in ids_to_stop:
                    self._stop_events[job_id].set()

    def _set_progress(self, job_id: str, stage: str, done: int, total: int) -> None:
        with self._lock:
            job = self._jobs[job_id]
            progress = replace(job.progress, done=done, total=total)
            if stage != progress.stage:
                now = self.clock()
                progress = JobProgress(
                    stage,
                    done,
                    total,
                    started=now,
                    done_before=done,
                    position=stage_position(stage, progress.position or 0),
                    run_started=progress.run_started or now,
                )
            self._jobs[job_id] = replace(job, progress=progress)

    def _change_job(self, job_id: str, **changes: Unpack[_JobChanges]) -> None:
        with self._lock:
            self._jobs[job_id] = replace(self._jobs[job_id], **changes)
