"""Opens a database by URL, SQLite or PostgreSQL.

Connections, transactions, and its errors in plain words.

The tables are in ``schema.py`` and in the rooms of the subclasses: claims, live events, decisions,
reports and jobs.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from assistant.core import schema
from assistant.core.errors import StoreError

BUSY_S = 30
IN_MEMORY = ":memory:"  # the name that SQLite gives a database without a file
_SCHEME = re.compile(r"[a-z0-9+]{1,30}://")
WRITERS = 1279607887  # PostgreSQL's lock for one writer at a time; SQLite has its own


class Database:
    """One database. Use it in a ``with``, or close it."""

    def __init__(self, engine: sa.Engine, *, name: str) -> None:
        self._engine = engine
        self.name = name

    @classmethod
    def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Return the database at a URL (``sqlite:///file``, ``postgresql+psycopg://...``), with its tables.

        ``read_only``: nothing is made or changed; tables of another version are refused.

        Raises: StoreError if there is no such database, it cannot be read, or a newer Lectern made
        it.
        """
        try:
            parsed = sa.make_url(url)
            engine = _engine(parsed, read_only=read_only)
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError, ValueError):
            remedy = "Use sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE."
            begins = (
                f"the address that begins with {match[0]}"
                if (match := _SCHEME.match(url))
                else "the address"
            )
            raise StoreError(
                f"{begins} is no database URL.", remedy=remedy
            ) from None  # the cause shows the password
        is_sqlite = parsed.drivername.startswith("sqlite")
        store = cls(engine, name=parsed.database or IN_MEMORY if is_sqlite else _shown(parsed))
        store._require() if read_only else store._prepare()
        return store

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def shrink(self) -> None:
        """Write an SQLite file anew without what was deleted, which it else keeps.

        Other databases do so by themselves.

        Raises: StoreError if somebody else is writing.
        """
        if self._engine.dialect.name == "sqlite":
            with self._errors("written"), self._engine.connect() as connection:
                plain = connection.connection.cursor()
                plain.execute("VACUUM")
                plain.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _prepare(self) -> None:
        """Make missing tables and bring older ones up to date.

        Raises: StoreError if a newer Lectern made them.
        """
        with self._errors("opened"), self._engine.connect() as connection:
            current = schema.is_current(connection)
        if not current:
            with (
                self._writing() as connection
            ):  # another process may be faster: all is looked at again
                found = schema.migrate(connection, name=self.name)
            if found < schema.VERSION and self._engine.dialect.name == "sqlite":
                _close_to_others(Path(self.name))  # until version 3 others could read it

    def _require(self) -> None:
        with self._errors("opened"), self._engine.connect() as connection:
            if not schema.is_current(connection):
                remedy = "Start Lectern once, or run any of its commands: that brings the database up to date."
                raise StoreError(
                    f"has not the tables of schema {schema.VERSION}.",
                    where=self.name,
                    remedy=remedy,
                )

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with self._errors("read"), self._engine.connect() as connection:
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
                    connection.execute(
                        sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": WRITERS}
                    )
                yield connection

    @contextmanager
    def _errors(self, action: str) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            what, remedy = _explained(str(error.orig), action)
            cause = (
                None if action == "opened" else error
            )  # which may show a part of a mistyped password
            raise StoreError(what, where=self.name, remedy=remedy) from cause
        except SQLAlchemyError as error:
            raise StoreError(f"cannot be {action} ({error}).", where=self.name) from error


def _engine(url: sa.URL, *, read_only: bool) -> sa.Engine:
    """Return an engine; SQLite's has a write-ahead log, and its transactions begin at once."""
    if not url.drivername.startswith("sqlite"):
        options = {"options": "-c default_transaction_read_only=on"} if read_only else {}
        return sa.create_engine(url, pool_pre_ping=True, connect_args=options)
    if read_only and not Path(url.database or "").expanduser().is_file():
        raise StoreError(
            "there is no database yet.", where=str(url.database), remedy="Start Lectern once."
        )
    if (
        not read_only
        and url.database
        and url.database != ":memory:"
        and not url.database.startswith("file:")
    ):
        _make_private(Path(url.database).expanduser())
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_S})

    @sa.event.listens_for(engine, "connect")
    def _connected(connection: Any, _: Any) -> None:
        connection.isolation_level = (
            None  # the driver's own BEGIN comes too late: after the first SELECT
        )
        for pragma in (
            ("query_only=ON",) if read_only else ("journal_mode=WAL", "synchronous=NORMAL")
        ):
            with suppress(
                sqlite3.DatabaseError
            ):  # a read-only file keeps its mode; a broken one fails later
                connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def _begun(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get("lectern_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _make_private(path: Path) -> None:
    """Make an SQLite file that only its owner reads, and its folder.

    A file that exists keeps its permissions.
    """
    folder = path.parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.close(
                os.open(path, os.O_CREAT | os.O_EXCL, 0o600)
            )  # SQLite gives its log the same permissions
    except OSError as error:
        remedy = "Set LECTERN_HOME to a folder you may write to."
        raise StoreError(
            f"cannot be made ({error.strerror}).", where=str(folder), remedy=remedy
        ) from error


def _close_to_others(path: Path) -> None:
    for file in path.parent.glob(f"{path.name}*"):  # with its log
        with suppress(OSError):  # of another user, who decides about it
            file.chmod(0o600)


def _shown(url: sa.URL) -> str:
    """Return a URL without user, password and options.

    An @ in a password makes the rest of it a part of the host.
    """
    host = (url.host or "").rpartition("@")[2]
    return f"{url.drivername}://{host}{f':{url.port}' if url.port else ''}/{url.database or ''}"


# Messages of databases (patterns), what they mean to the user, and what to do.
_MESSAGES = (
    (
        "disk is full|No space left|could not extend file",
        "the disk is full; nothing was stored.",
        "Free some space and try again.",
    ),
    (
        "readonly database|read-only|unable to open database file|permission denied|disk I/O error",
        "cannot be {action}: no permission, or a read-only folder; nothing was stored.",
        "Set LECTERN_HOME to a folder you may write to.",
    ),
    (
        "database is locked",
        "another import is writing to it; nothing was stored.",
        "Wait for it to end and try again.",
    ),
    (
        "not a database|malformed|unsupported file format",
        "is not a claim database, or it is damaged.",
        "Move the file away and import again.",
    ),
    (
        "connection|could not translate host|resolve host|does not exist|authentication|refused",
        "cannot be reached.",
        "Is the server running, and are user, password and database right?",
    ),
)


def _explained(message: str, action: str) -> tuple[str, str]:
    """Return in words what a database's message means, and what to do."""
    for pattern, what, remedy in _MESSAGES:
        if re.search(pattern, message, re.I):
            return what.format(action=action), remedy
    first = message.strip().splitlines()[0] if message.strip() else "no reason given"
    return f"cannot be {action} ({first}).", ""
