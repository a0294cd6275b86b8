"""What the pages ask for: orders with names, reports on disk, samples."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from assistant.check import rankers
from assistant.desk import orders
from assistant.desk.desk import Desk, Order, order_id, order_of
from assistant.desk.jobs import Jobs
from assistant.ground import stored_reports
from assistant.ground.errors import MalformedTranscript
from assistant.ground.settings import EMBEDDED, Settings
from tests.assistant.ui import factory

REPORT = factory.report(20)
ORDER = Order(REPORT.transcript)
SETTINGS = Settings()


@pytest.fixture
def desk(tmp_path):
    made = Desk(Settings(home=tmp_path), Jobs(tmp_path / "reports"))
    (tmp_path / "reports").mkdir()
    yield made
    made.close()


def keep(desk: Desk, name: str, report, age_s: int = 0) -> None:
    path = desk.jobs.folder / f"{name}.json"
    path.write_bytes(stored_reports.archive(report))
    then = path.stat().st_mtime - age_s
    os.utime(path, (then, then))


def test_the_same_order_has_the_same_name():
    """A second check of the same transcript is answered from disk."""
    assert order_id(ORDER, SETTINGS, "d") == order_id(Order(factory.report(20).transcript), SETTINGS, "d")
    assert order_id(ORDER, SETTINGS, "d").isalnum()


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
    assert order_id(ORDER, SETTINGS, "d") != order_id(order, settings, database)


def test_a_ranker_that_learnt_makes_another_report(monkeypatch):
    """A report made before decisions moved the weights is not shown for the ranker as it is now."""
    before = order_id(ORDER, SETTINGS, "d")
    moved = replace(rankers.load("lectern"), digest="another")
    monkeypatch.setattr(rankers, "load", lambda name: moved)
    assert order_id(ORDER, SETTINGS, "d") != before


def test_a_report_is_read_back_as_it_was(desk):
    """The page shows the stored report, rejected candidates included."""
    keep(desk, "abc", REPORT)

    back = desk.report("abc")

    assert stored_reports.archive(REPORT) == stored_reports.archive(back)
    assert any(s.nearest for s in back.sentences)


@pytest.mark.parametrize("name", ["missing", "../abc", ""])
def test_a_report_that_is_not_there_is_nothing(desk, name):
    """An address that leads nowhere is no error."""
    assert desk.report(name) is None


def test_a_damaged_report_is_reported_with_its_file(desk):
    """A file that is no report is not listed among the reports, but named; opening it says which file is at fault."""
    keep(desk, "good", REPORT)
    (desk.jobs.folder / "bad.json").write_text('{"schema": "lectern.report/1"')
    (desk.jobs.folder / "other.json").write_text("[]")

    assert ["good"] == [head.id for head in desk.report_heads()]
    assert {"bad.json", "other.json"} == set(desk.unreadable())
    with pytest.raises(MalformedTranscript, match=r"^bad\.json: not a Lectern report .* Check the transcript again\.$"):
        desk.report("bad")


def test_reports_are_listed_newest_first_with_their_counts(desk):
    """The first screen offers what was checked before."""
    keep(desk, "old", REPORT, age_s=100)
    keep(desk, "new", factory.report(30))

    listed = desk.report_heads()

    assert ["new", "old"] == [k.id for k in listed]
    assert factory.report(30).counts() == dict(listed[0].counts)
    assert ["new"] == [k.id for k in desk.report_heads(limit=1)]


def test_the_switch_keeps_transcript_and_ranker():
    """A check as of the event is the same order but for the switch."""
    order = order_of(REPORT, as_of_event=True)

    assert (REPORT.transcript.sentences, True, "lectern") == (
        order.transcript.sentences,
        order.as_of_event,
        order.ranker,
    )


def test_switching_back_finds_the_first_report():
    """A report from disk, with rounded times and the database's warnings, is the order that made it."""
    uneven = replace(REPORT.transcript.sentences[0], start=1.23456789, end=2.3456789)
    transcript = replace(REPORT.transcript, sentences=(uneven, *REPORT.transcript.sentences[1:]))
    told = ("No date in the file.", "The newest fact-check is from 1 Jan 2020. Later claims cannot be found.")
    checked = (replace(REPORT.sentences[0], sentence=uneven), *REPORT.sentences[1:])
    made = replace(REPORT, transcript=transcript, sentences=checked, warnings=told)
    back = order_of(stored_reports.load(stored_reports.archive(made)), as_of_event=False)

    assert ("No date in the file.",) == back.transcript.warnings
    assert order_id(Order(transcript), SETTINGS, "d") == order_id(back, SETTINGS, "d")


def interrupted_desk(tmp_path, process: int) -> Desk:
    """Return a desk whose last process left a check undone."""
    path = tmp_path / "reports" / f"abc{orders.SUFFIX}"
    orders.save(ORDER, path)
    table = json.loads(path.read_text())
    path.write_text(json.dumps({**table, "process": process}))
    return Desk(Settings(home=tmp_path), Jobs(tmp_path / "reports"))


def test_an_interrupted_check_is_known_after_a_restart(tmp_path):
    """The order of a process that has gone is read back whole: title, date, speakers, sentences, switches."""
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    desk = interrupted_desk(tmp_path, int(gone.stdout))
    assert {"abc": ORDER} == desk.interrupted()


def test_a_check_of_a_living_process_is_not_interrupted(tmp_path):
    """Two windows with a process each do not offer each other's checks."""
    assert {} == interrupted_desk(tmp_path, os.getppid()).interrupted()


def test_a_broken_order_is_passed_over(tmp_path):
    """A file that is no order hides no other."""
    desk = interrupted_desk(tmp_path, os.getpid())
    (tmp_path / "reports" / "aaa.order").write_text("half")
    assert ["abc"] == list(desk.interrupted())


def test_an_interrupted_check_runs_again(tmp_path, monkeypatch):
    """Run again gives the report, and is offered no more; nor is a check that was cancelled."""
    desk = interrupted_desk(tmp_path, os.getpid())
    monkeypatch.setattr(Desk, "_check", lambda *_: stored_reports.archive(REPORT))
    job = desk.resume("abc")
    desk.jobs.close()
    assert REPORT.counts() == desk.report(job.id).counts()
    assert {} == desk.interrupted()
    assert [] == list((tmp_path / "reports").glob("*.order"))
