"""The commands ``claims refresh`` and ``claims feeds``: fetches feeds again, and lists them."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from assistant.commands.options import audited, load_settings
from assistant.commands.terminal import ProgressLine, data_table, say
from assistant.core.errors import NetworkError, SettingsError

if TYPE_CHECKING:
    from assistant.alerts.feed_store import FetchedFeed
    from assistant.claims.records import ImportReport

FEED_OPTIONS = ("url", "language", "query", "site")
FEED_HEADINGS = ("Feed", "Fetched", "New", "Changed", "Withdrawn", "Missing", "Error")


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the commands."""
    refresh_command = subcommands.add_parser(
        "refresh",
        parents=[shared_parser],
        help="fetch every feed again, index what is new, and compare it with the archive",
    )
    refresh_command.add_argument(
        "--profile", help="models to use (default: LECTERN_PROFILE or embedded)"
    )
    refresh_command.set_defaults(run=_refresh)
    feeds_command = subcommands.add_parser(
        "feeds", parents=[shared_parser], help="list the feeds that `claims refresh` fetches again"
    )
    feeds_command.add_argument(
        "--remove", metavar="FEED", help="stop fetching a feed and keep its fact-checks"
    )
    feeds_command.set_defaults(run=_feeds)


def note_feed(options: argparse.Namespace, imported: ImportReport) -> None:
    """Remember a feed that ``claims fetch`` has fetched, so that it is fetched again."""
    from assistant.alerts.feed_store import ClaimFeed, FeedStore
    from assistant.alerts.source_refresh import CHANGING_PUBLISHERS

    if options.publisher not in CHANGING_PUBLISHERS:
        return
    option_values = {
        name: getattr(options, name) for name in FEED_OPTIONS if getattr(options, name)
    }
    with FeedStore.open(load_settings(options).database) as feed_store:
        feed_store.note_import(ClaimFeed(options.publisher, option_values), imported, time.time())


def _refresh(options: argparse.Namespace) -> None:
    from assistant.alerts import source_refresh

    settings = load_settings(options)
    with audited(settings, "refresh"), ProgressLine() as progress:
        result = source_refresh.refresh(settings, progress=progress)
    _print_feeds(result.feeds)
    say(f"{result.indexed:,} fact-checks are searchable.")
    if result.compared:
        say(f"{result.compared:,} fact-checks were compared with everything said.")
    failed = [fetched.feed.name for fetched in result.feeds if fetched.error]
    if failed:
        message = f"{len(failed):,} of {len(result.feeds):,} feeds could not be fetched."
        raise NetworkError(message, where=failed[0], remedy="Run `claims feeds` to see why.")


def _feeds(options: argparse.Namespace) -> None:
    from assistant.alerts.feed_store import FeedStore

    with FeedStore.open(load_settings(options).database) as feed_store:
        if options.remove and not feed_store.remove(options.remove):
            remedy = "Run `python -m assistant claims feeds` to list them."
            raise SettingsError("there is no such feed.", where=options.remove, remedy=remedy)
        feeds = feed_store.all()
    _print_feeds(feeds)
    if not feeds:
        say(
            "There are no feeds yet. Add one with `claims fetch datacommons` or `claims fetch google`."
        )


def _print_feeds(feeds: Iterable[FetchedFeed]) -> None:
    with data_table(*FEED_HEADINGS) as table:
        for fetched in feeds:
            table.add(
                fetched.feed.name,
                datetime.fromtimestamp(fetched.fetched).strftime("%Y-%m-%d %H:%M"),
                f"{fetched.new:,} new",
                f"{fetched.changed:,} changed",
                f"{fetched.withdrawn:,} withdrawn",
                f"{fetched.missing:,} missing",
                fetched.error,
            )
