"""The claim index of the API: mapped once, and opened again when the fact-checks change."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field

from assistant import pipeline
from assistant.check.index_opening import FOLDER
from assistant.claims.claim_index import ClaimIndex
from assistant.claims.claim_store import ClaimStore
from assistant.core.errors import LecternError
from assistant.core.settings import Settings

REFRESH_PAUSE_S = 30.0  # between two looks at the folder of the index
INDEX_LOGGER = logging.getLogger("lectern.api.index")
_Fingerprint = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _IndexIds:
    """An index, and the ids of its claims by position."""

    index: ClaimIndex
    ids: list[str]


@dataclass(eq=False)
class FreshIndex:
    """The index of the settings' fact-checks.

    A thread looks whether there is a newer one. Requests use the earlier index until the newer one
    is open, so that an import never keeps them waiting.
    """

    settings: Settings
    pause_s: float = REFRESH_PAUSE_S
    _index: ClaimIndex | None = None
    _fingerprint: _Fingerprint = ()
    _read_ids: _IndexIds | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closing: threading.Event = field(default_factory=threading.Event)
    _refresher: threading.Thread | None = None

    def current(self) -> ClaimIndex:
        """Return the index. Raises: StoreError, ClaimIndexError if there is none."""
        with self._lock:
            if self._index is None:
                # read before the index: a change meanwhile opens it once more
                fingerprint = self._read_fingerprint()
                self._index = pipeline.open_index(self.settings)
                self._fingerprint = fingerprint
            if self._refresher is None:
                self._refresher = threading.Thread(
                    target=self._refresh_often, name="newer index", daemon=True
                )
                self._refresher.start()
            return self._index

    def adopt(self, index: ClaimIndex) -> None:
        """Use an index that this process has opened already, so that it is mapped once."""
        fingerprint = self._read_fingerprint()
        with self._lock:
            self._index = index
            self._fingerprint = fingerprint

    def ids(self) -> list[str]:
        """Return the ids of the claims of the current index by position, read once."""
        index = self.current()
        if self._read_ids is None or self._read_ids.index is not index:
            self._read_ids = _IndexIds(index, list(index.ids))
        return self._read_ids.ids

    def refresh(self) -> bool:
        """Open the index again if the fact-checks or the index have changed; tell whether."""
        fingerprint = self._read_fingerprint()
        if fingerprint == self._fingerprint:
            return False
        newer_index = pipeline.open_index(self.settings)
        with self._lock:
            self._index = newer_index
            self._fingerprint = fingerprint
        return True

    def close(self) -> None:
        """Stop looking for a newer index."""
        self._closing.set()

    def _refresh_often(self) -> None:
        while not self._closing.wait(self.pause_s):
            try:
                self.refresh()
            except LecternError as error:
                INDEX_LOGGER.warning("The earlier index stays in use: %s", error)

    def _read_fingerprint(self) -> _Fingerprint:
        """Return a value that changes with the index and with imports."""
        manifests = sorted((self.settings.home / FOLDER).glob("*/manifest.json"))
        with ClaimStore.open(self.settings.database, read_only=True) as store:
            claim_count = store.size()
        change_times = [(str(path), path.stat().st_mtime_ns) for path in manifests]
        return (claim_count, *change_times)
