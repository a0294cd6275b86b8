"""Jobs: progress that anybody may read, a result that is whole or absent, and a worker that nothing kills."""

from __future__ import annotations

import threading
import time

import pytest

from assistant.core.errors import Busy, Cancelled, MalformedTranscript, StoreError
from assistant.jobs.job_specs import Order
from assistant.jobs.job_state import Job, Progress, State
from assistant.jobs.report_store import STALE_S, Ask, Shelf
from assistant.jobs.worker_pool import Jobs
from assistant.report import stored_reports
from tests.assistant import made_up

PATIENCE_S = 20


ORDER = Order(made_up.report().transcript)


@pytest.fixture
def shelf(any_url):
    with Shelf.open(any_url) as opened:
        yield opened


@pytest.fixture
def jobs(tmp_path):
    with Shelf.open(f"sqlite:///{tmp_path / 'lectern.db'}") as shelf:
        made = Jobs(shelf)
        yield made
        made.close()


def finish(jobs: Jobs, job_id: str) -> Job:
    """Wait until a job is over, and return it."""
    ends = time.monotonic() + PATIENCE_S
    while not (job := jobs.get(job_id)) or not job.over:
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
    jobs.submit(Ask("a1", "Importing"), lambda tell, cancelled: b'{"x": 1}')
    jobs.submit(Ask("b2", "City debate", order=ORDER), lambda tell, cancelled: report)

    assert State.DONE == finish(jobs, "a1").state == finish(jobs, "b2").state
    assert (jobs.result("a1"), jobs.shelf.report("b2")) == (b'{"x": 1}', report)
    assert [head.id for head in jobs.shelf.heads(5)] == ["b2"]
    assert jobs.shelf.order("b2") is None


def test_progress_is_seen_by_whoever_asks(jobs):
    """Stage, count and total of a running job are there for every reader."""
    started = threading.Event()
    go = threading.Event()
    jobs.submit(Ask("a1", "City debate"), held(started, go))
    started.wait(PATIENCE_S)

    job = jobs.get("a1")
    go.set()

    assert (job.state, job.progress.stage, job.progress.done, job.progress.total) == (
        State.RUNNING,
        "comparing",
        1,
        4,
    )
    assert [job] == list(jobs.active()) or jobs.get("a1").over


def test_the_same_id_runs_once(jobs):
    """A second session that asks for the same job gets the one on its way."""
    started = threading.Event()
    go = threading.Event()
    ran = []
    first = held(started, go)
    jobs.submit(Ask("a1", "City debate"), lambda t, c: ran.append(1) or first(t, c))
    started.wait(PATIENCE_S)
    jobs.submit(Ask("a1", "City debate"), lambda t, c: ran.append(2) or b"")
    go.set()

    finish(jobs, "a1")

    assert ran == [1]


def test_a_finished_check_is_not_run_again_unless_asked(jobs):
    """A stored report is the answer, also after a restart; ``again`` makes a new one."""
    first, second = (stored_reports.archive(made_up.report()) + b"\n" * i for i in range(2))
    ask = Ask("a1", "t", order=ORDER)
    jobs.submit(ask, lambda t, c: first)
    finish(jobs, "a1")
    later = Jobs(jobs.shelf)

    assert later.submit(ask, lambda t, c: second).state == State.DONE
    assert jobs.shelf.report("a1") == first
    later.submit(ask, lambda t, c: second, again=True)
    assert finish(later, "a1").state == State.DONE
    assert jobs.shelf.report("a1") == second


def test_cancelling_stops_the_work_and_keeps_nothing(jobs):
    """A cancelled job leaves no file, and the next one runs."""
    started = threading.Event()
    go = threading.Event()
    jobs.submit(Ask("a1", "t"), held(started, go))
    started.wait(PATIENCE_S)
    jobs.cancel("a1")
    go.set()
    jobs.submit(Ask("b2", "t"), lambda t, c: b"next")
    finish(jobs, "b2")

    assert (jobs.get("a1").state, jobs.result("a1")) == (State.CANCELLED, None)
    assert jobs.result("b2") == b"next"


def test_a_waiting_job_says_how_many_are_before_it(jobs):
    """One person's second job waits for the first."""
    started = threading.Event()
    go = threading.Event()
    jobs.submit(Ask("a1", "t"), held(started, go))
    started.wait(PATIENCE_S)
    jobs.submit(Ask("b2", "t"), lambda t, c: b"")

    job = jobs.get("b2")
    go.set()

    assert (job.state, job.ahead) == (State.WAITING, 1)


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

    jobs.submit(Ask("a1", "t"), work)
    jobs.submit(Ask("b2", "t"), lambda t, c: b"fine")
    finish(jobs, "b2")

    failed = jobs.get("a1")
    assert failed.state == State.FAILED
    assert told in failed.error and "\n" not in failed.error
    assert jobs.result("b2") == b"fine"


@pytest.mark.parametrize("job_id", ["../../etc/passwd", "a/b", "", "ä", "a.b"])
def test_an_id_that_is_no_name_of_ours_finds_nothing(jobs, job_id):
    """An address made up by hand leads nowhere."""
    assert (jobs.get(job_id), jobs.result(job_id)) == (None, None)


def test_time_left_follows_the_speed_of_the_stage():
    """Ten of forty in five seconds leave fifteen."""
    job = Job("a1", "t", State.RUNNING, Progress("comparing", 10, 40, at=100.0))

    assert job.seconds_left(105.0) == 15.0


@pytest.mark.parametrize(
    "progress", [Progress(), Progress("x", 0, 40, 100.0), Progress("x", 3, 0, 100.0)]
)
def test_time_left_is_unknown_before_anything_is_done(progress):
    """Without a speed there is no guess."""
    assert Job("a1", "t", State.RUNNING, progress).seconds_left(105.0) is None


def test_a_check_does_not_wait_for_a_load(jobs):
    """A load runs beside a check of the same person; only loads stand before a load."""
    started = threading.Event()
    go = threading.Event()
    jobs.submit(Ask("load", "Feed", "Ada"), held(started, go))
    assert started.wait(PATIENCE_S)
    jobs.submit(Ask("nextload", "File", "Ada"), lambda tell, cancelled: b"{}")

    jobs.submit(
        Ask("check", "Debate", "Ada", ORDER),
        lambda tell, cancelled: stored_reports.archive(made_up.report()),
    )
    assert State.DONE is finish(jobs, "check").state
    assert (jobs.get("load").state, jobs.get("nextload").ahead) == (State.RUNNING, 1)
    go.set()


def test_nobody_waits_for_another_person(jobs):
    """Ada's two jobs run one after the other; Ben's runs beside the first."""
    started = threading.Event()
    go = threading.Event()
    jobs.submit(Ask("a1", "t", "Ada"), held(started, go))
    jobs.submit(Ask("a2", "t", "Ada"), lambda t, c: b"")
    jobs.submit(Ask("b1", "t", "Ben"), lambda t, c: b"")
    started.wait(PATIENCE_S)

    assert finish(jobs, "b1").state == State.DONE
    assert [jobs.get(i).state for i in ("a1", "a2")] == [State.RUNNING, State.WAITING]
    go.set()
    assert finish(jobs, "a2").state == State.DONE


def test_no_more_than_the_workers_run_at_once(jobs):
    """With two workers the third person's job waits until one of them is free."""
    jobs.workers = 2
    holds = [(threading.Event(), threading.Event()) for _ in range(2)]
    for i, hold in enumerate(holds):
        jobs.submit(Ask(f"a{i}", "t", f"person {i}"), held(*hold))
    jobs.submit(Ask("c", "t", "person 2"), lambda t, c: b"")

    assert jobs.get("c").state == State.WAITING
    for _, go in holds:
        go.set()
    assert finish(jobs, "c").state == State.DONE


def test_a_person_may_not_ask_for_too_much(jobs):
    """The quota counts what waits or runs, of this person alone."""
    jobs.each = 2
    started = threading.Event()
    go = threading.Event()
    jobs.submit(Ask("a1", "t", "Ada"), held(started, go))
    jobs.submit(Ask("a2", "t", "Ada"), lambda t, c: b"")

    with pytest.raises(
        Busy, match=r"^you have 2 jobs already that wait or run\. Wait until one is done\.$"
    ):
        jobs.submit(Ask("a3", "t", "Ada"), lambda t, c: b"")
    jobs.submit(Ask("b1", "t", "Ben"), lambda t, c: b"")
    go.set()
    finish(jobs, "a2")
    assert finish(jobs, jobs.submit(Ask("a3", "t", "Ada"), lambda t, c: b"").id).state == State.DONE


def test_a_waiting_job_that_is_cancelled_is_over_at_once(jobs):
    """It does not wait for a worker to be told so, and its order is kept."""
    started = threading.Event()
    go = threading.Event()
    jobs.submit(Ask("a1", "t", order=ORDER), held(started, go))
    jobs.submit(Ask("a2", "t", order=ORDER), lambda t, c: b"")

    jobs.cancel("a2")

    assert jobs.get("a2").state == State.CANCELLED
    assert jobs.shelf.order("a2") == ORDER
    go.set()


def test_a_result_waits_for_a_database_that_is_busy(jobs, monkeypatch):
    """What took minutes is not lost because an import is writing.

    A disk that stays full is told.
    """
    monkeypatch.setattr("assistant.jobs.worker_pool.BEAT_S", 0.001)
    real = jobs.shelf.finish
    refusals = [StoreError("busy."), StoreError("busy.")]

    def finish_later(job_id, state, **more):
        if job_id == "full" and state is State.DONE or job_id == "a1" and refusals:
            raise refusals.pop() if refusals else StoreError("the disk is full.")
        real(job_id, state, **more)

    monkeypatch.setattr(jobs.shelf, "finish", finish_later)
    jobs.submit(Ask("a1", "t"), lambda t, c: b"kept")
    assert (finish(jobs, "a1").state, jobs.result("a1")) == (State.DONE, b"kept")
    jobs.submit(Ask("full", "t"), lambda t, c: b"lost")
    assert (finish(jobs, "full").state, jobs.get("full").error) == (
        State.FAILED,
        "the disk is full.",
    )


def elsewhere(monkeypatch, host: str = "other-host", process: str = "1:x") -> None:
    """Let the shelf store from now on what a process of another host would."""
    monkeypatch.setattr("assistant.jobs.report_store.this_process", lambda: f"{host}:{process}")


def test_a_job_of_another_process_is_seen_and_not_run_twice(shelf, monkeypatch):
    """Progress, state and the request to stop go through the database."""
    with monkeypatch.context() as there:
        elsewhere(there)
        shelf.take(Ask("a1", "City debate", "Ada", ORDER), most=9, now=100.0)
        running = Job("a1", "City debate", State.RUNNING, Progress("comparing", 1, 4))
        assert shelf.beat([running], now=101.0) == set()
    here = Jobs(shelf, clock=lambda: 102.0)

    seen = here.get("a1")
    assert (seen.state, seen.progress.stage, seen.progress.done, 4) == (
        State.RUNNING,
        "comparing",
        1,
        4,
    )
    assert [job.id for job in here.active()] == ["a1"]
    assert (
        here.submit(Ask("a1", "City debate", order=ORDER), lambda t, c: b"").state == State.RUNNING
    )
    here.cancel("a1")
    with monkeypatch.context() as there:
        elsewhere(there)
        assert shelf.beat([running], now=103.0) == {"a1"}
        shelf.finish("a1", State.DONE, now=104.0, outcome=stored_reports.archive(made_up.report()))
        shelf.beat([running], now=105.0)  # a beat that comes late changes nothing
    assert here.get("a1").state == State.DONE


def test_a_job_whose_process_has_gone_can_be_run_again(shelf, monkeypatch):
    """A host that no longer says that it lives, or that has restarted, holds nothing."""
    with monkeypatch.context() as there:
        elsewhere(there)
        shelf.take(Ask("a1", "City debate", order=ORDER), most=9, now=100.0)

    assert shelf.interrupted(now=100.0 + STALE_S) == {}
    assert shelf.interrupted(now=101.0 + STALE_S) == {"a1": ORDER}
    assert shelf.job("a1", now=101.0 + STALE_S) is None
    assert shelf.take(Ask("a1", "City debate", order=ORDER), most=9, now=101.0 + STALE_S) is None
