"""The parent of several server processes, which stops all of them within a bounded time.

uvicorn's own waits up to two minutes for the answer of a worker, and meanwhile for no signal. A
worker that had ended just then kept the server from stopping for so long.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from socket import socket

from uvicorn import Config
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors.multiprocess import Multiprocess, Process

SUPERVISOR_LOGGER = logging.getLogger("lectern.api.workers")
PING_S = 1.0  # signals wait for so long at most
STOP_S = 20.0  # then workers are killed; their checks are resumed at the next start


class WorkerSupervisor(Multiprocess):
    """Starts the workers of a configuration, and replaces those that end or stay silent."""

    def __init__(
        self, config: Config, sockets: Sequence[socket], *, stop_s: float = STOP_S
    ) -> None:
        super().__init__(config, sockets=list(sockets))
        self.stop_s = stop_s
        # The time of each worker's last answer, by its process id; a start counts as an answer.
        self._answered_at: dict[int, float] = {}

    def keep_subprocess_alive(self) -> None:
        """Replace workers that have ended, or have been silent for longer than they may be."""
        for worker_index, worker in enumerate(self.processes):
            if self.should_exit.is_set() or self.signal_queue:
                return  # the server is to stop: nothing is replaced
            if self._is_responding(worker):
                continue
            worker.kill()
            worker.join()
            if worker.exitcode == STARTUP_FAILURE:
                SUPERVISOR_LOGGER.error("a worker could not start: the server stops.")
                self.should_exit.set()
                return
            SUPERVISOR_LOGGER.warning("worker %s has ended and is replaced.", worker.pid)
            replacement = Process(self.config, self.sockets)
            replacement.start()
            self.processes[worker_index] = replacement

    def join_all(self) -> None:
        """Wait for all workers, and kill those that do not end in time."""
        deadline = time.monotonic() + self.stop_s
        for worker in self.processes:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            if worker.process.is_alive():
                SUPERVISOR_LOGGER.warning("worker %s did not end and is killed.", worker.pid)
                worker.process.kill()
                worker.process.join()

    def _is_responding(self, worker: Process) -> bool:
        """Return whether a worker runs, and has answered or may still be silent."""
        now = time.monotonic()
        process_id = worker.pid or 0
        answered_at = self._answered_at.setdefault(process_id, now)
        has_answered_ping = worker.is_alive(timeout=PING_S)
        if has_answered_ping:
            self._answered_at[process_id] = now
            return True
        is_silent_too_long = now - answered_at > self.config.timeout_worker_healthcheck
        return worker.process.is_alive() and not is_silent_too_long
