"""Opening of the claim index: the one that belongs to a store, brought up to date first where that takes seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from assistant.check import models
from assistant.check.progress import Progress
from assistant.claims.index import ClaimIndex
from assistant.claims.store import ClaimStore
from assistant.ground.domain import VerifiedClaim
from assistant.ground.errors import ClaimIndexError, IndexBusy, StoreError
from assistant.ground.settings import Settings
from assistant.ground.settings import load as load_settings
from features.models import Encoders

FOLDER = "index"
POLL_S = 0.2
AT_ONCE = 1000  # claims that are indexed without being asked: about a minute of reading


@models.missing_models_reported()
def open_index(settings: Settings, *, progress: Progress | None = None) -> ClaimIndex:
    """Return the index of the settings' store; a few claims that it lacks are added first.

    Raises: StoreError if the store is empty, ClaimIndexError if there is no index and the store is large.
    """
    with closing(ClaimStore.open(settings.database)) as store:
        return _opened(store, settings.home / FOLDER, models.encoders(settings.profile), progress)


@models.missing_models_reported()
def build_index(
    settings: Settings, *, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None
) -> ClaimIndex:
    """Return the index of the settings' store, brought up to date first, however long that takes."""
    with closing(ClaimStore.open(settings.database)) as store:
        encoders = models.encoders(settings.profile)
        return ClaimIndex.build(store, settings.home / FOLDER, encoders, progress=progress, cancelled=cancelled)


def as_index(
    claims: ClaimIndex | ClaimStore | Iterable[VerifiedClaim], encoders: Encoders, *, progress: Progress | None = None
) -> ClaimIndex:
    """Return an index of claims in any form: the index itself, that of a store, or a new one in memory."""
    if isinstance(claims, ClaimIndex):
        return claims
    if isinstance(claims, ClaimStore):
        return _opened(claims, _beside(claims), encoders, progress)
    return ClaimIndex.in_memory(claims, encoders)


def _opened(store: ClaimStore, folder: Path, encoders: Encoders, progress: Progress | None) -> ClaimIndex:
    count, _ = store.size()
    if not count:
        remedy = "Load some: python -m assistant claims import PATH, or claims fetch politifact."
        raise StoreError("there are no fact-checks in the database.", where=store.name, remedy=remedy)
    while True:
        try:
            index = ClaimIndex.open(folder, encoders)
            behind = index.behind(store)
        except ClaimIndexError:
            if count > AT_ONCE:
                raise
            behind = count
        if not 0 < behind <= AT_ONCE:
            return index
        try:
            return ClaimIndex.build(store, folder, encoders, progress=progress)
        except IndexBusy:  # another check, of this process or another, is adding the same claims
            if progress:
                progress("waiting for the index, to which claims are being added", 0, 0)
            time.sleep(POLL_S)


def _beside(store: ClaimStore) -> Path:
    """Return the folder of a store's index: beside an SQLite file, else in the home folder."""
    path = Path(store.name)
    return path.parent / FOLDER if path.is_file() else load_settings().home / FOLDER
