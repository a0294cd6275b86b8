"""Reads the figures, names and dates of all statements ahead, so that no request waits for them.

A check reads them for each candidate and caches them. 20,000 statements take about half a minute
of CPU time, so they are read while no request waits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from assistant.check.ranker_inputs import CACHED_STATEMENTS, remember_facts
from assistant.claims.claim_index import ClaimIndex

STATEMENT_PAUSE_S = 0.002  # after each statement, so that other threads have their turn
BUSY_PAUSE_S = 0.2  # while requests wait


@dataclass(eq=False)
class StatementWarmer:
    """A thread that reads the statements of an index; ``is_busy`` tells whether requests wait."""

    is_busy: Callable[[], bool]
    pause_s: float = STATEMENT_PAUSE_S
    _closing: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def begin(self, index: ClaimIndex) -> None:
        """Start to read the statements of an index."""
        self._thread = threading.Thread(
            target=self._read_all, args=(index,), name="statements", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop reading."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()

    def _read_all(self, index: ClaimIndex) -> None:
        statement_count = min(len(index), CACHED_STATEMENTS)
        for position in range(statement_count):
            while self.is_busy() and not self._closing.wait(BUSY_PAUSE_S):
                continue  # requests have the processor first
            if self._closing.wait(self.pause_s):  # True once the thread is to stop
                return
            remember_facts(index.statements[position])
