"""Options that several commands share: ``--home``, ``--database-url``, dates, and the settings they lead to."""

from __future__ import annotations

import argparse
import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

from assistant.ground import settings
from assistant.ground.settings import Settings


def shared() -> argparse.ArgumentParser:
    """Return the parent parser of every command that uses the home folder."""
    parent = argparse.ArgumentParser(add_help=False)
    parent.add_argument("--home", help="folder for database and index (default: LECTERN_HOME or ~/.lectern)")
    parent.add_argument(
        "--database-url", help="claim store (default: LECTERN_DATABASE_URL or a file in the home folder)"
    )
    return parent


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings in force with these options. Raises: SettingsError."""
    flags = {name: getattr(options, name, None) for name in ("home", "database_url", "profile", "network")}
    return settings.load(**flags)


@contextmanager
def noted(chosen: Settings, what: str, about: str = "") -> Iterator[None]:
    """Note in the database's log of actions that the account at the keyboard does something. Raises: StoreError."""
    from assistant.ground.audit import AuditLog

    with AuditLog.open(chosen.database) as log, log.noted(account(), what, about):
        yield


def account() -> str:
    """Return the name of the system account that runs the command, "" where it has none, as in some containers."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def day(text: str) -> date:
    """Return the date that an option gives; argparse turns a wrong one into a usage error."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date; write it as 2024-09-10") from error
