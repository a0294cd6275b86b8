"""Refreshes the fact-checks every few hours, in a process of its own beside a server."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from assistant.alerts.feed_store import FeedStore
from assistant.core.background_thread import background_thread
from assistant.core.errors import StoreError
from assistant.core.settings import DATABASE_VARIABLE, HOME_VARIABLE, Settings

REFRESH_LOGGER = logging.getLogger("lectern.refresh")
SECONDS_PER_HOUR = 3600.0
SCHEDULE_POLL_S = 30.0
REFRESH_COMMAND = (sys.executable, "-m", "assistant", "claims", "refresh")


@dataclass
class RefreshSchedule:
    """Starts a refresh whenever the last one is ``interval_s`` ago, also one by another process."""

    settings: Settings
    interval_s: float
    command: Sequence[str] = REFRESH_COMMAND
    clock: Callable[[], float] = time.time
    stop: threading.Event = field(default_factory=threading.Event)
    _started: float = 0.0
    _process: subprocess.Popen[bytes] | None = None

    def run(self) -> None:
        """Start refreshes until ``stop`` is set; the process that runs then is ended."""
        while not self.stop.is_set():
            try:
                self.step()
            except (StoreError, OSError) as error:
                REFRESH_LOGGER.warning("the refresh waits: %s", error)
            self.stop.wait(SCHEDULE_POLL_S)
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()

    def step(self) -> bool:
        """Start a refresh if it is due, and return whether it was."""
        is_running = self._process is not None and self._process.poll() is None
        if is_running or self.clock() < self._next_at():
            return False
        self._started = self.clock()
        # In the environment, because other accounts can read arguments.
        child_environment = {**os.environ, HOME_VARIABLE: str(self.settings.home)}
        child_environment[DATABASE_VARIABLE] = self.settings.database
        self._process = subprocess.Popen(
            self.command, env=child_environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        return True

    def _next_at(self) -> float:
        """Return when the next refresh is due: never without a feed."""
        with FeedStore.open(self.settings.database) as feed_store:
            fetch_times = [feed.fetched for feed in feed_store.all()]
        if not fetch_times:
            return float("inf")
        now = self.clock()
        # A time in the future was noted before the clock was set back: it does not count.
        past_times = [fetched if fetched <= now else 0.0 for fetched in fetch_times]
        last_start = self._started if self._started <= now else 0.0
        return max(min(past_times), last_start) + self.interval_s


@contextmanager
def refreshing(settings: Settings, hours: int | None) -> Iterator[None]:
    """Refresh every ``hours`` hours as long as the ``with`` lasts; never if it is None."""
    if hours is None:
        yield
        return
    schedule = RefreshSchedule(settings, hours * SECONDS_PER_HOUR)
    with background_thread(schedule.run, schedule.stop, name="refresh"):
        yield
