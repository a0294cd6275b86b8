"""The schema of the database: the tables of all packages, and the migrations.

A package defines its tables on ``metadata``. A missing table is created as it is today; a numbered
migration changes the tables that an earlier Lectern created. To change a table: raise
``SCHEMA_VERSION`` and add the migration that leads to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sqlalchemy as sa

from assistant.core.errors import StoreError

# History: 2 added the fetched articles; 3 reports, jobs and the audit log, and one version for all
# tables; 4 only adds tables: the archive, recordings and corrections of transcriptions; 5 the
# sender of a live line; 6 the seconds of sound of a live source that wait to be transcribed; 7 the
# vector of a live sentence; 8 only adds tables: keys, sources, versions and withdrawals of claims;
# 9 only adds the table of the sentences of reviewed transcripts; 10 only adds a table: choices
# about labels for the next transcript of a shape; 11 the scopes, limits and expiry of tokens,
# and the tables of their use and of the checks of programs; 12 the sequence of decisions; 13 only
# adds tables: channels of alerts, their outbox, and the feeds that are fetched again; 14 only adds
# tables: comments on matches, assignments, and the people who have a debate open; 15 the
# strengths of matches in the archive, in its alerts and in live events
SCHEMA_VERSION = 15
# Tables without a version have this one: decisions and live events had none before 3.
UNVERSIONED_SCHEMA = 2

# Name of a setting that is there while the archive has matches of an earlier version, whose
# strengths are still to be read from the stored reports. ``archive_store`` reads them.
UNREAD_STRENGTHS = "unread_strengths"

# Key of a table's ``info``: the condition of rows about one computer. A restore leaves them out.
LOCAL_ROWS = "local_rows"
# Key of a table's ``info``: a function of the time (seconds since 1970) for rows that give a right.
# It returns their condition, and the values that revoke it. A restore revokes them all, because
# one of them may have been revoked since the backup.
REVOKED_ROWS = "revoked_rows"
# Key of a table's ``info``: a function of the same form for rows that a backup made out of date.
# A restore brings them up to date.
STALE_ROWS = "stale_rows"

metadata = sa.MetaData()
settings_table = sa.Table(
    "lectern_settings",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
Migration = Callable[[sa.Connection], None]


def _adds_column(
    table: str, column: str, column_type: str | sa.types.TypeEngine[bytes]
) -> Migration:
    """Make a migration that adds a column to a table that an earlier Lectern created.

    ``column_type``: its type in SQL, or a type that each database names differently.
    """

    def add_column(connection: sa.Connection) -> None:
        inspector = sa.inspect(connection)
        if not inspector.has_table(table):
            return
        column_names = [existing_column["name"] for existing_column in inspector.get_columns(table)]
        if column in column_names:
            return
        sql_type = (
            column_type
            if isinstance(column_type, str)
            else column_type.compile(dialect=connection.dialect)
        )
        connection.execute(sa.text(f"ALTER TABLE {table} ADD COLUMN {column} {sql_type}"))

    return add_column


def _all_of(*migrations: Migration) -> Migration:
    """Make a migration of several steps."""

    def migrate_all(connection: sa.Connection) -> None:
        for step in migrations:
            step(connection)

    return migrate_all


# Migrations by the version that they lead to. A version that only adds tables needs none.
def _number_decisions(connection: sa.Connection) -> None:
    """Number the decisions of an earlier Lectern in the order of their times."""
    if not sa.inspect(connection).has_table("review_decisions"):
        return
    decisions = sa.table("review_decisions", sa.column("at"), sa.column("sequence"))
    # Decisions that were made at one time, with one click, get the same number.
    decision_times = connection.execute(sa.select(decisions.c.at).distinct()).scalars().all()
    for sequence, decision_time in enumerate(sorted(decision_times), 1):
        update = decisions.update().where(decisions.c.at == decision_time)
        connection.execute(update.values(sequence=sequence))
    connection.execute(
        sa.text(
            "CREATE INDEX IF NOT EXISTS review_decisions_sequence ON review_decisions (sequence)"
        )
    )


def _note_unread_strengths(connection: sa.Connection) -> None:
    """Note that the strengths of the archive's matches are to be read from its reports."""
    if sa.inspect(connection).has_table("archive_mentions"):
        write_setting(connection, UNREAD_STRENGTHS, "1")


MIGRATIONS: Mapping[int, Migration] = {
    5: _adds_column("live_lines", "sender", "TEXT NOT NULL DEFAULT ''"),
    6: _adds_column("live_feeds", "unheard", "FLOAT"),
    7: _adds_column("live_sentences", "vector", sa.LargeBinary()),
    11: _all_of(
        _adds_column("live_tokens", "scopes", "TEXT NOT NULL DEFAULT ''"),
        _adds_column("live_tokens", "expires", "FLOAT"),
        _adds_column("live_tokens", "per_minute", "INTEGER"),
        _adds_column("live_tokens", "per_day", "INTEGER"),
    ),
    12: _all_of(
        _adds_column("review_decisions", "sequence", "INTEGER NOT NULL DEFAULT 0"),
        _number_decisions,
    ),
    15: _all_of(
        _adds_column("archive_mentions", "strength", "TEXT"),
        _adds_column("archive_alerts", "strength", "TEXT"),
        _adds_column("live_sentences", "strength", "TEXT NOT NULL DEFAULT ''"),
        _note_unread_strengths,
    ),
}


def is_current(connection: sa.Connection) -> bool:
    """Return whether the tables belong to this program's version."""
    existing = set(sa.inspect(connection).get_table_names())
    has_all_tables = metadata.tables.keys() <= existing
    return has_all_tables and version(connection, existing) == SCHEMA_VERSION


def migrate(connection: sa.Connection, *, name: str) -> int:
    """Bring the tables to this version in the transaction of ``connection``.

    Returns the version that they had. ``name`` is the database's name, for the error.

    Raises: StoreError if a newer Lectern made them.
    """
    table_names = set(sa.inspect(connection).get_table_names())
    old_version = version(connection, table_names)
    if old_version > SCHEMA_VERSION:
        message = f"a newer Lectern made this database (schema {old_version})."
        remedy = (
            f"This version opens schemas up to {SCHEMA_VERSION}. Update Lectern, "
            "or set LECTERN_DATABASE_URL to another database."
        )
        raise StoreError(message, where=name, remedy=remedy)
    for migration_number in range(old_version + 1, SCHEMA_VERSION + 1):
        if migration_number in MIGRATIONS:
            MIGRATIONS[migration_number](connection)
    metadata.create_all(connection)
    write_setting(connection, "schema", str(SCHEMA_VERSION))
    return old_version


def version(connection: sa.Connection, existing: set[str]) -> int:
    """Return the version of the tables that exist; of no tables at all, this program's."""
    if settings_table.name in existing:
        stored = read_setting(connection, "schema")
        if stored:
            return int(stored)
    return UNVERSIONED_SCHEMA if existing & metadata.tables.keys() else SCHEMA_VERSION


def delete_setting(connection: sa.Connection, name: str) -> None:
    """Delete a value from the table of settings."""
    connection.execute(settings_table.delete().where(settings_table.c.name == name))


def read_setting(connection: sa.Connection, name: str) -> str:
    """Return a value of the table of settings, "" if there is none."""
    query = sa.select(settings_table.c.value).where(settings_table.c.name == name)
    return connection.execute(query).scalar() or ""


def write_setting(connection: sa.Connection, name: str, value: str) -> None:
    """Store a value in the table of settings."""
    update = settings_table.update().where(settings_table.c.name == name).values(value=value)
    if not connection.execute(update).rowcount:
        connection.execute(settings_table.insert().values(name=name, value=value))
