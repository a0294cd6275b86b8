"""The log of what people do: who, what, on what, how long it took and how it ended.

In the database and in the log.

An entry never has a title or a text: it names what it is about by an id, so that a purge leaves
little in it.
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

LOG = logging.getLogger("lectern.audit")
entries = sa.Table(
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
class Entry:
    """What somebody did.

    ``at`` is when it ended, in seconds since 1970; ``seconds`` is how long it took, if it did.

    ``what``: check, import, decide, purge...; ``about``: an id; ``outcome``: done, failed, or what was decided.
    """

    at: float
    who: str
    what: str
    about: str = ""
    seconds: float | None = None
    outcome: str = "done"


@dataclass(frozen=True, slots=True)
class Total:
    """How often something was done with an outcome, and how many seconds that took in all."""

    what: str
    outcome: str
    count: int
    seconds: float


_COLUMNS = [entries.c[f.name] for f in fields(Entry)]


def note(connection: sa.Connection, entry: Entry) -> None:
    """Store an entry in the transaction of what it is about, and log it."""
    connection.execute(entries.insert().values(**asdict(entry)))
    LOG.info("%s %s: %s", entry.what, entry.about, entry.outcome, extra={"entry": asdict(entry)})


def forget_about(connection: sa.Connection, about: str) -> None:
    """Delete the entries about an id that is itself to be forgotten: the name of a live event."""
    connection.execute(entries.delete().where(entries.c.about == about))


class AuditLog(Database):
    """The entries of one database. Use it in a ``with``, or close it."""

    def newest(self, limit: int, *, who: str = "", what: str = "") -> list[Entry]:
        """Return entries, the newest first.

        Only a person's, only those of a kind, if these are given.
        """
        chosen = (
            sa.select(*_COLUMNS).order_by(entries.c.at.desc(), entries.c.id.desc()).limit(limit)
        )
        for column, wanted in ((entries.c.who, who), (entries.c.what, what)):
            chosen = chosen.where(column == wanted) if wanted else chosen
        with self._reading() as connection:
            return [Entry(*row) for row in connection.execute(chosen)]

    def people(self) -> list[str]:
        """Return who has done something, by name."""
        with self._reading() as connection:
            return sorted(connection.execute(sa.select(entries.c.who).distinct()).scalars())

    def totals(self) -> list[Total]:
        """Return how often each thing was done and ended in each way."""
        c = entries.c
        sums = (sa.func.count(), sa.func.coalesce(sa.func.sum(c.seconds), 0.0))
        chosen = (
            sa.select(c.what, c.outcome, *sums)
            .group_by(c.what, c.outcome)
            .order_by(c.what, c.outcome)
        )
        with self._reading() as connection:
            return [Total(*row) for row in connection.execute(chosen)]

    def forget(self, *, before: float) -> None:
        """Delete the entries of before a moment."""
        with self._writing() as connection:
            connection.execute(entries.delete().where(entries.c.at < before))

    @contextmanager
    def noted(self, who: str, what: str, about: str = "") -> Iterator[None]:
        """Note that something was done, with its time, or that it failed.

        An error is raised further.
        """
        began = time.time()
        try:
            yield
        except BaseException:
            with suppress(StoreError):  # what went wrong first is told
                self._note(who, what, about, began, "failed")
            raise
        self._note(who, what, about, began, "done")

    def _note(self, who: str, what: str, about: str, began: float, outcome: str) -> None:
        now = time.time()
        with self._writing() as connection:
            note(connection, Entry(now, who, what, about, now - began, outcome))
