"""Fetches PolitiFact's 16,000 fact-checks with articles, published with *That is a Known Lie* (Shaar et al. 2020).

The file is accepted only if its bytes are the known ones. It has no header; its columns are in
COLUMNS.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator
from pathlib import Path

from assistant.claims import claim_fields, downloads
from assistant.claims.claim_store import ClaimStore
from assistant.claims.records import ImportReport, Progress, Refused, Row
from assistant.core import confined
from assistant.core.errors import ClaimError, MalformedClaim, NetworkError

URL = (
    "https://raw.githubusercontent.com/sshaar/That-is-a-Known-Lie/HEAD/"
    "data/politifact/verified-claims/facts_with_articles.csv"
)
BLOB = "526b52e83d80d51786a68c95b80b0e499ca7e66d"
SOURCE = "politifact"
ATTRIBUTION = "PolitiFact, collected by Shaar et al. 2020, That is a Known Lie"
COLUMNS: tuple[str, ...] = (
    "number",
    "statement",
    "review_date",
    "url",
    "rating",
    "claimant",
    "title",
    "body",
)
csv.field_size_limit(100_000_000)


def fetch_politifact(
    store: ClaimStore,
    *,
    url: str = URL,
    blob: str = BLOB,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Download PolitiFact's file, check its git blob id, import it, and return the report of the import.

    Raises: NetworkError without network or if the file is another; StoreError if it cannot be
    stored.
    """
    path = downloads.download(
        url, (folder or downloads.cache_folder()) / "facts_with_articles.csv", progress=progress
    )
    downloaded = blob_id(path)
    if downloaded != blob:
        path.unlink()
        what = f"the file is not the known one (git blob {downloaded}, expected {blob}); it was deleted."
        raise NetworkError(what, where=url, remedy="Nothing was imported.")
    rows = confined.each(read, path, where=path.name, refusal=ClaimError)
    report = store.upsert(rows, source=SOURCE, progress=progress)
    path.unlink()
    return report


def blob_id(path: Path) -> str:
    """Return the id that git gives to the bytes of a file."""
    digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def read(path: Path) -> Iterator[Row]:
    """Yield the verified claims of the file, and a Refused with its line for every row that is none.

    A header, if a later file has one, names the columns; without one they are COLUMNS.

    Raises: ClaimError if it is no table of UTF-8.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            names = COLUMNS
            for cells in reader:
                where = f"{path.name}:{reader.line_num}"
                if reader.line_num == 1 and claim_fields.knows(cells, "statement"):
                    names = tuple(cells)
                elif cells:
                    yield _row(names, cells, where)
    except (UnicodeDecodeError, csv.Error) as error:
        raise ClaimError(f"is no table of UTF-8 ({error}).", where=path.name) from error


def _row(names: tuple[str, ...], cells: list[str], where: str) -> Row:
    if len(cells) != len(names):
        return Refused(where, f"{len(cells)} columns, expected {len(names)}.")
    row = dict(zip(names, cells, strict=True))
    if "title" in row:
        row["title"] = row["title"].split(" | PolitiFact")[0]  # the site's name, truncated anywhere
    try:
        return claim_fields.claim({**row, "publisher": "PolitiFact"}, prefix="politifact")
    except MalformedClaim as error:
        return Refused(where, error.what)
