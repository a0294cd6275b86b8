"""The one schema of the database.

The tables of every room, their version, and the numbered migrations to it.

A room defines its tables on ``metadata``. A table that is missing is made as it is today; a
migration changes those that an earlier Lectern made. To change a table: raise ``VERSION`` and add
the migration that leads to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sqlalchemy as sa

from assistant.core.errors import StoreError

# 2 added the articles that are fetched; 3 reports, jobs and the log of what people do, and holds
# for all tables; 4 the archive, recordings and the corrections of what was heard in them, whose
# tables are only added; 5 who sent a live line; 6 how much sound of a live source waits to be
# heard; 7 the vector of a live sentence.
VERSION = 7
FIRST = 2  # tables without a version are of this one: decisions and live events had none before 3

# in a table's ``info``: the condition of rows that are about one computer; a restore leaves them out
LOCAL_ROWS = "local_rows"

metadata = sa.MetaData()
settings = sa.Table(
    "lectern_settings",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
Migration = Callable[[sa.Connection], None]


def _adds(table: str, column: str, kind: str | sa.types.TypeEngine[bytes]) -> Migration:
    """Return the migration that adds a column to a table that an earlier Lectern made.

    ``kind``: its type in SQL, or one that each database has a name of its own for.
    """

    def add(connection: sa.Connection) -> None:
        tables = sa.inspect(connection)
        if tables.has_table(table) and column not in {c["name"] for c in tables.get_columns(table)}:
            named = kind if isinstance(kind, str) else kind.compile(dialect=connection.dialect)
            connection.execute(sa.text(f"ALTER TABLE {table} ADD COLUMN {column} {named}"))

    return add


# By the version that a migration leads to. A version that only adds tables needs none.
MIGRATIONS: Mapping[int, Migration] = {
    5: _adds("live_lines", "sender", "TEXT NOT NULL DEFAULT ''"),
    6: _adds("live_feeds", "unheard", "FLOAT"),
    7: _adds("live_sentences", "vector", sa.LargeBinary()),
}


def is_current(connection: sa.Connection) -> bool:
    """Return whether the tables are those of this program."""
    existing = set(sa.inspect(connection).get_table_names())
    return metadata.tables.keys() <= existing and version(connection, existing) == VERSION


def migrate(connection: sa.Connection, *, name: str) -> int:
    """Bring the tables to this version in the transaction of ``connection``.

    Return the version that they had.

    ``name`` is the database's, for the error.

    Raises: StoreError if a newer Lectern made them.
    """
    existing = set(sa.inspect(connection).get_table_names())
    found = version(connection, existing)
    if found > VERSION:
        remedy = f"This Lectern reads up to {VERSION}: update it, or set LECTERN_DATABASE_URL to another database."
        raise StoreError(
            f"a newer Lectern made this database (schema {found}).", where=name, remedy=remedy
        )
    for number in range(found + 1, VERSION + 1):
        if number in MIGRATIONS:
            MIGRATIONS[number](connection)
    metadata.create_all(connection)
    write_setting(connection, "schema", str(VERSION))
    return found


def version(connection: sa.Connection, existing: set[str]) -> int:
    """Return the version of the tables that exist; of no tables at all, this program's."""
    if settings.name in existing:
        stored = read_setting(connection, "schema")
        if stored:
            return int(stored)
    return FIRST if existing & metadata.tables.keys() else VERSION


def read_setting(connection: sa.Connection, name: str) -> str:
    """Return a value of the table of settings, "" if there is none."""
    return (
        connection.execute(sa.select(settings.c.value).where(settings.c.name == name)).scalar()
        or ""
    )


def write_setting(connection: sa.Connection, name: str, value: str) -> None:
    """Store a value in the table of settings."""
    if not connection.execute(
        settings.update().where(settings.c.name == name).values(value=value)
    ).rowcount:
        connection.execute(settings.insert().values(name=name, value=value))
