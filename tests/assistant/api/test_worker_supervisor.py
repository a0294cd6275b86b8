"""The supervisor of server processes replaces workers, and stops them within a bounded time."""

from __future__ import annotations

import signal
from types import SimpleNamespace

import pytest

from assistant.api import worker_supervisor
from assistant.api.worker_supervisor import WorkerSupervisor


class FakeProcess:
    """A process that ends by itself, or only if it is killed."""

    def __init__(self, ends_by_itself: bool) -> None:
        self.ends_by_itself = ends_by_itself
        self.calls: list[str] = []

    def is_alive(self) -> bool:
        has_ended = self.ends_by_itself and "join" in self.calls
        return not has_ended and "kill" not in self.calls

    def join(self, timeout: float | None = None) -> None:
        self.calls.append("join")

    def kill(self) -> None:
        self.calls.append("kill")


class FakeWorker:
    """A worker that answers, or is silent."""

    def __init__(self, *, answers: bool = True, ends_by_itself: bool = True) -> None:
        self.answers = answers
        self.pid = 4_000_000
        self.exitcode = -9
        self.process = FakeProcess(ends_by_itself)

    def is_alive(self, timeout: float) -> bool:
        return self.answers

    def kill(self) -> None:
        self.process.kill()

    def join(self) -> None:
        self.process.join()


@pytest.fixture
def clock(monkeypatch):
    moment = SimpleNamespace(now=1_000.0)
    monkeypatch.setattr(worker_supervisor.time, "monotonic", lambda: moment.now)
    return moment


@pytest.fixture
def supervisor(monkeypatch):
    """A supervisor whose new workers are fakes, and which takes no signals of the tests."""
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    started = []

    def new_worker(config, sockets):
        worker = FakeWorker()
        worker.start = lambda: started.append(worker)
        return worker

    monkeypatch.setattr(worker_supervisor, "Process", new_worker)
    config = SimpleNamespace(workers=1, timeout_worker_healthcheck=120)
    made = WorkerSupervisor(config, [])
    made.started = started
    return made


def test_a_worker_that_loads_its_models_may_be_silent_for_a_while(supervisor, clock):
    worker = FakeWorker(answers=False)
    supervisor.processes = [worker]
    for pause_s in (0, 60, 60):
        clock.now += pause_s
        supervisor.keep_subprocess_alive()

    assert supervisor.processes == [worker]
    clock.now += 1
    supervisor.keep_subprocess_alive()
    assert supervisor.processes == supervisor.started
    assert worker.process.calls == ["kill", "join"]


def test_a_worker_that_has_ended_is_replaced_at_once(supervisor, clock):
    worker = FakeWorker(answers=False)
    worker.process.calls.append("kill")
    supervisor.processes = [worker]

    supervisor.keep_subprocess_alive()

    assert supervisor.processes == supervisor.started


def test_a_server_whose_worker_cannot_start_stops(supervisor, clock):
    worker = FakeWorker(answers=False)
    worker.process.calls.append("kill")
    worker.exitcode = worker_supervisor.STARTUP_FAILURE
    supervisor.processes = [worker]

    supervisor.keep_subprocess_alive()

    assert (supervisor.should_exit.is_set(), supervisor.started) == (True, [])


def test_no_worker_is_replaced_once_the_server_was_asked_to_stop(supervisor, clock):
    worker = FakeWorker(answers=False)
    worker.process.calls.append("kill")
    supervisor.processes = [worker]
    supervisor.signal_queue.append(signal.SIGTERM)

    supervisor.keep_subprocess_alive()

    assert supervisor.processes == [worker]


def test_a_worker_that_does_not_end_is_killed_and_the_others_are_not(supervisor):
    stuck = FakeWorker(ends_by_itself=False)
    worker = FakeWorker()
    supervisor.processes = [stuck, worker]
    supervisor.stop_s = 0.0

    supervisor.join_all()

    assert (stuck.process.calls, worker.process.calls) == (["join", "kill", "join"], ["join"])


def test_all_workers_together_have_one_time_to_end(supervisor, clock, monkeypatch):
    waits = []

    def join(process, timeout=None):
        process.calls.append("join")
        waits.append(timeout)
        clock.now += 3.0

    monkeypatch.setattr(FakeProcess, "join", join)
    supervisor.processes = [FakeWorker(), FakeWorker(), FakeWorker()]
    supervisor.stop_s = 5.0

    supervisor.join_all()

    assert waits == [5.0, 2.0, 0.0]
