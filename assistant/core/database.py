"""Opens a database by URL, SQLite or PostgreSQL: connections, transactions, errors in plain words.

The tables are in ``schema.py`` and in the packages of the subclasses: claims, live events,
decisions, reports and jobs.
"""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from assistant.core import postgres_limits, schema
from assistant.core.errors import StoreError
from assistant.core.files import shown_path

BUSY_TIMEOUT_S = 30
READERS_LIMIT_S = 30.0  # a purge waits so long for processes that read
SHRINK_TRY_MS = 1_000
MAX_QUOTED_CHARACTERS = 60
IN_MEMORY = ":memory:"  # the name that SQLite gives a database without a file
# Every database of Lectern has one of these tables, or a table of claims with rating classes.
TABLES_OF_EARLY_VERSIONS = frozenset(("lectern_settings", "live_events", "review_decisions"))
_SCHEME_PATTERN = re.compile(r"[a-z0-9+]{1,30}://")
# PostgreSQL's advisory lock for one writer at a time; SQLite has a lock of its own.
WRITER_LOCK = 1279607887


class Database:
    """One database. Use it in a ``with``, or close it."""

    def __init__(self, engine: sa.Engine, *, name: str) -> None:
        self._engine = engine
        self.name = name

    @classmethod
    def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open the database at a URL (``sqlite:///file``, ``postgresql+psycopg://...``).

        Missing tables are created. ``read_only``: nothing is created or changed, and tables of
        another version are refused.

        Raises: StoreError if there is no such database, it cannot be read, or a newer Lectern made
        it.
        """
        try:
            parsed_url = sa.make_url(url)
            engine = _engine(parsed_url, read_only=read_only)
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError, ValueError):
            remedy = "Use sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE."
            scheme = _SCHEME_PATTERN.match(url)
            address = f"the address that begins with {scheme[0]}" if scheme else "the address"
            # Without the cause, which would show the password.
            raise StoreError(f"{address} isn't a valid database URL.", remedy=remedy) from None
        if parsed_url.drivername.startswith("sqlite"):
            name = parsed_url.database or IN_MEMORY
        else:
            name = _without_password(parsed_url)
        store = cls(engine, name=name)
        if read_only:
            store._require_current()
        else:
            store._prepare()
        return store

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def shrink(self) -> None:
        """Reclaim deleted space in an SQLite file; other databases do so by themselves.

        Raises: StoreError if another process is writing, or reads what was deleted for longer than
        ``READERS_LIMIT_S``.
        """
        if self._engine.dialect.name != "sqlite":
            return
        ends_at = time.monotonic() + READERS_LIMIT_S
        with self._errors("written"), self._engine.connect() as connection:
            cursor = connection.connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout={SHRINK_TRY_MS}")
            while not self._try_to_shrink(cursor):
                if time.monotonic() > ends_at:
                    message = (
                        "deleted text is still in the file, because another process is reading it."
                    )
                    remedy = (
                        "End checks and close pages, then run `purge --older-than 36500 --yes`."
                    )
                    raise StoreError(message, where=self.name, remedy=remedy)

    @staticmethod
    def _try_to_shrink(cursor: Any) -> bool:
        """Write the file anew, and return whether nothing of the earlier one is left in the log."""
        cursor.execute("VACUUM")
        is_busy, _, _ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not is_busy

    def _prepare(self) -> None:
        """Create missing tables and bring older ones up to date.

        Raises: StoreError if a newer Lectern made them.
        """
        with self._errors("opened"), self._engine.connect() as connection:
            is_current = schema.is_current(connection)
        if is_current:
            return
        # Another process may be faster, so the migration checks the tables again.
        with self._writing() as connection:
            old_version = schema.migrate(connection, name=self.name)
        if old_version < schema.SCHEMA_VERSION and self._engine.dialect.name == "sqlite":
            # Until version 3 other users could read the file.
            _deny_other_users(Path(self.name))

    def _require_current(self) -> None:
        """Raise StoreError unless the tables belong to this program's version."""
        with self._errors("opened"), self._engine.connect() as connection:
            if not schema.is_current(connection):
                what = f"doesn't have the tables of schema {schema.SCHEMA_VERSION}."
                remedy = "Start Lectern, or run any of its commands, to update the database."
                raise StoreError(what, where=self.name, remedy=remedy)

    @contextmanager
    def _reading(self, *, in_batches: bool = False) -> Iterator[sa.Connection]:
        """Yield a connection to read from.

        ``in_batches``: rows are fetched little by little, which needs a transaction in PostgreSQL.
        Other statements need none there, which spares two messages to the server for each.
        """
        with self._errors("read"), self._engine.connect() as connection:
            if self._engine.dialect.name == "postgresql" and not in_batches:
                connection = connection.execution_options(isolation_level="AUTOCOMMIT")
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """Yield a connection in a transaction, one writer at a time.

        It is rolled back if anything is raised.
        """
        with self._errors("written"), self._engine.connect() as connection:
            connection = connection.execution_options(lectern_writes=True)
            with connection.begin():
                if self._engine.dialect.name == "postgresql":
                    limit_ms = postgres_limits.LOCK_LIMIT_MS
                    connection.exec_driver_sql(f"SET LOCAL lock_timeout = {limit_ms}")
                    connection.execute(
                        sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": WRITER_LOCK}
                    )
                yield connection

    @contextmanager
    def _errors(self, action: str) -> Iterator[None]:
        """Turn an error of the database into one line with a remedy. Raises: StoreError."""
        try:
            yield
        except DBAPIError as error:
            message, remedy = _explanation_and_remedy(str(error.orig), action)
            # The cause may show a part of a mistyped password.
            cause = None if action == "opened" else error
            raise StoreError(message, where=self.name, remedy=remedy) from cause
        except SQLAlchemyError as error:
            raise StoreError(
                f"the database cannot be {action} ({error}).", where=self.name
            ) from error
        except UnicodeEncodeError as error:
            text = shown_path(error.object[:MAX_QUOTED_CHARACTERS])
            message = f"a text contains bytes that aren't UTF-8 ({text!r}). Nothing was stored."
            raise StoreError(message, where=self.name) from error


def _engine(url: sa.URL, *, read_only: bool) -> sa.Engine:
    """Make an engine; SQLite's has a write-ahead log, and its transactions begin at once."""
    if not url.drivername.startswith("sqlite"):
        options = {"options": "-c default_transaction_read_only=on"} if read_only else {}
        server_engine = sa.create_engine(url, pool_use_lifo=True, connect_args=options)
        postgres_limits.limit_silence(server_engine)
        postgres_limits.replace_closed_connections(server_engine)
        return server_engine
    path = Path(url.database or "").expanduser()
    if read_only and not path.is_file():
        what = "there is no database yet."
        raise StoreError(
            what, where=str(url.database), remedy="Start Lectern once to create the database."
        )
    if not read_only and _is_file(url.database):
        _make_private(path)
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_S})
    pragmas = ("query_only=ON",) if read_only else ("journal_mode=WAL", "synchronous=NORMAL")

    @sa.event.listens_for(engine, "connect")
    def _prepare_connection(connection: Any, _: Any) -> None:
        # The driver's own BEGIN comes too late, after the first SELECT.
        connection.isolation_level = None
        _require_lectern_database(connection, str(url.database))
        for pragma in pragmas:
            # A read-only file keeps its mode, and a broken one fails later.
            with suppress(sqlite3.DatabaseError):
                connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def _begin_transaction(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get("lectern_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _require_lectern_database(connection: Any, name: str) -> None:
    """Refuse a database with tables of another program, before anything is changed in it.

    Raises: StoreError.
    """
    query = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
    with suppress(sqlite3.DatabaseError):  # a damaged file fails later
        table_names = {name for (name,) in connection.execute(query)}
        column_rows = connection.execute("PRAGMA table_info(claims)")
        claim_columns = {column_name for _, column_name, *_ in column_rows}
        # Another program may have a table named claims, too, so its columns decide.
        lectern_tables = TABLES_OF_EARLY_VERSIONS | schema.metadata.tables.keys()
        has_lectern_table = not table_names.isdisjoint(lectern_tables - {"claims"})
        is_lectern_database = has_lectern_table or "rating_class" in claim_columns
        if table_names and not is_lectern_database:
            remedy = "Nothing was changed. Choose another file (--home or --database-url)."
            raise StoreError(
                "is a database that belongs to another program.", where=name, remedy=remedy
            )


def _is_file(database: str | None) -> bool:
    """Return whether the database of an SQLite URL is a file, not memory or a ``file:`` URL."""
    if not database or database == IN_MEMORY:
        return False
    return not database.startswith("file:")


def _make_private(path: Path) -> None:
    """Create an SQLite file that only its owner can read, and its folder.

    An existing file keeps its permissions.
    """
    folder = path.parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # SQLite gives its log the same permissions.
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        message = f"cannot be created ({error.strerror})."
        remedy = "Set LECTERN_HOME to a folder you may write to."
        raise StoreError(message, where=str(folder), remedy=remedy) from error


def _deny_other_users(path: Path) -> None:
    """Let only the owner read an SQLite file and its log."""
    for file in path.parent.glob(f"{path.name}*"):
        with suppress(OSError):  # a file of another user, who decides about it
            file.chmod(0o600)


def _without_password(url: sa.URL) -> str:
    """Return a URL without user, password and options.

    An @ in a password makes the rest of it a part of the host.
    """
    _, _, host = (url.host or "").rpartition("@")
    port = f":{url.port}" if url.port else ""
    return f"{url.drivername}://{host}{port}/{url.database or ''}"


UNREACHABLE = "cannot be reached."
SILENT = "has stopped answering."
AWAY = (UNREACHABLE, SILENT)
NOTHING_STORED = "Nothing was stored."
# Messages of databases (patterns), each with its meaning for the user and a remedy.
_EXPLAINED_MESSAGES = (
    (
        "disk is full|No space left|could not extend file",
        f"the disk is full. {NOTHING_STORED}",
        "Free some space and try again.",
    ),
    (
        "readonly database|read-only|unable to open database file|permission denied|disk I/O error",
        "cannot be {action}: no permission, or a read-only folder. " + NOTHING_STORED,
        "Set LECTERN_HOME to a folder you may write to.",
    ),
    (
        "database is locked|lock timeout",
        f"another import is writing to it. {NOTHING_STORED}",
        "Wait for it to end and try again.",
    ),
    (
        "not a database|malformed|unsupported file format",
        "isn't a Lectern database, or it is damaged.",
        "Move the file away and import again.",
    ),
    (
        postgres_limits.NO_ANSWER,
        SILENT,
        "Is the server running? Look whether the last change was stored, and try again.",
    ),
    (
        "connection|could not translate host|resolve host|does not exist|authentication|refused",
        UNREACHABLE,
        "Is the server running, and are user, password and database right?",
    ),
)


def _explanation_and_remedy(message: str, action: str) -> tuple[str, str]:
    """Explain a database's message, and return the remedy after it."""
    for pattern, what, remedy in _EXPLAINED_MESSAGES:
        if re.search(pattern, message, re.I):
            return what.format(action=action), remedy
    lines = message.strip().splitlines()
    reason = lines[0] if lines else "no reason given"
    return f"the database cannot be {action} ({reason}).", ""
