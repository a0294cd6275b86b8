"""The command ``purge``: lists debates, or deletes some of them with everything stored for them."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from assistant.commands.options import audited, load_settings, positive_number
from assistant.commands.terminal import data_table, say, usage_error
from assistant.core.errors import SettingsError
from assistant.report.wording import count

if TYPE_CHECKING:
    from assistant.core.debate_records import StoredDebate
    from assistant.core.settings import Settings

DAY_S = 86_400
PURGE_HEADINGS = ("ID", "Date", "Title", "Stored", "Last change")


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the command."""
    purge_command = subcommands.add_parser(
        "purge", parents=[shared_parser], help="delete debates and everything stored for them"
    )
    purge_command.add_argument(
        "debates",
        metavar="DEBATE",
        nargs="*",
        help="debate to delete: an id from the list, live:EVENT, or recording:KEY "
        "for an unfinished upload",
    )
    purge_command.add_argument(
        "--older-than",
        type=positive_number,
        metavar="DAYS",
        help="select debates without activity for this many days (1 or more)",
    )
    purge_command.add_argument(
        "--yes", action="store_true", help="delete the selected debates (default: only list them)"
    )
    purge_command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print one line per debate, and delete the debates if ``--yes`` is given."""
    from assistant.api.debate_stores import open_debate_stores
    from assistant.jobs.recordings import CUT_SHORT_PREFIX

    if options.yes and not options.debates and options.older_than is None:
        usage_error("--yes needs a DEBATE or --older-than DAYS")
    settings = load_settings(options)
    now = time.time()
    labels = [name for name in options.debates if name.startswith(CUT_SHORT_PREFIX)]
    options.debates = [name for name in options.debates if name not in labels]
    if labels or not options.debates:
        _purge_cut_short(settings, labels, options, now)
    if labels and not options.debates:
        return
    with open_debate_stores(settings) as stores:
        debates = _select_debates(stores.debates(), options, now)
        with data_table(*PURGE_HEADINGS) as table:
            for debate in debates:
                if options.yes:
                    with audited(settings, "purge", debate.document[:16]):
                        stores.purge(debate, now)
                contents = ", ".join(
                    count(total, kind.removesuffix("s"), kind)
                    for kind, total in debate.record_counts.items()
                )
                last_change = datetime.fromtimestamp(debate.changed_at_s, UTC).date()
                table.add(debate.name, debate.day or "", debate.title, contents, last_change)
        if options.yes:
            if options.older_than is not None:
                stores.report_store.delete_imports(ended_before=now - options.older_than * DAY_S)
            stores.report_store.shrink()
            pronoun = "it" if len(debates) == 1 else "them"
            total = count(len(debates), "debate")
            say(f"{total} deleted. Backups and exported files still have {pronoun}.")
        elif debates:
            say(
                "Nothing was deleted. To delete, name debates or give --older-than DAYS, and add --yes."
            )
        else:
            say("There are no debates to delete.")


def _purge_cut_short(
    settings: Settings, labels: list[str], options: argparse.Namespace, now: float
) -> None:
    """List recordings that did not arrive whole, and delete them if ``--yes`` is given.

    Raises: SettingsError if there is none with a label.
    """
    from assistant.jobs import recordings

    all_uploads = recordings.cut_short_recordings(settings.home)
    unknown_labels = set(labels) - {upload.label for upload in all_uploads}
    if unknown_labels:
        remedy = "Run `purge` without arguments to see the list."
        raise SettingsError(
            "no unfinished upload has this name.", where=min(unknown_labels), remedy=remedy
        )
    unfinished_uploads = []
    for upload in all_uploads:
        is_named = not labels or upload.label in labels
        age_s = now - upload.changed
        is_old = options.older_than is None or age_s > options.older_than * DAY_S
        if is_named and is_old:
            unfinished_uploads.append(upload)
    with data_table(*PURGE_HEADINGS) as table:
        for upload in unfinished_uploads:
            if options.yes:
                with audited(settings, "purge", upload.label):
                    recordings.delete_cut_short(settings.home, upload.key)
            size_words = f"{upload.size:,}" if upload.size else "an unknown number of"
            last_change = datetime.fromtimestamp(upload.changed, UTC).date()
            contents = f"{upload.arrived:,} of {size_words} bytes arrived"
            table.add(upload.label, "", upload.name, contents, last_change)
    if unfinished_uploads and options.yes:
        say(f"{count(len(unfinished_uploads), 'unfinished upload')} deleted.")
    elif unfinished_uploads:
        say("An unfinished upload continues when the same person adds the same file again.")


def _select_debates(
    debates: list[StoredDebate], options: argparse.Namespace, now: float
) -> list[StoredDebate]:
    """Return the debates that the options name.

    Raises: SettingsError if there is no such debate, or several.
    """
    if options.older_than is not None:
        oldest_change_s = now - options.older_than * DAY_S
        debates = [debate for debate in debates if debate.changed_at_s < oldest_change_s]
    if not options.debates:
        return debates
    return [_find_debate(name, debates) for name in options.debates]


def _find_debate(name: str, debates: Iterable[StoredDebate]) -> StoredDebate:
    matching = [debate for debate in debates if name in (debate.name, debate.document)]
    if len(matching) != 1:
        what = "no debate has this name" if not matching else "several debates have this name"
        raise SettingsError(
            f"{what}.", where=name, remedy="Run `purge` without arguments to see the list."
        )
    return matching[0]
