"""The store of decisions, in the claim store's database.

Nothing is overwritten, every change is a new version.

A decision is stored with the text and place it was made on, so that its match can be found again
in a later report. If two people change the same version at once, the second write is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from assistant.core import audit
from assistant.core.audit import Entry
from assistant.core.database import Database
from assistant.core.debate_records import Debate
from assistant.core.domain import Decision
from assistant.core.errors import DecisionConflict
from assistant.core.schema import metadata

decisions = sa.Table(
    "review_decisions",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column(
        "before", sa.Integer, nullable=False
    ),  # the version that undo goes back to; 0 is undecided
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
    sa.Column("verdict", sa.Text, nullable=False),  # "" is a decision taken back
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column(
        "done_by", sa.Text, nullable=False
    ),  # who wrote this version; an undo keeps the decision's own author
    sa.Column("done_at", sa.Text, nullable=False),
    sa.Column("made_with", sa.Text, nullable=False),
    sa.Column("match", sa.Text, nullable=False),
    sa.Index("review_decisions_document", "document"),
    sa.Index("review_decisions_title", "title"),
)


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a decision belongs.

    The transcript, the sentence with its neighbours, the verified claim.

    ``document`` is the SHA-256 of the source; ``made_with`` is the manifest and ``match`` the match, both as JSON, as
    they were when somebody decided.
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
    """One version of a decision; ``decision`` is None if it was undone."""

    key: str
    version: int
    before: int
    anchor: Anchor
    decision: Decision | None
    done_by: str
    done_at: str


_ANCHOR = [f.name for f in fields(Anchor)]
_DECISION = [f.name for f in fields(Decision)]


class DecisionStore(Database):
    """The decisions of one database. Use it in a ``with``, or close it."""

    def write(self, record: Record) -> Record:
        """Store the next version of a decision and return it.

        Raises: DecisionConflict with the other's version if somebody wrote that version first;
        StoreError.
        """
        decision = record.decision or Decision("")
        row = {"key": record.key, "version": record.version, "before": record.before}
        row |= {name: getattr(record.anchor, name) for name in _ANCHOR}
        row |= {name: getattr(decision, name) for name in _DECISION}
        with self._writing() as connection:
            latest = _latest(connection, record.key)
            if (latest.version if latest else 0) == record.version - 1:
                try:
                    values = {**row, "done_by": record.done_by, "done_at": record.done_at}
                    connection.execute(decisions.insert(), values)
                    done = decision.verdict or "undone"
                    entry = Entry(
                        _seconds(record.done_at), record.done_by, "decide", record.key, outcome=done
                    )
                    audit.note(connection, entry)
                except IntegrityError:  # a server without our lock allowed two writers
                    latest = None
                else:
                    return record
        raise DecisionConflict(latest or self.current(record.key))

    def current(self, key: str) -> Record | None:
        """Return the newest version of a decision, None if there is none."""
        with self._reading() as connection:
            return _latest(connection, key)

    def history(self, key: str) -> list[Record]:
        """Return all versions of a decision, the first one first."""
        chosen = sa.select(decisions).where(decisions.c.key == key).order_by(decisions.c.version)
        with self._reading() as connection:
            return [_record(row) for row in connection.execute(chosen)]

    def of(self, document: str, title: str, event_date: date | None) -> list[Record]:
        """Return the newest versions of the decisions on a transcript.

        The same bytes, or the same title and date.
        """
        c = decisions.c
        same = c.document == document
        if title and event_date:
            same |= (c.title == title) & (c.event_date == event_date)
        return self._newest(same)

    def all(self) -> list[Record]:
        """Return the newest version of every decision."""
        return self._newest(sa.true())

    def debates(self) -> list[Debate]:
        """Return the transcripts on whose matches somebody decided."""
        c = decisions.c
        place = (c.document, c.title, c.event_date)
        chosen = sa.select(
            *place, sa.func.max(c.done_at), sa.func.count(sa.distinct(c.key))
        ).group_by(*place)
        with self._reading() as connection:
            rows = connection.execute(chosen).all()
        return [
            Debate(doc, "", title, day, _seconds(at), {"decisions": count})
            for doc, title, day, at, count in rows
        ]

    def purge(self, debate: Debate) -> None:
        """Delete all versions of the decisions on a transcript.

        On a live event, those of its title and day.
        """
        c = decisions.c
        own = c.document == debate.document
        if not debate.document:
            own &= (c.title == debate.title) & c.event_date.is_not_distinct_from(debate.day)
        with self._writing() as connection:
            connection.execute(decisions.delete().where(own))

    def _newest(self, where: Any) -> list[Record]:
        c = decisions.c
        other = decisions.alias()
        newer = sa.exists().where((other.c.key == c.key) & (other.c.version > c.version))
        chosen = (
            sa.select(decisions)
            .where(where, ~newer)
            .order_by(c.document, c.number, c.claim_id, c.key)
        )
        with self._reading() as connection:
            return [_record(row) for row in connection.execute(chosen)]


def _latest(connection: sa.Connection, key: str) -> Record | None:
    chosen = (
        sa.select(decisions)
        .where(decisions.c.key == key)
        .order_by(decisions.c.version.desc())
        .limit(1)
    )
    row = connection.execute(chosen).first()
    return _record(row) if row else None


def _record(row: sa.Row[Any]) -> Record:
    values = row._mapping
    anchor = Anchor(**_picked(values, _ANCHOR))
    decision = Decision(**_picked(values, _DECISION)) if values["verdict"] else None
    rest = _picked(values, ("key", "version", "before", "done_by", "done_at"))
    return Record(**rest, anchor=anchor, decision=decision)


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp() if at else 0.0


def _picked(values: Any, names: Iterable[str]) -> dict[str, Any]:
    return {name: values[name] for name in names}
