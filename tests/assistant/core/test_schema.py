"""One version over all tables.

Earlier ones are brought up to date, later ones are refused in words.
"""

from __future__ import annotations

import sqlite3
import stat

import pytest
import sqlalchemy as sa

from assistant.claims.claim_store import ClaimStore
from assistant.core import schema
from assistant.core.errors import StoreError
from assistant.core.settings import Settings
from assistant.jobs.check_service import CheckService
from assistant.jobs.report_store import ReportStore
from assistant.live.event_log import EventLog
from assistant.review.decision_store import DecisionStore
from tests.assistant import homes

STORES = [ClaimStore, DecisionStore, EventLog, ReportStore]


def stored_version(path) -> str:
    with sqlite3.connect(path) as connection:
        return connection.execute(
            "SELECT value FROM lectern_settings WHERE name = 'schema'"
        ).fetchone()[0]


def test_the_home_of_an_earlier_lectern_opens_with_all_that_it_had(tmp_path):
    """Claims, decisions with their history, the live event, the report and the check that was cut short."""
    url = homes.make(tmp_path)

    desk = CheckService.open(Settings(home=tmp_path))
    assert [head.id for head in desk.report_heads()] == [homes.REPORT]
    assert list(desk.interrupted_checks()) == [homes.CHECK]
    desk.close()
    with (
        ClaimStore.open(url) as claims,
        DecisionStore.open(url) as decisions,
        EventLog.open(url) as log,
    ):
        assert claims.digest() == homes.CLAIMS
        (record,) = decisions.all()
        assert [r.decision.verdict for r in decisions.history(record.key)] == ["confirm", "reject"]
        assert [s.text for s in log.sentences("city")] == [
            "Crime fell by half last year.",
            "We built nine schools.",
        ]
        assert log.cursor("city", "wire") == "2"
        assert len(log.reports("city")) == 1
        assert log.health("city", now=0.0).unheard_s is None
    assert str(schema.SCHEMA_VERSION) == stored_version(tmp_path / "lectern.db")
    assert stat.S_IMODE((tmp_path / "lectern.db").stat().st_mode) == 0o600


@pytest.mark.parametrize("kind", STORES)
def test_any_room_brings_all_tables_up_to_date(tmp_path, kind):
    """It does not matter which part of Lectern opens an older database first."""
    kind.open(homes.make(tmp_path)).close()

    assert str(schema.SCHEMA_VERSION) == stored_version(tmp_path / "lectern.db")


@pytest.mark.parametrize("kind", STORES)
def test_a_database_of_a_newer_lectern_is_refused(any_url, kind):
    """Every room refuses, names the version, and says what to do."""
    with kind.open(any_url) as store, store._writing() as connection:
        schema.write_setting(connection, "schema", "999")

    with pytest.raises(
        StoreError, match=r"a newer Lectern made this database \(schema 999\)\. .* Update Lectern"
    ):
        kind.open(any_url)


def test_migrations_run_in_order_and_all_or_none(any_url, monkeypatch):
    """A migration that fails leaves the database as it was.

    The next opening begins again from there.
    """
    ClaimStore.open(any_url).close()
    table = sa.Table("migrated", sa.MetaData(), sa.Column("step", sa.Integer))
    steps = {
        schema.SCHEMA_VERSION + 1: lambda c: table.create(c),
        schema.SCHEMA_VERSION + 2: lambda c: 1 / 0,
    }
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    monkeypatch.setattr(schema, "SCHEMA_VERSION", schema.SCHEMA_VERSION + 2)

    with pytest.raises(ZeroDivisionError):
        ClaimStore.open(any_url)
    steps[schema.SCHEMA_VERSION] = lambda c: c.execute(table.insert().values(step=2))
    with ClaimStore.open(any_url) as store, store._reading() as connection:
        assert list(connection.execute(sa.select(table.c.step)).scalars()) == [2]
        assert str(schema.SCHEMA_VERSION) == schema.read_setting(connection, "schema")


@pytest.mark.threat("local account")
def test_a_new_database_is_read_by_its_owner_only(tmp_path):
    """The file, its log and its folder."""
    with ClaimStore.open(f"sqlite:///{tmp_path / 'home' / 'lectern.db'}") as store:
        store.note_attempt("u", homes_attempt())
        file_modes = {
            path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "home").iterdir()
        }

    assert {0o600} == set(file_modes.values())
    assert "lectern.db-wal" in file_modes
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700


def homes_attempt():
    from datetime import UTC, datetime

    from assistant.claims.records import Attempt

    return Attempt("refused", "", datetime.now(UTC), 1)
