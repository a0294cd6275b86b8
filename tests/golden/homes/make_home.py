"""Makes a small data directory of today's schema, to be opened by later versions.

Run it when the schema changes, and commit the new folder:

    PYTHONPATH=. python tests/golden/homes/make_home.py tests/golden/homes

It writes ``vN/home.zip`` and ``vN/expected.json``, N being the version of the schema. Never make
the folder of an earlier version again: its value is that an earlier Lectern wrote it.
"""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
import sys
import tempfile
import time
import zipfile
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from assistant import pipeline, transcripts
from assistant.archive import bulk_run, transcript_collection
from assistant.archive.archive_store import ArchiveStore
from assistant.claims.claim_reading import SAMPLE_SOURCE
from assistant.claims.claim_store import ClaimStore
from assistant.claims.importers import read_claims
from assistant.core import settings
from assistant.core.domain import Decision, RatingClass, VerifiedClaim
from assistant.core.schema import SCHEMA_VERSION
from assistant.jobs.check_service import CheckService
from assistant.jobs.job_specs import JobSpec
from assistant.review import deciding, revisions
from assistant.review.decision_store import DecisionStore

SAMPLES = Path("sample_claims/samples.jsonl")
CLAIM_IDS = ("sample-0108", "sample-0078", "sample-0106", "sample-0120")
CORRECTED_ID = "sample-0106"
WITHDRAWN_ID = "sample-0120"
WHO = "ann@example.org"
SPEECH = """\
Speech of the governor, 20 June 2013

GOVERNOR: In 1965 half of all American adults smoked.

GOVERNOR: Our hospitals paid for it for forty years.

GOVERNOR: Alaska is more than twice as large as the state of Texas.
"""
ARCHIVED_SPEECH = "Alaska is more than twice as large as Texas.\n"
UNPACKED_TIME = (2025, 6, 15, 12, 0, 0)
LEFT_OUT = ("writer.lock", "lectern.db-shm", "lectern.db-wal")


def sample_claims() -> list[VerifiedClaim]:
    """Return the fact-checks of the data directory."""
    listed = [row for row in read_claims(SAMPLES) if isinstance(row, VerifiedClaim)]
    return [claim for claim in listed if claim.id in CLAIM_IDS]


def check_speech(service: CheckService) -> str:
    """Check the speech, and return the id of its report."""
    job = service.start(JobSpec(transcripts.read_bytes(SPEECH.encode(), "speech.txt")))
    while not job.has_ended:
        time.sleep(0.1)
        job = service.jobs.get(job.id)
    return job.id


def decide_on_all(service: CheckService, report_id: str) -> None:
    """Confirm the best match of every sentence that has one."""
    with DecisionStore.open(service.settings.database) as store:
        placed = deciding.decided_report(store, service.report(report_id))
        for checked in placed.report.sentences:
            if checked.matches:
                where = (checked.sentence.number, checked.matches[0])
                deciding.decide(store, placed, where, Decision("confirm", by=WHO))


def correct_and_withdraw(store: ClaimStore) -> None:
    """Give a fact-check another rating, and withdraw another."""
    (claim,) = (claim for claim in sample_claims() if claim.id == CORRECTED_ID)
    corrected = replace(
        claim, rating="Half True", rating_class=RatingClass.MIXTURE, review_date=date(2026, 5, 3)
    )
    store.upsert([corrected], source=SAMPLE_SOURCE)
    store.withdraw([WITHDRAWN_ID], why="retracted by its publisher", withdrawn_by=WHO)


def fill_archive(chosen: settings.Settings, folder: Path) -> None:
    """Check a transcript in the archive."""
    folder.mkdir()
    (folder / "2018-03-01_Ann-Lee_rotary.txt").write_text(ARCHIVED_SPEECH, "utf-8")
    with ArchiveStore.open(chosen.database) as store:
        list(transcript_collection.add(store, [folder]))
        location = {"home": str(chosen.home)}
        engine = bulk_run.local_engine(location)
        bulk_run.run_checks(store, chosen, engine, on_checked=lambda *_: None)


def contents(service: CheckService, report_id: str) -> dict[str, Any]:
    """Return everything that a later version must find in the data directory."""
    database = service.settings.database
    with ClaimStore.open(database) as claims, DecisionStore.open(database) as decisions:
        open_again = revisions.decisions_open_again(decisions)
        claim_rows = claims.fingerprints()
        versions = [version.rating for version in claims.versions(CORRECTED_ID)]
        withdrawn = [[entry.claim.id, entry.why] for entry in claims.withdrawn()]
        decision_rows = [
            [record.anchor.text, record.anchor.claim_id, record.decision.verdict]
            for record in decisions.all()
            if record.decision
        ]
    with ArchiveStore.open(database) as archive:
        archived = [[entry.title, str(entry.event_date)] for entry in archive.entries()]
    return {
        "schema": SCHEMA_VERSION,
        "claims": sorted(claim_rows),
        "versions": {CORRECTED_ID: versions},
        "withdrawn": withdrawn,
        "decisions": decision_rows,
        "open_again": sorted(open_again.values()),
        "archive": archived,
        "report_id": report_id,
        "sentences": report_rows(service, report_id),
    }


def report_rows(service: CheckService, report_id: str) -> list[list[Any]]:
    """Return the sentences of a report with the fact-check of the best match of each."""
    report = deciding.with_decisions(service.report(report_id), service.settings.database)
    listed = []
    for checked in report.sentences:
        best = checked.matches[0] if checked.matches else None
        reopened = best.reopened if best else None
        listed.append(
            [
                checked.sentence.text,
                best.claim.id if best else None,
                reopened.since if reopened else None,
            ]
        )
    return listed


def packed(home: Path) -> bytes:
    """Return the data directory as a ZIP file whose bytes depend on its files alone."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        for path in sorted(home.rglob("*")):
            if path.is_file() and path.name not in LEFT_OUT:
                entry = zipfile.ZipInfo(path.relative_to(home).as_posix(), UNPACKED_TIME)
                entry.external_attr = 0o600 << 16
                file.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return data.getvalue()


def main(homes: Path) -> None:
    """Make the data directory and its expectations."""
    target = homes / f"v{SCHEMA_VERSION}"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as newsroom:
        home = Path(newsroom) / "lectern"
        home.mkdir(mode=0o700)
        chosen = settings.load(home=str(home), environ={})
        with ClaimStore.open(chosen.database) as store:
            store.upsert(sample_claims(), source=SAMPLE_SOURCE)
        with closing(CheckService.open(chosen, current_person=lambda: WHO)) as service:
            pipeline.open_index(chosen)
            report_id = check_speech(service)
            decide_on_all(service, report_id)
            fill_archive(chosen, Path(newsroom) / "transcripts")
            with ClaimStore.open(chosen.database) as store:
                correct_and_withdraw(store)
            expected = contents(service, report_id)
        # Whatever the database has in its log is written to its file.
        with closing(sqlite3.connect(home / "lectern.db")) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        text = json.dumps(expected, indent=1, ensure_ascii=False, sort_keys=True)
        (target / "expected.json").write_text(f"{text}\n", "utf-8")
        (target / "home.zip").write_bytes(packed(home))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
