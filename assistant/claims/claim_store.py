"""The store of verified claims and fetched articles: two tables of a database.

An import is stored as a whole, or not at all. A large one is read to its end first and then moved
in short transactions, so that live lines and decisions never wait for it (``incoming.py``).
``merging.py`` decides whether a row is a new claim, ``claim_reading.py`` reads.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from uuid import uuid4

import sqlalchemy as sa

from assistant.claims import (
    claim_sources,
    claim_versions,
    incoming,
    withdrawals,
)
from assistant.claims.claim_fields import digest
from assistant.claims.claim_reading import ClaimReader
from assistant.claims.claim_rows import (
    BATCH_ROWS,
    read_stored,
    renew_keys,
    store_new_keys,
    values_to_store,
)
from assistant.claims.import_tally import ImportTally
from assistant.claims.incoming import ImportPart
from assistant.claims.records import (
    Attempt,
    ImportReport,
    ImportRow,
)
from assistant.claims.statement_corrections import join_corrected_statements
from assistant.claims.stored_claims import IncomingClaim, StoredClaim
from assistant.claims.stored_tables import articles, claims
from assistant.core.database import NOTHING_STORED
from assistant.core.errors import Cancelled, StoreError
from assistant.core.progress_callback import Progress, no_progress

# Longest pause after a part of an import. The pause is as long as the part took, so that others
# who wait for the database get their turn.
MAX_PAUSE_S = 0.5
MAX_LOGGED_LABELS = 10
LATE_REFUSAL = "All rows were read. Lectern finishes the import once the database accepts it."
REFUSAL_AFTER_IMPORT = "All rows are stored, but Lectern can't say which ones the source lacks."
UNFINISHED = "An earlier import isn't finished or cleared yet."
_log = logging.getLogger(__name__)


class ClaimStore(ClaimReader):
    """The verified claims of one database. Use it in a ``with``, or close it."""

    def upsert(
        self,
        rows: Iterable[ImportRow],
        *,
        source: str,
        whole_source: bool = False,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Import rows, all of them or none.

        The report counts the rows that are new, changed, same, merged or refused. A row whose
        address and statement its publisher has already stored is that claim; a row of the same
        source and publisher with a known id updates it. An empty field never erases a filled one.
        ``whole_source``: the rows are all that the source has, so that the report also says which
        of its claims they lack.

        Raises: StoreError if the database refuses; any error of the rows or of ``progress``.
        Nothing is stored then. Once all rows are read, the import can no longer be stopped. If the
        database refuses then, the error says so, and the next opening of the database finishes it.
        """
        self._finish_imports()
        with self._writing() as connection:
            renew_keys(connection)
            claim_sources.note_former_claims(connection, source)
            former_count = claim_sources.count(connection, source)
        # The tally counts the rows and decides which stored claim each one belongs to.
        tally = ImportTally(source, import_id=uuid4().hex)
        remaining_rows = iter(rows)
        report_progress = progress or no_progress
        first_claims = tally.count_and_select_claims(islice(remaining_rows, BATCH_ROWS))
        # A large import is stored in parts first, because it would lock the database for long.
        all_rows_are_read = tally.rows < BATCH_ROWS
        if all_rows_are_read:
            report_progress("storing fact-checks", tally.rows, tally.rows)
            with self._writing() as connection:
                self._write_claims(connection, tally, first_claims)
        else:
            self._store_parts(first_claims, remaining_rows, tally, report_progress)
            with _refusals_told_as(LATE_REFUSAL):
                self._publish_parts(tally, report_progress)
        report = tally.report()
        if whole_source:
            with _refusals_told_as(REFUSAL_AFTER_IMPORT):
                report = self._finished_report(tally, former_count)
        _log_unknown_ratings(report)
        return report

    def withdraw(self, claim_ids: Iterable[str], *, why: str, withdrawn_by: str) -> list[str]:
        """Withdraw claims: they count no longer, and stay readable. Return the ids withdrawn."""
        with self._writing() as connection:
            return withdrawals.withdraw(
                connection, list(claim_ids), why=why, withdrawn_by=withdrawn_by
            )

    def restore(self, claim_ids: Iterable[str], *, restored_by: str) -> list[str]:
        """Make withdrawn claims count again; return their ids."""
        with self._writing() as connection:
            return withdrawals.restore(connection, list(claim_ids), restored_by)

    def note_attempt(self, url: str, attempt: Attempt, body: str = "") -> None:
        """Store an attempt to fetch the article of an address, and the article if there is one.

        After a failed attempt the address keeps its earlier article.
        """
        values: dict[str, Any] = {
            "outcome": attempt.outcome,
            "note": attempt.note,
            "asked_at": attempt.asked_at,
            "tries": attempt.tries,
        }
        if body:
            values |= {
                "fetched_at": attempt.asked_at,
                "source_url": attempt.source_url or url,
                "digest": digest(body),
                "body_length": len(body),
                "body": body,
            }
        without_article: dict[str, Any] = {
            "fetched_at": None,
            "source_url": "",
            "digest": "",
            "body_length": 0,
            "body": "",
        }
        update = articles.update().where(articles.c.url == url)
        with self._writing() as connection:
            if not connection.execute(update, values).rowcount:
                connection.execute(articles.insert(), {"url": url, **without_article, **values})

    def _store_parts(
        self,
        first_claims: list[IncomingClaim],
        remaining_rows: Iterator[ImportRow],
        tally: ImportTally,
        report_progress: Progress,
    ) -> None:
        """Store the rows of an import in parts, separate from the claims."""
        import_id = tally.import_id
        incoming.begin_import(import_id)
        part_number = 0
        incoming_claims = first_claims
        try:
            while True:
                # The tally counts all rows so far: the last part has fewer than a batch.
                is_last = tally.rows < (part_number + 1) * BATCH_ROWS
                part = ImportPart(import_id, tally.source, part_number, incoming_claims, is_last)
                with self._writing() as connection:
                    incoming.add_part(connection, part)
                if is_last:
                    break
                report_progress("reading fact-checks", tally.rows, tally.rows)
                next_rows = islice(remaining_rows, BATCH_ROWS)
                incoming_claims = tally.count_and_select_claims(next_rows)
                part_number += 1
        except BaseException:
            with self._writing() as connection:
                incoming.forget_import(connection, import_id)
            raise

    def _publish_parts(self, tally: ImportTally, report_progress: Progress) -> None:
        """Move the parts of an import into the claims.

        Each part is a short transaction, with time for others in between.
        """
        try:
            self._move_parts(tally, report_progress)
        except StoreError:
            # Also this process may finish the import later.
            incoming.release_import(tally.import_id)
            raise

    def _move_parts(self, tally: ImportTally, report_progress: Progress) -> None:
        import_id = tally.import_id
        with self._reading() as connection:
            part_numbers = incoming.part_numbers(connection, import_id)
        for done_parts, part_number in enumerate(part_numbers, start=1):
            started_at = time.monotonic()
            with self._writing() as connection:
                part_claims = incoming.read_part(connection, import_id, part_number)
                self._write_claims(connection, tally, part_claims)
            # It is too late to cancel: some parts are stored.
            with suppress(Cancelled):
                done_rows = done_parts * tally.rows // len(part_numbers)
                report_progress("storing fact-checks", done_rows, tally.rows)
            # Other writers get a turn, for as long as this part took.
            writing_s = time.monotonic() - started_at
            time.sleep(min(writing_s, MAX_PAUSE_S))
        with self._writing() as connection:
            incoming.forget_import(connection, import_id)

    def _finish_imports(self) -> None:
        """Finish the complete imports of killed processes, and drop the incomplete ones."""
        with self._reading() as connection:
            ended_imports = incoming.ended_imports(connection)
        for ended in ended_imports:
            if ended.is_complete:
                self._publish_parts(ImportTally(ended.source, ended.import_id), no_progress)
            else:
                with self._writing() as connection:
                    incoming.forget_import(connection, ended.import_id)

    def _write_claims(
        self, connection: sa.Connection, tally: ImportTally, incoming_claims: list[IncomingClaim]
    ) -> None:
        """Merge a batch of claims with the stored ones, and write new and changed claims."""
        for incoming_claim in incoming_claims:
            incoming_claim.source = tally.source
        # A withdrawn claim stays withdrawn unless its publisher has revised it.
        withdrawn_rows = withdrawals.WithdrawnRows(connection, incoming_claims)
        withdrawals.restore(connection, withdrawn_rows.revised_ids, f"source {tally.source}")
        batch = []
        for incoming_claim in incoming_claims:
            if withdrawn_rows.have(incoming_claim):
                tally.left_out["withdrawn here"] += 1
            else:
                batch.append(withdrawn_rows.with_free_id(incoming_claim, tally.source))
        stored_claims = read_stored(connection, batch, tally.source)
        for incoming_claim in batch:
            tally.decide(incoming_claim, stored_claims)
        now = datetime.now(UTC)
        new_rows = [values_to_store(stored, now) for stored in stored_claims.new_claims()]
        if new_rows:
            connection.execute(claims.insert(), new_rows)
        self._write_changed(connection, stored_claims.changed_claims(), now)
        all_stored = list(stored_claims.by_id.values())
        claim_versions.store_replaced(connection, all_stored, tally.source, now)
        store_new_keys(connection, all_stored)
        # Also rows that change nothing: their claims are in the source.
        joined_ids = tally.take_batch_ids()
        claim_sources.note_claims(connection, tally.source, tally.import_id, joined_ids)
        ids_by_reason: dict[str, list[str]] = defaultdict(list)
        for stored in stored_claims.retracted_claims():
            ids_by_reason[stored.retraction].append(stored.id)
        for reason, ids in ids_by_reason.items():
            withdrawals.withdraw(connection, ids, why=reason, withdrawn_by=f"source {tally.source}")

    def _write_changed(
        self, connection: sa.Connection, changed_claims: Iterable[StoredClaim], now: datetime
    ) -> None:
        """Update changed claims; a fetched article follows its claim to another address."""
        changed_rows = []
        for stored in changed_claims:
            changed_rows.append({**values_to_store(stored, now), "old_id": stored.id})
            if stored.claim is not None and stored.replaced_url not in ("", stored.claim.url):
                _copy_article(connection, stored.replaced_url, stored.claim.url)
        if changed_rows:
            update = claims.update().where(claims.c.id == sa.bindparam("old_id"))
            connection.execute(update, changed_rows)

    def _finished_report(self, tally: ImportTally, former_count: int) -> ImportReport:
        """Return the report of an import of a whole source, with the claims that it lacks.

        ``former_count``: the number of claims that the source had before.
        """
        source = tally.source
        with self._writing() as connection:
            # The claims of earlier imports that this one no longer has
            missing_ids = claim_sources.missing_ids(connection, source, tally.import_id)
            # A missing claim and a new one may be the same with a corrected statement.
            corrected = join_corrected_statements(connection, missing_ids, tally.new_ids, source)
            claim_sources.note_claims(connection, source, tally.import_id, corrected)
            still_missing = tuple(claim_id for claim_id in missing_ids if claim_id not in corrected)
            claim_count = claim_sources.count(connection, source)
        tally.counts["new"] -= len(corrected)
        tally.counts["changed"] += len(corrected)
        return replace(
            tally.report(),
            missing_ids=still_missing,
            source_claims=claim_count,
            lacks_all_former=0 < former_count == len(still_missing),
        )

    def _prepare(self) -> None:
        super()._prepare()
        try:
            self._finish_imports()
        except StoreError as error:
            # What is stored can be read all the same. A later opening tries again.
            message = f"{error.what} {error.remedy}".replace(NOTHING_STORED, UNFINISHED)
            _log.warning("%s: %s", error.where, " ".join(message.split()))


@contextmanager
def _refusals_told_as(consequence: str) -> Iterator[None]:
    """Say what a refusal means for an import that has been read. Raises: StoreError."""
    try:
        yield
    except StoreError as error:
        what = error.what.replace(NOTHING_STORED, "").strip()
        raise StoreError(f"{what} {consequence}", where=error.where, remedy=error.remedy) from error


def _copy_article(connection: sa.Connection, old_url: str, new_url: str) -> None:
    """Let the article that was fetched for an address be the article of another address, too."""
    new_query = sa.select(articles.c.url).where(articles.c.url == new_url)
    has_article = connection.execute(new_query).first() is not None
    if has_article:
        return
    old_query = sa.select(articles).where(articles.c.url == old_url)
    article = connection.execute(old_query).first()
    if article is not None:
        copied_values = {**article._mapping, "url": new_url}
        connection.execute(articles.insert(), copied_values)


def _log_unknown_ratings(report: ImportReport) -> None:
    """Log the most frequent labels that the table of ratings does not have."""
    if not report.unknown_ratings:
        return
    most_frequent = islice(report.unknown_ratings.items(), MAX_LOGGED_LABELS)
    labels = ", ".join(f"{label} ({number})" for label, number in most_frequent)
    _log.warning("labels missing from ratings.toml, counted as OTHER: %s", labels)
