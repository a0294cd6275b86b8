"""The commands ``backup``, ``restore`` and ``move``.

All that the database has, in a file or in another database.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from assistant.commands.options import audited, load_settings
from assistant.commands.terminal import ProgressLine, data_table, say

if TYPE_CHECKING:
    from assistant.core.database_copies import DatabaseContent

INDEX_NEXT = "Run `python -m assistant claims index` to make the fact-checks searchable."


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the commands."""
    backup_command = subcommands.add_parser(
        "backup", parents=[shared_parser], help="write a backup of the database"
    )
    backup_command.add_argument(
        "file", metavar="FILE", help="file to write: a new one, or an earlier backup to replace"
    )
    backup_command.set_defaults(run=_backup)
    restore_command = subcommands.add_parser(
        "restore", parents=[shared_parser], help="restore a backup into an empty database"
    )
    restore_command.add_argument("file", metavar="FILE", help="backup to restore")
    restore_command.set_defaults(run=_restore)
    move_command = subcommands.add_parser(
        "move", parents=[shared_parser], help="copy the database into another, empty database"
    )
    move_command.add_argument(
        "--to",
        metavar="URL",
        required=True,
        help="URL of the new, empty database, such as postgresql+psycopg://USER@HOST/DATABASE",
    )
    move_command.set_defaults(run=_move)


def _backup(options: argparse.Namespace) -> None:
    database_copies = _with_all_tables()
    path = Path(options.file).expanduser()
    settings = load_settings(options)
    with ProgressLine() as progress, audited(settings, "backup"):
        content = database_copies.back_up(settings.database, path, progress=progress)
    _print_content(content)
    say(f"wrote {path}")


def _restore(options: argparse.Namespace) -> None:
    from assistant.jobs.recordings import recordings_table

    database_copies = _with_all_tables()
    settings = load_settings(options)
    with ProgressLine() as progress:
        content = database_copies.restore(
            Path(options.file).expanduser(), settings.database, progress=progress
        )
    with audited(settings, "restore"):
        _print_content(content)
    unlinked_count = content.left_out.get(recordings_table.name, 0)
    if unlinked_count:
        say(
            f"{unlinked_count:,} links to recordings outside Lectern's folder were removed. "
            "Enter the paths of these files again to play them. "
            "The digest is that of the backup, with these links."
        )
    if content.revoked:
        say(
            f"{content.revoked:,} tokens were revoked or alert channels paused, "
            "because some may have been revoked or removed since the backup. Make new tokens with "
            "`python -m assistant tokens give`. Resume a channel with "
            "`python -m assistant alerts resume`."
        )
    say(INDEX_NEXT)


def _move(options: argparse.Namespace) -> None:
    database_copies = _with_all_tables()
    settings = load_settings(options)
    with ProgressLine() as progress, audited(settings, "move"):
        content = database_copies.move(settings.database, options.to, progress=progress)
    _print_content(content)
    say(
        "The old database is unchanged. Set LECTERN_DATABASE_URL to the new one, then start Lectern again."
    )


def _with_all_tables() -> ModuleType:
    """Return the module that copies databases, after every package has defined its tables."""
    import assistant.alerts.tables
    import assistant.api.check_records
    import assistant.api.usage
    import assistant.archive.tables
    import assistant.claims.claim_store
    import assistant.jobs.corrections
    import assistant.jobs.reading_choices
    import assistant.jobs.recordings
    import assistant.jobs.tables
    import assistant.jobs.voiceprints
    import assistant.live.tables
    import assistant.review.assignment_store
    import assistant.review.comment_store
    import assistant.review.decision_store
    import assistant.review.presence_store  # noqa: F401
    from assistant.core import audit, database_copies  # noqa: F401

    return database_copies


def _print_content(content: DatabaseContent) -> None:
    with data_table("Table", "Rows") as table:
        for table_name, row_count in sorted(content.rows.items()):
            table.add(table_name, row_count)
        table.add("digest", content.digest)
