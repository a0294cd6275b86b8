"""Copies all tables of one database into another, of either kind, and computes their digest.

A backup is such a copy: an SQLite file that Lectern opens like any other database.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from assistant.core import schema
from assistant.core.database import Database
from assistant.core.errors import StoreError
from assistant.core.files import explained
from features.models.atomic_write import sync, sync_folder, temporary

BATCH_ROWS = 500
DIGEST_SETTING = "copy_digest"  # a backup has its digest in this setting
OWN_SETTINGS = (
    "schema",
    DIGEST_SETTING,
)  # settings that are about a database itself, not its content
SQLITE_SUFFIXES = (
    "",
    "-wal",
    "-shm",
    "-journal",
)  # the database file and the files that SQLite adds
Progress = Callable[[str, int, int], None]
TableRow = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DatabaseContent:
    """The number of rows by table, and a digest of every value (32 hexadecimal digits).

    ``left_out``: the rows among them that a restore dropped, because they are about another
    computer.
    """

    rows: dict[str, int]
    digest: str
    left_out: int = 0

    @property
    def total(self) -> int:
        """Return the number of rows of all tables."""
        return sum(self.rows.values())


class WholeDatabase(Database):
    """All tables of a database: those of every package that has been imported."""

    def content(self) -> DatabaseContent:
        """Count the rows, and compute their digest, at this moment."""
        with self._snapshot() as connection:
            return _content(connection)

    def copy_to(
        self, other: WholeDatabase, *, progress: Progress, with_local_rows: bool = True
    ) -> DatabaseContent:
        """Copy all rows into an empty database, all of them or none, and return what was copied.

        ``with_local_rows``: rows that are about this computer stay in the copy.

        Raises: StoreError if the other is not empty, or does not give back what was written.
        """
        row_marks = 0
        counts = {}
        with self._snapshot() as source, other._writing() as target:
            if not _is_empty(target):
                remedy = "Nothing was changed. Give an empty database, or move the file away."
                raise StoreError("this database is not empty.", where=other.name, remedy=remedy)
            for table in (*_tables(), schema.settings_table):
                total = source.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
                done = 0
                for rows in _batches(source, table):
                    if rows:
                        target.execute(table.insert(), rows)
                    row_marks += sum(_row_mark(table, row) for row in rows)
                    done += len(rows)
                    progress(f"copying {table.name}", done, total)
                counts[table.name] = done
                _continue_numbering(target, table)
            copied = _content(target)
            if copied != DatabaseContent(counts, _digest(row_marks)):
                message = "does not give back what was written; nothing was kept."
                raise StoreError(message, where=other.name)
            left_out = 0 if with_local_rows else _delete_local_rows(target)
        return replace(copied, left_out=left_out)

    def is_whole(self) -> bool:
        """Return whether a copy still has the content that was copied into it.

        A copy without a stored digest is never whole.
        """
        with self._snapshot() as connection:
            stored_digest = schema.read_setting(connection, DIGEST_SETTING)
            return stored_digest == _content(connection).digest

    def seal(self, content: DatabaseContent) -> None:
        """Store the digest of the copied content."""
        with self._writing() as connection:
            schema.write_setting(connection, DIGEST_SETTING, content.digest)

    @contextmanager
    def _snapshot(self) -> Iterator[sa.Connection]:
        """Yield a connection that sees the database at one moment, without later writes."""
        with self._errors("read"), self._engine.connect() as connection:
            if self._engine.dialect.name == "postgresql":
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection.execution_options(yield_per=BATCH_ROWS)


def back_up(url: str, path: Path, *, progress: Progress) -> DatabaseContent:
    """Write the content of a database to a file, in place of an earlier backup.

    Raises: StoreError, also if another file than a backup would be replaced.
    """
    refuse_target(path, url)
    with explained(path, StoreError):
        path.parent.mkdir(parents=True, exist_ok=True)
        folder = temporary(path)
        folder.mkdir(mode=0o700)
        try:
            copy_path = folder / "backup"
            copy_url = f"sqlite:///{copy_path}"
            with WholeDatabase.open(url) as source, WholeDatabase.open(copy_url) as copy:
                content = source.copy_to(copy, progress=progress)
                copy.seal(content)
            sync(copy_path)
            os.replace(copy_path, path)
            sync_folder(path.parent)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return content


def refuse_target(path: Path, url: str) -> None:
    """Refuse a target that is the database itself, or an existing file that isn't a sealed backup.

    Nothing is written. Raises: StoreError.
    """
    remedy = "Nothing was written. Choose a new file name."
    with explained(path, StoreError):
        for database_file in _database_files(url):
            if _is_same_file(path, database_file):
                message = "belongs to the database that is being backed up."
                raise StoreError(message, where=str(path), remedy=remedy)
        if path.exists() and not _is_replaceable(path):
            message = "exists and isn't a backup that `backup` wrote."
            raise StoreError(message, where=str(path), remedy=remedy)


def restore(path: Path, url: str, *, progress: Progress) -> DatabaseContent:
    """Copy a backup into an empty database and return what was copied; the backup is unchanged.

    Rows that are about the computer of the backup are left out afterwards, in one transaction with
    the copy: the digest is that of the backup.

    Raises: StoreError if the file is no backup, is damaged or of a newer Lectern, or the database
    is not empty.
    """
    if not path.is_file():
        raise StoreError("there is no such file.", where=str(path))
    with explained(path, StoreError), tempfile.TemporaryDirectory(prefix="lectern-") as folder:
        # A copy, since it may need a migration first.
        copy_path = Path(shutil.copy(path, Path(folder) / path.name))
        made_by = _sealed_version(copy_path, path)
        copy_url = f"sqlite:///{copy_path}"
        with WholeDatabase.open(copy_url) as backup, WholeDatabase.open(url) as target:
            if made_by == schema.SCHEMA_VERSION and not backup.is_whole():
                message = "is damaged: it has not what was backed up."
                remedy = "Nothing was changed. Use another backup."
                raise StoreError(message, where=str(path), remedy=remedy)
            return backup.copy_to(target, progress=progress, with_local_rows=False)


def move(url: str, to: str, *, progress: Progress) -> DatabaseContent:
    """Copy the content of a database into an empty one, perhaps of the other kind.

    Raises: StoreError.
    """
    with WholeDatabase.open(url) as source, WholeDatabase.open(to) as target:
        return source.copy_to(target, progress=progress)


def _database_files(url: str) -> list[Path]:
    """List the file of an SQLite database and the files that SQLite keeps beside it."""
    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        return []  # opening the database explains the address
    if not parsed.drivername.startswith("sqlite") or not parsed.database:
        return []
    database = Path(parsed.database).resolve()
    return [database.with_name(database.name + suffix) for suffix in SQLITE_SUFFIXES]


def _is_same_file(path: Path, other: Path) -> bool:
    """Tell whether two paths name one file, by a link or by another spelling."""
    if path.resolve() == other.resolve():
        return True
    return path.exists() and other.exists() and path.samefile(other)


def _is_replaceable(path: Path) -> bool:
    """Tell whether an existing file is a sealed backup that isn't in use as a database."""
    resolved = path.resolve()
    if not resolved.is_file():
        return False
    if resolved.with_name(resolved.name + "-wal").exists():
        return False
    address = f"{resolved.as_uri()}?mode=ro&immutable=1"
    query = "SELECT value FROM lectern_settings WHERE name = ?"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            return connection.execute(query, (DIGEST_SETTING,)).fetchone() is not None
    except sqlite3.DatabaseError:
        return False


def _sealed_version(copy_path: Path, path: Path) -> int:
    """Return the schema version of a backup. Raises: StoreError if it isn't a valid backup."""
    try:
        with closing(sqlite3.connect(copy_path)) as connection:
            settings = dict(connection.execute("SELECT name, value FROM lectern_settings"))
            is_sound = connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
    except sqlite3.DatabaseError as error:
        raise StoreError(f"is no backup of Lectern ({error}).", where=str(path)) from error
    remedy = "Give a file that `backup` wrote."
    if not is_sound:
        raise StoreError("is damaged.", where=str(path), remedy=remedy)
    if DIGEST_SETTING not in settings:
        message = "is a database of Lectern, but no backup."
        raise StoreError(message, where=str(path), remedy=remedy)
    return int(settings["schema"])


def _tables() -> Sequence[sa.Table]:
    """Return all tables but the table of settings."""
    tables = schema.metadata.sorted_tables
    return [table for table in tables if table is not schema.settings_table]


def _is_empty(connection: sa.Connection) -> bool:
    """Return whether no table has a row."""
    return not any(connection.execute(sa.select(table).limit(1)).first() for table in _tables())


def _delete_local_rows(connection: sa.Connection) -> int:
    """Delete the rows that are about one computer, and return their number."""
    deleted = 0
    for table in _tables():
        local_rows = table.info.get(schema.LOCAL_ROWS)
        if local_rows is not None:
            deleted += connection.execute(table.delete().where(local_rows)).rowcount
    return deleted


def _content(connection: sa.Connection) -> DatabaseContent:
    """Count all rows, and compute their digest."""
    row_marks = 0
    counts = {}
    for table in (*_tables(), schema.settings_table):
        counts[table.name] = 0
        for rows in _batches(connection, table):
            counts[table.name] += len(rows)
            row_marks += sum(_row_mark(table, row) for row in rows)
    return DatabaseContent(counts, _digest(row_marks))


def _batches(connection: sa.Connection, table: sa.Table) -> Iterator[list[TableRow]]:
    """Yield the rows of a table in batches, without a database's own settings."""
    query = sa.select(table)
    if table is schema.settings_table:
        query = query.where(table.c.name.not_in(OWN_SETTINGS))
    for batch in connection.execute(query).partitions(BATCH_ROWS):
        rows = []
        for row in batch:
            rows.append({name: _portable(value) for name, value in row._mapping.items()})
        yield rows


def _portable(value: Any) -> Any:
    """Return a value as every kind of database stores it.

    Times in UTC, no NUL, which PostgreSQL refuses.
    """
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    if isinstance(value, str):
        return value.replace("\0", "\N{REPLACEMENT CHARACTER}")
    return value


def _row_mark(table: sa.Table, row: TableRow) -> int:
    """Return a number for a row.

    The sum of all numbers doesn't depend on the order in which a database gives the rows.
    """
    values = [value.isoformat() if isinstance(value, date) else value for value in row.values()]
    content = repr((table.name, values)).encode("utf-8", "backslashreplace")
    return int.from_bytes(hashlib.sha256(content).digest())


def _digest(row_marks: int) -> str:
    """Return 32 hexadecimal digits for the sum of all rows' numbers."""
    return f"{row_marks % 2**256:064x}"[:32]


def _continue_numbering(connection: sa.Connection, table: sa.Table) -> None:
    """Let PostgreSQL number new rows after the copied ones."""
    column = table.autoincrement_column
    if column is None or connection.dialect.name != "postgresql":
        return
    sequence = sa.func.pg_get_serial_sequence(table.name, column.name)
    newest = sa.select(sa.func.max(column)).scalar_subquery()
    connection.execute(sa.select(sa.func.setval(sequence, newest)).where(newest.is_not(None)))
