"""Opens Lectern's window: one for a home folder, with the app in a process of its own that ends with the window."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from assistant.core.errors import LecternError, SettingsError
from assistant.core.settings import Settings
from assistant.core.shipped_files import APP_SCRIPT
from assistant.ui.desktop.server_process import STOP_S
from assistant.ui.desktop.single_instance import SingleInstance


def open_window(settings: Settings) -> None:
    """Open the window and return when it is closed.

    Where one is open already, bring that one to the front instead.

    Raises: SettingsError if Qt cannot be loaded; LecternError if the app ended while the window
    was open, or the window that is open already does not answer.
    """
    instance = SingleInstance(settings.home)
    if not instance.is_first:
        if not instance.call():  # the open window does not come to the front
            raise LecternError(
                "Lectern is already open, but its window isn't responding.",
                remedy="Close the open window first.",
            )
        return
    key = secrets.token_urlsafe(32)
    with _running_app(settings, key) as app:  # it starts while Qt is loaded
        try:
            from assistant.ui.desktop import window

            window.show(app, key, instance)
        except ImportError as error:
            remedy = "docs/admin/install.md names the system packages that Qt needs."
            raise SettingsError(f"Qt cannot be loaded ({error}).", remedy=remedy) from error
        if app.poll() is not None:
            raise LecternError(
                f"the app ended with exit status {app.returncode}.",
                remedy="Read the messages above.",
            )


@contextmanager
def _running_app(settings: Settings, key: str) -> Iterator[subprocess.Popen[str]]:
    """Yield the process of the app.

    When the ``with`` ends, it and its own processes have ended, too.
    """
    environment = {
        "LECTERN_HOME": str(settings.home.resolve()),
        "LECTERN_DATABASE_URL": settings.database_url,
    }
    app = subprocess.Popen(
        [sys.executable, "-m", "assistant.ui.desktop.server_process"], cwd=APP_SCRIPT.parent, env=os.environ | environment,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert app.stdin is not None  # a pipe
    try:
        app.stdin.write(f"{key}\n")
        app.stdin.flush()
        yield app
    finally:
        app.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            app.wait(2 * STOP_S)
        with suppress(ProcessLookupError):
            os.killpg(app.pid, signal.SIGKILL)
