"""Backing up, restoring, moving and purging from the command line."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from assistant.commands.cli import main
from assistant.core import database, database_copies, settings
from assistant.core.domain import Decision
from assistant.jobs.corrections import Correction, CorrectionStore
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.recordings import Recording, RecordingStore
from assistant.jobs.report_store import JobRequest, ReportStore
from assistant.live.event import Event
from assistant.live.event_log import EventLog
from assistant.live.event_report import report as live_report
from assistant.live.sources import browser_microphone
from assistant.report import stored_reports
from assistant.review import deciding
from assistant.review.decision_store import DecisionStore
from assistant.review.presence_store import PresenceStore
from tests.assistant import homes, made_up

ORDER = JobSpec(made_up.report().transcript)


def table(text: str) -> dict[str, str]:
    return dict(line.split("\t", 1) for line in text.splitlines())


def test_a_backup_goes_to_another_home(tmp_path, capsys):
    """The digests that the commands print are the same.

    Nothing stands on standard output but the table.
    """
    homes.make(tmp_path)

    assert main(["backup", str(tmp_path / "b"), "--home", str(tmp_path)]) == 0
    backup_table = table(capsys.readouterr().out)
    assert main(["restore", str(tmp_path / "b"), "--home", str(tmp_path / "new")]) == 0
    restored = capsys.readouterr()

    assert backup_table == table(restored.out)
    assert backup_table["claims"] == "3"
    assert len(backup_table["digest"]) == 32
    assert "claims index" in restored.err
    assert main(["restore", str(tmp_path / "b"), "--home", str(tmp_path / "new")]) == 1
    assert "is not empty" in capsys.readouterr().err


def kept_file(home) -> Path:
    """A recording that a home keeps."""
    sound = home / "recordings" / "a.mp3"
    sound.parent.mkdir(parents=True)
    sound.write_bytes(b"sound")
    return sound


@pytest.fixture
def backup_with_recordings(tmp_path, capsys) -> Path:
    """The backup of a home that keeps one recording and refers to another.

    The table of its content is the first that ``capsys`` has.
    """
    home = tmp_path / "production"
    sound = kept_file(home)
    recording_path = tmp_path / "mine.mp3"
    recording_path.write_bytes(b"sound")
    with RecordingStore.open_in(home, f"sqlite:///{home / 'lectern.db'}") as recordings:
        recordings.add(Recording("d" * 64, "a.mp3", sound, True, title="Kept"))
        recordings.add(Recording("e" * 64, "mine.mp3", recording_path, False, title="Referred to"))
    path = tmp_path / "monday.backup"
    assert main(["backup", str(path), "--home", str(home)]) == 0
    return path


@pytest.mark.threat("operator")
def test_a_purge_in_a_restored_copy_leaves_the_recordings_of_production(
    backup_with_recordings, tmp_path, capsys
):
    """The old paths of production are in the backup, too."""
    sound = tmp_path / "production" / "recordings" / "a.mp3"
    with closing(sqlite3.connect(backup_with_recordings)) as connection, connection:
        connection.execute("UPDATE desk_recordings SET path = ? WHERE kept", (str(sound),))
    reseal(backup_with_recordings)
    home = str(tmp_path / "copy")
    assert main(["restore", str(backup_with_recordings), "--home", home]) == 0

    assert main(["purge", "--older-than", "30", "--yes", "--home", home]) == 0

    assert "1 debate deleted. Backups and exported files still have it." in capsys.readouterr().err
    assert sound.is_file()


def reseal(path) -> None:
    """Store the digest of a backup that was changed, as somebody hostile could."""
    with database_copies.WholeDatabase.open(f"sqlite:///{path}") as database:
        database.seal(database.content())


@pytest.mark.threat("backup holder")
def test_a_restore_forgets_recordings_that_are_only_referred_to(
    backup_with_recordings, tmp_path, capsys
):
    """It says how many; the table and the digest that it prints are the backup's."""
    backup_table = table(capsys.readouterr().out)
    home = tmp_path / "copy"

    assert main(["restore", str(backup_with_recordings), "--home", str(home)]) == 0

    printed = capsys.readouterr()
    assert table(printed.out) == backup_table
    assert "1 links to recordings outside Lectern's folder were removed" in printed.err
    assert "The digest is that of the backup" in printed.err
    with RecordingStore.open_in(home, f"sqlite:///{home / 'lectern.db'}") as recordings:
        assert recordings.of("d" * 64).name == "a.mp3"
        assert recordings.of("e" * 64) is None


def test_a_restore_counts_no_open_page_as_a_recording(tmp_path, capsys):
    """Who has a debate open is left out of a restored database, without a word about recordings."""
    home = tmp_path / "home"
    with PresenceStore.open(f"sqlite:///{home / 'lectern.db'}") as presence:
        presence.note("d" * 64, "ada")
    path = tmp_path / "monday.backup"
    assert main(["backup", str(path), "--home", str(home)]) == 0
    capsys.readouterr()

    assert main(["restore", str(path), "--home", str(tmp_path / "copy")]) == 0

    assert "links to recordings" not in capsys.readouterr().err
    with PresenceStore.open(f"sqlite:///{tmp_path / 'copy' / 'lectern.db'}") as presence:
        assert presence.note("d" * 64, "ben") == []


def test_a_move_keeps_recordings_that_are_only_referred_to(tmp_path, any_url):
    """It stays on one computer."""
    home = tmp_path / "home"
    recording_path = tmp_path / "mine.mp3"
    with RecordingStore.open_in(home, f"sqlite:///{home / 'lectern.db'}") as recordings:
        recordings.add(Recording("e" * 64, "mine.mp3", recording_path, False))

    assert main(["move", "--to", any_url, "--home", str(home)]) == 0

    with RecordingStore.open_in(home, any_url) as recordings:
        assert recordings.of("e" * 64).file == recording_path


@pytest.mark.threat("backup holder")
def test_a_purge_deletes_no_folder_that_a_hostile_backup_names(tmp_path, capsys):
    """What was heard is kept in a folder named by the document; a row may say anything."""
    url = f"sqlite:///{tmp_path / 'lectern.db'}"
    folder = tmp_path / "precious"
    folder.mkdir()
    with CorrectionStore.open(url) as corrections:
        corrections.add(Correction(str(folder), 1, 1e9, "Ada", "Heart.", "", "Heard.", ""))

    listed(url, capsys, "--older-than", "30", "--yes", "--home", str(tmp_path))

    assert folder.is_dir()


def test_a_move_to_a_new_database(tmp_path, any_url, capsys):
    """SQLite to either kind."""
    home = tmp_path / "old"
    home.mkdir()
    homes.make(home)

    assert main(["move", "--to", any_url, "--home", str(home)]) == 0

    assert "LECTERN_DATABASE_URL" in capsys.readouterr().err
    with DecisionStore.open(any_url) as store:
        assert len(store.all()) == 1


def test_a_file_that_is_not_there(tmp_path, capsys):
    """One line."""
    assert main(["restore", str(tmp_path / "none"), "--home", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"lectern: {tmp_path / 'none'}: there is no such file.\n"


@pytest.fixture
def debates(any_url) -> str:
    """The URL of a database with three debates: of a file, of another file, and live.

    Each was decided on.
    """
    report = made_up.report()
    other_report = stored_reports.archive(report).replace(
        report.transcript.source.sha256.encode(), b"f" * 64
    )
    with (
        DecisionStore.open(any_url) as decisions,
        ReportStore.open(any_url) as shelf,
        EventLog.open(any_url) as log,
    ):
        shelf.store_report("one", stored_reports.archive(report), now=time.time())
        shelf.store_report("two", other_report, now=1e9)
        for stored_report in (report, stored_reports.load(other_report)):
            decide(decisions, stored_report)
        event = log.begin(Event("city", "City debate"), 1e9)
        stored_report = live_report(log, event)
        decide(decisions, stored_reports.load(stored_reports.archive(report).replace(
            report.transcript.source.sha256.encode(), b"").replace(report.transcript.title.encode(), b"City debate")
            .replace(str(report.transcript.event_date).encode(), str(event.day).encode())))  # fmt: skip
        assert stored_report.transcript.source.sha256 == ""
    return any_url


def decide(store: DecisionStore, report) -> None:
    placed = deciding.DecidedReport(report)
    match = report.sentences[0].matches[0]
    deciding.decide(
        store,
        placed,
        (1, match),
        Decision("confirm", by="Ada"),
        clock=lambda: "2001-09-09T00:00:00.000Z",
    )


def listed(url: str, capsys, *options: str) -> dict[str, str]:
    assert main(["purge", "--database-url", url, *options]) == 0
    return {
        line.split("\t")[0]: line.split("\t")[3] for line in capsys.readouterr().out.splitlines()
    }


def test_debates_are_listed_and_one_is_purged(debates, capsys):
    """With reports and decisions; the others stay whole."""
    document = made_up.report().transcript.source.sha256[:16]
    everything = listed(debates, capsys)
    contents = "1 report, 1 decision"
    assert {document: contents, "f" * 16: contents, "live:city": "1 decision"} == everything

    assert listed(debates, capsys, document) == {document: contents}
    assert listed(debates, capsys) == everything
    assert listed(debates, capsys, document, "--yes") == {document: contents}
    assert {name: summary for name, summary in everything.items() if name != document} == listed(
        debates, capsys
    )
    with ReportStore.open(debates) as shelf, DecisionStore.open(debates) as decisions:
        assert shelf.report("one") is None
        assert [head.id for head in shelf.report_heads(9)] == ["two"]
        assert len(decisions.all()) == 2


def test_a_live_event_is_purged(debates, capsys):
    """Lines, sentences, results, and what was decided on them."""
    listed(debates, capsys, "live:city", "--yes")

    assert "live:city" not in listed(debates, capsys)
    with EventLog.open(debates) as log, DecisionStore.open(debates) as decisions:
        assert log.events() == []
        assert len(decisions.all()) == 2


def test_retention_by_age(debates, capsys):
    """What was written to lately stays."""
    assert set(listed(debates, capsys, "--older-than", "30", "--yes")) == {"f" * 16, "live:city"}
    assert [made_up.report().transcript.source.sha256[:16]] == list(listed(debates, capsys))


def test_a_recording_and_corrections_go_with_their_debate(tmp_path, capsys):
    """The file that Lectern keeps is deleted, too."""
    url = f"sqlite:///{tmp_path / 'lectern.db'}"
    sound = kept_file(tmp_path)
    with (
        RecordingStore.open_in(tmp_path, url) as recordings,
        CorrectionStore.open(url) as corrections,
    ):
        recordings.add(Recording("d" * 64, "a.mp3", sound, True, title="Debate"))
        corrections.add(Correction("d" * 64, 1, 1e9, "Ada", "Heart.", "", "Heard.", ""))

        purged = listed(url, capsys, "d" * 16, "--yes", "--home", str(tmp_path))
        assert purged == {"d" * 16: "1 recording, 1 correction"}

        assert recordings.of("d" * 64) is None
        assert corrections.of("d" * 64) == {}
        assert not sound.exists()


def test_sound_of_a_browser_goes_with_its_event(tmp_path, capsys):
    """What a kill has left on the disk is deleted, too."""
    url = f"sqlite:///{tmp_path / 'lectern.db'}"
    spool = browser_microphone.source("night", settings.load(home=tmp_path)).sound_buffer
    spool.add(0, bytes(100))
    with EventLog.open(url) as log:
        log.begin(Event("night", "Night"), time.time())

    listed(url, capsys, "live:night", "--yes", "--home", str(tmp_path))

    assert not spool.folder.exists()


def test_purged_text_is_not_left_in_the_file(tmp_path, capsys):
    """SQLite keeps deleted rows in its file until it is written anew."""
    url = f"sqlite:///{tmp_path / 'lectern.db'}"
    with EventLog.open(url) as log:
        log.begin(Event("secret-event", "Zanzibarish"), 1e9)
    assert b"Zanzibarish" in b"".join(path.read_bytes() for path in tmp_path.iterdir())

    listed(url, capsys, "--older-than", "1", "--yes")

    assert b"Zanzibarish" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.threat("operator")
def test_what_is_being_worked_on_is_not_purged(debates, capsys):
    """A check that runs, an event that is followed: nothing of them is deleted."""
    document = made_up.report().transcript.source.sha256
    with ReportStore.open(debates) as shelf, EventLog.open(debates) as log:
        shelf.claim_job(JobRequest("new", "t", spec=ORDER), max_running_jobs=9, now=time.time())
        log.beat("city", now=time.time())

    for name, reason in ((document[:16], "is being checked"), ("live:city", "is being followed")):
        assert main(["purge", name, "--yes", "--database-url", debates]) == 1
        assert reason in capsys.readouterr().err
    with DecisionStore.open(debates) as decisions:
        assert len(decisions.all()) == 3


@pytest.mark.threat("operator")
@pytest.mark.parametrize(("options", "status"), [(["--yes"], 2), (["nothing-like-it"], 1)])
def test_a_purge_of_nothing_in_particular_is_refused(debates, options, status):
    """Not everything by mistake, and no name that is unknown."""
    try:
        assert main(["purge", "--database-url", debates, *options]) == status
    except SystemExit as error:
        assert status == error.code


@pytest.mark.threat("operator")
@pytest.mark.parametrize("any_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("age", ["-1", "0", "0.5", "-0", "nan", "", "٣", "99999999999"])
def test_an_age_that_would_delete_everything_or_nothing_is_a_usage_error(debates, age, capsys):
    before = listed(debates, capsys)

    with pytest.raises(SystemExit) as ended:
        main(["purge", "--database-url", debates, f"--older-than={age}", "--yes"])

    assert ended.value.code == 2
    assert listed(debates, capsys) == before


@pytest.mark.threat("operator")
def test_a_purge_of_another_folder_leaves_the_database_of_the_variable(
    debates, tmp_path, capsys, monkeypatch
):
    before = listed(debates, capsys)
    monkeypatch.setenv("LECTERN_DATABASE_URL", debates)

    assert main(["purge", "--home", str(tmp_path / "copy"), "--older-than", "1", "--yes"]) == 0

    assert "LECTERN_DATABASE_URL is ignored" in capsys.readouterr().err
    assert listed(debates, capsys) == before


@pytest.mark.threat("operator")
def test_a_purge_says_so_if_a_reader_holds_what_was_deleted(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(database, "READERS_LIMIT_S", 0.0)
    monkeypatch.setattr(database, "SHRINK_TRY_MS", 10)
    url = f"sqlite:///{tmp_path / 'lectern.db'}"
    with EventLog.open(url) as log:
        log.begin(Event("secret-event", "Zanzibarish"), 1e9)
    with closing(sqlite3.connect(tmp_path / "lectern.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM live_events").fetchall()
        arguments = ["purge", "--database-url", url, "--older-than", "1", "--yes"]
        assert main(arguments) == 1
        assert "another process is reading it" in capsys.readouterr().err

    assert main(arguments) == 0
    assert b"Zanzibarish" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_a_backup_has_every_table_of_the_product(tmp_path, capsys):
    """Also tables of packages that no other part of this command needs."""
    homes.make(tmp_path)
    definition = re.compile(r'sa\.Table\(\s*"([a-z_]+)"')
    tables = set()
    for path in Path(database.__file__).parents[1].rglob("*.py"):
        tables |= set(definition.findall(path.read_text("utf-8")))

    code = "import sys; from assistant.commands.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "backup", str(tmp_path / "b"), "--home", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert "desk_reports" in tables
    assert tables - table(done.stdout).keys() == set()
