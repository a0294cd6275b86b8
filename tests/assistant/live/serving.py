"""An ASGI application on a real socket of this computer, for tests of what only a connection shows."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_S = 120


@contextmanager
def served(app, **options) -> Iterator[int]:
    """Serve an application in a thread and yield its port; ``options`` are uvicorn's."""
    import uvicorn

    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", **options))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        until(lambda: server.started)
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)
        listening.close()


def until(done) -> None:
    """Wait for a condition. Raises: AssertionError if it does not come true."""
    end = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)
