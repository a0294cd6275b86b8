"""Runs functions in separate processes, with limits on memory, CPU time and wall time.

A malicious file can harm only such a process: the caller gets the value, or a refusal in one line.
A few processes are kept and have one call at a time; a damaged one is killed and replaced. Windows
has no limits on memory and processor time and macOS none on memory; the wall time, which ends any
process, holds everywhere.
"""

from __future__ import annotations

import atexit
import importlib
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeVar

from assistant.core import answer_codec
from assistant.core.errors import LecternError

MEMORY_BYTES = 1_000_000_000  # a transcript of a hundred megabytes needs less
CPU_LIMIT_S = 8.0  # for a small file; large ones get more, see ``reading_limits``
CPU_S_PER_MEGABYTE = 100.0  # a PDF of 300 pages has half a megabyte and takes 40 s
MAX_CPU_LIMIT_S = 90.0
# Long, since a file is not malicious because the machine is busy.
WALL_LIMIT_S = 30.0 if hasattr(signal, "SIGPROF") else CPU_LIMIT_S
# A process may take so many times the wall time while other processes keep the processor busy.
STARVED_ROUNDS = 10
START_LIMIT_S = 60.0  # time to load the readers on a busy machine
MAX_PROCESSES = 4  # further calls wait
IDLE_PROCESSES = 2  # processes that wait for calls
BATCH_VALUES = 100  # values of an iterator that are handed over at once
CONFINED_LOGGER = logging.getLogger("lectern.confined")
Value = TypeVar("Value")
_INSIDE_VARIABLE = "LECTERN_CONFINED"  # set in the processes: code that runs there calls directly
# Variables that processes need to start, and whether streams of private networks may be read.
READER_VARIABLES = frozenset(
    "PATH HOME LANG LANGUAGE TZ TMPDIR TEMP TMP SYSTEMROOT WINDIR COMSPEC PATHEXT USERPROFILE "
    "APPDATA LOCALAPPDATA VIRTUAL_ENV LD_LIBRARY_PATH DYLD_LIBRARY_PATH SSL_CERT_FILE SSL_CERT_DIR "
    "LECTERN_PRIVATE_NETWORKS LECTERN_CACHE".split()
)
READER_VARIABLE_PREFIXES = ("LC_", "PYTHON", "COV_CORE_", "COVERAGE_")
_ROOT = Path(__file__).resolve().parents[2]
# One thread each, since every thread reserves memory.
_SINGLE_THREAD_VARIABLES = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
_LENGTH_BYTES = 8  # before each message
MAX_ANSWER_BYTES = 500_000_000  # more than the values of the largest file need
_FINAL_ANSWER_KINDS = {"done": object}
_BATCH_ANSWER_KINDS = {"done": list, "more": list}
_FAILURE_KINDS: dict[str, type] = {"refused": LecternError, "memory": type(None), "failed": str}


@dataclass(frozen=True, slots=True)
class CallLimits:
    """The limits of a call, and the words for a call that meets one or fails."""

    cpu_s: float
    wall_s: float
    memory_bytes: int
    time_message: str
    memory_message: str
    failed_message: str
    remedy: str


def reading_limits(byte_count: int = 0) -> CallLimits:
    """Return the limits of a call that reads a file of so many bytes."""
    # A large file gets more CPU time, and as much more time by the clock.
    cpu_s = min(CPU_LIMIT_S + CPU_S_PER_MEGABYTE * byte_count / 1e6, MAX_CPU_LIMIT_S)
    extra_s = cpu_s - CPU_LIMIT_S
    return CallLimits(
        cpu_s=cpu_s,
        wall_s=WALL_LIMIT_S + extra_s,
        memory_bytes=MEMORY_BYTES,
        time_message=TIME_MESSAGE,
        memory_message=MEMORY_MESSAGE,
        failed_message=FAILED_MESSAGE,
        remedy="Save it again in the program that made it, or split it into parts.",
    )


def call(
    function: Callable[..., Value],
    *arguments: Any,
    where: str,
    refusal: type[LecternError],
    limits: CallLimits | None = None,
) -> Value:
    """Call a function of a module in another process, and return its value.

    ``limits``: by default ``reading_limits``.

    Raises: the LecternError that the function raises; ``refusal`` about ``where`` at a limit, or
    if the function fails.
    """
    # A process of the pool calls directly: it starts no further process.
    if os.environ.get(_INSIDE_VARIABLE):
        return function(*arguments)
    worker = _pool.take_worker(function.__module__)
    try:
        worker.limits = limits or reading_limits()
        worker.send_call(function, arguments)
        _, value = worker.receive_answer(where, refusal, _FINAL_ANSWER_KINDS)
        return value
    finally:
        _pool.give_back(worker)


def each(
    function: Callable[..., Iterator[Value]],
    *arguments: Any,
    where: str,
    refusal: type[LecternError],
    together: int = BATCH_VALUES,
    lasting: bool = False,
) -> Iterator[Value]:
    """Yield the values of an iterator of a module, computed in another process.

    ``together`` values are handed over at once, within the limits of one call. ``lasting``: it
    runs for hours, in a process of its own, so that other calls need not wait for it.

    Raises: as ``call``.
    """
    if os.environ.get(_INSIDE_VARIABLE):
        yield from function(*arguments)
        return
    module = function.__module__
    # A lasting call, such as one that follows a stream, has a process of its own.
    worker = _Worker.start({module}) if lasting else _pool.take_worker(module)
    try:
        worker.limits = reading_limits()
        worker.send_call(function, arguments, together)
        has_more_batches = True
        while has_more_batches:
            has_more_batches, values = worker.receive_answer(where, refusal, _BATCH_ANSWER_KINDS)
            yield from values
    finally:
        if lasting:
            worker.end()
        else:
            _pool.give_back(worker)


def warm(function: Callable[..., Any]) -> None:
    """Start a process that loads the module of a function, so that its first call is fast."""
    if not os.environ.get(_INSIDE_VARIABLE):
        _pool.warm(function.__module__)


@dataclass
class _Worker:
    """A process that answers calls.

    ``is_busy``: a call has no complete answer yet, so that the process cannot take another.
    """

    process: subprocess.Popen[bytes]
    has_started: bool = False
    is_busy: bool = False
    was_too_slow: bool = False
    limits: CallLimits = field(default_factory=reading_limits)

    @classmethod
    def start(cls, modules: set[str]) -> _Worker:
        command = [sys.executable, "-m", __spec__.name, *sorted(modules)]
        environment = reader_environment(os.environ)
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        return cls(process)

    def send_call(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], together: int = BATCH_VALUES
    ) -> None:
        """Send a call. A relative path leads to the same file in the process, too."""
        self.is_busy = True
        self.was_too_slow = False
        request = (
            function.__module__,
            function.__qualname__,
            # The process runs in another folder.
            tuple(
                argument.absolute() if isinstance(argument, Path) else argument
                for argument in arguments
            ),
            together,
            self.limits.cpu_s,
            self.limits.memory_bytes,
        )
        # If the process has ended, reading its answer explains why.
        with suppress(BrokenPipeError):
            _send_message(self._pipe("stdin"), pickle.dumps(request, pickle.HIGHEST_PROTOCOL))

    def receive_answer(
        self, where: str, refusal: type[LecternError], kinds: Mapping[str, type]
    ) -> tuple[bool, Any]:
        """Return whether more values follow, and the value or values.

        ``kinds``: the kinds of answers that bring values, and the class of each one's values.
        """
        remedy = self.limits.remedy
        try:
            # The first message only says that the process has loaded its modules.
            if not self.has_started:
                self._next_message(START_LIMIT_S)
                self.has_started = True
            answer = self._next_message(self.limits.wall_s)
            answer_kind, answer_value = _checked_answer(answer, {**kinds, **_FAILURE_KINDS})
        except (EOFError, OSError, ValueError, MemoryError) as error:
            raise refusal(self._reason_of_end(), where=where, remedy=remedy) from error
        self.is_busy = answer_kind in ("more", "memory")
        if answer_kind == "refused":
            raise answer_value
        if answer_kind == "memory":
            raise refusal(self.limits.memory_message, where=where, remedy=remedy)
        if answer_kind == "failed":
            CONFINED_LOGGER.error("the call about %s failed:\n%s", where, answer_value)
            _, _, last_line = answer_value.strip().rpartition("\n")
            message = f"{self.limits.failed_message} ({last_line[:200]})."
            raise refusal(message, where=where, remedy=remedy)
        has_more_batches = answer_kind == "more"
        return has_more_batches, answer_value

    def end(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]

    def _next_message(self, limit_s: float) -> Any:
        """Return the next message of the process; kill the process if that takes longer."""
        has_answered = threading.Event()
        watcher = threading.Thread(
            target=self._watch_process, args=(has_answered, limit_s), daemon=True
        )
        watcher.start()
        try:
            message_bytes = _read_message(self._pipe("stdout"), MAX_ANSWER_BYTES)
            return answer_codec.decode(message_bytes)
        finally:
            has_answered.set()

    def _pipe(self, name: str) -> IO[bytes]:
        return getattr(self.process, name)

    def _watch_process(self, has_answered: threading.Event, limit_s: float) -> None:
        """Kill the process after ``limit_s`` of silence; allow more time if starved."""
        # Other processes may leave this one no processor time: it gets several rounds then.
        _, ticks_before = _cpu_state(self.process.pid)
        for _ in range(STARVED_ROUNDS):
            if has_answered.wait(limit_s):
                return
            # A process that could run, or has used the processor, is only slow.
            is_runnable, ticks = _cpu_state(self.process.pid)
            is_idle = not is_runnable and ticks == ticks_before
            if is_idle:
                break
            ticks_before = ticks
        self.was_too_slow = True
        self.process.kill()

    def _reason_of_end(self) -> str:
        """Explain why the process has ended."""
        self.process.kill()
        # A process that a signal has ended has its negative number as exit code.
        signal_number = -self.process.wait()
        cpu_signal = getattr(signal, "SIGPROF", None)
        if self.was_too_slow or signal_number == cpu_signal:
            return self.limits.time_message
        # C libraries abort when memory ends.
        if signal_number == signal.SIGABRT:
            return self.limits.memory_message
        return f"{self.limits.failed_message}."


def _cpu_state(process: int) -> tuple[bool, int]:
    """Return whether a process could run now, and the ticks of CPU time that it has used."""
    try:
        stat_text = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        # Another system, or the process has just ended.
        return False, 0
    # Fields by ``man proc``: the name in brackets may have spaces, so they are counted behind it.
    _, _, text_after_name = stat_text.rpartition(")")
    fields = text_after_name.split()
    is_runnable = fields[0] == "R"
    user_ticks = int(fields[11])
    system_ticks = int(fields[12])
    return is_runnable, user_ticks + system_ticks


TIME_MESSAGE = "took too long to read, as malicious files do. Lectern did not read the file."
MEMORY_MESSAGE = "needs too much memory, as malicious files do. Lectern did not read the file."
FAILED_MESSAGE = "cannot be read: its reader broke off"


@dataclass
class _Pool:
    """A pool of up to ``MAX_PROCESSES`` workers that keeps ``IDLE_PROCESSES`` idle."""

    idle: list[_Worker] = field(default_factory=list)
    taken: int = 0
    modules: set[str] = field(default_factory=set)
    free: threading.Condition = field(default_factory=threading.Condition)

    def take_worker(self, module: str) -> _Worker:
        """Return a process for a call; wait while all are taken."""
        with self.free:
            # Only so many processes work at the same time.
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
            self._release_place()
            raise

    def give_back(self, worker: _Worker) -> None:
        """Keep a process for later calls, or replace it if it was damaged."""
        # ``poll`` returns the exit code of a process that has ended.
        is_unusable = worker.is_busy or worker.process.poll() is not None
        if is_unusable:
            worker.end()
            # Started at once, so that the next call finds it loaded.
            worker = _Worker.start(self.modules)
        with self.free:
            has_room = len(self.idle) < IDLE_PROCESSES
            if has_room:
                self.idle.append(worker)
        if not has_room:
            worker.end()
        self._release_place()

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

    def _release_place(self) -> None:
        with self.free:
            self.taken -= 1
            self.free.notify()


_pool = _Pool()
atexit.register(_pool.close)


def reader_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a reader needs: no token, address of a database or other secret."""
    needed_variables = {}
    for name, value in environment.items():
        if name in READER_VARIABLES or name.startswith(READER_VARIABLE_PREFIXES):
            needed_variables[name] = value
    return {**needed_variables, **_SINGLE_THREAD_VARIABLES, _INSIDE_VARIABLE: "1"}


def _checked_answer(answer: Any, allowed_kinds: Mapping[str, type]) -> tuple[str, Any]:
    """Return the kind and the value of an answer. Raises: ValueError if it has another form."""
    if type(answer) is not tuple or len(answer) != 2:
        raise ValueError("the answer of a reader must be a pair of a kind and a value.")
    answer_kind, value = answer
    is_allowed_kind = type(answer_kind) is str and answer_kind in allowed_kinds
    if not is_allowed_kind or not isinstance(value, allowed_kinds[answer_kind]):
        raise ValueError("the answer of a reader must have one of the requested kinds.")
    return answer_kind, value


def _send_message(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(len(data).to_bytes(_LENGTH_BYTES, "big"))
    pipe.write(data)
    pipe.flush()


def _send_answer(pipe: IO[bytes], kind: str, value: Any) -> None:
    _send_message(pipe, answer_codec.encode((kind, value)))


def _read_message(pipe: IO[bytes], max_bytes: int) -> bytes:
    """Return the next message of a pipe. Raises: EOFError at its end; ValueError if too long."""
    size = int.from_bytes(_read_exactly(pipe, _LENGTH_BYTES), "big")
    if size > max_bytes:
        raise ValueError(
            f"a message between processes has {size} bytes, but may have at most {max_bytes}."
        )
    return _read_exactly(pipe, size)


def _read_exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


def _set_limits(processor_s: float, memory: int) -> None:
    """Limit the processor time of the next answer, and the memory of this process.

    A timer counts from now. RLIMIT_CPU counts from the start, in ticks, which in a process that
    lives long on a busy machine differ by seconds from the time that it is told it had.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    # A timer of 0 would never end the process.
    signal.setitimer(signal.ITIMER_PROF, max(processor_s, 0.1))
    limit_by_resource = {resource.RLIMIT_CORE: 0, resource.RLIMIT_DATA: memory}
    for resource_kind, limit in limit_by_resource.items():
        with suppress(ValueError, OSError):
            _, hard_limit = resource.getrlimit(resource_kind)
            if hard_limit != resource.RLIM_INFINITY:
                limit = min(limit, hard_limit)
            resource.setrlimit(resource_kind, (limit, hard_limit))


def _serve_calls(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer the calls of a pipe until it ends."""
    while True:
        request = pickle.loads(_read_message(requests, sys.maxsize))
        module, function_name, arguments, batch_size, *process_limits = request
        _set_limits(*process_limits)
        try:
            function = getattr(importlib.import_module(module), function_name)
            result = function(*arguments)
            if isinstance(result, Iterator):
                _send_batches(result, answers, batch_size, process_limits)
            else:
                _send_answer(answers, "done", result)
        except LecternError as error:
            _send_answer(answers, "refused", error)
        except MemoryError:
            _send_answer(answers, "memory", None)
        except Exception:
            _send_answer(answers, "failed", traceback.format_exc()[-4000:])


def _send_batches(
    values: Iterator[Any], answers: IO[bytes], batch_size: int, limits: list[Any]
) -> None:
    """Send the values of an iterator in batches; each batch has the whole processor time."""
    batch: list[Any] = []
    try:
        for value in values:
            batch.append(value)
            if len(batch) == batch_size:
                _send_answer(answers, "more", batch)
                batch = []
                _set_limits(*limits)
    except LecternError:
        # The values before the error count.
        _send_answer(answers, "more", batch)
        raise
    _send_answer(answers, "done", batch)


def main() -> None:
    """Serve the process that started this one; what libraries print goes nowhere."""
    # Answers go to the standard output, whose place then gets the error output: a library that
    # prints must not write between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    for module in sys.argv[1:]:
        importlib.import_module(module)
    _send_message(answers, answer_codec.encode(None))
    with suppress(EOFError, BrokenPipeError):
        _serve_calls(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
