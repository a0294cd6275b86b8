"""The log of people's actions, in the database and in the log stream.

Each entry has person, action, subject, duration and outcome. It never has a title or a text: its
subject is an id, so that a purge leaves little in it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields

import sqlalchemy as sa

from assistant.core.database import Database
from assistant.core.errors import StoreError
from assistant.core.schema import metadata

AUDIT_LOGGER = logging.getLogger("lectern.audit")
audit_table = sa.Table(
    "audit_log",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("about", sa.Text, nullable=False),
    sa.Column("seconds", sa.Float),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Index("audit_log_at", "at"),
)


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An action of a person.

    ``at`` is its end, in seconds since 1970; ``seconds`` is its duration, if it had one. ``what``:
    check, import, decide, purge...; ``about``: an id; ``outcome``: done, failed, or the decision.
    """

    at: float
    who: str
    what: str
    about: str = ""
    seconds: float | None = None
    outcome: str = "done"


@dataclass(frozen=True, slots=True)
class AuditTotal:
    """The number of actions of one kind with an outcome, and their seconds in all."""

    what: str
    outcome: str
    count: int
    seconds: float


_COLUMNS = [audit_table.c[entry_field.name] for entry_field in fields(AuditEntry)]


def store_entry(connection: sa.Connection, entry: AuditEntry) -> None:
    """Store an entry in the transaction of its action, and log it."""
    connection.execute(audit_table.insert().values(**asdict(entry)))
    AUDIT_LOGGER.info(
        "%s %s: %s", entry.what, entry.about, entry.outcome, extra={"entry": asdict(entry)}
    )


def forget_about(connection: sa.Connection, about: str) -> None:
    """Delete the entries about an id that must itself be deleted: the name of a live event."""
    connection.execute(audit_table.delete().where(audit_table.c.about == about))


class AuditLog(Database):
    """The entries of one database. Use it in a ``with``, or close it."""

    def newest(self, limit: int, *, who: str = "", what: str = "") -> list[AuditEntry]:
        """Return entries, newest first; only those of a person or of an action, if given."""
        columns = audit_table.c
        query = sa.select(*_COLUMNS).order_by(columns.at.desc(), columns.id.desc()).limit(limit)
        if who:
            query = query.where(columns.who == who)
        if what:
            query = query.where(columns.what == what)
        with self._reading() as connection:
            return [AuditEntry(*row) for row in connection.execute(query)]

    def people(self) -> list[str]:
        """Return the persons of all entries, by name."""
        with self._reading() as connection:
            return sorted(connection.execute(sa.select(audit_table.c.who).distinct()).scalars())

    def totals(self) -> list[AuditTotal]:
        """Count the actions of each kind with each outcome."""
        kind = (audit_table.c.what, audit_table.c.outcome)
        seconds = sa.func.coalesce(sa.func.sum(audit_table.c.seconds), 0.0)
        query = sa.select(*kind, sa.func.count(), seconds).group_by(*kind).order_by(*kind)
        with self._reading() as connection:
            return [AuditTotal(*row) for row in connection.execute(query)]

    def forget(self, *, before: float) -> None:
        """Delete the entries before a time."""
        with self._writing() as connection:
            connection.execute(audit_table.delete().where(audit_table.c.at < before))

    @contextmanager
    def noted(self, who: str, what: str, about: str = "") -> Iterator[None]:
        """Note that an action was done, with its duration, or that it failed.

        An error is raised again.
        """
        started_at = time.time()
        try:
            yield
        except BaseException:
            with suppress(StoreError):  # the first error counts
                self._store_note(who, what, about, started_at, "failed")
            raise
        self._store_note(who, what, about, started_at, "done")

    def _store_note(self, who: str, what: str, about: str, started_at: float, outcome: str) -> None:
        ended_at = time.time()
        entry = AuditEntry(ended_at, who, what, about, ended_at - started_at, outcome)
        with self._writing() as connection:
            store_entry(connection, entry)
