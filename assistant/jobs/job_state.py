"""A job as the pages see it: its state, its progress, and how many are before it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.check.preview import Glimpse


class State(StrEnum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


UNFINISHED = (State.WAITING, State.RUNNING)


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` units of a ``stage``, begun ``at`` this time of the clock with ``first`` of them done."""

    stage: str = ""
    done: int = 0
    total: int = 0
    at: float = 0.0
    first: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """A job at a moment; ``error`` is one line, ``ahead`` the number of jobs before it, ``who`` asked for it.

    ``loads``: it brings fact-checks, beside the checks. ``first_look``: what a check of this process may find, as far
    as it is known before its end.
    """

    id: str
    title: str
    state: State = State.WAITING
    progress: Progress = Progress()
    error: str = ""
    ahead: int = 0
    who: str = ""
    loads: bool = False
    first_look: tuple[Glimpse, ...] = ()

    @property
    def over(self) -> bool:
        """Return whether it has ended."""
        return self.state not in UNFINISHED

    def seconds_left(self, now: float) -> float | None:
        """Return the time left in this stage at its speed so far, None while that is unknown."""
        p = self.progress
        spent = now - p.at
        if (
            self.state is not State.RUNNING
            or not p.total
            or p.done <= p.first
            or not p.at
            or spent < 0.1
        ):
            return None
        return spent * (p.total - p.done) / (p.done - p.first)
