"""A job as the pages see it: its state, its progress, and the number of jobs ahead of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.check.preview import Glimpse


class JobState(StrEnum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


MIN_ELAPSED_S = 0.1  # of a stage, before its speed is known
UNFINISHED_STATES = (JobState.WAITING, JobState.RUNNING)


@dataclass(frozen=True, slots=True)
class JobProgress:
    """The progress of a job within one stage.

    ``done`` of ``total`` units are done. The stage ``started`` at this time of the clock, when
    ``done_before`` units were done already. ``position`` numbers the stages of a check from 0, None for
    another job, and ``run_started`` the time of its first stage; 0 if another process runs it.
    """

    stage: str = ""
    done: int = 0
    total: int = 0
    started: float = 0.0
    done_before: int = 0
    position: int | None = None
    run_started: float = 0.0


@dataclass(frozen=True, slots=True)
class Job:
    """A job at one moment.

    ``error`` is one line. ``is_import``: the job brings fact-checks and runs beside the checks.
    ``preview``: sentences for which a check of this process may find matches, until it ends.
    """

    id: str
    title: str
    state: JobState = JobState.WAITING
    progress: JobProgress = JobProgress()
    error: str = ""
    jobs_ahead: int = 0
    requested_by: str = ""
    is_import: bool = False
    preview: tuple[Glimpse, ...] = ()

    @property
    def has_ended(self) -> bool:
        """Return whether the job is done, failed or cancelled."""
        return self.state not in UNFINISHED_STATES

    def seconds_left(self, now: float) -> float | None:
        """Estimate the time left in this stage from its speed so far, None if that is unknown."""
        progress = self.progress
        # Some of the work may have been done before this run began.
        done_in_run = progress.done - progress.done_before
        elapsed_s = now - progress.started
        is_measured = progress.started and elapsed_s >= MIN_ELAPSED_S and done_in_run > 0
        if self.state is not JobState.RUNNING or not progress.total or not is_measured:
            return None
        remaining = progress.total - progress.done
        return elapsed_s * remaining / done_in_run
