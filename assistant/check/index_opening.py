"""Opens the claim index that belongs to a store, and brings it up to date where that takes seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from assistant.check import models
from assistant.claims.index import ClaimIndex
from assistant.claims.store import ClaimStore
from assistant.ground.domain import VerifiedClaim
from assistant.ground.errors import ClaimIndexError, StoreError
from assistant.ground.settings import Settings
from assistant.ground.settings import load as load_settings
from features.models import Encoders

Progress = Callable[[str, int, int], None]
FOLDER = "index"
AT_ONCE = 1000  # claims that are indexed without being asked: about a minute of reading


@models.missing_models_told()
def open_index(chosen: Settings, *, progress: Progress | None = None) -> ClaimIndex:
    """Return the index of the settings' store. A small difference to the store is made up for first.

    Raises: StoreError if the store is empty, ClaimIndexError if there is no index and the store is large.
    """
    with closing(ClaimStore.open(chosen.database)) as store:
        return _opened(store, chosen.home / FOLDER, models.encoders(chosen.profile), progress)


@models.missing_models_told()
def build_index(
    chosen: Settings, *, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None
) -> ClaimIndex:
    """Return the index of the settings' store, brought up to date first, however long that takes."""
    with closing(ClaimStore.open(chosen.database)) as store:
        return ClaimIndex.build(
            store,
            chosen.home / FOLDER,
            models.encoders(chosen.profile),
            progress=progress,
            cancelled=cancelled,
        )


def as_index(
    claims: ClaimIndex | ClaimStore | Iterable[VerifiedClaim], encoders: Encoders, *, progress: Progress | None = None
) -> ClaimIndex:
    """Return an index of whatever holds claims: itself, a store's, or one in memory."""
    if isinstance(claims, ClaimIndex):
        return claims
    if isinstance(claims, ClaimStore):
        return _opened(claims, _beside(claims), encoders, progress)
    return ClaimIndex.in_memory(claims, encoders)


def _opened(store: ClaimStore, folder: Path, encoders: Encoders, progress: Progress | None) -> ClaimIndex:
    count = store.status().claims
    if not count:
        remedy = "Load some: python -m assistant claims import PATH, or claims fetch politifact."
        raise StoreError("there are no fact-checks in the database.", where=store.name, remedy=remedy)
    try:
        index = ClaimIndex.open(folder, encoders)
        behind = index.behind(store)
    except ClaimIndexError:
        if count > AT_ONCE:
            raise
        behind = count
    if 0 < behind <= AT_ONCE:
        return ClaimIndex.build(store, folder, encoders, progress=progress)
    return index


def _beside(store: ClaimStore) -> Path:
    """Return where the index of a store lies: beside an SQLite file, else in the home folder."""
    path = Path(store.name)
    return path.parent / FOLDER if path.is_file() else load_settings().home / FOLDER
