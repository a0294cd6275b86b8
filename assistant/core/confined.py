"""Runs functions in processes of their own, with limits on memory, processor time and wall time.

What a hostile file makes its reader do happens there: the caller gets the value, or a refusal in
one line. A few processes are kept and have one call at a time; one that was hurt is killed and
replaced. Windows has no limits on memory and processor time and macOS none on memory; the wall
time, which ends any process, holds everywhere.
"""

from __future__ import annotations

import atexit
import importlib
import io
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeVar

from assistant.core.errors import Cancelled, LecternError

MEMORY_BYTES = 1_000_000_000  # of data; a transcript of a hundred megabytes needs less
CPU_LIMIT_S = 8.0
WALL_LIMIT_S = (
    30.0 if hasattr(signal, "SIGPROF") else CPU_LIMIT_S
)  # long: a busy machine is no hostile file
STARVED_ROUNDS = 10  # so many times the wall time where the processor is busy with others, whose load makes no file hostile
START_LIMIT_S = 60.0  # to load the readers, on a busy machine
MAX_PROCESSES = 4  # processes at a time; further calls wait
IDLE_PROCESSES = 2  # processes that wait for calls
BATCH_VALUES = 100  # values of an iterator that are handed over at once
CONFINED_LOGGER = logging.getLogger("lectern.confined")
Value = TypeVar("Value")
_INSIDE = "LECTERN_CONFINED"  # set in the processes: what runs there calls directly
_ROOT = Path(__file__).resolve().parents[2]
_THREADS = {
    f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")
}  # each thread reserves memory
_SIZE = 8


def call(
    function: Callable[..., Value], *given: Any, where: str, refusal: type[LecternError]
) -> Value:
    """Return what a function of a module returns for these arguments, computed in another process.

    Raises: the LecternError that the function raises; ``refusal`` about ``where`` at a limit, or
    if the function fails.
    """
    if os.environ.get(_INSIDE):
        return function(*given)
    worker = _pool.take(function.__module__)
    try:
        worker.ask(function, given)
        return worker.answer(where, refusal)[1]
    finally:
        _pool.give_back(worker)


def each(
    function: Callable[..., Iterator[Value]],
    *given: Any,
    where: str,
    refusal: type[LecternError],
    together: int = BATCH_VALUES,
    lasting: bool = False,
) -> Iterator[Value]:
    """Yield what an iterator of a module yields, computed in another process.

    So many values are handed over ``together``, within the limits of one call. ``lasting``: it
    goes on for hours, in a process of its own, so that other calls need not wait for it.

    Raises: as ``call``.
    """
    if os.environ.get(_INSIDE):
        yield from function(*given)
        return
    worker = _Worker.start({function.__module__}) if lasting else _pool.take(function.__module__)
    try:
        worker.ask(function, given, together)
        goes_on = True
        while goes_on:
            goes_on, values = worker.answer(where, refusal)
            yield from values
    finally:
        if lasting:
            worker.end()
        else:
            _pool.give_back(worker)


def warm(function: Callable[..., Any]) -> None:
    """Start a process that loads the module of a function, so that its first call need not wait."""
    if not os.environ.get(_INSIDE):
        _pool.warm(function.__module__)


@dataclass
class _Worker:
    """A process that answers calls.

    ``busy``: a call has no complete answer yet, so that the process is of no use.
    """

    process: subprocess.Popen[bytes]
    ready: bool = False
    busy: bool = False
    late: bool = False

    @classmethod
    def start(cls, modules: set[str]) -> _Worker:
        command = [sys.executable, "-m", __spec__.name, *sorted(modules)]
        environment = {**os.environ, **_THREADS, _INSIDE: "1"}
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        return cls(process)

    def ask(
        self, function: Callable[..., Any], given: tuple[Any, ...], together: int = BATCH_VALUES
    ) -> None:
        """Send a call."""
        self.busy = True
        self.late = False
        with suppress(BrokenPipeError):  # the answer tells why it has ended
            asked = (
                function.__module__,
                function.__qualname__,
                given,
                together,
                CPU_LIMIT_S,
                MEMORY_BYTES,
            )
            _send(self._pipe("stdin"), asked)

    def answer(self, where: str, refusal: type[LecternError]) -> tuple[bool, Any]:
        """Return whether more is to come, and what came."""
        try:
            if not self.ready:
                self._within(START_LIMIT_S)
                self.ready = True
            kind, value = self._within(WALL_LIMIT_S)
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            raise refusal(self._ended(), where=where, remedy=_REMEDY) from error
        self.busy = kind in ("more", "memory")
        if kind == "refused":
            raise value
        if kind == "memory":
            raise refusal(MEMORY_MESSAGE, where=where, remedy=_REMEDY)
        if kind == "failed":
            CONFINED_LOGGER.error("the reader of %s failed:\n%s", where, value)
            raise refusal(
                f"{FAILED_MESSAGE} ({value.strip().splitlines()[-1][:200]}).",
                where=where,
                remedy=_REMEDY,
            )
        return kind == "more", value

    def end(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]

    def _within(self, seconds: float) -> Any:
        """Return the next thing that the process says; kill it if that takes longer."""
        said = threading.Event()
        threading.Thread(target=self._watch, args=(said, seconds), daemon=True).start()
        try:
            return _receive(self._pipe("stdout"), _Unpickler)
        finally:
            said.set()

    def _pipe(self, name: str) -> IO[bytes]:
        return getattr(self.process, name)

    def _watch(self, said: threading.Event, seconds: float) -> None:
        """Kill the process once it has said nothing for so long, later if it works as far as it is let."""
        _, worked = _working(self.process.pid)
        for _ in range(STARVED_ROUNDS):
            if said.wait(seconds):
                return
            waits, had = _working(self.process.pid)
            if not waits and had == worked:
                break
            worked = had
        self.late = True
        self.process.kill()

    def _ended(self) -> str:
        """Return in words why the process has ended."""
        self.process.kill()
        ended_by = -self.process.wait()
        if self.late or ended_by == getattr(signal, "SIGPROF", None):
            return TIME_MESSAGE
        return (
            MEMORY_MESSAGE if ended_by == signal.SIGABRT else f"{FAILED_MESSAGE}."
        )  # C libraries abort when memory ends


def _working(process: int) -> tuple[bool, int]:
    """Return whether a process could work if it were let, and the ticks of processor time it had, which are limited."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # another system, or it has just ended
        return False, 0
    return fields[0] == "R", int(fields[11]) + int(fields[12])


TIME_MESSAGE = (
    "takes too long to read, as files that are made to stop a reader do; it was not read."
)
MEMORY_MESSAGE = "needs too much memory, as files that are made to fill it do; it was not read."
FAILED_MESSAGE = "cannot be read: its reader broke off"
_REMEDY = "Save it again in its own program, or cut it in parts."


@dataclass
class _Pool:
    """The processes of this one.

    ``MOST`` at a time, of which ``KEPT`` stay when nothing is called.
    """

    idle: list[_Worker] = field(default_factory=list)
    taken: int = 0
    modules: set[str] = field(default_factory=set)
    free: threading.Condition = field(default_factory=threading.Condition)

    def take(self, module: str) -> _Worker:
        """Return a process for a call; wait while all are taken."""
        with self.free:
            self.free.wait_for(lambda: self.taken < MAX_PROCESSES)
            self.taken += 1
            self.modules.add(module)
            while self.idle:
                worker = self.idle.pop()
                if worker.process.poll() is None:
                    return worker
                worker.end()
        try:
            return _Worker.start(self.modules)
        except BaseException:
            self._leave()
            raise

    def give_back(self, worker: _Worker) -> None:
        """Keep a process for later calls, or replace it if it was hurt."""
        hurt = worker.busy or worker.process.poll() is not None
        if hurt:
            worker.end()
            worker = _Worker.start(self.modules)  # at once, so that the next call finds it loaded
        with self.free:
            kept = len(self.idle) < IDLE_PROCESSES
            if kept:
                self.idle.append(worker)
        if not kept:
            worker.end()
        self._leave()

    def warm(self, module: str) -> None:
        """Start a process that loads a module, if none was called so far."""
        with self.free:
            if module not in self.modules:
                self.modules.add(module)
                self.idle.append(_Worker.start(self.modules))

    def close(self) -> None:
        """End the processes that wait."""
        with self.free:
            while self.idle:
                self.idle.pop().end()

    def _leave(self) -> None:
        with self.free:
            self.taken -= 1
            self.free.notify()


_pool = _Pool()
atexit.register(_pool.close)


class _Unpickler(pickle.Unpickler):
    """Reads answers: values and errors of Lectern and plain values, nothing else that a hurt process may send."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith("assistant.") or module == "datetime":
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")


def _send(pipe: IO[bytes], value: Any) -> None:
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    pipe.write(len(data).to_bytes(_SIZE, "big"))
    pipe.write(data)
    pipe.flush()


def _receive(pipe: IO[bytes], reader: type[pickle.Unpickler] = pickle.Unpickler) -> Any:
    """Return the next value of a pipe. Raises: EOFError at its end."""
    size = int.from_bytes(_exactly(pipe, _SIZE), "big")
    return reader(io.BytesIO(_exactly(pipe, size))).load()


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


def _limit(processor_s: float, memory: int) -> None:
    """Limit the processor time of the next answer, and the memory of this process.

    A timer counts from now. RLIMIT_CPU counts from the start, in ticks, which in a process that
    lives long on a busy machine differ by seconds from the time that it is told it had.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    signal.setitimer(signal.ITIMER_PROF, max(processor_s, 0.1))  # 0 is no limit
    for kind, soft in {resource.RLIMIT_CORE: 0, resource.RLIMIT_DATA: memory}.items():
        with suppress(ValueError, OSError):
            hard = resource.getrlimit(kind)[1]
            resource.setrlimit(
                kind, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard)
            )


def _serve(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Answer the calls of a pipe until it ends."""
    while True:
        module, name, given, together, *limits = _receive(asked)
        _limit(*limits)
        try:
            value = getattr(importlib.import_module(module), name)(*given)
            if isinstance(value, Iterator):
                _hand_over(value, answers, together, limits)
            else:
                _send(answers, ("done", value))
        except (LecternError, Cancelled) as error:
            error.__cause__ = error.__context__ = error.__traceback__ = None
            _send(answers, ("refused", error))
        except MemoryError:
            _send(answers, ("memory", None))
        except Exception:
            _send(answers, ("failed", traceback.format_exc()[-4000:]))


def _hand_over(values: Iterator[Any], answers: IO[bytes], together: int, limits: list[Any]) -> None:
    """Send the values of an iterator in parts; each part has the whole processor time."""
    part: list[Any] = []
    try:
        for value in values:
            part.append(value)
            if len(part) == together:
                _send(answers, ("more", part))
                part = []
                _limit(*limits)
    except LecternError:
        _send(answers, ("more", part))
        raise
    _send(answers, ("done", part))


def main() -> None:
    """Serve the process that started this one; what libraries print goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    for module in sys.argv[1:]:
        importlib.import_module(module)
    _send(answers, None)
    with suppress(EOFError, BrokenPipeError):
        _serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
