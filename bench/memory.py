"""How much memory of its own a process has: what no file behind it lets the system drop."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SAMPLE_S = 0.05


def private_mb(process: int | str = "self") -> float:
    """Return the anonymous resident memory of a process in MB, 0 if it is gone.

    Mapped pages of an index are none.
    """
    with suppress(OSError, StopIteration):
        status_lines = Path(f"/proc/{process}/status").read_text().splitlines()
        return (
            int(
                next(
                    status_line for status_line in status_lines if status_line.startswith("RssAnon")
                ).split()[1]
            )
            / 1024
        )
    return 0.0


@contextmanager
def watched(process: int | str = "self", *, seconds: float = SAMPLE_S) -> Iterator[list[float]]:
    """Yield a list that gets the private memory of a process and its children, in MB, again and again."""
    memory = [0.0]
    stop = threading.Event()

    def look() -> None:
        while not stop.wait(seconds):
            memory.append(sum(map(private_mb, [process, *_children(process)])))

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield memory
    finally:
        stop.set()
        thread.join()


def _children(process: int | str) -> list[int]:
    child_ids = []
    for tasks in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            child_ids += [int(child) for child in tasks.read_text().split()]
    return child_ids
