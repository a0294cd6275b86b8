"""Fixtures for the whole application: the databases that it promises to work with."""

from __future__ import annotations

import pytest

from assistant.core import backup_verification, schema
from tests.assistant.claims.conftest import postgres_server

__all__ = ["postgres_server"]
# Without the tables that SQLite makes by itself, among them those behind a table of words.
DEFINITIONS = (
    "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' "
    "AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')"
)
OBJECT_COUNT = "SELECT count(*) FROM sqlite_master"
VERSION_ROW = f"INSERT INTO lectern_settings VALUES ('schema', '{schema.SCHEMA_VERSION}')"


@pytest.fixture(autouse=True, scope="session")
def repeated_definitions():
    """Fill an empty SQLite database with the definitions of an earlier one, which is ten times faster.

    The product itself makes the first database with each set of tables.
    """
    migrate = schema.migrate
    definitions: dict[frozenset[str], list[str]] = {}

    def migrate_or_repeat(connection, *, name):
        is_sqlite = connection.dialect.name == "sqlite"
        if not is_sqlite or connection.exec_driver_sql(OBJECT_COUNT).scalar():
            return migrate(connection, name=name)
        tables = frozenset(schema.metadata.tables)
        if tables not in definitions:
            version = migrate(connection, name=name)
            definitions[tables] = connection.exec_driver_sql(DEFINITIONS).scalars().all()
            return version
        for statement in [*definitions[tables], VERSION_ROW]:
            connection.exec_driver_sql(statement)
        return schema.SCHEMA_VERSION

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(schema, "migrate", migrate_or_repeat)
        yield


@pytest.fixture(autouse=True, scope="session")
def remembered_parts():
    """Ask once with each set of tables which triggers and virtual tables Lectern makes.

    To answer, the product makes all tables; a test of backups asks several times.
    """
    active_parts = backup_verification._active_parts_of_lectern
    parts_by_tables: dict[frozenset[str], set[str]] = {}

    def remembered() -> set[str]:
        tables = frozenset(schema.metadata.tables)
        if tables not in parts_by_tables:
            parts_by_tables[tables] = active_parts()
        return parts_by_tables[tables]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(backup_verification, "_active_parts_of_lectern", remembered)
        yield
