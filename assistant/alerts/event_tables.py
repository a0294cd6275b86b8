"""Queries for new events in the tables of live events, checks, the archive and fact-checks."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import sqlalchemy as sa

from assistant.archive import tables as archive_tables
from assistant.claims.stored_tables import claim_versions, withdrawn_claims
from assistant.core.database import Database
from assistant.core.domain import Strength, Tier
from assistant.jobs.tables import checks_table, jobs, reports
from assistant.live import tables as live_tables
from assistant.report.measured_strength import NO_STRENGTH

TOKEN_PREFIX = "token "  # before the holder of a token, as the person of a job
IDS_PER_QUERY = 500
COVERING_STRENGTHS = (str(Strength.STRONG), str(Strength.GOOD))


@dataclass(frozen=True, slots=True)
class LiveResult:
    """A checked live sentence with a strong or good match: its event, words and stored report."""

    event: str
    title: str
    number: int
    said: float
    checked: float
    speaker: str
    text: str
    claim: str
    compressed_report: bytes = field(repr=False)

    @property
    def key(self) -> str:
        """Return the name of the match among all, the same after a repeated check."""
        return f"live/{self.event}/{self.number}/{self.said:.0f}/{self.claim}"

    @property
    def report(self) -> bytes:
        """Return the stored report of the sentence."""
        return zlib.decompress(self.compressed_report)


@dataclass(frozen=True, slots=True)
class EndedCheck:
    """A check that is done or has failed, the person who started it, and who may know of it."""

    id: str
    title: str
    document: str
    who: str
    is_done: bool
    error: str
    ended: float
    is_shared: bool


@dataclass(frozen=True, slots=True)
class ChangedReview:
    """A change or a withdrawal of a fact-check by its publisher."""

    claim_id: str
    version: str
    at: float


class EventTables(Database):
    """The tables in which events are found. Use it in a ``with``, or close it."""

    def live_results(
        self, checked_from: float, checked_before: float | None = None
    ) -> list[LiveResult]:
        """Return the live sentences with a strong or good match that were checked in some time.

        Those with a likely match are among them if no strength is stored: the ranker gives none,
        or an earlier version checked them.
        """
        sentence_columns = live_tables.sentences.c
        events = live_tables.events
        # ``beat`` is when an engine last worked on the event; ``gone`` sentences were taken back.
        is_new_result = sa.and_(
            events.c.beat >= checked_from,
            sentence_columns.checked >= checked_from,
            sa.not_(sentence_columns.gone),
            sa.or_(
                sentence_columns.strength.in_(COVERING_STRENGTHS),
                sa.and_(
                    sentence_columns.strength == NO_STRENGTH,
                    sentence_columns.tier == str(Tier.LIKELY),
                ),
            ),
            sentence_columns.report.is_not(None),
        )
        columns = [
            events.c.title,
            sentence_columns.event,
            sentence_columns.number,
            sentence_columns.said,
        ]
        columns += [
            sentence_columns.checked,
            sentence_columns.speaker,
            sentence_columns.text,
            sentence_columns.claim,
        ]
        query = sa.select(*columns, sentence_columns.report)
        query = query.join(events, events.c.name == sentence_columns.event).where(is_new_result)
        if checked_before is not None:
            query = query.where(sentence_columns.checked < checked_before)
        results = []
        with self._reading() as connection:
            for record in connection.execute(
                query.order_by(sentence_columns.event, sentence_columns.said)
            ):
                column_values = dict(record._mapping)
                column_values["speaker"] = column_values["speaker"] or ""
                results.append(
                    LiveResult(compressed_report=column_values.pop("report"), **column_values)
                )
        return results

    def ended_checks(self, since: float) -> list[EndedCheck]:
        """Return the checks that were done or have failed since a time."""
        columns = jobs.c
        has_report = sa.exists().where(reports.c.id == columns.id)
        is_check = sa.or_(columns.ordered.is_not(None), has_report)
        has_ended = columns.state.in_(("done", "failed")) & (columns.ended >= since)
        query = sa.select(
            columns.id,
            columns.title,
            columns.document,
            columns.who,
            columns.state,
            columns.error,
            columns.ended,
        )
        query = query.where(is_check, has_ended, columns.document != "")
        with self._reading() as connection:
            records = connection.execute(query.order_by(columns.ended)).all()
            private_ids = _private_ids(connection, [record.id for record in records])
        ended = []
        for record in records:
            is_shared = record.id not in private_ids
            ended.append(
                EndedCheck(
                    record.id,
                    record.title,
                    record.document,
                    record.who,
                    record.state == "done",
                    record.error,
                    record.ended,
                    is_shared,
                )
            )
        return ended

    def newest_archive_alert(self) -> float:
        """Return when the archive last had an alert, 0 if it never had."""
        query = sa.select(sa.func.max(archive_tables.alerts.c.at))
        with self._reading() as connection:
            return float(connection.execute(query).scalar() or 0.0)

    def changed_reviews(self, since: float) -> list[ChangedReview]:
        """Return the newest change of each fact-check that its publisher changed since a time."""
        since_time = datetime.fromtimestamp(since, UTC)
        version_columns = claim_versions.c
        version_query = sa.select(
            version_columns.claim_id, version_columns.version, version_columns.replaced_at
        )
        version_query = version_query.where(version_columns.replaced_at >= since_time)
        version_query = version_query.order_by(version_columns.version)
        withdrawal_columns = withdrawn_claims.c
        withdrawal_query = sa.select(withdrawal_columns.id, withdrawal_columns.withdrawn_at)
        withdrawal_query = withdrawal_query.where(withdrawal_columns.withdrawn_at >= since_time)
        # A later change of a fact-check takes the place of an earlier one.
        change_by_claim: dict[str, ChangedReview] = {}
        with self._reading() as connection:
            for claim_id, version, replaced_at in connection.execute(version_query):
                change = ChangedReview(claim_id, str(version), _seconds(replaced_at))
                change_by_claim[claim_id] = change
            for claim_id, withdrawn_at in connection.execute(withdrawal_query):
                withdrawn_at_s = _seconds(withdrawn_at)
                version = f"withdrawn {withdrawn_at_s:.0f}"
                change_by_claim[claim_id] = ChangedReview(claim_id, version, withdrawn_at_s)
        return list(change_by_claim.values())

    def shared_report_ids(self, written_from: float, written_before: float) -> list[str]:
        """Return the newest report of each transcript that was checked in some time.

        Reports of programs that do not share them are left out. A report as of the event counts
        only if a transcript has no other one.
        """
        report_columns = reports.c
        query = sa.select(report_columns.id, report_columns.document)
        query = query.where(
            report_columns.written >= written_from, report_columns.written < written_before
        )
        # The last report of a document counts. Reports as of the event come first, so that a
        # report as of today replaces them.
        query = query.order_by(
            report_columns.as_of_event.desc(), report_columns.written, report_columns.id
        )
        with self._reading() as connection:
            records = connection.execute(query).all()
            private_ids = _private_ids(connection, [record.id for record in records])
        id_by_document: dict[str, str] = {}
        for record in records:
            if record.id not in private_ids:
                id_by_document[record.document] = record.id
        return list(id_by_document.values())


def _private_ids(connection: sa.Connection, job_ids: Iterable[str]) -> set[str]:
    """Return the ids of checks that only programs have started, without sharing them."""
    sorted_ids = sorted(job_ids)
    check_columns = checks_table.c
    private_ids: set[str] = set()
    shared_ids: set[str] = set()
    for start in range(0, len(sorted_ids), IDS_PER_QUERY):
        id_batch = sorted_ids[start : start + IDS_PER_QUERY]
        # Checks that programs asked for by the API
        check_query = sa.select(check_columns.job, check_columns.is_shared).where(
            check_columns.job.in_(id_batch)
        )
        for job_id, is_shared in connection.execute(check_query):
            ids = shared_ids if is_shared else private_ids
            ids.add(job_id)
        # A job that a person started is shared, one of an API token is not.
        job_query = sa.select(jobs.c.id, jobs.c.who).where(jobs.c.id.in_(id_batch))
        for job_id, started_by in connection.execute(job_query):
            is_token = started_by.startswith(TOKEN_PREFIX)
            ids = private_ids if is_token else shared_ids
            ids.add(job_id)
    return private_ids - shared_ids


def _seconds(moment: datetime) -> float:
    """Return a time in UTC, as each database stores it, in seconds since 1970."""
    return moment.replace(tzinfo=UTC).timestamp()
