"""The resources that all requests of a process share: settings, stores, and the matcher."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from assistant.api.check_records import CheckRecordStore
from assistant.api.check_runs import CheckRuns
from assistant.api.fresh_index import FreshIndex
from assistant.api.match_queue import MatchQueue
from assistant.api.statement_warming import StatementWarmer
from assistant.api.usage import UsageStore
from assistant.archive.archive_store import ArchiveStore
from assistant.claims.claim_store import ClaimStore
from assistant.claims.fact_check_search import FactCheckSearch
from assistant.core.errors import Busy
from assistant.core.settings import Settings
from assistant.jobs.check_service import CheckService
from assistant.jobs.recordings import RecordingStore
from assistant.live.access_tokens import TokenStore
from assistant.review.decision_store import DecisionStore

# Limits for the requests of one token at a time.
MAX_STREAMS_PER_TOKEN = 20
MAX_UPLOADS_PER_TOKEN = 4  # a transcript is in memory while it arrives
MAX_RENDERINGS_PER_TOKEN = 4  # a PDF of a long debate takes seconds
# The resources that are closed at the end, in this order.
CLOSED_AT_END = (
    "checks",
    "warmer",
    "matcher",
    "index",
    "search",
    "claims",
    "usage",
    "archive",
    "decisions",
    "recordings",
    "tokens",
)


@dataclass(eq=False)
class TokenCounts:
    """The requests of one kind that are being served, by token."""

    max_per_token: int
    _counts: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self, digest: str) -> bool:
        """Count a new request of a token; False if it has too many already."""
        with self._lock:
            if self._counts[digest] >= self.max_per_token:
                return False
            self._counts[digest] += 1
            return True

    def leave(self, digest: str) -> None:
        """Stop counting a request."""
        with self._lock:
            self._counts[digest] -= 1

    @contextmanager
    def counted(self, digest: str, kind: str) -> Iterator[None]:
        """Count a request while it is served. Raises: Busy if its token has too many already."""
        if not self.enter(digest):
            message = f"this token already has {self.max_per_token} {kind} in progress."
            raise Busy(message, remedy="Wait until one of these requests has ended.")
        try:
            yield
        finally:
            self.leave(digest)


def _counts_up_to(limit: int) -> Any:
    return field(default_factory=lambda: TokenCounts(limit))


@dataclass
class ApiServices:
    """The resources of the API in one process; each is opened at its first use."""

    settings: Settings
    clock: Callable[[], float] = time.time
    streams: TokenCounts = _counts_up_to(MAX_STREAMS_PER_TOKEN)
    uploads: TokenCounts = _counts_up_to(MAX_UPLOADS_PER_TOKEN)
    renderings: TokenCounts = _counts_up_to(MAX_RENDERINGS_PER_TOKEN)

    @cached_property
    def tokens(self) -> TokenStore:
        """Return the store of tokens."""
        return TokenStore.open(self.settings.database)

    @cached_property
    def usage(self) -> UsageStore:
        """Return the store of the use of tokens."""
        return UsageStore.open(self.settings.database)

    @cached_property
    def claims(self) -> ClaimStore:
        """Return the fact-checks."""
        return ClaimStore.open(self.settings.database)

    @cached_property
    def search(self) -> FactCheckSearch:
        """Return the search in the fact-checks."""
        return FactCheckSearch.open(self.settings.database)

    @cached_property
    def index(self) -> FreshIndex:
        """Return the index, which is opened once and again after an import."""
        return FreshIndex(self.settings)

    @cached_property
    def matcher(self) -> MatchQueue:
        """Return the queue of texts to match."""
        return MatchQueue(self.index.current, self.settings.profile)

    @cached_property
    def warmer(self) -> StatementWarmer:
        """Return the thread that reads statements ahead."""
        return StatementWarmer(self.matcher.is_busy)

    @cached_property
    def checks(self) -> CheckRuns:
        """Return the checks of programs."""
        service = CheckService.open(self.settings, has_preview=False)
        records = CheckRecordStore.open(self.settings.database)
        return CheckRuns(service, records, self.clock)

    @cached_property
    def decisions(self) -> DecisionStore:
        """Return the decisions on matches."""
        return DecisionStore.open(self.settings.database)

    @cached_property
    def recordings(self) -> RecordingStore:
        """Return the recordings."""
        return RecordingStore.open_in(self.settings.home, self.settings.database)

    @cached_property
    def archive(self) -> ArchiveStore:
        """Return the archive."""
        return ArchiveStore.open(self.settings.database)

    def warm(self) -> None:
        """Load the models and the index now, so that no request waits for them."""
        self.matcher.warm()
        self.warmer.begin(self.index.current())

    def begin(self) -> None:
        """Resume the checks that an earlier process did not finish."""
        self.checks.begin()

    def close(self) -> None:
        """Close all that was opened."""
        # a cached property is in the dictionary of its object once it was used
        opened = vars(self)
        for name in CLOSED_AT_END:
            if name in opened:
                opened[name].close()
