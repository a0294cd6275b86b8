"""The feeds of fact-checks that are fetched again: how, and the result of the last time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from assistant.alerts.tables import feeds
from assistant.claims.records import ImportReport
from assistant.core.database import Database


@dataclass(frozen=True, slots=True)
class ClaimFeed:
    """A feed of fact-checks: its publisher as ``claims fetch`` names it, and its options."""

    publisher: str
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the name by which the feed is listed."""
        words = [f"{option} {value}" for option, value in sorted(self.options.items()) if value]
        return ", ".join([self.publisher, *words])


@dataclass(frozen=True, slots=True)
class FetchedFeed:
    """A feed with the result of the last time that it was fetched (seconds since 1970).

    ``missing`` counts the fact-checks that it no longer has; ``error`` says why it failed.
    """

    feed: ClaimFeed
    fetched: float
    new: int = 0
    changed: int = 0
    withdrawn: int = 0
    missing: int = 0
    error: str = ""

    @property
    def has_changes(self) -> bool:
        """Return whether it brought anything that the index doesn't have."""
        return bool(self.new or self.changed or self.withdrawn)


class FeedStore(Database):
    """The feeds of one database. Use it in a ``with``, or close it."""

    def note_import(self, feed: ClaimFeed, report: ImportReport, now: float) -> FetchedFeed:
        """Store the result of a feed."""
        fetched_feed = FetchedFeed(
            feed,
            now,
            new=report.new,
            changed=report.changed,
            withdrawn=len(report.retracted),
            missing=len(report.missing_ids),
        )
        self._store(fetched_feed)
        return fetched_feed

    def note_failure(self, feed: ClaimFeed, error: str, now: float) -> FetchedFeed:
        """Store that a feed could not be fetched, and why."""
        fetched = FetchedFeed(feed, now, error=error)
        self._store(fetched)
        return fetched

    def all(self) -> list[FetchedFeed]:
        """Return all feeds by name."""
        with self._reading() as connection:
            records = connection.execute(sa.select(feeds).order_by(feeds.c.name)).all()
        return [_fetched_feed(record) for record in records]

    def remove(self, name: str) -> bool:
        """Let a feed be fetched no longer; its fact-checks stay. Return whether there was one."""
        with self._writing() as connection:
            return connection.execute(feeds.delete().where(feeds.c.name == name)).rowcount > 0

    def _store(self, fetched: FetchedFeed) -> None:
        values = {
            "name": fetched.feed.name,
            "publisher": fetched.feed.publisher,
            "options": json.dumps(dict(fetched.feed.options), sort_keys=True),
            "fetched": fetched.fetched,
            "new": fetched.new,
            "changed": fetched.changed,
            "withdrawn": fetched.withdrawn,
            "missing": fetched.missing,
            "error": fetched.error,
        }
        with self._writing() as connection:
            connection.execute(feeds.delete().where(feeds.c.name == fetched.feed.name))
            connection.execute(feeds.insert().values(**values))


def _fetched_feed(record: sa.Row[Any]) -> FetchedFeed:
    feed = ClaimFeed(record.publisher, json.loads(record.options))
    return FetchedFeed(
        feed,
        record.fetched,
        record.new,
        record.changed,
        record.withdrawn,
        record.missing,
        record.error,
    )
