"""What hostile files make their readers do, for the tests of the processes that read."""

from __future__ import annotations

import itertools
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from assistant.core.errors import NetworkError


def burn() -> None:
    """Never end."""
    for _ in itertools.count():
        pass


def wait() -> None:
    """Do nothing for a long time."""
    time.sleep(3600)


def work(seconds: float) -> float:
    """Return how much processor time was used, at least so much."""
    began = time.process_time()
    while (used := time.process_time() - began) < seconds:
        pass
    return used


def fill() -> int:
    """Ask for more memory than there is."""
    return len(bytearray(1 << 40))


def die() -> None:
    """End the process at once."""
    os._exit(3)


def refuse() -> None:
    """Raise an error of Lectern."""
    raise NetworkError("is refused.", where="here", remedy="Go away.")


def fail() -> None:
    """Raise an error that nobody expected."""
    raise KeyError("unexpected")


def process() -> int:
    """Return the number of the process."""
    return os.getpid()


def content(path: Path) -> str:
    """Return the text of a file."""
    return path.read_text("utf-8")


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file."""
    yield from path.read_text("utf-8").splitlines()


def numbers(count: int) -> Iterator[int]:
    """Yield numbers, and then refuse."""
    yield from range(count)
    refuse()


def take_over(message: bytes) -> None:
    """Send a message as a process does that was taken over, and end."""
    frame = sys._getframe()
    while "answers" not in frame.f_locals:
        frame = frame.f_back
    pipe = frame.f_locals["answers"]
    pipe.write(message)
    pipe.flush()
    os._exit(0)


def boast() -> Path:
    """Return a value that no answer may have."""
    return Path("passwords")
