"""Fixtures for the whole application: the databases that it promises to work with."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from assistant.core import backup_verification, database, schema
from assistant.core.database import Database
from tests.assistant.claims.conftest import postgres_server

__all__ = ["postgres_server"]


@pytest.fixture(autouse=True, scope="session")
def prepared_databases(tmp_path_factory):
    """Begin a new SQLite file with the content of an empty database, which is ten times faster.

    The product itself makes that database, once for each set of tables and schema version.
    """
    make_private = database._make_private
    contents: dict[tuple[frozenset[str], int], bytes] = {}

    def make_prepared(path: Path) -> None:
        if path.exists():
            make_private(path)
            return
        kind = (frozenset(schema.metadata.tables), schema.SCHEMA_VERSION)
        if kind not in contents:
            contents[kind] = b""  # for the file of the empty database itself
            empty_path = tmp_path_factory.mktemp("empty") / "lectern.db"
            Database.open(f"sqlite:///{empty_path}").close()
            contents[kind] = empty_path.read_bytes()
        # Another thread may open the file as soon as it has its name.
        draft = path.with_name(f"{path.name}-{threading.get_ident()}")
        make_private(draft)
        draft.write_bytes(contents[kind])
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(database, "_make_private", make_prepared)
        yield


@pytest.fixture(autouse=True, scope="session")
def remembered_parts():
    """Ask once with each set of tables which triggers and virtual tables Lectern makes.

    To answer, the product makes all tables; a test of backups asks several times.
    """
    active_parts = backup_verification._known_active_sql
    parts_by_tables: dict[frozenset[str], set[str]] = {}

    def remembered() -> set[str]:
        tables = frozenset(schema.metadata.tables)
        if tables not in parts_by_tables:
            parts_by_tables[tables] = active_parts()
        return parts_by_tables[tables]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(backup_verification, "_known_active_sql", remembered)
        yield
