"""The store of verified claims and fetched articles: two tables of a database.

An import is stored as a whole, or not at all. A large one is read to its end first and then moved
in short transactions, so that live lines and decisions never wait for it (``incoming.py``).
``merging.py`` decides whether a row is a new claim.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from hashlib import sha256
from itertools import islice
from typing import Any
from uuid import uuid4

import sqlalchemy as sa

from assistant.claims import (
    claim_sources,
    claim_versions,
    current_reviews,
    incoming,
    withdrawals,
)
from assistant.claims.claim_fields import digest, statement_key
from assistant.claims.claim_rows import (
    BATCH_ROWS,
    CLAIM_FIELDS,
    chunks,
    read_claim,
    read_stored,
    renew_keys,
    store_new_keys,
    values_to_store,
)
from assistant.claims.import_tally import ImportTally
from assistant.claims.incoming import ImportPart
from assistant.claims.records import (
    Attempt,
    ClaimVersion,
    CurrentReview,
    ImportReport,
    ImportRow,
    Progress,
    StoreStatus,
    Withdrawal,
    WithoutArticle,
)
from assistant.claims.statement_corrections import join_corrected_statements
from assistant.claims.stored_claims import IncomingClaim, StoredClaim
from assistant.claims.stored_tables import articles, claims
from assistant.core.database import Database
from assistant.core.domain import VerifiedClaim
from assistant.core.errors import Cancelled

# Longest pause after a part of an import. The pause is as long as the part took, so that others
# who wait for the database get their turn.
MAX_PAUSE_S = 0.5
MAX_LOGGED_LABELS = 10
SAMPLE_SOURCE = "samples"
_log = logging.getLogger(__name__)

ATTEMPT_COLUMNS = ("outcome", "note", "asked_at", "tries", "fetched_at", "source_url")
_has_own_article = claims.c.body_length > 0
_has_fetched_article = articles.c.body_length > 0
_article = sa.case(
    (_has_own_article, claims.c.body), else_=sa.func.coalesce(articles.c.body, "")
).label("body")
_claim_columns = [_article if name == "body" else claims.c[name] for name in CLAIM_FIELDS]
_attempt_columns = [articles.c[name] for name in ATTEMPT_COLUMNS]
_claims_and_articles = claims.outerjoin(articles, claims.c.url == articles.c.url)
_newest_review_first = sa.func.coalesce(claims.c.review_date, datetime.min.date()).desc()


class ClaimStore(Database):
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
        Nothing is stored then. Once all rows are read, the import can no longer be stopped, and
        the next one finishes it if it must.
        """
        self._finish_imports()
        with self._writing() as connection:
            renew_keys(connection)
            claim_sources.note_former_claims(connection, source)
        tally = ImportTally(source, import_id=uuid4().hex)
        remaining_rows = iter(rows)
        report_progress = progress or _no_progress
        first_claims = tally.sift(islice(remaining_rows, BATCH_ROWS))
        if tally.rows < BATCH_ROWS:
            report_progress("storing fact-checks", tally.rows, tally.rows)
            with self._writing() as connection:
                self._write(connection, tally, first_claims)
        else:
            self._store_parts(first_claims, remaining_rows, tally, report_progress)
            self._publish(tally, report_progress)
        report = self._finished_report(tally) if whole_source else tally.report()
        _log_unknown_ratings(report)
        return report

    def versions(self, claim_id: str) -> list[ClaimVersion]:
        """Return the words of a claim before each change of statement or rating, oldest first."""
        with self._reading() as connection:
            return claim_versions.read_versions(connection, claim_id)

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

    def withdrawn(self, claim_ids: Iterable[str] | None = None) -> list[Withdrawal]:
        """Return the withdrawn claims, newest first; only those with these ids, if given."""
        with self._reading() as connection:
            return withdrawals.read(connection, claim_ids)

    def ids_of_source(self, source: str) -> list[str]:
        """Return the claims that only this source brought."""
        with self._reading() as connection:
            return claim_sources.ids_of_source(connection, source)

    def current_reviews(self, claim_ids: Iterable[str]) -> dict[str, CurrentReview]:
        """Return statement, rating and date of claims as they are now, or that they are withdrawn.

        By id; unknown ids are left out.
        """
        with self._reading() as connection:
            return current_reviews.read(connection, claim_ids)

    def get(self, claim_id: str) -> VerifiedClaim | None:
        """Return the claim with an id, or None."""
        return self.many((claim_id,)).get(claim_id)

    def many(self, ids: Iterable[str]) -> dict[str, VerifiedClaim]:
        """Return claims by id, in the order of ``ids``, without unknown ids."""
        ids = list(ids)
        stored: dict[str, VerifiedClaim] = {}
        with self._reading() as connection:
            for some_ids in chunks(ids):
                query = sa.select(*_claim_columns).select_from(_claims_and_articles)
                for row in connection.execute(query.where(claims.c.id.in_(some_ids))):
                    stored[row.id] = read_claim(row)
        return {claim_id: stored[claim_id] for claim_id in ids if claim_id in stored}

    def fingerprints(self) -> dict[str, str]:
        """Return id and digest of every claim, in the order of their ids.

        A digest changes with any field, and with the article that was fetched for a claim that
        came without one.
        """
        with self._reading() as connection:
            return dict(_digests(connection))

    def digest(self) -> str:
        """Return 32 hexadecimal digits for the whole content, independent of the import order."""
        content = sha256()
        separator = b""
        with self._reading() as connection:
            for claim_id, claim_digest in _digests(connection):
                content.update(separator + f"{claim_id} {claim_digest}".encode())
                separator = b"\x1f"
        return content.hexdigest()[:32]

    def search(self, text: str, *, limit: int = 20, offset: int = 0) -> list[VerifiedClaim]:
        """Find the claims that have a word beginning with every word of the text.

        Statement and claimant are searched. Claims with the text as a phrase come first, then the
        newest reviews; without words, the newest reviews.
        """
        search_words = statement_key(text).split()
        has_phrase = claims.c.words.contains(" " + " ".join(search_words), autoescape=True)
        has_words = [claims.c.words.contains(" " + word, autoescape=True) for word in search_words]
        query = (
            sa.select(*_claim_columns)
            .select_from(_claims_and_articles)
            .where(*has_words)
            .order_by(sa.case((has_phrase, 0), else_=1), _newest_review_first, claims.c.id)
            .limit(limit)
            .offset(offset)
        )
        with self._reading() as connection:
            return [read_claim(row) for row in connection.execute(query)]

    def size(self) -> tuple[int, date | None]:
        """Return the number of claims and the day of the newest review; this is always fast."""
        query = sa.select(sa.func.count(), sa.func.max(claims.c.review_date)).select_from(claims)
        with self._reading() as connection:
            return tuple(connection.execute(query).one())

    def status(self) -> StoreStatus:
        """Count claims, publishers and articles, and compute the digest of all claims."""
        is_own = sa.case((_has_own_article, 1), else_=0)
        only_fetched = sa.and_(sa.not_(_has_own_article), _has_fetched_article)
        is_fetched = sa.case((only_fetched, 1), else_=0)
        query = sa.select(
            sa.func.count().label("claims"),
            sa.func.count(sa.distinct(claims.c.publisher)).label("publishers"),
            sa.func.coalesce(sa.func.sum(is_own), 0).label("own"),
            sa.func.coalesce(sa.func.sum(is_fetched), 0).label("fetched"),
            sa.func.max(claims.c.review_date).label("newest"),
        ).select_from(_claims_and_articles)
        with self._reading() as connection:
            totals = connection.execute(query).one()
        sources = self.counts("source")
        return StoreStatus(
            claims=totals.claims,
            publishers=totals.publishers,
            with_body=totals.own + totals.fetched,
            fetched=totals.fetched,
            newest_review_date=totals.newest,
            sources=sources,
            digest=self.digest(),
            samples=sources.get(SAMPLE_SOURCE, 0),
        )

    def counts(self, field: str) -> dict[str, int]:
        """Count the claims by the text of a column, such as ``publisher``, most frequent first."""
        return self._counts_of(claims.c[field])

    def review_days(self) -> dict[date | None, int]:
        """Count the claims that were checked on each day, most frequent first; None: unknown."""
        return self._counts_of(claims.c.review_date)

    def _counts_of(self, column: sa.Column[Any]) -> dict[Any, int]:
        count = sa.func.count()
        query = sa.select(column, count).group_by(column).order_by(count.desc(), column)
        with self._reading() as connection:
            return {value: number for value, number in connection.execute(query)}

    def without_article(
        self, ids: Iterable[str] | None = None, *, publisher: str = ""
    ) -> list[WithoutArticle]:
        """List the claims that came without an article and have an address, newest reviews first.

        ``ids``: only these claims. ``publisher``: only the claims of one publisher. Each has the
        last attempt at its article.
        """
        query = (
            sa.select(claims.c.id, claims.c.url, *_attempt_columns)
            .select_from(_claims_and_articles)
            .where(sa.not_(_has_own_article), claims.c.url != "")
            .order_by(_newest_review_first, claims.c.id)
        )
        if publisher:
            query = query.where(claims.c.publisher == publisher)
        with self._reading() as connection:
            missing = [
                WithoutArticle(row.id, row.url, _attempt(row)) for row in connection.execute(query)
            ]
        if ids is None:
            return missing
        wanted_ids = set(ids)
        return [claim for claim in missing if claim.id in wanted_ids]

    def attempt(self, claim_id: str) -> Attempt | None:
        """Return the last attempt to fetch a claim's article.

        None if there was no attempt or the article came with the claim.
        """
        query = (
            sa.select(*_attempt_columns)
            .join(claims, claims.c.url == articles.c.url)
            .where(claims.c.id == claim_id, sa.not_(_has_own_article))
        )
        with self._reading() as connection:
            row = connection.execute(query).first()
        return _attempt(row) if row else None

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
        number = 0
        incoming_claims = first_claims
        try:
            while True:
                is_last = tally.rows < (number + 1) * BATCH_ROWS
                part = ImportPart(import_id, tally.source, number, incoming_claims, is_last)
                with self._writing() as connection:
                    incoming.add_part(connection, part)
                if is_last:
                    break
                report_progress("reading fact-checks", tally.rows, tally.rows)
                incoming_claims = tally.sift(islice(remaining_rows, BATCH_ROWS))
                number += 1
        except BaseException:
            with self._writing() as connection:
                incoming.forget_import(connection, import_id)
            raise

    def _publish(self, tally: ImportTally, report_progress: Progress) -> None:
        """Move the parts of an import into the claims.

        Each part is a short transaction, with time for others in between.
        """
        import_id = tally.import_id
        with self._reading() as connection:
            part_numbers = incoming.part_numbers(connection, import_id)
        for done_parts, part_number in enumerate(part_numbers, start=1):
            started_at = time.monotonic()
            with self._writing() as connection:
                part_claims = incoming.read_part(connection, import_id, part_number)
                self._write(connection, tally, part_claims)
            with suppress(Cancelled):
                done_rows = done_parts * tally.rows // len(part_numbers)
                report_progress("storing fact-checks", done_rows, tally.rows)
            time.sleep(min(time.monotonic() - started_at, MAX_PAUSE_S))
        with self._writing() as connection:
            incoming.forget_import(connection, import_id)

    def _finish_imports(self) -> None:
        """Finish the complete imports of killed processes, and drop the incomplete ones."""
        with self._reading() as connection:
            ended_imports = incoming.ended_imports(connection)
        for ended in ended_imports:
            if ended.is_complete:
                self._publish(ImportTally(ended.source, ended.import_id), _no_progress)
            else:
                with self._writing() as connection:
                    incoming.forget_import(connection, ended.import_id)

    def _write(
        self, connection: sa.Connection, tally: ImportTally, incoming_claims: list[IncomingClaim]
    ) -> None:
        """Merge a batch of claims with the stored ones, and write new and changed claims."""
        for incoming_claim in incoming_claims:
            incoming_claim.source = tally.source
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

    def _finished_report(self, tally: ImportTally) -> ImportReport:
        """Return the report of an import of a whole source, with the claims that it lacks."""
        source = tally.source
        with self._writing() as connection:
            missing_ids = claim_sources.missing_ids(connection, source, tally.import_id)
            corrected = join_corrected_statements(connection, missing_ids, tally.new_ids, source)
            claim_sources.note_claims(connection, source, tally.import_id, corrected)
            still_missing = tuple(claim_id for claim_id in missing_ids if claim_id not in corrected)
            total = claim_sources.count(connection, source)
        tally.counts["new"] -= len(corrected)
        tally.counts["changed"] += len(corrected)
        return replace(tally.report(), missing_ids=still_missing, source_claims=total)

    def _prepare(self) -> None:
        super()._prepare()
        self._finish_imports()


def _no_progress(stage: str, done: int, total: int) -> None:
    """Ignore progress."""


def _copy_article(connection: sa.Connection, old_url: str, new_url: str) -> None:
    """Let the article that was fetched for an address be the article of another address, too."""
    has_new = connection.execute(sa.select(articles.c.url).where(articles.c.url == new_url))
    if has_new.first() is not None:
        return
    fetched = connection.execute(sa.select(articles).where(articles.c.url == old_url)).first()
    if fetched is not None:
        connection.execute(articles.insert(), {**fetched._mapping, "url": new_url})


def _log_unknown_ratings(report: ImportReport) -> None:
    """Log the most frequent labels that the table of ratings does not have."""
    if not report.unknown_ratings:
        return
    most_frequent = islice(report.unknown_ratings.items(), MAX_LOGGED_LABELS)
    labels = ", ".join(f"{label} ({number})" for label, number in most_frequent)
    _log.warning("labels missing from ratings.toml, counted as OTHER: %s", labels)


def _digests(connection: sa.Connection) -> Iterator[tuple[str, str]]:
    """Yield id and digest of every claim, in the order of their ids, in constant memory.

    The digest of a claim that came without an article includes the fetched article.
    """
    fetched_query = (
        sa.select(claims.c.id, articles.c.digest)
        .join(articles, claims.c.url == articles.c.url)
        .where(_has_fetched_article, sa.not_(_has_own_article))
    )
    article_digests = dict(connection.execute(fetched_query).all())
    claim_query = sa.select(claims.c.id, claims.c.digest).order_by(claims.c.id)
    streaming = connection.execution_options(yield_per=BATCH_ROWS)
    for claim_id, claim_digest in streaming.execute(claim_query):
        if claim_id in article_digests:
            yield claim_id, digest(claim_digest, article_digests[claim_id])
        else:
            yield claim_id, claim_digest


def _attempt(row: sa.Row[Any]) -> Attempt | None:
    """Return the attempt in a row, if there was one. SQLite forgets that times are in UTC."""
    if row.outcome is None:
        return None
    values = {name: getattr(row, name) for name in ATTEMPT_COLUMNS}
    for name in ("asked_at", "fetched_at"):
        if values[name]:
            values[name] = values[name].replace(tzinfo=UTC)
    return Attempt(**values)
