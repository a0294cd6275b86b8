"""A job as the pages see it: its state, its progress, and how many are before it."""

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


UNFINISHED_STATES = (JobState.WAITING, JobState.RUNNING)


@dataclass(frozen=True, slots=True)
class JobProgress:
    """``done`` of ``total`` units of a ``stage``, begun ``started`` this time of the clock with ``done_before`` of them done."""

    stage: str = ""
    done: int = 0
    total: int = 0
    started: float = 0.0
    done_before: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """A job at a moment; ``error`` is one line, ``jobs_ahead`` the number of jobs before it, ``requested_by`` asked for it.

    ``is_import``: it brings fact-checks, beside the checks. ``preview``: what a check of this process may find, as far
    as it is known before its end.
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
        """Return whether it has ended."""
        return self.state not in UNFINISHED_STATES

    def seconds_left(self, now: float) -> float | None:
        """Return the time left in this stage at its speed so far, None while that is unknown."""
        p = self.progress
        spent = now - p.started
        if (
            self.state is not JobState.RUNNING
            or not p.total
            or p.done <= p.done_before
            or not p.started
            or spent < 0.1
        ):
            return None
        return spent * (p.total - p.done) / (p.done - p.done_before)
