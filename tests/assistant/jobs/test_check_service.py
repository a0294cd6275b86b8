"""What the pages ask for: orders with names, stored reports, samples."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from assistant import pipeline
from assistant.check import rankers
from assistant.core.audit import AuditLog
from assistant.core.errors import MalformedTranscript
from assistant.core.settings import EMBEDDED, Settings
from assistant.jobs import report_store
from assistant.jobs.check_service import CheckService, check_job_id, job_spec_of
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.report_store import JobRequest
from assistant.report import stored_reports
from tests.assistant.ui import factory

REPORT = factory.report(20)
ORDER = JobSpec(REPORT.transcript)
SETTINGS = Settings()
ROOT = Path(__file__).parents[3]
OLD = ROOT / "tests" / "golden" / "homes" / "schema_2"


@pytest.fixture
def desk(tmp_path):
    service = CheckService.open(Settings(home=tmp_path))
    yield service
    service.close()


def test_the_same_order_has_the_same_name():
    """A second check of the same transcript is answered from the database."""
    assert check_job_id(ORDER, SETTINGS, "d") == check_job_id(
        JobSpec(factory.report(20).transcript), SETTINGS, "d"
    )
    assert check_job_id(ORDER, SETTINGS, "d").isalnum()


@pytest.mark.parametrize(
    ("order", "settings", "database"),
    [
        (replace(ORDER, as_of_event=True), SETTINGS, "d"),
        (replace(ORDER, ranker="ranksvm-max-skip"), SETTINGS, "d"),
        (replace(ORDER, transcript=replace(ORDER.transcript, title="Another")), SETTINGS, "d"),
        (ORDER, replace(SETTINGS, profile=replace(EMBEDDED, likely=0.5)), "d"),
        (ORDER, SETTINGS, "other"),
    ],
)
def test_another_order_has_another_name(order, settings, database):
    """Transcript, switch, ranker, thresholds and database all make another report."""
    assert check_job_id(ORDER, SETTINGS, "d") != check_job_id(order, settings, database)


def test_a_ranker_that_learnt_makes_another_report(monkeypatch):
    """A report made before decisions moved the weights is not shown for the ranker as it is now."""
    id_before = check_job_id(ORDER, SETTINGS, "d")
    moved = replace(rankers.load("lectern"), digest="another")
    monkeypatch.setattr(rankers, "load", lambda name, folder: moved)
    assert check_job_id(ORDER, SETTINGS, "d") != id_before


def test_a_report_is_read_back_as_it_was(desk, tmp_path):
    """The page shows the stored report, rejected candidates included."""
    factory.keep(tmp_path, "abc", REPORT)

    back = desk.report("abc")

    assert stored_reports.archive(REPORT) == stored_reports.archive(back)
    assert any(s.nearest for s in back.sentences)


@pytest.mark.parametrize("name", ["missing", "../abc", ""])
def test_a_report_that_is_not_there_is_nothing(desk, name):
    """An address that leads nowhere is no error."""
    assert desk.report(name) is None


def test_reports_and_orders_of_earlier_versions_are_taken_in(tmp_path):
    """What schema 2 kept as files is in the database from now on, with its date.

    A damaged file is named and stays.
    """
    shutil.copytree(OLD / "reports", tmp_path / "reports")
    report = tmp_path / "reports" / "0123456789abcdef0123.json"
    stored = report.read_bytes()
    os.utime(report, (1.5e9, 1.5e9))
    (tmp_path / "reports" / "bad.json").write_text('{"schema": "lectern.report/1"')

    with closing(CheckService.open(Settings(home=tmp_path))) as desk:
        assert [(head.id, head.written) for head in desk.report_heads()] == [(report.stem, 1.5e9)]
        assert desk.jobs.report_store.report(report.stem) == stored
        assert list(desk.interrupted_checks()) == ["fedcba98765432100000"]
        assert (
            ["bad.json"]
            == desk.unreadable_reports()
            == [path.name for path in (tmp_path / "reports").iterdir()]
        )


@pytest.mark.parametrize("name", ["notes", "debate-2024", "0123456789ABCDEF0123", "0123"])
def test_a_report_under_a_name_that_lectern_did_not_give_stays(tmp_path, name):
    """A person may keep an exported report in the folder."""
    (tmp_path / "reports").mkdir()
    path = tmp_path / "reports" / f"{name}.json"
    shutil.copyfile(OLD / "reports" / "0123456789abcdef0123.json", path)

    with closing(CheckService.open(Settings(home=tmp_path))) as desk:
        assert desk.report_heads() == []

    assert path.is_file()


def test_a_file_replaces_no_stored_report(tmp_path):
    shutil.copytree(OLD / "reports", tmp_path / "reports")
    path = tmp_path / "reports" / "0123456789abcdef0123.json"
    original = path.read_bytes()
    with closing(CheckService.open(Settings(home=tmp_path))):
        path.write_bytes(original + b" ")

    with closing(CheckService.open(Settings(home=tmp_path))) as desk:
        assert desk.jobs.report_store.report(path.stem) == original

    assert path.read_bytes() == original + b" "


def test_a_report_that_cannot_be_read_is_named(desk):
    """A report of a later schema says which it is."""
    table = {**json.loads(stored_reports.archive(REPORT)), "schema": "lectern.report/9"}
    factory.keep(desk.settings.home, "later", json.dumps(table).encode())

    with pytest.raises(
        MalformedTranscript, match=r"^later: the report has schema 'lectern.report/9'"
    ):
        desk.report("later")


def test_reports_are_listed_newest_first_with_their_counts(desk, tmp_path):
    """The first screen offers what was checked before."""
    factory.keep(tmp_path, "old", REPORT)
    factory.keep(tmp_path, "new", factory.report(30))

    listed = desk.report_heads()

    assert [k.id for k in listed] == ["new", "old"]
    assert factory.report(30).counts() == dict(listed[0].counts)
    assert [k.id for k in desk.report_heads(limit=1)] == ["new"]


def test_the_switch_keeps_transcript_and_ranker():
    """A check as of the event is the same order but for the switch."""
    order = job_spec_of(REPORT, as_of_event=True)

    assert REPORT.transcript.sentences == order.transcript.sentences
    assert order.as_of_event is True
    assert order.ranker == "lectern"


def test_switching_back_finds_the_first_report():
    """A stored report, with rounded times and the database's warnings, is the order that made it."""
    uneven = replace(REPORT.transcript.sentences[0], start=1.23456789, end=2.3456789)
    transcript = replace(REPORT.transcript, sentences=(uneven, *REPORT.transcript.sentences[1:]))
    warnings = (
        "No date in the file.",
        "The newest fact-check is from 1 Jan 2020. Later claims cannot be found.",
    )
    checked = (replace(REPORT.sentences[0], sentence=uneven), *REPORT.sentences[1:])
    checked_report = replace(REPORT, transcript=transcript, sentences=checked, warnings=warnings)
    back = job_spec_of(
        stored_reports.load(stored_reports.archive(checked_report)), as_of_event=False
    )

    assert back.transcript.warnings == ("No date in the file.",)
    assert check_job_id(JobSpec(transcript), SETTINGS, "d") == check_job_id(back, SETTINGS, "d")


TAKE = """
import sys
from assistant.jobs.report_store import JobRequest, ReportStore
from tests.assistant.jobs.test_check_service import ORDER
ReportStore.open(sys.argv[1]).claim_job(JobRequest("abc", "City debate", spec=ORDER), max_running_jobs=9, now=float(sys.argv[2]))
"""


@pytest.mark.slow
def test_an_interrupted_check_runs_again(desk, monkeypatch):
    """The order of a process that has gone is known whole.

    Run again gives the report, and is offered no more.
    """
    subprocess.run(
        [sys.executable, "-c", TAKE, desk.settings.database, str(time.time())], cwd=ROOT, check=True
    )
    assert desk.interrupted_checks() == {"abc": ORDER}
    monkeypatch.setattr(CheckService, "_check", lambda *_: stored_reports.archive(REPORT))

    job = desk.resume("abc")
    desk.jobs.close()

    assert REPORT.counts() == desk.report(job.id).counts()
    assert desk.interrupted_checks() == {}


def test_a_check_of_a_living_process_is_not_interrupted(desk, monkeypatch):
    """Two windows with a process each do not offer each other's checks."""
    with monkeypatch.context() as there:
        there.setattr(
            report_store, "this_process", lambda: f"{socket.gethostname()}:{os.getppid()}:x"
        )
        desk.jobs.report_store.claim_job(
            JobRequest("abc", "City debate", spec=ORDER), max_running_jobs=9, now=time.time()
        )

    assert desk.interrupted_checks() == {}


def test_a_check_is_of_whoever_is_at_the_page(desk, monkeypatch):
    """Their name is with the job and in the log of what people do."""
    monkeypatch.setattr(CheckService, "_check", lambda *_: stored_reports.archive(REPORT))
    desk.current_person = lambda: "Ada"

    desk.start(ORDER)
    desk.jobs.close()

    with AuditLog.open(desk.settings.database) as log:
        assert [(entry.who, entry.what, entry.outcome) for entry in log.newest(9)] == [
            ("Ada", "check", "done")
        ]


@pytest.mark.parametrize("has_preview", [True, False])
def test_a_preview_is_computed_only_if_a_page_waits_for_it(tmp_path, monkeypatch, has_preview):
    """A program that starts a check never sees its preview."""
    has_first_look = []

    def check(transcript, index, profile, *, on_first_look, **options):
        has_first_look.append(on_first_look is not None)
        return REPORT

    monkeypatch.setattr(pipeline, "open_index", lambda settings, progress: None)
    monkeypatch.setattr(pipeline, "check", check)
    with closing(CheckService.open(Settings(home=tmp_path), has_preview=has_preview)) as service:
        service.start(ORDER)
        factory.wait_for_jobs(service)

    assert has_first_look == [has_preview]
