"""The command ``desktop``, which opens Lectern in a window of its own."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec

from assistant.commands import prepare
from assistant.commands.options import settings_of
from assistant.ground.errors import SettingsError

PACKAGES = ("webview", "qtpy", "PySide6")


def add(verbs: argparse._SubParsersAction, shared: argparse.ArgumentParser) -> None:
    """Add the command."""
    desktop = verbs.add_parser("desktop", parents=[shared], help="open Lectern in a window of its own")
    desktop.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Open the window, the first time after loading the samples, and wait until it is closed.

    Raises: SettingsError if something is missing that the window needs.
    """
    if missing := [name for name in PACKAGES if not find_spec(name)]:
        remedy = "Run `make desktop`, or `pip install -r requirements-desktop.txt`."
        raise SettingsError(f"a window needs packages that are not installed ({', '.join(missing)}).", remedy=remedy)
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise SettingsError("there is no screen to open a window on.", remedy="Use `make run` and a browser.")
    settings = settings_of(options)
    if not settings.home.exists():
        prepare.run(options)
    from assistant.ui.desktop.opening import open_window

    open_window(settings)
