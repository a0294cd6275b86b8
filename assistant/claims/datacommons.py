"""Fetches Data Commons' daily feed of ClaimReview.

About 93,000 fact-checks of many publishers and languages, CC BY 4.0. The feed has claim, rating and
address only, no title and no article. It is streamed, so memory does not grow with the feed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from assistant.claims import claimreview, downloads, importers
from assistant.claims.claim_store import ClaimStore
from assistant.claims.records import (
    AttributedClaim,
    ImportReport,
    ImportRow,
    LeftOutRow,
    RefusedRow,
)
from assistant.core import confined
from assistant.core.errors import ClaimError, NetworkError
from assistant.core.progress_callback import Progress

FEED_URL = "https://storage.googleapis.com/datacommons-feeds/claimreview/latest/data.json"
FEED_SOURCE = "datacommons"
FEED_ATTRIBUTION = "Data Commons fact check feed"
FEED_LICENCE = "https://creativecommons.org/licenses/by/4.0/"
ALL_LANGUAGES = "all"


def fetch_datacommons(
    store: ClaimStore,
    *,
    url: str = FEED_URL,
    language: str = "en",
    folder: Path | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Download the feed and import its claims in one language, or in all (``ALL_LANGUAGES``).

    A download that broke off continues at the next call. A feed that ends in the middle is not
    imported.

    Raises: NetworkError without network or for a file that is not a feed; StoreError if it cannot
    be stored.
    """
    path = (folder or downloads.cache_folder()) / "claimreview.json"
    downloads.download(url, path, progress=progress)
    rows = _rows_of_whole_feed(path, url, language)
    report = store.upsert(rows, source=FEED_SOURCE, whole_source=True, progress=progress)
    path.unlink()
    return report


def read_feed(path: Path, language: str = "en") -> Iterator[ImportRow]:
    """Yield the claims of a feed: LeftOutRow for another language, RefusedRow if invalid.

    A review states its language; most state none, then the statement's language is detected.
    """
    with importers.open_decompressed(path) as stream:
        items = importers.json_items(stream, "dataFeedElement.item", name=path.name)
        for item_place, feed_item in items:
            if isinstance(feed_item, RefusedRow):
                yield feed_item
                continue
            has_review = False
            for claim_or_refusal in claimreview.claims_in_json(
                feed_item, where=item_place, prefix="dc"
            ):
                has_review = True
                yield _in_language(claim_or_refusal, language)
            if not has_review:
                yield RefusedRow(item_place, "no ClaimReview in it.")


def _rows_of_whole_feed(path: Path, url: str, language: str) -> Iterator[ImportRow]:
    """Yield the rows of a feed; a broken or empty feed is deleted, and none of it is imported."""
    is_empty = True
    for row in confined.each(read_feed, path, language, where=path.name, refusal=ClaimError):
        is_empty = False
        if isinstance(row, RefusedRow) and importers.BROKEN_JSON in row.reason:
            path.unlink()
            message = f"the feed is incomplete: {row}"
            raise NetworkError(message, where=url, remedy="Nothing was imported. Try again.")
        yield row
    if is_empty:
        path.unlink()
        remedy = "Check that this is the address of the feed. Nothing was imported."
        raise NetworkError("the file contains no dataFeedElement.", where=url, remedy=remedy)


def _in_language(claim_or_refusal: AttributedClaim | RefusedRow, language: str) -> ImportRow:
    """Return a claim in the language, with the feed's attribution if it has none of its own."""
    if isinstance(claim_or_refusal, RefusedRow):
        return claim_or_refusal
    if language not in (ALL_LANGUAGES, claim_or_refusal.claim.language):
        return LeftOutRow(f"language {claim_or_refusal.claim.language}")
    attribution = claim_or_refusal.attribution or FEED_ATTRIBUTION
    return replace(
        claim_or_refusal, attribution=attribution, licence=claim_or_refusal.licence or FEED_LICENCE
    )
