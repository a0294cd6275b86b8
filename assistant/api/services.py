"""The resources that all requests of a process share: settings, stores, and the matcher."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from assistant.api.fresh_index import FreshIndex
from assistant.api.match_queue import MatchQueue
from assistant.api.usage import UsageStore
from assistant.claims.claim_store import ClaimStore
from assistant.claims.fact_check_search import FactCheckSearch
from assistant.core.settings import Settings
from assistant.live.access_tokens import TokenStore


@dataclass
class ApiServices:
    """The resources of the API in one process; each is opened at its first use."""

    settings: Settings
    clock: Callable[[], float] = time.time

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

    def warm(self) -> None:
        """Load the models and the index now, so that no request waits for them."""
        self.matcher.warm()

    def close(self) -> None:
        """Close all that was opened."""
        opened = vars(self)
        for name in ("matcher", "index", "search", "claims", "usage", "tokens"):
            if name in opened:
                opened[name].close()
