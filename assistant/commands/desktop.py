"""The command ``desktop``, which opens Lectern in a window of its own."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec

from assistant.commands import prepare
from assistant.commands.options import load_settings
from assistant.core.errors import SettingsError

WINDOW_PACKAGES = ("webview", "qtpy", "PySide6")
NO_SANDBOX_VARIABLE = "QTWEBENGINE_DISABLE_SANDBOX"


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the command."""
    desktop = subcommands.add_parser(
        "desktop", parents=[shared_parser], help="open Lectern in its own window"
    )
    desktop.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Open the window, the first time after loading the samples, and wait until it is closed.

    Raises: SettingsError if something is missing that the window needs.
    """
    _require_window_support()
    settings = load_settings(options)
    if not settings.home.exists():
        prepare.run(options)
    from assistant.ui.desktop.launcher import open_window

    open_window(settings)


def _require_window_support() -> None:
    """Say in one line what Qt would say in many while it ends the process.

    Raises: SettingsError.
    """
    if missing := [name for name in WINDOW_PACKAGES if not find_spec(name)]:
        remedy = "Run `make desktop`, or `pip install -r requirements-desktop.txt`."
        raise SettingsError(
            f"Lectern's window needs packages that are not installed ({', '.join(missing)}).",
            remedy=remedy,
        )
    if sys.platform != "linux":
        return
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise SettingsError(
            "no screen was found, so Lectern can't open its window.",
            remedy="Run `make run` and open Lectern in a browser.",
        )
    if os.geteuid() == 0 and not os.environ.get(NO_SANDBOX_VARIABLE):
        remedy = f"Use another account, or set {NO_SANDBOX_VARIABLE}=1 in a throwaway container."
        raise SettingsError(
            "Qt's web engine can't run as root, because its sandbox doesn't allow that.",
            remedy=remedy,
        )
