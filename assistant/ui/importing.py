"""Imports fact-checks from a file or a published collection, as a job that also makes them searchable."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.desk.desk import Desk
from assistant.desk.job import Job
from assistant.desk.jobs import IsCancelled, OnProgress
from assistant.desk.shelf import Ask
from assistant.ground import files
from assistant.ground.errors import Cancelled
from assistant.ui.claim_tables import outcome

if TYPE_CHECKING:
    from assistant.claims.records import ImportReport
    from assistant.claims.store import ClaimStore

Bring = Callable[["ClaimStore", OnProgress], "ImportReport"]


@dataclass(frozen=True, slots=True)
class Collection:
    """A published collection: its label, a note on its size and licence, and the function that fetches it."""

    label: str
    note: str
    fetch: Bring


def _politifact(store: ClaimStore, tell: OnProgress) -> ImportReport:
    from assistant.claims import politifact

    return politifact.fetch_politifact(store, progress=tell)


def _datacommons(store: ClaimStore, tell: OnProgress) -> ImportReport:
    from assistant.claims import datacommons

    return datacommons.fetch_datacommons(store, progress=tell)


COLLECTIONS: Mapping[str, Collection] = {
    "datacommons": Collection(
        "Many publishers, from Data Commons",
        "some 90,000 fact-checks up to this week, about 200 MB, CC BY 4.0; statements without articles",
        _datacommons,
    ),
    "politifact": Collection(
        "PolitiFact with articles, up to 2021",
        "about 17,000 fact-checks with their articles, from a research collection",
        _politifact,
    ),
}


def import_file(desk: Desk, data: bytes, name: str) -> Job:
    """Start importing an uploaded file; its name is kept as the source."""
    job_id = f"import{secrets.token_hex(6)}"
    path = desk.settings.home / "imports" / job_id / Path(name).name
    files.write(path, data, private=True)
    return _start(desk, job_id, f"Importing {path.name}", lambda store, tell: _file(path, store, tell))


def fetch(desk: Desk, collection: str) -> Job:
    """Start downloading a published collection."""
    chosen = COLLECTIONS[collection]
    return _start(desk, f"fetch{secrets.token_hex(6)}", f"Fetching: {chosen.label}", chosen.fetch)


def _start(desk: Desk, job_id: str, title: str, bring: Bring) -> Job:
    return desk.jobs.submit(
        Ask(job_id, title, desk.asking()), lambda tell, cancelled: _bring(desk, bring, tell, cancelled)
    )


def _bring(desk: Desk, bring: Bring, tell: OnProgress, cancelled: IsCancelled) -> bytes:
    tell("starting", 0, 0)
    from assistant import pipeline

    heed = _heeding(tell, cancelled)
    with desk.store() as store:
        result = bring(store, heed)
    pipeline.build_index(desk.settings, progress=heed)
    return outcome(result)


def _heeding(tell: OnProgress, cancelled: IsCancelled) -> OnProgress:
    """Return a progress function that raises ``Cancelled`` once somebody has cancelled the job."""

    def heed(stage: str, done: int, total: int) -> None:
        if cancelled():
            raise Cancelled("stopped; nothing of it was kept.")
        tell(stage, done, total)

    return heed


def _file(path: Path, store: ClaimStore, tell: OnProgress) -> ImportReport:
    from assistant.claims import importers

    try:
        return store.upsert(importers.read_claims(path), source=path.name, progress=tell)
    finally:
        path.unlink(missing_ok=True)
        path.parent.rmdir()
