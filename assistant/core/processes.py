"""Processes of this computer: whether one is still running, and how this one ends."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

SIGNAL_EXIT_STATUS = 128  # a shell adds the number of the signal
BACKGROUND_NICENESS = 5  # 0 is usual, 19 the least urgent


@contextmanager
def ending_in_order(exit_status: int = SIGNAL_EXIT_STATUS + signal.SIGTERM) -> Iterator[None]:
    """Let a request to end (SIGTERM) leave the ``with`` as an exception does."""
    # Python lets only the main thread set a handler.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    earlier_handler = signal.signal(signal.SIGTERM, lambda *_: sys.exit(exit_status))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, earlier_handler)


def is_alive(process_id: int) -> bool:
    """Return whether a process with this number runs on this computer, for any user."""
    try:
        os.kill(process_id, 0)  # signal 0 only asks whether the process exists
    except ProcessLookupError:
        return False
    except OSError:  # a process of another user
        return True
    return True


def lower_thread_priority() -> None:
    """Let other threads and processes of this computer go first, for the life of this thread."""
    # Only Linux has priorities of threads; elsewhere this would change the whole process.
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BACKGROUND_NICENESS)
