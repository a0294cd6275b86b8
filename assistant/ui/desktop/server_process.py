"""The process behind a window.

Serves the app on a free loopback port until the window's process closes the pipe.

``python -m assistant.ui.desktop.server_process`` reads the key from standard input and writes the port to standard output.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from assistant.core.shipped_files import APP_SCRIPT

SERVER_CONFIG = {
    "server.address": "127.0.0.1",
    "server.port": 0,  # any free one
    "server.headless": True,
    "logger.hideWelcomeMessage": True,  # standard output is for the port
}
STOP_S = 5  # a request that is under way may end


def main() -> None:
    """Serve the app until the pipe is closed, also by the death of the window's process."""
    key = sys.stdin.readline().strip()
    threading.Thread(target=_end_with_the_pipe, daemon=True).start()
    with suppress(KeyboardInterrupt):  # what the end of the pipe raises, also while this imports
        import streamlit as st
        from starlette.middleware import Middleware

        from assistant.ui.desktop.window_access import WindowAccess
        from assistant.ui.microphone_route import microphone_route
        from assistant.ui.recording_route import recording_route

        sys.argv = [str(APP_SCRIPT)]  # Streamlit looks for its settings beside this file
        layers = [
            Middleware(WindowAccess, key=key),
            Middleware(recording_route),
            Middleware(microphone_route),
        ]
        st.App(APP_SCRIPT, middleware=layers, lifespan=_tell_port).run(config=SERVER_CONFIG)


@asynccontextmanager
async def _tell_port(_app: object) -> AsyncIterator[None]:
    import streamlit as st

    sys.stdout.write(f"{st.get_option('server.port')}\n")
    sys.stdout.flush()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nobody reads the pipe any more
    threading.Thread(
        target=_import_first, daemon=True
    ).start()  # while the browser loads its scripts
    yield


def _import_first() -> None:
    """Import what the first screen imports, in the order of app.py."""
    from assistant import reports, transcripts  # noqa: F401
    from assistant.ui import results, welcome  # noqa: F401


def _end_with_the_pipe() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGINT)  # the server ends what it has begun
    time.sleep(STOP_S)
    os._exit(1)


if __name__ == "__main__":
    main()
