"""The command ``run``, which loads the samples on the first start and serves the app to a browser."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from assistant.commands import prepare
from assistant.commands.options import load_settings, port_number
from assistant.commands.terminal import say
from assistant.core.settings import DATABASE_VARIABLE, HOME_VARIABLE
from assistant.core.shipped_files import APP_SCRIPT
from assistant.web import listening

if TYPE_CHECKING:
    from assistant.core.settings import Settings

DEFAULT_PORT = 8501
LOOPBACK = "127.0.0.1"


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the command."""
    run_command = subcommands.add_parser(
        "run", parents=[shared_parser], help="open Lectern in a browser"
    )
    run_command.add_argument(
        "--port",
        type=port_number,
        default=DEFAULT_PORT,
        metavar="PORT",
        help="port of the app on this computer (default: %(default)s)",
    )
    run_command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Load the samples on the first start, and serve the app until it is stopped."""
    listening.require_free_port(LOOPBACK, options.port)
    prepare.run(options)
    say(f"Open http://localhost:{options.port} in a browser. Press Ctrl+C to stop.")
    command = _command(options.port)
    environment = _environment(load_settings(options))
    if os.name == "posix":
        # The app takes the place of this process, so that signals reach it.
        os.execve(command[0], command, environment)
    else:
        with suppress(KeyboardInterrupt):
            subprocess.run(command, env=environment, check=False)


def _command(app_port: int) -> list[str]:
    """Return the command line of Streamlit; its settings stand in a file beside the script."""
    return [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(APP_SCRIPT),
        "--server.headless=true",
        f"--server.address={LOOPBACK}",
        f"--server.port={app_port}",
        "--browser.gatherUsageStats=false",
    ]


def _environment(settings: Settings) -> dict[str, str]:
    """Return the variables of the app, with the same home folder and database."""
    return {
        **os.environ,
        HOME_VARIABLE: str(settings.home),
        DATABASE_VARIABLE: settings.database,
    }
