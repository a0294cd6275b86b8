"""Refreshes the fact-checks: fetches every feed again, indexes, and compares with the archive.

A feed that fails does not stop the others. Checks go on meanwhile: the index is replaced as a whole
at the end.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from assistant import pipeline
from assistant.alerts.feed_store import ClaimFeed, FeedStore, FetchedFeed
from assistant.archive import alerts as archive_alerts
from assistant.archive.archive_store import ArchiveStore
from assistant.claims import datacommons, google_fact_check, politifact
from assistant.claims.claim_store import ClaimStore
from assistant.claims.google_fact_check import GoogleSearch, GoogleSource
from assistant.claims.records import ImportReport
from assistant.core.errors import LecternError, SettingsError
from assistant.core.progress_callback import Progress, no_progress
from assistant.core.settings import Settings

# Publishers whose data changes; the others are files that never do.
CHANGING_PUBLISHERS = ("datacommons", "google")
NO_FEEDS = "no feed has been fetched yet."
FEEDS_REMEDY = "Fetch one first: python -m assistant claims fetch datacommons."


@dataclass(frozen=True, slots=True)
class RefreshResult:
    """The feeds with their results, and the fact-checks that were compared with the archive."""

    feeds: tuple[FetchedFeed, ...]
    indexed: int
    compared: int


def feed_import(feed: ClaimFeed, settings: Settings) -> Callable[..., ImportReport]:
    """Return the function that fetches a feed into a store, with ``progress``."""
    options = dict(feed.options)
    language = options.get("language")
    # Options that are left out have the defaults of the publisher's module.
    if feed.publisher == "datacommons":
        feed_url = options.get("url") or datacommons.FEED_URL
        if not language:
            return partial(datacommons.fetch_datacommons, url=feed_url)
        return partial(datacommons.fetch_datacommons, url=feed_url, language=language)
    if feed.publisher == "google":
        query = options.get("query", "")
        search = GoogleSearch(query, options.get("site", ""), language or "en")
        feed_url = options.get("url") or google_fact_check.GOOGLE_SEARCH_URL
        source = GoogleSource(settings.google_key, url=feed_url)
        return partial(google_fact_check.fetch_google, source=source, search=search)
    return partial(politifact.fetch_politifact, url=options.get("url") or politifact.FILE_URL)


def refresh(settings: Settings, *, progress: Progress = no_progress) -> RefreshResult:
    """Fetch every feed again, index the fact-checks, and run the archive's alerts.

    Raises: SettingsError without a feed, or if the network is off; StoreError; ClaimIndexError.
    """
    if settings.network is False:
        remedy = "Allow it with LECTERN_NETWORK=1, or network = true in lectern.toml."
        raise SettingsError("network access is turned off.", remedy=remedy)
    with FeedStore.open(settings.database) as feed_store:
        known_feeds = [fetched.feed for fetched in feed_store.all()]
        if not known_feeds:
            raise SettingsError(NO_FEEDS, remedy=FEEDS_REMEDY)
        results = []
        for feed in known_feeds:
            results.append(_fetch(feed, settings, feed_store, progress))
    index = pipeline.build_index(settings, progress=progress)
    compared_count = _compare_with_archive(settings, progress)
    return RefreshResult(tuple(results), len(index.ids), compared_count)


def _fetch(
    feed: ClaimFeed, settings: Settings, feed_store: FeedStore, progress: Progress
) -> FetchedFeed:
    """Fetch a feed, and store how that went."""
    import_feed = feed_import(feed, settings)
    try:
        with ClaimStore.open(settings.database) as claim_store:
            report = import_feed(claim_store, progress=progress)
    except LecternError as error:
        return feed_store.note_failure(feed, str(error), time.time())
    return feed_store.note_import(feed, report, time.time())


def _compare_with_archive(settings: Settings, progress: Progress) -> int:
    """Compare new fact-checks with the archive, and return their number; 0 without an archive."""
    with ArchiveStore.open(settings.database) as archive:
        if not archive.entries():
            return 0
        return archive_alerts.compare_new_claims(archive, settings, progress=progress)
