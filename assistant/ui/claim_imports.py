"""Imports fact-checks from a file or a published collection, as a job that also makes them searchable."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.core import files
from assistant.core.errors import Cancelled
from assistant.core.shipped_files import SAMPLE_CLAIMS
from assistant.jobs.check_service import CheckService
from assistant.jobs.job_state import Job
from assistant.jobs.report_store import JobRequest
from assistant.jobs.worker_pool import IsCancelled, OnProgress
from assistant.ui import account
from assistant.ui.claim_tables import import_json

if TYPE_CHECKING:
    from assistant.claims.claim_store import ClaimStore
    from assistant.claims.records import ImportReport

FetchClaims = Callable[["ClaimStore", OnProgress], "ImportReport"]


@dataclass(frozen=True, slots=True)
class Collection:
    """A published collection of fact-checks, and the function that loads it.

    ``note`` tells its size and licence, ``time`` how long it takes.
    """

    label: str
    note: str
    time: str
    fetch: FetchClaims


def _politifact(store: ClaimStore, on_progress: OnProgress) -> ImportReport:
    from assistant.claims import politifact

    return politifact.fetch_politifact(store, progress=on_progress)


def _datacommons(store: ClaimStore, on_progress: OnProgress) -> ImportReport:
    from assistant.claims import datacommons

    return datacommons.fetch_datacommons(store, progress=on_progress)


def _samples(store: ClaimStore, on_progress: OnProgress) -> ImportReport:
    from assistant.claims import importers
    from assistant.claims.claim_reading import SAMPLE_SOURCE

    return store.upsert(
        importers.read_claims(SAMPLE_CLAIMS), source=SAMPLE_SOURCE, progress=on_progress
    )


COLLECTIONS: Mapping[str, Collection] = {
    "politifact": Collection(
        label="PolitiFact",
        note="about 16,000 fact-checks with articles, most from 2007 to 2019, 56 MB; "
        "PolitiFact's texts, for finding and reading only",
        time="ready about 2 minutes after the download, its articles after 45",
        fetch=_politifact,
    ),
    "datacommons": Collection(
        label="Many publishers, from Data Commons",
        note="about 93,000 fact-checks up to this week, without articles, 200 MB, CC BY 4.0",
        time="ready about 10 minutes after the download",
        fetch=_datacommons,
    ),
}
SAMPLE = Collection("Lectern's samples", "138 fact-checks to try it with", "a minute", _samples)


def start_import(
    check_service: CheckService, data: bytes, name: str, columns: Mapping[str, str] | None = None
) -> Job:
    """Start importing an uploaded file; its name is stored as the source.

    ``columns`` has the column of each field that was chosen by hand.
    """
    from assistant.claims import importers

    job_id = f"import{secrets.token_hex(6)}"
    path = check_service.settings.home / "imports" / job_id / files.plain_name(name)
    # a job may run later, and in another process
    files.write(path, data, private=True)

    def import_upload(store: ClaimStore, on_progress: OnProgress) -> ImportReport:
        try:
            return importers.import_file(store, path, columns=columns, progress=on_progress)
        finally:
            path.unlink(missing_ok=True)  # the uploaded file serves once
            path.parent.rmdir()

    return _submit(check_service, job_id, f"Importing {path.name}", import_upload)


def start_fetch(check_service: CheckService, name: str) -> Job:
    """Start loading a published collection, or Lectern's samples by any other name."""
    collection = COLLECTIONS.get(name, SAMPLE)
    job_id = f"fetch{secrets.token_hex(6)}"
    return _submit(check_service, job_id, f"Fetching: {collection.label}", collection.fetch)


def _submit(check_service: CheckService, job_id: str, title: str, fetch_claims: FetchClaims) -> Job:
    # without a login the outcome names no person
    account_name = account.name() if account.uses_login() else ""
    request = JobRequest(job_id, title, account_name or check_service.current_person())

    def run(on_progress: OnProgress, is_cancelled: IsCancelled) -> bytes:
        on_progress("starting", 0, 0)
        cancellable_progress = _cancellable(on_progress, is_cancelled)
        report = _import_and_index(check_service, fetch_claims, cancellable_progress)
        return import_json(report, account_name)

    return check_service.jobs.submit(request, run)


def _import_and_index(
    check_service: CheckService, fetch_claims: FetchClaims, on_progress: OnProgress
) -> ImportReport:
    from assistant import pipeline

    with check_service.store() as store:
        report = fetch_claims(store, on_progress)
    # a fact-check is found only once it is in the index
    pipeline.build_index(check_service.settings, progress=on_progress)
    return report


def _cancellable(on_progress: OnProgress, is_cancelled: IsCancelled) -> OnProgress:
    """Return a progress function that raises ``Cancelled`` once somebody has cancelled the job."""

    def cancellable_progress(stage: str, done: int, total: int) -> None:
        if is_cancelled():
            raise Cancelled("The import was stopped. Nothing was stored.")
        on_progress(stage, done, total)

    return cancellable_progress
