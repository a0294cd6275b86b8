"""Copies all tables of one database into another, of either kind, and stands for their content by one digest.

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

BATCH = 500
DIGEST = "copy_digest"  # the setting in which a backup has its digest
OWN = ("schema", DIGEST)  # settings that are about a database itself, not its content
SQLITE_SUFFIXES = ("", "-wal", "-shm", "-journal")  # of a database file and the files beside it
Progress = Callable[[str, int, int], None]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Content:
    """What a database has: rows by table, and 32 hexadecimal digits that stand for every value.

    ``left_out``: the rows among them that a restore has not kept, because they are about another
    computer.
    """

    rows: dict[str, int]
    digest: str
    left_out: int = 0

    @property
    def total(self) -> int:
        """Return the number of rows of all tables."""
        return sum(self.rows.values())


class Whole(Database):
    """All tables of a database: those of every room that has been imported."""

    def content(self) -> Content:
        """Return what the database has at this moment."""
        with self._snapshot() as connection:
            return _content(connection)

    def copy_to(self, other: Whole, *, progress: Progress, with_local_rows: bool = True) -> Content:
        """Copy all rows into an empty database, all of them or none, and return what was copied.

        ``with_local_rows``: rows that are about this computer stay in the copy.

        Raises: StoreError if the other is not empty, or does not give back what was written.
        """
        sums = 0
        counts = {}
        with self._snapshot() as source, other._writing() as target:
            if any(target.execute(sa.select(table).limit(1)).first() for table in _tables()):
                remedy = "Nothing was changed. Give an empty database, or move the file away."
                raise StoreError("this database is not empty.", where=other.name, remedy=remedy)
            for table in (*_tables(), schema.settings):
                total = source.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
                done = 0
                for rows in _batches(source, table):
                    if rows:
                        target.execute(table.insert(), rows)
                    sums += sum(_mark(table, row) for row in rows)
                    done += len(rows)
                    progress(f"copying {table.name}", done, total)
                counts[table.name] = done
                _follow_on(target, table)
            copied = _content(target)
            written = Content(counts, _digits(sums))
            if copied != written:
                raise StoreError(
                    "does not give back what was written; nothing was kept.", where=other.name
                )
            left_out = 0 if with_local_rows else _delete_local_rows(target)
        return replace(copied, left_out=left_out)

    def is_whole(self) -> bool:
        """Return whether a copy still has what was copied into it.

        A copy without a digest never has.
        """
        with self._snapshot() as connection:
            return schema.read_setting(connection, DIGEST) == _content(connection).digest

    def seal(self, content: Content) -> None:
        """Store the digest of what was copied."""
        with self._writing() as connection:
            schema.write_setting(connection, DIGEST, content.digest)

    @contextmanager
    def _snapshot(self) -> Iterator[sa.Connection]:
        """Yield a connection that sees the database as it is at one moment, whatever others write."""
        with self._errors("read"), self._engine.connect() as connection:
            if self._engine.dialect.name == "postgresql":
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection.execution_options(yield_per=BATCH)


def back_up(url: str, path: Path, *, progress: Progress) -> Content:
    """Write all that a database has to a file, in place of an earlier backup, and return it.

    Raises: StoreError, also if another file than a backup would be replaced.
    """
    refuse_target(path, url)
    with explained(path, StoreError):
        path.parent.mkdir(parents=True, exist_ok=True)
        folder = temporary(path)
        folder.mkdir(mode=0o700)
        try:
            part = folder / "backup"
            with Whole.open(url) as source, Whole.open(f"sqlite:///{part}") as copy:
                content = source.copy_to(copy, progress=progress)
                copy.seal(content)
            sync(part)
            os.replace(part, path)
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


def restore(path: Path, url: str, *, progress: Progress) -> Content:
    """Copy a backup into an empty database and return what was copied; the backup is unchanged.

    Rows that are about the computer of the backup are left out afterwards, in one transaction with
    the copy: the digest is that of the backup.

    Raises: StoreError if the file is no backup, is damaged or of a newer Lectern, or the database
    is not empty.
    """
    if not path.is_file():
        raise StoreError("there is no such file.", where=str(path))
    with explained(path, StoreError), tempfile.TemporaryDirectory(prefix="lectern-") as folder:
        part = Path(shutil.copy(path, Path(folder) / path.name))  # it may need a migration first
        made_by = _sealed(part, path)
        with Whole.open(f"sqlite:///{part}") as backup, Whole.open(url) as target:
            if made_by == schema.VERSION and not backup.is_whole():
                remedy = "Nothing was changed. Use another backup."
                raise StoreError(
                    "is damaged: it has not what was backed up.", where=str(path), remedy=remedy
                )
            return backup.copy_to(target, progress=progress, with_local_rows=False)


def move(url: str, to: str, *, progress: Progress) -> Content:
    """Copy all that a database has into an empty one, perhaps of the other kind, and return it.

    Raises: StoreError.
    """
    with Whole.open(url) as source, Whole.open(to) as target:
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
            return connection.execute(query, (DIGEST,)).fetchone() is not None
    except sqlite3.DatabaseError:
        return False


def _sealed(part: Path, path: Path) -> int:
    """Return the version of a backup's tables. Raises: StoreError if the file is none."""
    try:
        with closing(sqlite3.connect(part)) as connection:
            found = dict(connection.execute("SELECT name, value FROM lectern_settings"))
            is_sound = connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
    except sqlite3.DatabaseError as error:
        raise StoreError(f"is no backup of Lectern ({error}).", where=str(path)) from error
    if DIGEST not in found or not is_sound:
        what = "is damaged." if not is_sound else "is a database of Lectern, but no backup."
        raise StoreError(what, where=str(path), remedy="Give a file that `backup` wrote.")
    return int(found["schema"])


def _tables() -> Sequence[sa.Table]:
    return [table for table in schema.metadata.sorted_tables if table is not schema.settings]


def _delete_local_rows(connection: sa.Connection) -> int:
    """Delete the rows that are about one computer, and return their number."""
    deleted = 0
    for table in _tables():
        local_rows = table.info.get(schema.LOCAL_ROWS)
        if local_rows is not None:
            deleted += connection.execute(table.delete().where(local_rows)).rowcount
    return deleted


def _content(connection: sa.Connection) -> Content:
    sums = 0
    counts = {}
    for table in (*_tables(), schema.settings):
        counts[table.name] = 0
        for rows in _batches(connection, table):
            counts[table.name] += len(rows)
            sums += sum(_mark(table, row) for row in rows)
    return Content(counts, _digits(sums))


def _batches(connection: sa.Connection, table: sa.Table) -> Iterator[list[Row]]:
    chosen = sa.select(table)
    if table is schema.settings:
        chosen = chosen.where(table.c.name.not_in(OWN))
    for rows in connection.execute(chosen).partitions(BATCH):
        yield [{name: _plain(value) for name, value in row._mapping.items()} for row in rows]


def _plain(value: Any) -> Any:
    """Return a value as every kind of database stores it.

    Times in UTC, no NUL, which PostgreSQL refuses.
    """
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    return value.replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(value, str) else value


def _mark(table: sa.Table, row: Row) -> int:
    """Return a number for a row.

    Their sum stands for all rows, in whatever order a database gives them.
    """
    values = [value.isoformat() if isinstance(value, date) else value for value in row.values()]
    return int.from_bytes(
        hashlib.sha256(repr((table.name, values)).encode("utf-8", "backslashreplace")).digest()
    )


def _digits(sums: int) -> str:
    return f"{sums % 2**256:064x}"[:32]


def _follow_on(connection: sa.Connection, table: sa.Table) -> None:
    """Let PostgreSQL number new rows after the copied ones."""
    column = table.autoincrement_column
    if column is None or connection.dialect.name != "postgresql":
        return
    sequence = sa.func.pg_get_serial_sequence(table.name, column.name)
    newest = sa.select(sa.func.max(column)).scalar_subquery()
    connection.execute(sa.select(sa.func.setval(sequence, newest)).where(newest.is_not(None)))
