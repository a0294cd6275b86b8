"""The command ``voices``: stores, lists and deletes voiceprints of speakers under names."""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.commands.options import account_name, audited, load_settings
from assistant.commands.terminal import data_table, say
from assistant.core.errors import SettingsError
from assistant.core.files import shown_path
from assistant.core.replacement import require_regular_file

if TYPE_CHECKING:
    from assistant.jobs.voiceprints import VoiceprintStore


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the command and its own commands."""
    subcommands = subcommands.add_parser("voices", help="manage saved voices").add_subparsers(
        required=True, metavar="COMMAND"
    )
    list_command = subcommands.add_parser(
        "list", parents=[shared_parser], help="list the saved voices"
    )
    list_command.set_defaults(run=_list)
    keep_command = subcommands.add_parser(
        "keep", parents=[shared_parser], help="save a speaker's voice from parts of a recording"
    )
    keep_command.add_argument("file", metavar="FILE", help="recording of the speaker")
    keep_command.add_argument("--name", required=True, help="name of the speaker")
    keep_command.add_argument(
        "--at", metavar="FROM-TO", type=span, action="append", required=True,
        help="time range in which only this person speaks, such as 1:05-1:40 (repeatable)",
    )  # fmt: skip
    keep_command.set_defaults(run=_keep)
    forget_command = subcommands.add_parser(
        "forget", parents=[shared_parser], help="delete a saved voice"
    )
    forget_command.add_argument("name", metavar="NAME", help="name of the speaker")
    forget_command.set_defaults(run=_forget)


def span(text: str) -> tuple[float, float]:
    """Return the start and end, in seconds, of a span such as 1:05-1:40.

    Raises: ArgumentTypeError, which argparse turns into a usage error.
    """
    try:
        start, end = map(_seconds, text.split("-"))
        is_span = 0 <= start < end
    except ValueError:
        is_span = False
    if not is_span:
        raise argparse.ArgumentTypeError(
            f"{text!r} isn't a valid time range. Write a start and an end, such as 1:05-1:40"
        )
    return start, end


def _seconds(text: str) -> float:
    """Return the seconds of a time such as 45, 1:05 or 1:02:03."""
    seconds = 0.0
    for part in text.split(":"):  # each part counts 60 of the next
        seconds = 60 * seconds + float(part)
    return seconds


def _list(options: argparse.Namespace) -> None:
    with _store(options) as store:
        voices = store.all()
    with data_table("Name", "Speech", "Debate", "Title", "Stored") as table:
        for voice in voices:
            day = datetime.fromtimestamp(voice.kept).strftime("%Y-%m-%d")
            seconds = f"{voice.seconds:.0f} s"
            table.add(voice.name, seconds, voice.document[:16], voice.title, day)
    if not voices:
        say("There are no saved voices yet. Save one with `voices keep`.")


def _keep(options: argparse.Namespace) -> None:
    from assistant.core.domain import Source, Transcript
    from assistant.jobs import voiceprints
    from assistant.jobs.recordings import file_digest
    from assistant.transcripts import title_and_date

    path = Path(options.file)
    settings = load_settings(options)
    voiceprints.require_voiceprints_allowed(settings)
    require_regular_file(path, SettingsError)
    try:
        digest = file_digest(path)
    except OSError as error:
        raise SettingsError(f"cannot be read: {error.strerror}.", where=options.file) from error
    file_name = shown_path(path.name)
    day, _ = title_and_date.guess_date(file_name, "")
    debate = Transcript(
        title_and_date.guess_title(file_name), day, Source(file_name, "sound", digest), (), ()
    )
    voice = voiceprints.make_voiceprint(
        settings, path, options.at, options.name, debate, account_name()
    )
    with _store(options) as store:
        store.keep(voice)
    say(
        f"The voice of {voice.name} is kept, of {voice.seconds:.0f} seconds of speech. "
        f"{voiceprints.VOICEPRINT_NOTICE}"
    )


def _forget(options: argparse.Namespace) -> None:
    with _store(options) as store, audited(load_settings(options), "forget voice", ""):
        deleted_count = store.forget(options.name)
    if not deleted_count:
        raise SettingsError(
            "no voice is saved under this name.",
            where=options.name,
            remedy="Run `voices list` to see the names.",
        )
    say(f"The voice of {options.name} is forgotten. Backups still have it.")


def _store(options: argparse.Namespace) -> VoiceprintStore:
    from assistant.jobs.voiceprints import VoiceprintStore

    return VoiceprintStore.open(load_settings(options).database)
