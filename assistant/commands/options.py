"""Options that several commands share.

``--home``, ``--database-url``, dates, and the settings they lead to.
"""

from __future__ import annotations

import argparse
import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.commands.terminal import ProgressLine
from assistant.core import settings
from assistant.core.settings import Settings

if TYPE_CHECKING:
    from assistant.transcription.transcriber import TranscriptionOptions


def shared() -> argparse.ArgumentParser:
    """Return the parent parser of every command that uses the home folder."""
    parent = argparse.ArgumentParser(add_help=False)
    parent.add_argument(
        "--home", help="folder for database and index (default: LECTERN_HOME or ~/.lectern)"
    )
    parent.add_argument(
        "--database-url",
        help="claim store (default: LECTERN_DATABASE_URL or a file in the home folder)",
    )
    return parent


def load_settings(options: argparse.Namespace) -> Settings:
    """Return the settings in force with these options. Raises: SettingsError."""
    flags = {
        name: getattr(options, name, None)
        for name in ("home", "database_url", "profile", "network", "speech_model")
    }
    return settings.load(**flags)


def add_listening(verb: argparse.ArgumentParser) -> None:
    """Add the options of commands that hear recordings."""
    heard = verb.add_argument_group("recordings")
    heard.add_argument(
        "--speech-model",
        metavar="NAME|DIR",
        help="another Whisper model (default: tiny.en, which is here)",
    )
    heard.add_argument(
        "--names", default="", metavar="NAME,NAME", help="names and terms that will be said"
    )
    heard.add_argument(
        "--names-of-claims",
        action="store_true",
        help="and the most frequent ones of the fact-checks",
    )
    heard.add_argument(
        "--no-terms-of-claims",
        action="store_true",
        help="hear everything once, without the words of the fact-checks that are nearest to what was heard",
    )


def transcription_options(
    options: argparse.Namespace, chosen: Settings, progress: ProgressLine
) -> TranscriptionOptions:
    """Return how a recording is heard, by the options and settings."""
    from assistant.claims.claim_store import ClaimStore
    from assistant.claims.likely_names import fitting_names, likely_names, split_names
    from assistant.jobs import vocabulary_hints, voiceprints
    from assistant.transcription.transcriber import TranscriptionOptions
    from assistant.transcripts import recordings

    names = fitting_names(split_names(options.names))
    if not recordings.is_recording(Path(options.file)):
        return TranscriptionOptions(chosen.home, progress=progress)
    if options.names_of_claims:
        with ClaimStore.open(chosen.database) as store:
            names = likely_names(store, names)
    known = voiceprints.known_voiceprints(chosen)
    network = bool(chosen.network)
    expected = None if options.no_terms_of_claims else vocabulary_hints.load(chosen, progress)
    return TranscriptionOptions(
        chosen.home,
        chosen.speech_model,
        network,
        hot_words=names,
        known=known,
        terms=expected,
        progress=progress,
    )


@contextmanager
def audited(chosen: Settings, what: str, about: str = "") -> Iterator[None]:
    """Note in the database's log of actions that the account at the keyboard does something.

    Raises: StoreError.
    """
    from assistant.core.audit import AuditLog

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
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a date; write it as 2024-09-10"
        ) from error
