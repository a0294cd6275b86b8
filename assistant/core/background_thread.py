"""A thread that works beside the body of a ``with``."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def background_thread(
    work: Callable[[], None],
    stop: threading.Event,
    *,
    name: str,
    patience_s: float | None = None,
) -> Iterator[None]:
    """Run ``work`` in a thread as long as the ``with`` lasts.

    ``stop`` is set at the end, and ``work`` returns then. ``patience_s``: the longest wait for its
    return, None for as long as it takes; the thread never keeps the process from ending.
    """
    thread = threading.Thread(target=work, name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(patience_s)
