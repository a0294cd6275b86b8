"""Jobs: progress that anybody may read, a result that is whole or absent, and a worker that nothing kills."""

from __future__ import annotations

import threading

import pytest

from assistant.desk.jobs import Job, Jobs, Progress, State
from assistant.ground.errors import Cancelled, MalformedTranscript

PATIENCE_S = 20


@pytest.fixture
def jobs(tmp_path):
    made = Jobs(tmp_path / "reports")
    yield made
    made.close()


def finish(jobs: Jobs, job_id: str) -> Job:
    """Wait until the worker has done everything that was handed in, and return the job."""
    jobs._worker.submit(lambda: None).result(PATIENCE_S)
    return jobs.get(job_id)


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


def test_what_a_job_makes_lies_on_disk(jobs):
    """The bytes that the work returns are the file of the job."""
    jobs.submit("a1", "City debate", lambda tell, cancelled: b'{"x": 1}')

    assert State.DONE == finish(jobs, "a1").state
    assert b'{"x": 1}' == (jobs.folder / "a1.json").read_bytes() == jobs.result("a1")


def test_progress_is_seen_by_whoever_asks(jobs):
    """Stage, count and total of a running job are there for every reader."""
    started, go = threading.Event(), threading.Event()
    jobs.submit("a1", "City debate", held(started, go))
    started.wait(PATIENCE_S)

    job = jobs.get("a1")
    go.set()

    assert (State.RUNNING, "comparing", 1, 4) == (job.state, job.progress.stage, job.progress.done, job.progress.total)
    assert [job] == list(jobs.active()) or jobs.get("a1").over


def test_the_same_id_runs_once(jobs):
    """A second session that asks for the same job gets the one on its way."""
    started, go, ran = threading.Event(), threading.Event(), []
    first = held(started, go)
    jobs.submit("a1", "City debate", lambda t, c: ran.append(1) or first(t, c))
    started.wait(PATIENCE_S)
    jobs.submit("a1", "City debate", lambda t, c: ran.append(2) or b"")
    go.set()

    finish(jobs, "a1")

    assert [1] == ran


def test_a_finished_job_is_not_run_again_unless_asked(jobs):
    """A report that is on disk is the answer; ``again`` makes a new one."""
    jobs.submit("a1", "t", lambda t, c: b"first")
    finish(jobs, "a1")
    jobs.submit("a1", "t", lambda t, c: b"second")
    kept = finish(jobs, "a1") and jobs.result("a1")
    jobs.submit("a1", "t", lambda t, c: b"third", again=True)

    assert (b"first", b"third") == (kept, finish(jobs, "a1") and jobs.result("a1"))


def test_a_result_of_an_earlier_process_is_found(jobs, tmp_path):
    """After a restart the file alone says that the job is done."""
    jobs.submit("a1", "t", lambda t, c: b"kept")
    finish(jobs, "a1")
    later = Jobs(tmp_path / "reports")

    assert (State.DONE, b"kept") == (later.get("a1").state, later.result("a1"))


def test_cancelling_stops_the_work_and_keeps_nothing(jobs):
    """A cancelled job leaves no file, and the next one runs."""
    started, go = threading.Event(), threading.Event()
    jobs.submit("a1", "t", held(started, go))
    started.wait(PATIENCE_S)
    jobs.cancel("a1")
    go.set()
    jobs.submit("b2", "t", lambda t, c: b"next")
    finish(jobs, "b2")

    assert (State.CANCELLED, None) == (jobs.get("a1").state, jobs.result("a1"))
    assert b"next" == jobs.result("b2")


def test_a_waiting_job_says_how_many_are_before_it(jobs):
    """One worker: the second job waits for the first."""
    started, go = threading.Event(), threading.Event()
    jobs.submit("a1", "t", held(started, go))
    started.wait(PATIENCE_S)
    jobs.submit("b2", "t", lambda t, c: b"")

    job = jobs.get("b2")
    go.set()

    assert (State.WAITING, 1) == (job.state, job.ahead)


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

    jobs.submit("a1", "t", work)
    jobs.submit("b2", "t", lambda t, c: b"fine")
    finish(jobs, "b2")

    failed = jobs.get("a1")
    assert State.FAILED == failed.state
    assert told in failed.error and "\n" not in failed.error
    assert b"fine" == jobs.result("b2")


def test_a_folder_that_cannot_be_written_fails_in_words(jobs):
    """A file that cannot be written is a failure that names it, and no half file is left."""
    jobs.folder.parent.mkdir(parents=True, exist_ok=True)
    jobs.folder.write_text("a file where the folder should be")

    jobs.submit("a1", "t", lambda t, c: b"x")

    job = finish(jobs, "a1")
    assert State.FAILED == job.state
    assert "reports" in job.error


@pytest.mark.parametrize("job_id", ["../../etc/passwd", "a/b", "", "ä", "a.b"])
def test_an_id_that_is_no_name_of_ours_finds_nothing(jobs, job_id):
    """An address made up by hand reads no file outside the folder."""
    assert (None, None) == (jobs.get(job_id), jobs.result(job_id))


def test_time_left_follows_the_speed_of_the_stage():
    """Ten of forty in five seconds leave fifteen."""
    job = Job("a1", "t", State.RUNNING, Progress("comparing", 10, 40, at=100.0))

    assert 15.0 == job.seconds_left(105.0)


@pytest.mark.parametrize("progress", [Progress(), Progress("x", 0, 40, 100.0), Progress("x", 3, 0, 100.0)])
def test_time_left_is_unknown_before_anything_is_done(progress):
    """Without a speed there is no guess."""
    assert Job("a1", "t", State.RUNNING, progress).seconds_left(105.0) is None


def test_a_check_does_not_wait_for_a_load(jobs):
    """Fact-checks come by a worker of their own; only loads stand before a load."""
    started, go = threading.Event(), threading.Event()
    jobs.submit("load", "Feed", held(started, go), loads=True)
    assert started.wait(PATIENCE_S)
    jobs.submit("nextload", "File", lambda tell, cancelled: b"{}", loads=True)

    jobs.submit("check", "Debate", lambda tell, cancelled: b"{}")
    assert State.DONE is finish(jobs, "check").state
    assert (State.RUNNING, 1) == (jobs.get("load").state, jobs.get("nextload").ahead)
    go.set()
