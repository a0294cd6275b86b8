"""Jobs: progress that anybody may read, a result that is whole or absent, and a worker that nothing kills."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from assistant.core import processes
from assistant.core.database import UNREACHABLE
from assistant.core.errors import Busy, Cancelled, MalformedTranscript, StoreError
from assistant.jobs import report_store
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.job_state import Job, JobProgress, JobState
from assistant.jobs.report_store import PROCESS_TIMEOUT_S, JobRequest, ReportStore, this_process
from assistant.jobs.worker_pool import WorkerPool
from assistant.report import stored_reports
from tests.assistant import made_up

PATIENCE_S = 20


ORDER = JobSpec(made_up.report().transcript)


@pytest.fixture
def shelf(any_url):
    with ReportStore.open(any_url) as opened:
        yield opened


@pytest.fixture
def jobs(tmp_path):
    with ReportStore.open(f"sqlite:///{tmp_path / 'lectern.db'}") as shelf:
        pool = WorkerPool(shelf)
        yield pool
        pool.close()


def finish(jobs: WorkerPool, job_id: str) -> Job:
    """Wait until a job is over, and return it."""
    ends = time.monotonic() + PATIENCE_S
    while not (job := jobs.get(job_id)) or not job.has_ended:
        assert time.monotonic() < ends, f"{job} does not end"
        time.sleep(0.005)
    return job


def held(started: threading.Event, go: threading.Event):
    """Return work that says when it began and waits for permission to end."""

    def work(tell, cancelled):
        tell("comparing", 1, 4)
        started.set()
        go.wait(PATIENCE_S)
        if cancelled():
            raise Cancelled("stopped.")
        return b"{}"

    return work


def test_what_a_job_makes_is_on_the_shelf(jobs):
    """The bytes that an import returns are its result; those of a check are a report."""
    report = stored_reports.archive(made_up.report())
    jobs.submit(JobRequest("a1", "Importing"), lambda tell, cancelled: b'{"x": 1}')
    jobs.submit(JobRequest("b2", "City debate", spec=ORDER), lambda tell, cancelled: report)

    assert JobState.DONE == finish(jobs, "a1").state == finish(jobs, "b2").state
    assert jobs.result("a1") == b'{"x": 1}'
    assert jobs.report_store.report("b2") == report
    assert [head.id for head in jobs.report_store.report_heads(5)] == ["b2"]
    assert jobs.report_store.job_spec("b2") is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")
def test_a_job_lets_the_pages_go_first(jobs):
    """Its thread is less urgent than the thread that started it, which stays as it was."""
    urgency_before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    urgency_in_job = []

    def note_urgency(on_progress, is_cancelled):
        urgency_in_job.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        return b"x"

    jobs.submit(JobRequest("a" * 12, "Debate"), note_urgency)
    finish(jobs, "a" * 12)

    assert urgency_in_job == [max(urgency_before, processes.BACKGROUND_NICENESS)]
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == urgency_before


def test_progress_is_seen_by_whoever_asks(jobs):
    """Stage, count and total of a running job are there for every reader."""
    started = threading.Event()
    go = threading.Event()
    jobs.submit(JobRequest("a1", "City debate"), held(started, go))
    started.wait(PATIENCE_S)

    job = jobs.get("a1")
    go.set()

    assert job.state == JobState.RUNNING
    assert job.progress.stage == "comparing"
    assert job.progress.done == 1
    assert job.progress.total == 4
    assert [job] == list(jobs.active()) or jobs.get("a1").has_ended


def test_the_same_id_runs_once(jobs):
    """A second session that asks for the same job gets the one on its way."""
    started = threading.Event()
    go = threading.Event()
    ran = []
    first_work = held(started, go)
    jobs.submit(JobRequest("a1", "City debate"), lambda t, c: ran.append(1) or first_work(t, c))
    started.wait(PATIENCE_S)
    jobs.submit(JobRequest("a1", "City debate"), lambda t, c: ran.append(2) or b"")
    go.set()

    finish(jobs, "a1")

    assert ran == [1]


def test_a_finished_check_is_not_run_again_unless_asked(jobs):
    """A stored report is the answer, also after a restart; ``again`` makes a new one."""
    first_result, second = (stored_reports.archive(made_up.report()) + b"\n" * i for i in range(2))
    ask = JobRequest("a1", "t", spec=ORDER)
    jobs.submit(ask, lambda t, c: first_result)
    finish(jobs, "a1")
    later = WorkerPool(jobs.report_store)

    assert later.submit(ask, lambda t, c: second).state == JobState.DONE
    assert jobs.report_store.report("a1") == first_result
    later.submit(ask, lambda t, c: second, again=True)
    assert finish(later, "a1").state == JobState.DONE
    assert jobs.report_store.report("a1") == second


def test_cancelling_stops_the_work_and_keeps_nothing(jobs):
    """A cancelled job leaves no file, and the next one runs."""
    started = threading.Event()
    go = threading.Event()
    jobs.submit(JobRequest("a1", "t"), held(started, go))
    started.wait(PATIENCE_S)
    jobs.cancel("a1")
    go.set()
    jobs.submit(JobRequest("b2", "t"), lambda t, c: b"next")
    finish(jobs, "b2")

    assert jobs.get("a1").state == JobState.CANCELLED
    assert jobs.result("a1") is None
    assert jobs.result("b2") == b"next"


def test_a_waiting_job_says_how_many_are_before_it(jobs):
    """One person's second job waits for the first."""
    started = threading.Event()
    go = threading.Event()
    jobs.submit(JobRequest("a1", "t"), held(started, go))
    started.wait(PATIENCE_S)
    jobs.submit(JobRequest("b2", "t"), lambda t, c: b"")

    job = jobs.get("b2")
    go.set()

    assert job.state == JobState.WAITING
    assert job.jobs_ahead == 1


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MalformedTranscript("holds no sentence.", where="a.txt"), "a.txt: holds no sentence."),
        (OSError(28, "No space left on device", "/full"), "/full: No space left on device"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError"),
    ],
)
def test_a_failure_is_told_in_one_line_and_the_worker_lives(jobs, error, told):
    """Whatever the work raises becomes one line; the next job runs."""

    def work(tell, cancelled):
        raise error

    jobs.submit(JobRequest("a1", "t"), work)
    jobs.submit(JobRequest("b2", "t"), lambda t, c: b"fine")
    finish(jobs, "b2")

    failed = jobs.get("a1")
    assert failed.state == JobState.FAILED
    assert told in failed.error
    assert "\n" not in failed.error
    assert jobs.result("b2") == b"fine"


@pytest.mark.parametrize("job_id", ["../../etc/passwd", "a/b", "", "ä", "a.b"])
def test_an_id_that_is_no_name_of_ours_finds_nothing(jobs, job_id):
    """An address made up by hand leads nowhere."""
    assert jobs.get(job_id) is None
    assert jobs.result(job_id) is None


def test_time_left_follows_the_speed_of_the_stage():
    """Ten of forty in five seconds leave fifteen."""
    job = Job("a1", "t", JobState.RUNNING, JobProgress("comparing", 10, 40, started=100.0))

    assert job.seconds_left(105.0) == 15.0


@pytest.mark.parametrize(
    "progress", [JobProgress(), JobProgress("x", 0, 40, 100.0), JobProgress("x", 3, 0, 100.0)]
)
def test_time_left_is_unknown_before_anything_is_done(progress):
    """Without a speed there is no guess."""
    assert Job("a1", "t", JobState.RUNNING, progress).seconds_left(105.0) is None


def test_a_check_does_not_wait_for_a_load(jobs):
    """A load runs beside a check of the same person; only loads stand before a load."""
    started = threading.Event()
    go = threading.Event()
    jobs.submit(JobRequest("load", "Feed", "Ada"), held(started, go))
    assert started.wait(PATIENCE_S)
    jobs.submit(JobRequest("nextload", "File", "Ada"), lambda tell, cancelled: b"{}")

    jobs.submit(
        JobRequest("check", "Debate", "Ada", ORDER),
        lambda tell, cancelled: stored_reports.archive(made_up.report()),
    )
    assert JobState.DONE is finish(jobs, "check").state
    assert jobs.get("load").state == JobState.RUNNING
    assert jobs.get("nextload").jobs_ahead == 1
    go.set()


def test_nobody_waits_for_another_person(jobs):
    """Ada's two jobs run one after the other; Ben's runs beside the first."""
    started = threading.Event()
    go = threading.Event()
    jobs.submit(JobRequest("a1", "t", "Ada"), held(started, go))
    jobs.submit(JobRequest("a2", "t", "Ada"), lambda t, c: b"")
    jobs.submit(JobRequest("b1", "t", "Ben"), lambda t, c: b"")
    started.wait(PATIENCE_S)

    assert finish(jobs, "b1").state == JobState.DONE
    assert [jobs.get(i).state for i in ("a1", "a2")] == [JobState.RUNNING, JobState.WAITING]
    go.set()
    assert finish(jobs, "a2").state == JobState.DONE


def test_no_more_than_the_workers_run_at_once(jobs):
    """With two workers the third person's job waits until one of them is free."""
    jobs.workers = 2
    holds = [(threading.Event(), threading.Event()) for _ in range(2)]
    for i, hold in enumerate(holds):
        jobs.submit(JobRequest(f"a{i}", "t", f"person {i}"), held(*hold))
    jobs.submit(JobRequest("c", "t", "person 2"), lambda t, c: b"")

    assert jobs.get("c").state == JobState.WAITING
    for _, go in holds:
        go.set()
    assert finish(jobs, "c").state == JobState.DONE


def test_a_person_may_not_ask_for_too_much(jobs):
    """The quota counts what waits or runs, of this person alone."""
    jobs.jobs_per_person = 2
    started = threading.Event()
    go = threading.Event()
    jobs.submit(JobRequest("a1", "t", "Ada"), held(started, go))
    jobs.submit(JobRequest("a2", "t", "Ada"), lambda t, c: b"")

    with pytest.raises(
        Busy,
        match=r"^you already have 2 waiting or running jobs\. Wait until one is done\.$",
    ):
        jobs.submit(JobRequest("a3", "t", "Ada"), lambda t, c: b"")
    jobs.submit(JobRequest("b1", "t", "Ben"), lambda t, c: b"")
    go.set()
    finish(jobs, "a2")
    assert (
        finish(jobs, jobs.submit(JobRequest("a3", "t", "Ada"), lambda t, c: b"").id).state
        == JobState.DONE
    )


def test_a_waiting_job_that_is_cancelled_is_over_at_once(jobs):
    """It does not wait for a worker to be told so, and its order is kept."""
    started = threading.Event()
    go = threading.Event()
    jobs.submit(JobRequest("a1", "t", spec=ORDER), held(started, go))
    jobs.submit(JobRequest("a2", "t", spec=ORDER), lambda t, c: b"")

    jobs.cancel("a2")

    assert jobs.get("a2").state == JobState.CANCELLED
    assert jobs.report_store.job_spec("a2") == ORDER
    go.set()


def test_a_result_waits_for_a_database_that_is_busy(jobs, monkeypatch):
    """What took minutes is not lost because an import is writing.

    A disk that stays full is told.
    """
    monkeypatch.setattr("assistant.jobs.worker_pool.HEARTBEAT_S", 0.001)
    real = jobs.report_store.finish_job
    refusals = [StoreError("busy."), StoreError("busy.")]

    def finish_later(job_id, state, **fields):
        if job_id == "full" and state is JobState.DONE or job_id == "a1" and refusals:
            raise refusals.pop() if refusals else StoreError("the disk is full.")
        real(job_id, state, **fields)

    monkeypatch.setattr(jobs.report_store, "finish_job", finish_later)
    jobs.submit(JobRequest("a1", "t"), lambda t, c: b"kept")
    assert finish(jobs, "a1").state == JobState.DONE
    assert jobs.result("a1") == b"kept"
    jobs.submit(JobRequest("full", "t"), lambda t, c: b"lost")
    assert finish(jobs, "full").state == JobState.FAILED
    assert jobs.get("full").error == "the disk is full."


def test_a_result_waits_for_a_database_that_is_away(jobs, monkeypatch):
    """A server that is restarted takes longer than an import; the wait has an end."""
    monkeypatch.setattr("assistant.jobs.worker_pool.HEARTBEAT_S", 0.001)
    real = jobs.report_store.finish_job
    refusals = [StoreError(UNREACHABLE)] * 50

    def finish_later(job_id, state, **fields):
        if state is JobState.DONE and refusals:
            raise refusals.pop()
        real(job_id, state, **fields)

    monkeypatch.setattr(jobs.report_store, "finish_job", finish_later)
    jobs.submit(JobRequest("a1", "t"), lambda t, c: b"kept")
    assert finish(jobs, "a1").state == JobState.DONE
    assert jobs.result("a1") == b"kept"

    refusals += [StoreError(UNREACHABLE)] * 50
    monkeypatch.setattr("assistant.jobs.worker_pool.OUTAGE_PATIENCE_S", 0.0)
    jobs.submit(JobRequest("a2", "t"), lambda t, c: b"lost")
    assert finish(jobs, "a2").state == JobState.FAILED


def elsewhere(monkeypatch, host: str = "other-host", process: str = "1:x") -> None:
    """Let the shelf store from now on what a process of another host would."""
    monkeypatch.setattr("assistant.jobs.report_store.this_process", lambda: f"{host}:{process}")


def test_a_job_of_another_process_is_seen_and_not_run_twice(shelf, monkeypatch):
    """Progress, state and the request to stop go through the database."""
    with monkeypatch.context() as there:
        elsewhere(there)
        shelf.claim_job(
            JobRequest("a1", "City debate", "Ada", ORDER), max_running_jobs=9, now=100.0
        )
        running = Job("a1", "City debate", JobState.RUNNING, JobProgress("comparing", 1, 4))
        assert shelf.record_progress([running], now=101.0) == set()
    here = WorkerPool(shelf, clock=lambda: 102.0)

    running_job = here.get("a1")
    assert (running_job.state, running_job.progress.stage, running_job.progress.done, 4) == (
        JobState.RUNNING,
        "comparing",
        1,
        4,
    )
    assert [job.id for job in here.active()] == ["a1"]
    assert (
        here.submit(JobRequest("a1", "City debate", spec=ORDER), lambda t, c: b"").state
        == JobState.RUNNING
    )
    here.cancel("a1")
    with monkeypatch.context() as there:
        elsewhere(there)
        assert shelf.record_progress([running], now=103.0) == {"a1"}
        shelf.finish_job(
            "a1", JobState.DONE, now=104.0, outcome=stored_reports.archive(made_up.report())
        )
        shelf.record_progress([running], now=105.0)  # a beat that comes late changes nothing
    assert here.get("a1").state == JobState.DONE


def test_a_job_whose_process_has_gone_can_be_run_again(shelf, monkeypatch):
    """A host that no longer says that it lives, or that has restarted, holds nothing."""
    with monkeypatch.context() as there:
        elsewhere(there)
        shelf.claim_job(JobRequest("a1", "City debate", spec=ORDER), max_running_jobs=9, now=100.0)

    assert shelf.interrupted_specs(now=100.0 + PROCESS_TIMEOUT_S) == {}
    assert shelf.interrupted_specs(now=101.0 + PROCESS_TIMEOUT_S) == {"a1": ORDER}
    assert shelf.job("a1", now=101.0 + PROCESS_TIMEOUT_S) is None
    assert (
        shelf.claim_job(
            JobRequest("a1", "City debate", spec=ORDER),
            max_running_jobs=9,
            now=101.0 + PROCESS_TIMEOUT_S,
        )
        is None
    )


@pytest.mark.parametrize(
    ("host", "beat", "expected"),
    [
        ("elsewhere", 0.0, True),
        ("elsewhere", -91.0, False),
        ("elsewhere", 3600.0, False),
        (socket.gethostname(), 3600.0, True),
    ],
    ids=["alive", "silent", "clock set back", "clock of this host set back"],
)
def test_a_job_whose_heartbeat_is_far_from_now_does_not_run(host, beat, expected):
    """A process of this host is asked whether it lives, whatever the clocks say."""
    process = this_process().rsplit(":", 2)
    job_row = SimpleNamespace(
        state="running", beat=1e9 + beat, process=":".join([host, *process[1:]])
    )

    assert report_store._is_running(job_row, 1e9) == expected
