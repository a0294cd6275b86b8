"""The checks that programs have started: their owners, and the jobs behind them.

A row has neither texts nor titles, apart from the options of a check that has not started yet.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from assistant.core.database import Database
from assistant.jobs.tables import checks_table


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """A check that a program has started, or a report of the app if there is no ``owner``."""

    id: str
    owner: str = ""
    is_shared: bool = False
    idempotency_key: str = ""
    request_digest: str = ""
    document: str = ""
    transcription: str = ""
    job: str = ""
    options: str = ""
    error: str = ""
    has_ended: bool = False
    asked: float = 0.0


# The names of the fields are the columns of the table.
_FIELD_NAMES = tuple(record_field.name for record_field in fields(CheckRecord))


class CheckRecordStore(Database):
    """The checks of programs in one database. Use it in a ``with``, or close it."""

    def add(self, record: CheckRecord) -> CheckRecord:
        """Store a check; return the earlier one if its owner has used the key before."""
        earlier_record = self.by_key(record.owner, record.idempotency_key)
        if earlier_record is not None:
            return earlier_record
        # Another request may store the same key at the same moment: then its record counts.
        try:
            with self._writing() as connection:
                # Errors of the driver are explained by the database, but this one is expected.
                try:
                    connection.execute(checks_table.insert().values(**asdict(record)))
                except IntegrityError:
                    raise _KeyExists from None
        except _KeyExists:
            earlier_record = self.by_key(record.owner, record.idempotency_key)
            assert earlier_record is not None
            return earlier_record
        return record

    def change(self, check_id: str, **values: Any) -> None:
        """Change columns of a check."""
        with self._writing() as connection:
            connection.execute(
                checks_table.update().where(checks_table.c.id == check_id).values(**values)
            )

    def delete(self, check_id: str) -> None:
        """Delete a check whose job could not be started."""
        with self._writing() as connection:
            connection.execute(checks_table.delete().where(checks_table.c.id == check_id))

    def get(self, check_id: str) -> CheckRecord | None:
        """Return a check, None if there is none."""
        records = self._records(checks_table.c.id == check_id)
        return records[0] if records else None

    def by_key(self, owner: str, idempotency_key: str) -> CheckRecord | None:
        """Return the check that an owner has started with a key, None if there is none."""
        columns = checks_table.c
        has_key = (columns.owner == owner) & (columns.idempotency_key == idempotency_key)
        records = self._records(has_key)
        return records[0] if records else None

    def unfinished(self) -> list[CheckRecord]:
        """Return the checks that have not ended, oldest first."""
        return self._records(checks_table.c.has_ended.is_(False))

    def visible(self, owner: str, *, limit: int, offset: int = 0) -> list[CheckRecord]:
        """Return the checks of an owner and the shared ones, newest first."""
        columns = checks_table.c
        is_visible = (columns.owner == owner) | columns.is_shared
        query = sa.select(checks_table).where(is_visible)
        query = query.order_by(columns.asked.desc(), columns.id)
        query = query.limit(limit).offset(offset)
        with self._reading() as connection:
            return [_record(row) for row in connection.execute(query)]

    def purge(self, document: str) -> None:
        """Delete the checks of a transcript or recording."""
        with self._writing() as connection:
            connection.execute(checks_table.delete().where(checks_table.c.document == document))

    def _records(self, condition: sa.ColumnElement[bool]) -> list[CheckRecord]:
        query = sa.select(checks_table).where(condition).order_by(checks_table.c.asked)
        with self._reading() as connection:
            return [_record(row) for row in connection.execute(query)]


class _KeyExists(Exception):
    """Another request has stored the same key in the meantime."""


def _record(row: sa.Row[Any]) -> CheckRecord:
    return CheckRecord(**{name: getattr(row, name) for name in _FIELD_NAMES})
