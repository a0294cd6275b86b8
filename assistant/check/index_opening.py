"""Opening of the claim index.

The one that belongs to a store, fetch_shared or brought up to date if that is quick.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from assistant.check import loaded_models
from assistant.claims import index_building, index_sharing
from assistant.claims.claim_index import ClaimIndex
from assistant.claims.claim_store import ClaimStore
from assistant.core.domain import VerifiedClaim
from assistant.core.errors import ClaimIndexError, IndexBusy, StoreError
from assistant.core.progress_callback import Progress
from assistant.core.settings import Settings
from assistant.core.settings import load as load_settings
from features.models.profile_models import Encoders

FOLDER = "index"
INDEX_POLL_S = 0.2
CLAIMS_INDEXED_AT_ONCE = (
    1000  # claims that are indexed without being asked: about a minute of reading
)


@loaded_models.missing_models_reported()
def open_index(settings: Settings, *, progress: Progress | None = None) -> ClaimIndex:
    """Return the index of the settings' store; a few claims that it lacks are added first.

    Raises: StoreError if the store is empty, ClaimIndexError if there is no index and the store is
    large.
    """
    with closing(ClaimStore.open(settings.database)) as store:
        index_folder = _IndexFolder(settings.home / FOLDER, settings.shared_index)
        encoders = loaded_models.encoders(settings.profile)
        return _with_stored_texts(_open_or_build(store, index_folder, encoders, progress), store)


@loaded_models.missing_models_reported()
def build_index(
    settings: Settings,
    *,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> ClaimIndex:
    """Return the index of the settings' store, brought up to date first, however long that takes."""
    with closing(ClaimStore.open(settings.database)) as store:
        index_folder = _IndexFolder(settings.home / FOLDER, settings.shared_index)
        encoders = loaded_models.encoders(settings.profile)
        return _with_stored_texts(index_folder.build(store, encoders, progress, cancelled), store)


@dataclass(frozen=True, slots=True)
class _IndexFolder:
    """Where the index of a store is: a folder, and perhaps one that shares it with other homes."""

    folder: Path
    shared: Path | None = None

    def build(
        self,
        store: ClaimStore,
        encoders: Encoders,
        progress: Progress | None,
        cancelled: Callable[[], bool] | None = None,
    ) -> ClaimIndex:
        """Return the index, built from what other homes have built; they can fetch it then.

        Raises: IndexBusy.
        """
        build_index = partial(
            ClaimIndex.build,
            store,
            self.folder,
            encoders,
            progress=progress,
            cancelled=cancelled,
        )
        if self.shared is None:
            return build_index()
        # Only one home builds at a time; the others wait, and then fetch the parts that it built.
        with index_sharing.sole_builder(self.shared, encoders):
            self.fetch_shared(store, encoders, progress)
            index = build_index()
            index_sharing.publish(self.folder, self.shared, encoders)
            return index

    def fetch_shared(
        self, store: ClaimStore, encoders: Encoders, progress: Progress | None
    ) -> bool:
        """Return whether the index has just come from the shared folder."""
        if self.shared is None:
            return False
        return index_sharing.fetch(
            self.folder, self.shared, encoders, store.digest(), progress=progress
        )


def as_index(
    claims: ClaimIndex | ClaimStore | Iterable[VerifiedClaim],
    encoders: Encoders,
    *,
    progress: Progress | None = None,
) -> ClaimIndex:
    """Return an index of claims in any form.

    The index itself, that of a store, or a new one in memory.
    """
    if isinstance(claims, ClaimIndex):
        return claims
    if isinstance(claims, ClaimStore):
        index_folder = _IndexFolder(_folder_of(claims))
        index = _open_or_build(claims, index_folder, encoders, progress)
        return _with_stored_texts(index, claims)
    return ClaimIndex.in_memory(claims, encoders)


def _with_stored_texts(index: ClaimIndex, store: ClaimStore) -> ClaimIndex:
    """Return an index that reads the claims that it shows again in a store.

    The store connects anew if it was closed.
    """
    index.stored_claims = store
    return index


def _open_or_build(
    store: ClaimStore, index_folder: _IndexFolder, encoders: Encoders, progress: Progress | None
) -> ClaimIndex:
    count, _ = store.size()
    if not count:
        remedy = (
            "Load some on the page Fact-checks, or with: python -m assistant claims import PATH, "
            "or claims fetch politifact."
        )
        raise StoreError(
            "there are no fact-checks in the database.", where=store.name, remedy=remedy
        )
    while True:
        index, refusal = _open_existing(index_folder.folder, encoders)
        # The number of claims that the index lacks, or has otherwise.
        missing_count = index.behind(store) if index else count
        takes_long = missing_count > CLAIMS_INDEXED_AT_ONCE
        try:
            if missing_count and index_folder.fetch_shared(store, encoders, progress):
                continue
            if refusal and count > CLAIMS_INDEXED_AT_ONCE:
                raise refusal
            if index and takes_long:
                if index_building.drop_outdated(store, index_folder.folder, encoders):
                    continue
            # An index that is far behind is used as it is.
            if index and (missing_count == 0 or takes_long):
                return index
            return index_folder.build(store, encoders, progress)
        except IndexBusy:
            # Another check, of this process or another, is adding the same claims.
            if progress:
                progress("waiting for the index, to which claims are being added", 0, 0)
            time.sleep(INDEX_POLL_S)


def _open_existing(
    folder: Path, encoders: Encoders
) -> tuple[ClaimIndex | None, ClaimIndexError | None]:
    """Return the index in a folder, or why there is none."""
    try:
        return ClaimIndex.open(folder, encoders), None
    except ClaimIndexError as refusal:
        return None, refusal


def _folder_of(store: ClaimStore) -> Path:
    """Return the folder of a store's index: beside an SQLite file, else in the home folder."""
    path = Path(store.name)
    return path.parent / FOLDER if path.is_file() else load_settings().home / FOLDER
