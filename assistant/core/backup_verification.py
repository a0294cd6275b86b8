"""Verifies a backup before anything else reads it: a file of a stranger may be made for harm.

SQLite's advice for such files is followed: the structure is checked first, nothing in the schema is
trusted, and time and sizes have limits (https://sqlite.org/security.html). The digest is compared
with the rows as the backup's own version of Lectern stored them, before a migration.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import sqlalchemy as sa

from assistant.core import row_digest, schema
from assistant.core.errors import StoreError

DIGEST_SETTING = "copy_digest"  # a backup has its digest in this setting
# Settings about a database itself, not its content
OWN_SETTINGS = ("schema", DIGEST_SETTING)
BACKUP_REMEDY = "Give a file that `backup` wrote."
READ_BATCH_ROWS = 500
STEPS_PER_LOOK = 100_000  # instructions of SQLite between two looks at the clock
MIN_LIMIT_S = 60.0
LIMIT_S_PER_MB = 2.0
MAX_VALUE_BYTES = 1_000_000_000
MAX_SQL_BYTES = 1_000_000
LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: MAX_VALUE_BYTES,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: MAX_SQL_BYTES,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
}


def verify(checked_copy: Path, shown_file: Path) -> bool:
    """Verify a copy of the backup at ``shown_file``.

    Returns whether the rows were compared with the digest: those of a newer Lectern cannot be.

    Raises: StoreError if it isn't a backup, is damaged or was changed, has parts that run code, or
    a newer Lectern made it.
    """
    where = str(shown_file)
    try:
        with closing(_read_only_connection(checked_copy)) as connection:
            if connection.execute("PRAGMA quick_check").fetchone() != ("ok",):
                raise StoreError("is damaged.", where=where, remedy=BACKUP_REMEDY)
            _require_known_objects(connection, where)
            settings = dict(connection.execute("SELECT name, value FROM lectern_settings"))
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise StoreError(f"isn't a Lectern backup ({error}).", where=where) from error
    if DIGEST_SETTING not in settings:
        message = "is a Lectern database, but not a backup."
        raise StoreError(message, where=where, remedy=BACKUP_REMEDY)
    version = str(settings.get("schema", ""))
    if not version.isascii() or not version.isdigit():
        message = f"has no valid schema version ({version[:20]!r})."
        raise StoreError(message, where=where, remedy=BACKUP_REMEDY)
    if int(version) > schema.SCHEMA_VERSION:
        return False  # opening it says that a newer Lectern is needed
    if settings[DIGEST_SETTING] != _stored_digest(checked_copy, where):
        message = "is corrupted: its contents don't match its checksum."
        remedy = "Nothing was changed. Use another backup."
        raise StoreError(message, where=where, remedy=remedy)
    return True


def _read_only_connection(path: Path) -> sqlite3.Connection:
    """Open a file of a stranger: read-only, without trust, with limits of size and time."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    for limit, value in LIMITS.items():
        connection.setlimit(limit, value)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    connection.execute("PRAGMA mmap_size=0")
    connection.set_progress_handler(_deadline(path), STEPS_PER_LOOK)
    return connection


def _deadline(path: Path) -> Callable[[], bool]:
    """Return a function that tells whether reading a file of this size takes too long."""
    limit_s = MIN_LIMIT_S + LIMIT_S_PER_MB * path.stat().st_size / 1e6
    ends_at = time.monotonic() + limit_s
    return lambda: time.monotonic() > ends_at


def _require_known_objects(connection: sqlite3.Connection, where: str) -> None:
    """Refuse views, triggers, virtual tables and computed columns that Lectern doesn't make.

    They run SQL of whoever made the file when a table is read or migrated.
    """
    known_active_sql = _known_active_sql()
    query = "SELECT type, name, sql FROM sqlite_master"
    for object_kind, name, sql in connection.execute(query).fetchall():
        normalised_sql = _normalised(sql)
        is_active = object_kind in ("view", "trigger") or normalised_sql.startswith(
            "create virtual"
        )
        if is_active and normalised_sql not in known_active_sql:
            message = f"contains a {object_kind} that Lectern doesn't create ({name[:60]})."
            raise StoreError(message, where=where, remedy=BACKUP_REMEDY)
        if object_kind != "table" or is_active:
            continue
        quoted_name = name.replace('"', '""')
        column_rows = connection.execute(f'PRAGMA table_xinfo("{quoted_name}")').fetchall()
        # The last value of a row tells whether the column is hidden or computed, 0 if it is not.
        has_computed_column = any(is_hidden for *_, is_hidden in column_rows)
        if has_computed_column:
            message = f"contains a computed column, which Lectern doesn't create ({name[:60]})."
            raise StoreError(message, where=where, remedy=BACKUP_REMEDY)


def _known_active_sql() -> set[str]:
    """Return the SQL of the triggers and virtual tables that Lectern itself makes."""
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        schema.metadata.create_all(connection)
        query = sa.text("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        return {_normalised(sql) for (sql,) in connection.execute(query)}


def _normalised(sql: str | None) -> str:
    return " ".join((sql or "").lower().split())


def _stored_digest(copy_path: Path, shown_file: str) -> str:
    """Compute the digest of the rows, in the columns that the file has. Raises: StoreError."""
    # The sum of the hashes of all rows identifies the contents.
    sum_of_row_hashes = 0
    with _careful_engine(copy_path) as engine, engine.connect() as connection:
        inspector = sa.inspect(connection)
        stored_tables = set(inspector.get_table_names())
        try:
            for table in schema.metadata.sorted_tables:
                if table.name in stored_tables:
                    column_names = [column["name"] for column in inspector.get_columns(table.name)]
                    sum_of_row_hashes += _hash_sum_of_table(connection, table, column_names)
        except (sa.exc.SQLAlchemyError, ValueError, TypeError) as error:
            message = f"is damaged: its rows can't be read ({type(error).__name__})."
            raise StoreError(message, where=shown_file, remedy=BACKUP_REMEDY) from error
    return row_digest.digest(sum_of_row_hashes)


def _hash_sum_of_table(connection: sa.Connection, table: sa.Table, column_names: list[str]) -> int:
    """Add up the numbers of all rows of a table as an earlier version stored it."""
    stored_columns = []
    for column_name in column_names:
        column_type = table.c[column_name].type if column_name in table.c else sa.types.NullType()
        stored_columns.append(sa.column(column_name, column_type))
    query = sa.select(*stored_columns).select_from(sa.table(table.name))
    if table is schema.settings_table:
        query = query.where(sa.column("name").not_in(OWN_SETTINGS))
    # A sum does not depend on the order in which the rows come.
    sum_of_row_hashes = 0
    for batch in connection.execute(query).partitions(READ_BATCH_ROWS):
        for row in batch:
            sum_of_row_hashes += row_digest.row_hash(table.name, map(row_digest.portable, row))
    return sum_of_row_hashes


@contextmanager
def _careful_engine(path: Path) -> Iterator[sa.Engine]:
    engine = sa.create_engine("sqlite://", creator=lambda: _read_only_connection(path))
    try:
        yield engine
    finally:
        engine.dispose()
