"""Copies all tables of one database into another, of either kind, and computes their digest.

A backup is such a copy: an SQLite file that Lectern opens like any other database.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from assistant.core import backup_verification, row_digest, schema
from assistant.core.backup_verification import DIGEST_SETTING, OWN_SETTINGS
from assistant.core.database import Database
from assistant.core.database_url import sqlite_url
from assistant.core.errors import StoreError
from assistant.core.files import explained
from assistant.core.processes import ending_in_order, is_alive
from assistant.core.replacement import ReplacementRule
from features.models.atomic_write import sync, sync_folder, temporary_path_beside

BATCH_ROWS = 500
COPY_PREFIX = "lectern-restore-"  # the number of the process follows
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

    ``left_out``: the number of rows by table that a restore dropped, because they are about another
    computer. ``revoked``: the tokens that a restore revoked.
    """

    rows: dict[str, int]
    digest: str
    left_out: dict[str, int] = field(default_factory=dict)
    revoked: int = 0

    @property
    def total(self) -> int:
        """Return the number of rows of all tables."""
        return sum(self.rows.values())


class WholeDatabase(Database):
    """All tables of a database, from every package that has been imported."""

    def content(self) -> DatabaseContent:
        """Count the rows, and compute their digest, at this moment."""
        with self._snapshot() as connection:
            return _database_content(connection)

    def copy_to(
        self, other: WholeDatabase, *, progress: Progress, is_restore: bool = False
    ) -> DatabaseContent:
        """Copy all rows into an empty database, all of them or none, and return what was copied.

        ``is_restore``: rows about another computer are left out, and rights that may have been
        revoked since the backup are revoked.

        Raises: StoreError if the other is not empty, or returned different data than Lectern wrote.
        """
        sum_of_row_hashes = 0
        counts = {}
        with self._snapshot() as source, other._writing() as target:
            if not _is_empty(target):
                remedy = "Nothing was changed. Choose an empty database, or move this file away."
                raise StoreError("this database is not empty.", where=other.name, remedy=remedy)
            for table in (*_tables(), schema.settings_table):
                count_query = sa.select(sa.func.count()).select_from(table)
                total_count = source.execute(count_query).scalar_one()
                done_count = 0
                for rows in _read_batches(source, table):
                    if rows:
                        target.execute(table.insert(), rows)
                    sum_of_row_hashes += _sum_of_row_hashes(table, rows)
                    done_count += len(rows)
                    progress(f"copying {table.name}", done_count, total_count)
                counts[table.name] = done_count
                _continue_numbering(target, table)
            # The copy is read back and compared with what was written.
            written_content = DatabaseContent(counts, row_digest.digest(sum_of_row_hashes))
            copied_content = _database_content(target)
            if copied_content != written_content:
                message = "returned different data than Lectern wrote. Nothing was stored."
                raise StoreError(message, where=other.name)
            if not is_restore:
                return copied_content
            left_out = _delete_local_rows(target)
            # Rights that may have been revoked since the backup.
            revoked = _change_rows(target, schema.REVOKED_ROWS)
            _change_rows(target, schema.STALE_ROWS)
        return replace(copied_content, left_out=left_out, revoked=revoked)

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
    require_replaceable(path, url)
    with explained(path, StoreError):
        path.parent.mkdir(parents=True, exist_ok=True)
        folder = temporary_path_beside(path)
        folder.mkdir(mode=0o700)
        try:
            copy_path = folder / "backup"
            copy_url = sqlite_url(copy_path)
            with WholeDatabase.open(url) as source, WholeDatabase.open(copy_url) as copy:
                content = source.copy_to(copy, progress=progress)
                copy.seal(content)
            # An earlier backup is kept until the new one is whole on the disk.
            sync(copy_path)
            os.replace(copy_path, path)
            sync_folder(path.parent)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return content


def require_replaceable(path: Path, url: str) -> None:
    """Refuse a target that is the database itself, or an existing file that isn't a sealed backup.

    Nothing is written. Raises: StoreError.
    """
    rule = ReplacementRule(
        _is_sealed_backup,
        tuple(database_files(url)),
        input_message="belongs to the database that is being backed up.",
        other_message="exists and isn't a backup that `backup` wrote, or it was changed later.",
    )
    rule.require(path, StoreError)


def restore(path: Path, url: str, *, progress: Progress) -> DatabaseContent:
    """Copy a backup into an empty database and return what was copied; the backup is unchanged.

    Rows that are about the computer of the backup are left out afterwards, in one transaction with
    the copy: the digest equals the backup's digest.

    Raises: StoreError if the file isn't a backup, is damaged or of a newer Lectern, or the database
    is not empty.
    """
    if not path.is_file():
        raise StoreError("there is no such file.", where=str(path))
    with explained(path, StoreError), _private_folder() as folder:
        # A copy, since it may need a migration first.
        copy_path = Path(shutil.copyfile(path, folder / "backup"))
        backup_verification.verify(copy_path, path)
        copy_url = sqlite_url(copy_path)
        with WholeDatabase.open(copy_url) as backup, WholeDatabase.open(url) as target:
            return backup.copy_to(target, progress=progress, is_restore=True)


def move(url: str, to: str, *, progress: Progress) -> DatabaseContent:
    """Copy the content of a database into an empty one, perhaps of the other kind.

    Raises: StoreError.
    """
    with WholeDatabase.open(url) as source, WholeDatabase.open(to) as target:
        return source.copy_to(target, progress=progress)


def database_files(url: str) -> list[Path]:
    """List the file of an SQLite database and the files that SQLite keeps beside it."""
    try:
        parsed_url = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        return []  # opening the database explains the address
    if not parsed_url.drivername.startswith("sqlite") or not parsed_url.database:
        return []
    database = Path(parsed_url.database).resolve()
    return [database.with_name(database.name + suffix) for suffix in SQLITE_SUFFIXES]


@contextmanager
def _private_folder() -> Iterator[Path]:
    """Yield a temporary folder that is removed at the end, also if this process is asked to end.

    Folders of processes that were killed are removed, too.
    """
    temporary_root = Path(tempfile.gettempdir())
    for folder in temporary_root.glob(f"{COPY_PREFIX}*"):
        # A folder is named by the number of its process: lectern-restore-1234-abc.
        process_number, _, _ = folder.name.removeprefix(COPY_PREFIX).partition("-")
        is_abandoned = process_number.isdigit() and not is_alive(int(process_number))
        if is_abandoned and folder.is_dir() and not folder.is_symlink():
            shutil.rmtree(folder, ignore_errors=True)
    with ending_in_order():
        prefix = f"{COPY_PREFIX}{os.getpid()}-"
        with tempfile.TemporaryDirectory(prefix=prefix) as private_folder:
            yield Path(private_folder)


def _is_sealed_backup(path: Path) -> bool:
    """Tell whether a file is a sealed backup with the rows that it had when it was written.

    A backup that was used as a database since then has rows that nobody else may have.
    """
    resolved_path = path.resolve()
    if resolved_path.with_name(resolved_path.name + "-wal").exists():
        return False
    try:
        return backup_verification.verify(resolved_path, path)
    except StoreError:
        return False


def _tables() -> Sequence[sa.Table]:
    """Return all tables but the table of settings."""
    tables = schema.metadata.sorted_tables
    return [table for table in tables if table is not schema.settings_table]


def _is_empty(connection: sa.Connection) -> bool:
    """Return whether no table has a row."""
    for table in _tables():
        first_row = connection.execute(sa.select(table).limit(1)).first()
        if first_row is not None:
            return False
    return True


def _delete_local_rows(connection: sa.Connection) -> dict[str, int]:
    """Delete the rows that are about one computer, and return their number by table."""
    deleted_count_by_table = {}
    for table in _tables():
        # The condition of these rows, if the table may have some.
        is_local_row = table.info.get(schema.LOCAL_ROWS)
        if is_local_row is not None:
            deletion = table.delete().where(is_local_row)
            deleted_count = connection.execute(deletion).rowcount
            if deleted_count:
                deleted_count_by_table[table.name] = deleted_count
    return deleted_count_by_table


def _change_rows(connection: sa.Connection, info_key: str) -> int:
    """Change the rows of all tables that a key of their ``info`` names; return their number."""
    changed_count = 0
    for table in _tables():
        # A function of the time that gives the condition of the rows and their new values.
        condition_and_values_at = table.info.get(info_key)
        if condition_and_values_at is not None:
            condition, changed_values = condition_and_values_at(time.time())
            update = table.update().where(condition).values(**changed_values)
            changed_count += connection.execute(update).rowcount
    return changed_count


def _database_content(connection: sa.Connection) -> DatabaseContent:
    """Count all rows, and compute their digest."""
    # A sum does not depend on the order in which the rows come.
    sum_of_row_hashes = 0
    row_counts = {}
    for table in (*_tables(), schema.settings_table):
        row_counts[table.name] = 0
        for row_batch in _read_batches(connection, table):
            row_counts[table.name] += len(row_batch)
            sum_of_row_hashes += _sum_of_row_hashes(table, row_batch)
    return DatabaseContent(row_counts, row_digest.digest(sum_of_row_hashes))


def _sum_of_row_hashes(table: sa.Table, rows: list[TableRow]) -> int:
    """Add up a number for each row, so that their order makes no difference."""
    return sum(row_digest.row_hash(table.name, row.values()) for row in rows)


def _read_batches(connection: sa.Connection, table: sa.Table) -> Iterator[list[TableRow]]:
    """Yield the rows of a table in batches, without a database's own settings."""
    query = sa.select(table)
    if table is schema.settings_table:
        query = query.where(table.c.name.not_in(OWN_SETTINGS))
    for batch in connection.execute(query).partitions(BATCH_ROWS):
        portable_rows = []
        for row in batch:
            portable_rows.append(
                {
                    column_name: row_digest.portable(value)
                    for column_name, value in row._mapping.items()
                }
            )
        yield portable_rows


def _continue_numbering(connection: sa.Connection, table: sa.Table) -> None:
    """Let PostgreSQL number new rows after the copied ones."""
    column = table.autoincrement_column
    if column is None or connection.dialect.name != "postgresql":
        return
    sequence = sa.func.pg_get_serial_sequence(table.name, column.name)
    highest_number = sa.select(sa.func.max(column)).scalar_subquery()
    continuation = sa.select(sa.func.setval(sequence, highest_number))
    connection.execute(continuation.where(highest_number.is_not(None)))
