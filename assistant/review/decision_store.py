"""The store of decisions, in the database of the fact-checks: every change is a new version.

A decision is stored with the text and position it was made on, so that its match can be found
again in a later report. If two people change the same version at once, the second write is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from assistant.claims import current_reviews
from assistant.claims.records import CurrentReview
from assistant.core import audit
from assistant.core.audit import AuditEntry
from assistant.core.database import Database
from assistant.core.debate_records import StoredDebate
from assistant.core.domain import Decision
from assistant.core.errors import DecisionConflict
from assistant.core.schema import metadata
from assistant.report.view import SETTLED_VERDICTS

DECIDE = "decide"  # the action in the log

decisions = sa.Table(
    "review_decisions",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    # The version that undo restores; 0 is undecided.
    sa.Column("before", sa.Integer, nullable=False),
    sa.Column("document", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("event_date", sa.Date),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("speaker", sa.Text, nullable=False),
    sa.Column("start", sa.Float),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("text_before", sa.Text, nullable=False),
    sa.Column("text_after", sa.Text, nullable=False),
    sa.Column("claim_id", sa.Text, nullable=False),
    sa.Column("statement", sa.Text, nullable=False),
    sa.Column("verdict", sa.Text, nullable=False),  # "" for a decision that was undone
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    # The author of this version; an undo keeps the author of the decision.
    sa.Column("done_by", sa.Text, nullable=False),
    sa.Column("done_at", sa.Text, nullable=False),
    sa.Column("made_with", sa.Text, nullable=False),
    sa.Column("match", sa.Text, nullable=False),
    # The position of the decision among all; an undo restores its number with a decision.
    sa.Column("sequence", sa.Integer, nullable=False, server_default="0"),
    sa.Index("review_decisions_document", "document"),
    sa.Index("review_decisions_title", "title"),
    sa.Index("review_decisions_sequence", "sequence"),
)

# The sentences of the transcripts on whose matches people decided: four bytes each, enough to
# recognise the debate in another file.
transcripts = sa.Table(
    "review_transcripts",
    metadata,
    sa.Column("document", sa.Text, primary_key=True),
    sa.Column("title", sa.Text, primary_key=True),
    sa.Column("day", sa.Text, primary_key=True),  # "" if unknown
    sa.Column("sentences", sa.LargeBinary, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Anchor:
    """The transcript, the sentence with its neighbours and the claim that a decision is about.

    ``document`` is the SHA-256 of the source; ``made_with`` is the manifest and ``match`` the match,
    both as JSON, as they were when somebody decided.
    """

    document: str
    title: str
    event_date: date | None
    number: int
    speaker: str
    start: float | None
    text: str
    text_before: str
    text_after: str
    claim_id: str
    statement: str
    made_with: str
    match: str


@dataclass(frozen=True, slots=True)
class Record:
    """One version of a decision; ``decision`` is None if it was undone.

    ``sequence`` says in which order the decisions were made, whatever the clocks said; 0 until the
    store numbers it.
    """

    key: str
    version: int
    before: int
    anchor: Anchor
    decision: Decision | None
    done_by: str
    done_at: str
    sequence: int = 0


_ANCHOR_FIELDS = [field.name for field in fields(Anchor)]
_DECISION_FIELDS = [field.name for field in fields(Decision)]
_VERSION_FIELDS = ("key", "version", "before", "done_by", "done_at", "sequence")


class DecisionStore(Database):
    """The decisions of one database. Use it in a ``with``, or close it."""

    def write(self, record: Record) -> Record:
        """Store the next version of a decision and return it, numbered if it is a new decision.

        Raises: DecisionConflict with the other version if somebody wrote it first; StoreError.
        """
        return self.write_versions(record)[-1]

    def write_versions(self, *records: Record) -> list[Record]:
        """Store the next versions of one decision, all or none, and return them.

        Raises: as ``write``.
        """
        first = records[0]
        with self._writing() as connection:
            latest_record = _latest_record(connection, first.key)
            latest_version = latest_record.version if latest_record else 0
            is_next_version = first.version == latest_version + 1
            if is_next_version:
                try:
                    return [_store_record(connection, record) for record in records]
                except IntegrityError:
                    # A server without our lock allowed two writers: read the other version below.
                    latest_record = None
        raise DecisionConflict(latest_record or self.current(first.key))

    def current(self, key: str) -> Record | None:
        """Return the newest version of a decision, None if there is none."""
        with self._reading() as connection:
            return _latest_record(connection, key)

    def history(self, key: str) -> list[Record]:
        """Return all versions of a decision, oldest first."""
        query = sa.select(decisions).where(decisions.c.key == key).order_by(decisions.c.version)
        with self._reading() as connection:
            return [_record_in_row(row) for row in connection.execute(query)]

    def of_debate(self, document: str, title: str, event_date: date | None) -> list[Record]:
        """Return the newest versions of the decisions on a file, and on others of its debate.

        ``document`` is the SHA-256 of the file. See ``may_be_of_debate``.
        """
        condition = may_be_of_debate(decisions.c, document, title, event_date)
        return self._newest_records(condition)

    def sentences_of(self, anchor: Anchor) -> bytes | None:
        """Return the noted sentences of the transcript of a decision, None if there are none."""
        query = sa.select(transcripts.c.sentences).where(_is_transcript(anchor))
        with self._reading() as connection:
            fingerprint = connection.execute(query).scalar()
        return None if fingerprint is None else bytes(fingerprint)

    def note_sentences(self, anchor: Anchor, sentence_hashes: bytes) -> None:
        """Note the sentences of the transcript of a decision."""
        is_noted = self.sentences_of(anchor) == sentence_hashes
        if is_noted:
            return
        values = {**_transcript_key(anchor), "sentences": sentence_hashes}
        with self._writing() as connection:
            connection.execute(transcripts.delete().where(_is_transcript(anchor)))
            connection.execute(transcripts.insert(), values)

    def current_reviews(self, claim_ids: Iterable[str]) -> dict[str, CurrentReview]:
        """Return statement, rating and date of fact-checks as they are now, by id."""
        with self._reading() as connection:
            return current_reviews.read(connection, claim_ids)

    def all(self) -> list[Record]:
        """Return the newest version of every decision."""
        return self._newest_records(sa.true())

    def version_count(self) -> int:
        """Return the number of stored versions, which every decision and every undo raises."""
        with self._reading() as connection:
            query = sa.select(sa.func.count()).select_from(decisions)
            return int(connection.execute(query).scalar_one())

    def people(self) -> list[str]:
        """Return everybody who has made or undone a decision."""
        with self._reading() as connection:
            return sorted(connection.execute(sa.select(decisions.c.done_by).distinct()).scalars())

    def anchors(self, keys: Iterable[str]) -> dict[str, Anchor]:
        """Return what each of some decisions is about, by key, without those that are not stored."""
        is_asked_for = decisions.c.key.in_(list(keys))
        return {record.key: record.anchor for record in self._newest_records(is_asked_for)}

    def decided_counts(self, documents: Iterable[str]) -> dict[str, int]:
        """Count the statements of transcripts on which a decision stands, by document."""
        columns = decisions.c
        is_in_documents = columns.document.in_(list(documents))
        is_decided = columns.verdict.in_(SETTLED_VERDICTS)
        sentence_count = sa.func.count(sa.distinct(columns.number)).label("sentence_count")
        query = (
            sa.select(columns.document, sentence_count)
            .where(is_in_documents, is_decided, is_newest_version())
            .group_by(columns.document)
        )
        with self._reading() as connection:
            return {row.document: row.sentence_count for row in connection.execute(query)}

    def debates(self) -> list[StoredDebate]:
        """Return the transcripts on whose matches somebody decided."""
        columns = decisions.c
        transcript_columns = (columns.document, columns.title, columns.event_date)
        last_done_at = sa.func.max(columns.done_at).label("last_done_at")
        decision_count = sa.func.count(sa.distinct(columns.key)).label("decision_count")
        query = sa.select(*transcript_columns, last_done_at, decision_count)
        query = query.group_by(*transcript_columns)
        with self._reading() as connection:
            debate_rows = connection.execute(query).all()
        debates = []
        for debate_row in debate_rows:
            changed_at_s = _seconds(debate_row.last_done_at)
            debate = StoredDebate(
                document=debate_row.document,
                event="",  # "" unless the debate was followed live
                title=debate_row.title,
                day=debate_row.event_date,
                changed_at_s=changed_at_s,
                record_counts={"decisions": debate_row.decision_count},
            )
            debates.append(debate)
        return debates

    def purge(self, debate: StoredDebate) -> None:
        """Delete the decisions on a transcript, of a live event by title and day."""
        is_on_debate = decisions.c.document == debate.document
        is_transcript_of_debate = transcripts.c.document == debate.document
        # A live event has no file, so "" as document: its title and its day tell it apart.
        if not debate.document:
            is_on_debate &= decisions.c.title == debate.title
            is_on_debate &= decisions.c.event_date.is_not_distinct_from(debate.day)
            is_transcript_of_debate &= transcripts.c.title == debate.title
            is_transcript_of_debate &= transcripts.c.day == str(debate.day or "")
        with self._writing() as connection:
            connection.execute(decisions.delete().where(is_on_debate))
            connection.execute(transcripts.delete().where(is_transcript_of_debate))

    def _newest_records(self, condition: Any) -> list[Record]:
        """Return the newest versions of the decisions that meet a condition."""
        columns = decisions.c
        query = sa.select(decisions).where(condition, is_newest_version())
        query = query.order_by(columns.document, columns.number, columns.claim_id, columns.key)
        with self._reading() as connection:
            return [_record_in_row(row) for row in connection.execute(query)]


def may_be_of_debate(
    columns: sa.ColumnCollection[str, sa.ColumnElement[Any]],
    document: str,
    title: str,
    event_date: date | None,
) -> sa.ColumnElement[bool]:
    """Return the condition that a record is on a file, or on another file of its debate.

    Another file may be of the same debate if it has the same date, or the same title if the date is
    unknown. ``columns`` are those of the records' table. A live event has the ``document`` "".
    """
    is_same_debate = columns["event_date"] == event_date
    if event_date is None:
        is_same_debate = (columns["title"] == title) & columns["event_date"].is_(None)
    return is_same_debate | (columns["document"] == document) if document else is_same_debate


def is_newest_version() -> sa.ColumnElement[bool]:
    """Return the condition that no later version of the same decision is stored."""
    later_versions = decisions.alias("later_versions")
    is_same_decision = later_versions.c.key == decisions.c.key
    is_later_version = later_versions.c.version > decisions.c.version
    return ~sa.exists().where(is_same_decision & is_later_version)


def _transcript_key(anchor: Anchor) -> dict[str, str]:
    return {
        "document": anchor.document,
        "title": anchor.title,
        "day": str(anchor.event_date or ""),
    }


def _is_transcript(anchor: Anchor) -> sa.ColumnElement[bool]:
    """Return the condition that a row is of the transcript of a decision."""
    key = _transcript_key(anchor)
    return sa.and_(*[transcripts.c[name] == value for name, value in key.items()])


def _latest_record(connection: sa.Connection, key: str) -> Record | None:
    query = sa.select(decisions).where(decisions.c.key == key)
    newest_first = query.order_by(decisions.c.version.desc()).limit(1)
    row = connection.execute(newest_first).first()
    return _record_in_row(row) if row else None


def _store_record(connection: sa.Connection, record: Record) -> Record:
    """Store a version with its entry in the audit log, and return it with its number."""
    if not record.sequence:
        record = replace(record, sequence=_next_sequence(connection))
    connection.execute(decisions.insert(), _column_values(record))
    audit.store_entry(connection, _audit_entry(record))
    return record


def _next_sequence(connection: sa.Connection) -> int:
    newest = connection.execute(sa.select(sa.func.max(decisions.c.sequence))).scalar()
    return int(newest or 0) + 1


def _column_values(record: Record) -> dict[str, Any]:
    """Return the column values of a version of a decision."""
    decision = record.decision or Decision("")
    return {
        **{name: getattr(record, name) for name in _VERSION_FIELDS},
        **{name: getattr(record.anchor, name) for name in _ANCHOR_FIELDS},
        **{name: getattr(decision, name) for name in _DECISION_FIELDS},
    }


def _audit_entry(record: Record) -> AuditEntry:
    outcome = record.decision.verdict if record.decision else "undone"
    done_at_s = _seconds(record.done_at)
    return AuditEntry(done_at_s, record.done_by, DECIDE, record.key, outcome=outcome)


def _record_in_row(row: sa.Row[Any]) -> Record:
    values = row._mapping
    anchor = Anchor(**_selected_values(values, _ANCHOR_FIELDS))
    decision = Decision(**_selected_values(values, _DECISION_FIELDS)) if values["verdict"] else None
    return Record(**_selected_values(values, _VERSION_FIELDS), anchor=anchor, decision=decision)


def _seconds(timestamp: str) -> float:
    """Return an ISO time in seconds since 1970, 0 if it is empty."""
    return datetime.fromisoformat(timestamp).timestamp() if timestamp else 0.0


def _selected_values(values: Any, names: Iterable[str]) -> dict[str, Any]:
    return {name: values[name] for name in names}
