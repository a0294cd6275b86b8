"""Fetches Data Commons' daily feed of ClaimReview.

Some 93,000 fact-checks of many publishers and languages, CC BY 4.0.

It has claim, rating and address only: no title and no article. It is streamed, so memory does not
grow with the feed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assistant.claims import claimreview, downloads, importers
from assistant.claims.claim_store import ClaimStore
from assistant.claims.records import Attributed, ImportReport, LeftOut, Progress, Refused, Row
from assistant.core import confined
from assistant.core.errors import ClaimError, NetworkError

URL = "https://storage.googleapis.com/datacommons-feeds/claimreview/latest/data.json"
SOURCE = "datacommons"
ATTRIBUTION = "Data Commons fact check feed"
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
ALL = "all"


def fetch_datacommons(
    store: ClaimStore,
    *,
    url: str = URL,
    language: str = "en",
    folder: Path | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Download the feed and import its claims in one language, or in every language if it is ``all``.

    A download that broke off continues at the next call. A feed that ends in the middle is not
    imported.

    Raises: NetworkError without network or for a file that is no feed; StoreError if it cannot be
    stored.
    """
    path = downloads.download(
        url, (folder or downloads.cache_folder()) / "claimreview.json", progress=progress
    )
    report = store.upsert(_whole(path, url, language), source=SOURCE, progress=progress)
    path.unlink()
    return report


def read(path: Path, language: str = "en") -> Iterator[Row]:
    """Yield the claims of a feed, LeftOut for another language, Refused for what is no fact-check.

    The language is what the review says of itself; most say nothing, then the statement's is
    detected.
    """
    with importers.opened(path) as stream:
        for where, node in importers.elements(stream, "dataFeedElement.item", name=path.name):
            if isinstance(node, Refused):
                yield node
                continue
            claims = list(claimreview.claims(node, where=where, prefix="dc"))
            yield from (
                _chosen(row, language)
                for row in claims or [Refused(where, "no ClaimReview in it.")]
            )


def _whole(path: Path, url: str, language: str) -> Iterator[Row]:
    """Yield the rows of a feed; a broken or empty feed is deleted, and nothing of it imported."""
    number = 0
    rows = confined.each(read, path, language, where=path.name, refusal=ClaimError)
    for number, row in enumerate(rows, start=1):  # noqa: B007
        if isinstance(row, Refused) and importers.BROKEN in row.reason:
            path.unlink()
            raise NetworkError(
                f"the feed is not whole: {row}",
                where=url,
                remedy="Nothing was imported; try again.",
            )
        yield row
    if not number:
        path.unlink()
        raise NetworkError(
            "no dataFeedElement in it.", where=url, remedy="Is it the feed? Nothing was imported."
        )


def _chosen(row: Attributed | Refused, language: str) -> Row:
    if isinstance(row, Refused):
        return row
    if language not in (ALL, row.claim.language):
        return LeftOut(f"language {row.claim.language}")
    return Attributed(row.claim, row.attribution or ATTRIBUTION, row.licence or LICENCE)
