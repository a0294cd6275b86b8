"""Imports fact-checks from a file or a published collection, as a job that also makes them searchable."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core import files
from assistant.core.errors import Cancelled
from assistant.jobs.check_service import CheckService
from assistant.jobs.job_state import Job
from assistant.jobs.report_store import JobRequest
from assistant.jobs.worker_pool import IsCancelled, OnProgress
from assistant.ui import account
from assistant.ui.claim_tables import outcome

if TYPE_CHECKING:
    from assistant.claims.claim_store import ClaimStore
    from assistant.claims.records import ImportReport

SAMPLE_CLAIMS = Path(__file__).resolve().parents[2] / "sample_claims" / "samples.jsonl"
Bring = Callable[["ClaimStore", OnProgress], "ImportReport"]


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection: its label, notes on its size and licence and on how long it takes, and what fetches it."""

    label: str
    note: str
    time: str
    fetch: Bring


def _politifact(store: ClaimStore, tell: OnProgress) -> ImportReport:
    from assistant.claims import politifact

    return politifact.fetch_politifact(store, progress=tell)


def _datacommons(store: ClaimStore, tell: OnProgress) -> ImportReport:
    from assistant.claims import datacommons

    return datacommons.fetch_datacommons(store, progress=tell)


def _samples(store: ClaimStore, tell: OnProgress) -> ImportReport:
    from assistant.claims import importers
    from assistant.claims.claim_store import SAMPLES

    return store.upsert(importers.read_claims(SAMPLE_CLAIMS), source=SAMPLES, progress=tell)


COLLECTIONS: Mapping[str, Collection] = {
    "politifact": Collection(
        "PolitiFact up to 2019",
        "some 16,000 fact-checks with their articles, 56 MB; the texts are PolitiFact's, for finding and reading only",
        "after the download some 2 minutes until they can be searched, 45 until their articles are read",
        _politifact,
    ),
    "datacommons": Collection(
        "Many publishers, from Data Commons",
        "some 93,000 fact-checks up to this week without articles, 200 MB, CC BY 4.0",
        "after the download some 10 minutes",
        _datacommons,
    ),
}
SAMPLE = Collection("Lectern's samples", "138 fact-checks to try it with", "a minute", _samples)


def import_file(desk: CheckService, data: bytes, name: str) -> Job:
    """Start importing an uploaded file; its name is kept as the source."""
    job_id = f"import{secrets.token_hex(6)}"
    path = desk.settings.home / "imports" / job_id / Path(name).name
    files.write(path, data, private=True)
    return _start(
        desk, job_id, f"Importing {path.name}", lambda store, tell: _file(path, store, tell)
    )


def fetch(desk: CheckService, collection: str) -> Job:
    """Start loading a published collection, or Lectern's samples by any other name."""
    chosen = COLLECTIONS.get(collection, SAMPLE)
    return _start(desk, f"fetch{secrets.token_hex(6)}", f"Fetching: {chosen.label}", chosen.fetch)


def _start(desk: CheckService, job_id: str, title: str, bring: Bring) -> Job:
    by = account.name() if account.by_login() else ""
    return desk.jobs.submit(
        JobRequest(job_id, title, by or desk.current_person()),
        lambda tell, cancelled: _bring(desk, bring, by, tell, cancelled),
    )


def _bring(
    desk: CheckService, bring: Bring, by: str, tell: OnProgress, cancelled: IsCancelled
) -> bytes:
    tell("starting", 0, 0)
    from assistant import pipeline

    heed = _heeding(tell, cancelled)
    with desk.store() as store:
        result = bring(store, heed)
    pipeline.build_index(desk.settings, progress=heed)
    return outcome(result, by)


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
