"""Backups and moves: every value arrives, in either kind of database, or nothing does."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import stat
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from assistant.archive.archive_store import ArchiveStore
from assistant.claims.claim_store import ClaimStore
from assistant.core import backup_verification, database_copies, schema
from assistant.core.errors import StoreError
from assistant.jobs.check_service import LEGACY_REPORTS_FOLDER
from assistant.jobs.report_store import ReportStore
from assistant.live.access_tokens import AccessRight, TokenStore
from assistant.live.event import Event
from assistant.live.event_log import EventLog
from assistant.live.live_lines import Line
from assistant.review.decision_store import DecisionStore
from tests.assistant import homes


def quiet(*_: object) -> None:
    """Tell nobody."""


@pytest.fixture(scope="module")
def full_home(tmp_path_factory) -> Path:
    """A data directory whose database has something in every table, for all tests to copy."""
    home = tmp_path_factory.mktemp("full")
    url = homes.make(home)
    with (
        ReportStore.open(url) as shelf,
        ClaimStore.open(url),
        ArchiveStore.open(url),
        DecisionStore.open(url),
        EventLog.open(url),
    ):
        shelf.import_legacy_files(home / LEGACY_REPORTS_FOLDER)
    return home


@pytest.fixture(scope="module")
def full_backup(full_home, tmp_path_factory) -> Path:
    """A backup of that database, for all tests to copy."""
    path = tmp_path_factory.mktemp("backup") / "lectern.backup"
    database_copies.back_up(f"sqlite:///{full_home / 'lectern.db'}", path, progress=quiet)
    return path


@pytest.fixture
def full(full_home, tmp_path) -> str:
    """The URL of a database with something in every table."""
    home = shutil.copytree(full_home, tmp_path / "old")
    return f"sqlite:///{home / 'lectern.db'}"


@pytest.fixture
def backup(full_backup, tmp_path) -> Path:
    """A backup of that database."""
    return Path(shutil.copyfile(full_backup, tmp_path / "b"))


@pytest.mark.skipif(os.name == "nt", reason="Windows allows no ? in a name")
def test_a_backup_can_lie_in_any_folder(full, tmp_path):
    """The copy is written beside the backup, and its path may have signs of a URL."""
    path = tmp_path / "what?" / "100%41" / "lectern.backup"

    database_copies.back_up(full, path, progress=quiet)

    assert path.is_file()
    assert not (tmp_path / "what").exists()


def content(url: str) -> database_copies.DatabaseContent:
    with database_copies.WholeDatabase.open(url) as database:
        return database.content()


def test_a_backup_restored_is_the_same(full, any_url, tmp_path):
    """Rows and digest are those of the original, in SQLite and in PostgreSQL.

    The backup is for its owner only.
    """
    path = tmp_path / "backups" / "lectern.backup"

    backup_content = database_copies.back_up(full, path, progress=quiet)
    restored = database_copies.restore(path, any_url, progress=quiet)

    assert content(full) == backup_content == restored == content(any_url)
    assert backup_content.total >= 12
    assert backup_content.rows["live_sentences"] == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.threat("operator")
@pytest.mark.parametrize("suffix", database_copies.SQLITE_SUFFIXES)
def test_a_backup_onto_a_file_of_its_own_database_is_refused(full, tmp_path, suffix):
    """The database is the same afterwards."""
    content_before = content(full)
    path = tmp_path / "old" / ".." / "old" / f"lectern.db{suffix}"

    with pytest.raises(StoreError, match="belongs to the database"):
        database_copies.back_up(full, path, progress=quiet)

    assert content(full) == content_before


@pytest.mark.threat("operator")
@pytest.mark.parametrize("link", ["symlink_to", "hardlink_to"])
def test_a_backup_onto_a_link_to_its_own_database_is_refused(full, tmp_path, link):
    """A link is another name of the same file."""
    path = tmp_path / "monday.backup"
    getattr(path, link)(tmp_path / "old" / "lectern.db")

    with pytest.raises(StoreError, match="belongs to the database"):
        database_copies.back_up(full, path, progress=quiet)


@pytest.mark.threat("operator")
def test_a_backup_onto_a_file_that_is_not_a_backup_is_refused(full, tmp_path):
    """The file is unchanged."""
    path = tmp_path / "notes.txt"
    path.write_text("notes")

    with pytest.raises(StoreError, match="isn't a backup"):
        database_copies.back_up(full, path, progress=quiet)

    assert path.read_text() == "notes"


@pytest.mark.threat("operator")
def test_a_backup_onto_another_database_is_refused(full, tmp_path):
    """A database of Lectern without a seal may be in use."""
    path = tmp_path / "other.db"
    ClaimStore.open(f"sqlite:///{path}").close()
    bytes_before = path.read_bytes()

    with pytest.raises(StoreError, match="isn't a backup"):
        database_copies.back_up(full, path, progress=quiet)

    assert path.read_bytes() == bytes_before


def test_an_earlier_backup_is_replaced(full, tmp_path):
    """The same name may serve every night."""
    path = tmp_path / "nightly.backup"
    database_copies.back_up(full, path, progress=quiet)

    again = database_copies.back_up(full, path, progress=quiet)

    assert content(full) == again


@pytest.mark.parametrize(
    "change",
    [
        "INSERT INTO lectern_settings VALUES ('other', '1')",
        "UPDATE lectern_settings SET value = '999' WHERE name = 'schema'",
        "UPDATE lectern_settings SET value = '0' WHERE name = 'copy_digest'",
    ],
)
def test_a_backup_that_was_changed_since_is_not_replaced(full, backup, change):
    """A backup that is in use as a database has rows that are nowhere else."""
    with closing(sqlite3.connect(backup)) as connection, connection:
        connection.execute(change)
    before = backup.read_bytes()

    with pytest.raises(StoreError, match="or it was changed later"):
        database_copies.back_up(full, backup, progress=quiet)

    assert backup.read_bytes() == before


def test_reports_decisions_and_events_are_the_same_after_a_move(full, any_url):
    """What the pages read is equal to the byte, and a live event goes on with its next line."""
    database_copies.move(full, any_url, progress=quiet)

    with ReportStore.open(full) as old, ReportStore.open(any_url) as new:
        assert old.report(homes.REPORT) == new.report(homes.REPORT)
        assert old.report_heads(9) == new.report_heads(9)
        assert old.job_spec(homes.CHECK) == new.job_spec(homes.CHECK)
    with DecisionStore.open(full) as old, DecisionStore.open(any_url) as new:
        assert old.all() == new.all()
    with ClaimStore.open(full) as old, ClaimStore.open(any_url) as new:
        assert old.status() == new.status()
        assert list(old.fingerprints()) == list(new.fingerprints())
    with EventLog.open(full) as old, EventLog.open(any_url) as new:
        assert old.sentences("city") == new.sentences("city")
        assert old.reports("city") == new.reports("city")
        new.store_lines(
            "city", "wire", [Line("wire", "3", "The third line.", final=True)], now=1.8e9
        )
        assert [s.number for s in new.sentences("city")] == [1, 2, 3]


def test_text_that_postgresql_refuses_is_moved_with_a_sign_in_its_place(full, any_url):
    """A NUL character in a title stops no move."""
    with EventLog.open(full) as log:
        log.begin(Event("odd", "a\0b", date(2024, 1, 1)), 1.0)

    database_copies.move(full, any_url, progress=quiet)

    with EventLog.open(any_url) as log:
        assert log.event("odd").title == "a\N{REPLACEMENT CHARACTER}b"


@pytest.mark.threat("operator")
def test_a_database_that_has_something_is_not_overwritten(full, any_url, tmp_path):
    """Neither a restore nor a move touches what is there."""
    database_copies.back_up(full, tmp_path / "b", progress=quiet)
    with EventLog.open(any_url) as log:
        log.begin(Event("mine", "Mine", date(2024, 1, 1)), 1.0)
    content_before = content(any_url)

    for attempt in (lambda: database_copies.restore(tmp_path / "b", any_url, progress=quiet),
                    lambda: database_copies.move(full, any_url, progress=quiet)):  # fmt: skip
        with pytest.raises(StoreError, match="this database is not empty. Nothing was changed"):
            attempt()
    assert content(any_url) == content_before


@pytest.mark.threat("operator")
def test_what_stops_in_the_middle_leaves_nothing(full, any_url, tmp_path):
    """A backup that fails keeps the earlier one.

    A move that fails leaves the new database empty.
    """

    def stop(stage: str, *_: object) -> None:
        if stage == "copying live_sentences":
            raise KeyboardInterrupt

    database_copies.back_up(full, tmp_path / "b", progress=quiet)
    bytes_before = (tmp_path / "b").read_bytes()

    with pytest.raises(KeyboardInterrupt):
        database_copies.back_up(full, tmp_path / "b", progress=stop)
    with pytest.raises(KeyboardInterrupt):
        database_copies.move(full, any_url, progress=stop)

    assert (tmp_path / "b").read_bytes() == bytes_before
    assert content(any_url).total == 0
    assert sorted(
        path.name for path in tmp_path.iterdir() if not path.name.startswith("lectern.db")
    ) == ["b", "old"]


@pytest.mark.threat("backup holder")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE live_sentences SET text = 'Other.'", "is corrupted: its contents don't match"),
        (
            "DELETE FROM lectern_settings WHERE name = 'copy_digest'",
            "is a Lectern database, but not a backup",
        ),
        (
            "UPDATE lectern_settings SET value = '999' WHERE name = 'schema'",
            "a newer Lectern made this database",
        ),
        ("DROP TABLE lectern_settings", "isn't a Lectern backup"),
    ],
)
def test_a_file_that_is_no_sound_backup_is_refused(backup, tmp_path, change, told):
    """It says why, and nothing is restored."""
    with closing(sqlite3.connect(backup)) as connection, connection:
        connection.execute(change)

    with pytest.raises(StoreError, match=told):
        database_copies.restore(backup, f"sqlite:///{tmp_path / 'new.db'}", progress=quiet)


def test_a_backup_of_an_earlier_version_is_brought_up_to_date(backup, tmp_path, monkeypatch):
    """The restored tables are today's; the backup itself is unchanged."""
    bytes_before = backup.read_bytes()
    monkeypatch.setattr(schema, "SCHEMA_VERSION", schema.SCHEMA_VERSION + 1)

    restored = database_copies.restore(backup, f"sqlite:///{tmp_path / 'new.db'}", progress=quiet)

    assert content(f"sqlite:///{tmp_path / 'new.db'}") == restored
    assert backup.read_bytes() == bytes_before


@pytest.mark.threat("backup holder")
def test_any_value_changes_the_digest(full):
    """The digest stands for every row of every table."""
    digest_before = content(full).digest
    with closing(sqlite3.connect(full.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute(
            "UPDATE claims SET body = body || ' ' WHERE id = (SELECT min(id) FROM claims)"
        )

    assert digest_before != content(full).digest


HOSTILE_SCHEMAS = {
    "a view in place of the settings": """
        ALTER TABLE lectern_settings RENAME TO hidden;
        CREATE VIEW lectern_settings AS WITH RECURSIVE n(name, value) AS
          (SELECT 'schema', '7' UNION ALL SELECT name, value FROM n) SELECT * FROM n;
    """,
    "a trigger on settings": """
        CREATE TRIGGER t AFTER UPDATE ON lectern_settings BEGIN DELETE FROM claims; END;
    """,
    "a virtual table": "CREATE VIRTUAL TABLE extra USING fts5(text);",
    "a computed column": """
        ALTER TABLE claims ADD COLUMN bomb GENERATED ALWAYS AS (hex(zeroblob(400000000))) VIRTUAL;
    """,
    "a word as schema": "UPDATE lectern_settings SET value = 'x' WHERE name = 'schema';",
    "no schema": "DELETE FROM lectern_settings WHERE name = 'schema';",
    "a negative schema": "UPDATE lectern_settings SET value = '-1' WHERE name = 'schema';",
    "a further column": "ALTER TABLE claims ADD COLUMN further TEXT DEFAULT 'x';",
    "a further row": "INSERT INTO lectern_settings VALUES ('own', 'value');",
    "a number in place of a date": "UPDATE claims SET review_date = 1e300;",
    "bytes in place of a text": "UPDATE claims SET statement = x'ff00ff';",
}


@pytest.mark.threat("backup holder")
@pytest.mark.parametrize("kind", HOSTILE_SCHEMAS)
def test_a_database_that_was_made_for_harm_is_refused(backup, tmp_path, kind):
    with closing(sqlite3.connect(backup)) as connection:
        connection.executescript(HOSTILE_SCHEMAS[kind])

    with pytest.raises(StoreError, match="backup|damaged|doesn't create|no valid schema"):
        database_copies.restore(backup, f"sqlite:///{tmp_path / 'new.db'}", progress=quiet)

    assert content(f"sqlite:///{tmp_path / 'new.db'}").total == 0


# Every run has the first version of backups, one whose tables lack columns, and the newest.
FREQUENT_VERSIONS = (3, 6, schema.SCHEMA_VERSION)
STRENGTHS_VERSION = 15  # the first version that stores the strengths of matches
BACKUP_VERSIONS = [
    pytest.param(version, marks=[] if version in FREQUENT_VERSIONS else pytest.mark.slow)
    for version in range(3, schema.SCHEMA_VERSION + 1)
]


@pytest.mark.threat("backup holder")
@pytest.mark.parametrize("made_by", BACKUP_VERSIONS)
def test_a_changed_backup_of_any_version_is_refused(backup, tmp_path, made_by):
    make_earlier(backup, made_by)
    with closing(sqlite3.connect(backup)) as connection, connection:
        connection.execute("UPDATE claims SET rating = 'True'")

    with pytest.raises(StoreError, match="is corrupted: its contents don't match"):
        database_copies.restore(backup, f"sqlite:///{tmp_path / 'new.db'}", progress=quiet)


@pytest.mark.parametrize("made_by", BACKUP_VERSIONS)
def test_a_backup_of_any_version_is_restored(full, backup, tmp_path, made_by):
    make_earlier(backup, made_by)

    restored = database_copies.restore(backup, f"sqlite:///{tmp_path / 'new.db'}", progress=quiet)

    expected_rows = dict(content(full).rows)
    if made_by < STRENGTHS_VERSION:
        # The note that the strengths of the archive's matches are still to be read
        expected_rows["lectern_settings"] += 1
    assert restored.rows == expected_rows


def make_earlier(path: Path, made_by: int) -> None:
    """Make a backup one of an earlier version of Lectern: without later columns and tables."""
    later_columns = [
        (5, "live_lines", "sender"),
        (6, "live_feeds", "unheard"),
        (7, "live_sentences", "vector"),
        (STRENGTHS_VERSION, "archive_mentions", "strength"),
        (STRENGTHS_VERSION, "archive_alerts", "strength"),
        (STRENGTHS_VERSION, "live_sentences", "strength"),
    ]
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        for version, table, column in later_columns:
            if version > made_by:
                connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        if made_by < 4:
            connection.execute("DROP TABLE IF EXISTS archive_searches")
            connection.execute("DROP TABLE IF EXISTS desk_recordings")
        update = "UPDATE lectern_settings SET value = ? WHERE name = ?"
        connection.execute(update, (str(made_by), "schema"))
        connection.commit()
        digest = backup_verification._stored_digest(path, "")
        connection.execute(update, (digest, backup_verification.DIGEST_SETTING))
        connection.commit()


def test_the_digest_of_the_file_is_that_of_the_tables(full, tmp_path):
    backup_content = database_copies.back_up(full, tmp_path / "b", progress=quiet)

    assert backup_verification._stored_digest(tmp_path / "b", "") == backup_content.digest


@pytest.mark.threat("backup holder")
def test_a_token_that_was_revoked_since_the_backup_stays_revoked(full, tmp_path):
    with TokenStore.open(full) as tokens:
        token = tokens.give("city", "encoder", AccessRight.WRITE)
    database_copies.back_up(full, tmp_path / "b", progress=quiet)
    with TokenStore.open(full) as tokens:
        tokens.revoke("city", "encoder")
    url = f"sqlite:///{tmp_path / 'new.db'}"

    restored = database_copies.restore(tmp_path / "b", url, progress=quiet)

    assert restored.revoked == 1
    with TokenStore.open(url) as tokens:
        assert tokens.right(token, "city") == AccessRight.NONE


def test_a_move_keeps_tokens(full, tmp_path):
    with TokenStore.open(full) as tokens:
        token = tokens.give("city", "encoder", AccessRight.WRITE)
    url = f"sqlite:///{tmp_path / 'new.db'}"

    database_copies.move(full, url, progress=quiet)

    with TokenStore.open(url) as tokens:
        assert tokens.right(token, "city") == AccessRight.WRITE


@pytest.mark.threat("operator")
def test_copies_that_a_killed_restore_left_are_removed(full, tmp_path, monkeypatch):
    monkeypatch.setattr(database_copies.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(database_copies, "is_alive", lambda number: number != 11)
    for name in ("lectern-restore-11-abc", "lectern-restore-12-abc", "lectern-other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "backup").write_text("copy")

    with database_copies._private_folder():
        pass

    left = sorted(path.name for path in tmp_path.glob("lectern-*"))
    assert left == ["lectern-other", "lectern-restore-12-abc"]


@pytest.mark.threat("operator")
def test_a_restore_that_is_asked_to_end_removes_its_copy():
    with pytest.raises(SystemExit), database_copies._private_folder() as folder:
        os.kill(os.getpid(), signal.SIGTERM)

    assert not folder.exists()


@pytest.mark.threat("operator")
def test_a_database_of_another_program_is_not_changed(tmp_path):
    path = tmp_path / "places.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE claims (policy INTEGER)")
    bytes_before = path.read_bytes()

    with pytest.raises(StoreError, match="is a database that belongs to another program"):
        ClaimStore.open(f"sqlite:///{path}")

    assert path.read_bytes() == bytes_before
