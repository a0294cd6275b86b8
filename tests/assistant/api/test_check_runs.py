"""Checks of programs whose process has stopped, and recordings, which two jobs handle."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import pytest

from assistant.api.check_records import CheckRecord, CheckRecordStore
from assistant.api.check_runs import SERVER_FAULT, CheckOptions, CheckRuns, CheckStage
from assistant.claims.claim_store import ClaimStore
from assistant.commands.cli import main
from assistant.core.errors import Busy, Cancelled, StoreError, TranscriptError
from assistant.core.settings import Settings
from assistant.jobs import check_service as check_service_module
from assistant.jobs import job_specs
from assistant.jobs.check_service import CheckService, transcription_job_id
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.job_state import JobState
from assistant.report import stored_reports
from tests.assistant.made_up import report
from tests.assistant.test_pipeline import CLAIMS

PATIENCE_S = 60
RECORD = CheckRecord("c" * 32, owner="plug-in", idempotency_key="k", request_digest="d")


@pytest.fixture
def settings(tmp_path):
    made = Settings(home=tmp_path)
    with ClaimStore.open(made.database) as store:
        store.upsert(CLAIMS, source="tests")
    return made


@pytest.fixture
def work(monkeypatch):
    """Replace checks and transcriptions by ones that end at once, or raise."""
    done = SimpleNamespace(checks=0, transcriptions=0, refusal=None)

    def check(self, spec, *_):
        done.checks += 1
        return stored_reports.archive(replace(report(), transcript=spec.transcript))

    def transcribe(self, recording, *_):
        done.transcriptions += 1
        if done.refusal:
            raise done.refusal
        return job_specs.to_bytes(JobSpec(report().transcript))

    monkeypatch.setattr(CheckService, "_check", check)
    monkeypatch.setattr(CheckService, "_transcribe", transcribe)
    return done


@pytest.fixture
def open_runs(settings):
    """Return a function that opens the checks as a new process does."""
    opened = []

    def open_again():
        service = CheckService.open(settings)
        runs = CheckRuns(service, CheckRecordStore.open(settings.database), time.time)
        opened.append(runs)
        return runs

    yield open_again
    for runs in opened:
        runs.close()


def until_ended(runs, check_id=RECORD.id):
    end = time.monotonic() + PATIENCE_S
    while True:
        runs.advance_all()
        record = runs.records.get(check_id)
        if record.has_ended:
            return runs.status(record)
        assert time.monotonic() < end, runs.status(record)
        time.sleep(0.02)


def test_a_transcript_is_checked(open_runs, work):
    runs = open_runs()
    runs.start_transcript(RECORD, report().transcript, CheckOptions(title="Other"))

    assert until_ended(runs).stage is CheckStage.DONE
    assert runs.report(runs.records.get(RECORD.id)).transcript.title == "Other"


def test_a_check_goes_on_after_its_process_was_killed(open_runs, settings, work):
    """The job is in the database, but the process that claimed it is dead."""
    runs = open_runs()
    record = runs.records.add(RECORD)
    started = runs._start_check(record, JobSpec(report().transcript))
    runs.service.close()
    with runs.service.jobs.report_store._writing() as connection:
        _forget_end(connection, started.job)

    later_runs = open_runs()
    assert later_runs.status(later_runs.records.get(RECORD.id)).stage is CheckStage.WAITING
    assert until_ended(later_runs).stage is CheckStage.DONE
    assert work.checks == 2


def _forget_end(connection, job_id):
    """Make a job look like one whose process was killed."""
    import zlib

    from assistant.jobs.tables import jobs, reports

    spec = zlib.compress(job_specs.to_bytes(JobSpec(report().transcript)))
    values = {"state": str(JobState.RUNNING), "process": "", "ordered": spec, "ended": None}
    connection.execute(jobs.update().where(jobs.c.id == job_id).values(**values))
    connection.execute(reports.delete().where(reports.c.id == job_id))


def test_a_request_that_was_killed_before_its_job_can_be_repeated(open_runs, work):
    """The row is stored, the job is not: the same key starts it."""
    runs = open_runs()
    runs.records.add(RECORD)

    again = replace(RECORD, id="d" * 32)
    started = runs.start_transcript(again, report().transcript, CheckOptions())

    assert started.id == RECORD.id
    assert until_ended(runs).stage is CheckStage.DONE


def test_a_refused_check_leaves_its_key_free(open_runs, work, monkeypatch):
    runs = open_runs()

    def refuse(*_, **__):
        raise Busy("too many")

    monkeypatch.setattr(CheckService, "start", refuse)
    with pytest.raises(Busy):
        runs.start_transcript(RECORD, report().transcript, CheckOptions())
    assert runs.records.get(RECORD.id) is None


@pytest.fixture
def recording_id(settings, tmp_path, work):
    """Return the id of the job that transcribes a stored recording."""
    from assistant.jobs.recordings import Recording, RecordingStore

    with RecordingStore.open_in(settings.home, settings.database) as store:
        store.folder.mkdir(parents=True)
        path = store.folder / f"{'a' * 64}.mp3"
        path.write_bytes(b"ID3\x04")
        store.add(Recording("a" * 64, "night.mp3", path, is_owned=True))
    return transcription_job_id("a" * 64)


def test_a_recording_is_transcribed_and_then_checked(open_runs, work, recording_id):
    runs = open_runs()
    runs.start_recording(RECORD, recording_id, CheckOptions(title="Night"))

    assert until_ended(runs).stage is CheckStage.DONE
    assert (work.transcriptions, work.checks) == (1, 1)
    record = runs.records.get(RECORD.id)
    assert record.options == ""
    assert runs.report(record).transcript.title == "Night"


def test_a_recording_that_cannot_be_transcribed_fails_with_its_reason(
    open_runs, work, recording_id
):
    work.refusal = TranscriptError("nobody speaks in it.")
    runs = open_runs()
    runs.start_recording(RECORD, recording_id, CheckOptions())

    status = until_ended(runs)
    assert status.stage is CheckStage.FAILED
    assert "nobody speaks" in status.error


def test_a_transcribed_recording_without_a_day_fails_if_it_needs_one(
    open_runs, work, recording_id, monkeypatch
):
    undated = replace(report().transcript, event_date=None)
    monkeypatch.setattr(
        check_service_module.CheckService, "transcribed", lambda self, job_id: undated
    )
    runs = open_runs()
    runs.start_recording(RECORD, recording_id, CheckOptions(before_event=True))

    status = until_ended(runs)
    assert status.stage is CheckStage.FAILED
    assert "event_date" in status.error


def test_two_owners_of_one_transcript_have_a_check_each(open_runs, work):
    runs = open_runs()
    other = replace(RECORD, id="d" * 32, owner="bot")
    for record in (RECORD, other):
        runs.start_transcript(record, report().transcript, CheckOptions())
    until_ended(runs)
    until_ended(runs, other.id)

    owners = [runs.records.get(check_id).owner for check_id in (RECORD.id, other.id)]
    assert owners == ["plug-in", "bot"]
    assert work.checks == 1


@pytest.fixture
def slow_check(monkeypatch):
    """Make checks wait until they may end; a cancelled one is cancelled."""
    may_end = threading.Event()

    def check(self, spec, on_preview, on_progress, is_cancelled):
        may_end.wait(PATIENCE_S)
        if is_cancelled():
            raise Cancelled("stopped.")
        return stored_reports.archive(replace(report(), transcript=spec.transcript))

    monkeypatch.setattr(CheckService, "_check", check)
    yield may_end
    may_end.set()


@pytest.mark.threat("api client")
def test_a_program_never_cancels_the_check_of_another(open_runs, slow_check):
    runs = open_runs()
    other = replace(RECORD, id="d" * 32, owner="bot")
    for record in (RECORD, other):
        runs.start_transcript(record, report().transcript, CheckOptions())

    runs.cancel(runs.records.get(RECORD.id))
    slow_check.set()

    assert runs.status(runs.records.get(RECORD.id)).stage is CheckStage.CANCELLED
    assert until_ended(runs, other.id).stage is CheckStage.DONE


@pytest.mark.threat("api client")
def test_a_program_never_cancels_the_check_of_a_person(open_runs, slow_check):
    runs = open_runs()
    service = replace(runs.service, current_person=lambda: "ada")
    job = service.start(CheckOptions().spec(report().transcript))
    started = runs.start_transcript(RECORD, report().transcript, CheckOptions())
    assert started.job == job.id

    runs.cancel(started)
    slow_check.set()

    end = time.monotonic() + PATIENCE_S
    while not service.jobs.get(job.id).has_ended:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert service.jobs.get(job.id).state is JobState.DONE


def test_a_check_of_its_own_is_cancelled(open_runs, slow_check):
    runs = open_runs()
    started = runs.start_transcript(RECORD, report().transcript, CheckOptions())

    runs.cancel(started)
    slow_check.set()

    assert until_ended(runs).stage is CheckStage.CANCELLED


def test_a_cancelled_check_is_not_started_by_its_key_again(open_runs, slow_check, work):
    runs = open_runs()
    other = replace(RECORD, id="d" * 32, owner="bot")
    for record in (RECORD, other):
        runs.start_transcript(record, report().transcript, CheckOptions())
    runs.cancel(runs.records.get(RECORD.id))

    again = runs.start_transcript(replace(RECORD, id="e" * 32), report().transcript, CheckOptions())

    assert again.id == RECORD.id
    assert runs.status(again).stage is CheckStage.CANCELLED


@pytest.mark.threat("api client")
def test_a_program_never_learns_the_addresses_of_the_server(open_runs, settings, monkeypatch):
    def check(*_):
        raise StoreError("cannot be reached.", where=str(settings.home / "lectern.db"))

    monkeypatch.setattr(CheckService, "_check", check)
    runs = open_runs()
    runs.start_transcript(RECORD, report().transcript, CheckOptions())

    status = until_ended(runs)

    assert status.stage is CheckStage.FAILED
    assert status.error == SERVER_FAULT


def test_closing_stops_the_thread(settings, work):
    service = CheckService.open(settings)
    runs = CheckRuns(service, CheckRecordStore.open(settings.database), time.time)
    with closing(runs):
        runs.begin()
    assert not runs._thread.is_alive()


def test_a_purge_of_the_transcript_deletes_its_checks(open_runs, settings, work):
    runs = open_runs()
    runs.start_transcript(RECORD, report().transcript, CheckOptions())
    until_ended(runs)
    document = runs.records.get(RECORD.id).document

    assert main(["purge", "--home", str(settings.home), document, "--yes"]) == 0
    assert runs.records.get(RECORD.id) is None
