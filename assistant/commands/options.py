"""Options that several commands share.

``--home``, ``--database-url``, dates, and the settings they lead to.
"""

from __future__ import annotations

import argparse
import getpass
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.commands.secret_arguments import ARGUMENT_VARIABLE
from assistant.commands.terminal import ProgressLine, say, usage_error
from assistant.core import logs, settings
from assistant.core.settings import Settings

if TYPE_CHECKING:
    from assistant.core.replacement import ExportFolder
    from assistant.transcription.transcriber import TranscriptionOptions

MAX_NUMBER = 1_000_000
MAX_PORT = 65_535


def shared_options() -> argparse.ArgumentParser:
    """Return the parent parser of every command that uses the data directory."""
    parent = argparse.ArgumentParser(add_help=False)
    group = parent.add_argument_group("data")
    group.add_argument(
        "--home",
        metavar="DIR",
        help="data directory (default: LECTERN_HOME or ~/.lectern). With this option, Lectern uses "
        "the database in this directory and ignores LECTERN_DATABASE_URL",
    )
    group.add_argument(
        "--database-url",
        metavar="URL",
        help="URL of the database (default: LECTERN_DATABASE_URL or a file in the data directory). "
        "If the URL contains a password, set LECTERN_DATABASE_URL instead, because other "
        "accounts can see the options of a command",
    )
    return parent


def load_settings(options: argparse.Namespace) -> Settings:
    """Return the settings in force with these options.

    Raises: SettingsError; SystemExit if an option is empty, as ``--home "$HOME_FOLDER"`` is if this
    variable isn't set. It must not lead to the usual data directory.
    """
    flags = {
        name: getattr(options, name, None)
        for name in ("home", "database_url", "profile", "network", "speech_model")
    }
    for name, value in flags.items():
        if isinstance(value, str) and not value.strip():
            usage_error(f"--{name.replace('_', '-')} is empty. Give a value, or leave it out.")
    return settings.load(**flags)


def add_transcription_options(command_parser: argparse.ArgumentParser) -> None:
    """Add the options of commands that transcribe recordings."""
    group = command_parser.add_argument_group("recordings")
    group.add_argument(
        "--speech-model",
        metavar="NAME|DIR",
        help="Whisper model, by name or folder (default: tiny.en, included)",
    )
    group.add_argument(
        "--names",
        default="",
        metavar="NAME,NAME",
        help="names and terms in the recording, used as vocabulary hints",
    )
    group.add_argument(
        "--names-of-claims",
        action="store_true",
        help="also use the most frequent names in the fact-checks as vocabulary hints",
    )
    group.add_argument(
        "--no-terms-of-claims",
        action="store_true",
        help="skip the second transcription pass, which uses words from similar fact-checks",
    )


def transcription_options(
    options: argparse.Namespace, active_settings: Settings, progress: ProgressLine
) -> TranscriptionOptions:
    """Return the options of a transcription, from the command line and the settings."""
    from assistant.claims.claim_store import ClaimStore
    from assistant.claims.likely_names import fitting_names, likely_names, split_names
    from assistant.jobs import vocabulary_hints, voiceprints
    from assistant.transcription.transcriber import TranscriptionOptions
    from assistant.transcripts import recordings

    hot_words = fitting_names(split_names(options.names))
    if not recordings.is_recording(Path(options.file)):
        return TranscriptionOptions(active_settings.home, progress=progress)
    if options.names_of_claims:
        with ClaimStore.open(active_settings.database) as store:
            hot_words = likely_names(store, hot_words)
    known_voices = voiceprints.known_voiceprints(active_settings)
    terms_of_claims = None
    if not options.no_terms_of_claims:
        terms_of_claims = vocabulary_hints.load(active_settings, progress)
    return TranscriptionOptions(
        active_settings.home,
        active_settings.speech_model,
        bool(active_settings.network),
        hot_words=hot_words,
        known=known_voices,
        terms=terms_of_claims,
        progress=progress,
    )


@contextmanager
def audited(active_settings: Settings, action: str, subject: str = "") -> Iterator[None]:
    """Record an action of the system account in the database's log of actions.

    Raises: StoreError.
    """
    from assistant.core.audit import AuditLog

    with AuditLog.open(active_settings.database) as log, log.noted(account_name(), action, subject):
        yield


def account_name() -> str:
    """Return the name of the system account, "" if there is none, as in some containers."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def add_force(command_parser: argparse.ArgumentParser) -> None:
    """Add the option of commands that write files with ``--out``."""
    command_parser.add_argument(
        "--force",
        action="store_true",
        help="also replace files in the folder that Lectern did not write",
    )


def export_folder(
    options: argparse.Namespace, active_settings: Settings, *input_files: str
) -> ExportFolder:
    """Return the folder of ``--out``, in which the inputs and the database are never replaced."""
    from assistant.core.database_copies import database_files
    from assistant.core.replacement import ExportFolder

    input_paths = [Path(name) for name in input_files]
    input_paths += database_files(active_settings.database)
    folder = Path(options.out)
    return ExportFolder(folder, active_settings.home, tuple(input_paths), options.force)


def say_ignored_variable(options: argparse.Namespace) -> None:
    """Say that ``--home`` names the database, if a variable names another one."""
    is_home_flag_alone = getattr(options, "home", None) and not options.database_url
    if is_home_flag_alone and os.environ.get(settings.DATABASE_VARIABLE):
        say(
            f"note: {settings.DATABASE_VARIABLE} is ignored, because --home is given. "
            "Use --database-url to choose another database."
        )


def say_ineffective_variables() -> None:
    """Name the variables that Lectern doesn't know, probably because of a typing error."""
    log_format = os.environ.get(logs.LOG_VARIABLE)
    if log_format not in (None, "", "json"):
        say(f"note: {logs.LOG_VARIABLE} is {log_format!r}, but only json has an effect.")
    for name in sorted(os.environ):
        is_hidden_argument = name.startswith(ARGUMENT_VARIABLE.format(""))
        is_known = is_hidden_argument or name in settings.KNOWN_VARIABLES
        if name.startswith(settings.VARIABLE_PREFIX) and not is_known:
            say(f"note: the variable {name} has no effect. Check its name.")


def positive_number(text: str) -> int:
    """Parse a whole number from 1 on.

    Raises: ArgumentTypeError, which argparse turns into a usage error.
    """
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= MAX_NUMBER:
        message = f"{text[:40]!r} is not a whole number from 1 to {MAX_NUMBER:,}"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def port_number(text: str) -> int:
    """Parse the number of a TCP port; 0 lets the system choose one.

    Raises: ArgumentTypeError, which argparse turns into a usage error.
    """
    if text == "0":
        return 0
    port = positive_number(text)
    if port > MAX_PORT:
        raise argparse.ArgumentTypeError(
            f"{port} isn't a valid port. Use a number from 0 to {MAX_PORT}"
        )
    return port


def event_day(text: str) -> date:
    """Parse the date of an option.

    Raises: ArgumentTypeError, which argparse turns into a usage error.
    """
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} isn't a valid date. Write the date as YYYY-MM-DD"
        ) from error


def event_name(text: str) -> str:
    """Return the event name of an option.

    Raises: ArgumentTypeError if it has bytes that are not UTF-8.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} isn't a valid name, because it isn't UTF-8. Type the name again"
        ) from error
    return text
