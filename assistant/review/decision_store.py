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
            latest = _latest(connection, first.key)
            latest_version = latest.version if latest else 0
            if latest_version == first.version - 1:
                try:
                    return [_stored(connection, record) for record in records]
                except IntegrityError:  # a server without our lock allowed two writers
                    latest = None
        raise DecisionConflict(latest or self.current(first.key))

    def current(self, key: str) -> Record | None:
        """Return the newest version of a decision, None if there is none."""
        with self._reading() as connection:
            return _latest(connection, key)

    def history(self, key: str) -> list[Record]:
        """Return all versions of a decision, oldest first."""
        query = sa.select(decisions).where(decisions.c.key == key).order_by(decisions.c.version)
        with self._reading() as connection:
            return [_record(row) for row in connection.execute(query)]

    def of_document(self, document: str) -> list[Record]:
        """Return the newest versions of the decisions on a file, given by its SHA-256."""
        return self._newest(decisions.c.document == document) if document else []

    def of_other_documents(
        self, document: str, title: str, event_date: date | None
    ) -> list[Record]:
        """Return the newest versions of the decisions on files that may be of the same debate.

        Their debates have the same date, or the same title if it is unknown.
        """
        columns = decisions.c
        may_be_same = columns.event_date == event_date
        if event_date is None:
            may_be_same = (columns.title == title) & columns.event_date.is_(None)
        if document:
            may_be_same &= columns.document != document
        return self._newest(may_be_same)

    def sentences_of(self, anchor: Anchor) -> bytes | None:
        """Return the noted sentences of the transcript of a decision, None if there are none."""
        query = sa.select(transcripts.c.sentences).where(_is_transcript(anchor))
        with self._reading() as connection:
            noted = connection.execute(query).scalar()
        return None if noted is None else bytes(noted)

    def note_sentences(self, anchor: Anchor, sentences: bytes) -> None:
        """Note the sentences of the transcript of a decision."""
        if self.sentences_of(anchor) == sentences:
            return
        values = {**_transcript_key(anchor), "sentences": sentences}
        with self._writing() as connection:
            connection.execute(transcripts.delete().where(_is_transcript(anchor)))
            connection.execute(transcripts.insert(), values)

    def current_reviews(self, claim_ids: Iterable[str]) -> dict[str, CurrentReview]:
        """Return statement, rating and date of fact-checks as they are now, by id."""
        with self._reading() as connection:
            return current_reviews.read(connection, claim_ids)

    def all(self) -> list[Record]:
        """Return the newest version of every decision."""
        return self._newest(sa.true())

    def decided_counts(self, documents: Iterable[str]) -> dict[str, int]:
        """Count the statements of transcripts on which a decision stands, by document."""
        columns = decisions.c
        later = decisions.alias()
        is_outdated = sa.exists().where(
            (later.c.key == columns.key) & (later.c.version > columns.version)
        )
        is_decided = columns.verdict.in_(SETTLED_VERDICTS)
        query = (
            sa.select(columns.document, sa.func.count(sa.distinct(columns.number)))
            .where(columns.document.in_(list(documents)), is_decided, ~is_outdated)
            .group_by(columns.document)
        )
        with self._reading() as connection:
            return {document: total for document, total in connection.execute(query)}

    def debates(self) -> list[StoredDebate]:
        """Return the transcripts on whose matches somebody decided."""
        columns = decisions.c
        transcript = (columns.document, columns.title, columns.event_date)
        last_done_at = sa.func.max(columns.done_at)
        decision_count = sa.func.count(sa.distinct(columns.key))
        query = sa.select(*transcript, last_done_at, decision_count).group_by(*transcript)
        with self._reading() as connection:
            debate_rows = connection.execute(query).all()
        return [
            StoredDebate(document, "", title, day, _seconds(done_at), {"decisions": total})
            for document, title, day, done_at, total in debate_rows
        ]

    def purge(self, debate: StoredDebate) -> None:
        """Delete the decisions on a transcript, of a live event by title and day."""
        columns = decisions.c
        condition = columns.document == debate.document
        if not debate.document:
            same_day = columns.event_date.is_not_distinct_from(debate.day)
            condition &= (columns.title == debate.title) & same_day
        with self._writing() as connection:
            connection.execute(decisions.delete().where(condition))
            same_transcript = transcripts.c.document == debate.document
            if not debate.document:
                day = str(debate.day or "")
                same_transcript &= (transcripts.c.title == debate.title) & (
                    transcripts.c.day == day
                )
            connection.execute(transcripts.delete().where(same_transcript))

    def _newest(self, condition: Any) -> list[Record]:
        """Return the newest versions of the decisions that meet a condition."""
        columns = decisions.c
        later = decisions.alias()
        is_outdated = sa.exists().where(
            (later.c.key == columns.key) & (later.c.version > columns.version)
        )
        query = sa.select(decisions).where(condition, ~is_outdated)
        query = query.order_by(columns.document, columns.number, columns.claim_id, columns.key)
        with self._reading() as connection:
            return [_record(row) for row in connection.execute(query)]


def _transcript_key(anchor: Anchor) -> dict[str, str]:
    return {
        "document": anchor.document,
        "title": anchor.title,
        "day": str(anchor.event_date or ""),
    }


def _is_transcript(anchor: Anchor) -> sa.ColumnElement[bool]:
    """Return the condition that a row is of the transcript of a decision."""
    return sa.and_(
        *[transcripts.c[name] == value for name, value in _transcript_key(anchor).items()]
    )


def _latest(connection: sa.Connection, key: str) -> Record | None:
    query = sa.select(decisions).where(decisions.c.key == key)
    newest_first = query.order_by(decisions.c.version.desc()).limit(1)
    row = connection.execute(newest_first).first()
    return _record(row) if row else None


def _stored(connection: sa.Connection, record: Record) -> Record:
    """Store a version with its entry in the audit log, and return it with its number."""
    if not record.sequence:
        record = replace(record, sequence=_next_sequence(connection))
    connection.execute(decisions.insert(), _values(record))
    audit.store_entry(connection, _audit_entry(record))
    return record


def _next_sequence(connection: sa.Connection) -> int:
    newest = connection.execute(sa.select(sa.func.max(decisions.c.sequence))).scalar()
    return int(newest or 0) + 1


def _values(record: Record) -> dict[str, Any]:
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
    return AuditEntry(done_at_s, record.done_by, "decide", record.key, outcome=outcome)


def _record(row: sa.Row[Any]) -> Record:
    values = row._mapping
    anchor = Anchor(**_picked(values, _ANCHOR_FIELDS))
    decision = Decision(**_picked(values, _DECISION_FIELDS)) if values["verdict"] else None
    return Record(**_picked(values, _VERSION_FIELDS), anchor=anchor, decision=decision)


def _seconds(timestamp: str) -> float:
    """Return an ISO time in seconds since 1970, 0 if it is empty."""
    return datetime.fromisoformat(timestamp).timestamp() if timestamp else 0.0


def _picked(values: Any, names: Iterable[str]) -> dict[str, Any]:
    return {name: values[name] for name in names}
