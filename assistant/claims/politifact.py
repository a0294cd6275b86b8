"""Fetches PolitiFact's 16,000 fact-checks with articles.

They were published with *That is a Known Lie* (Shaar et al. 2020). The file is accepted only if its
bytes are the known ones. It has no header; its columns are ``FILE_COLUMNS``.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator
from pathlib import Path

from assistant.claims import claim_fields, downloads
from assistant.claims.claim_store import ClaimStore
from assistant.claims.records import ImportReport, ImportRow, RefusedRow
from assistant.core import confined
from assistant.core.errors import ClaimError, MalformedClaim, NetworkError
from assistant.core.progress_callback import Progress

FILE_URL = (
    "https://raw.githubusercontent.com/sshaar/That-is-a-Known-Lie/HEAD/"
    "data/politifact/verified-claims/facts_with_articles.csv"
)
FILE_BLOB_ID = "526b52e83d80d51786a68c95b80b0e499ca7e66d"
FILE_SOURCE = "politifact"
FILE_ATTRIBUTION = "PolitiFact, collected by Shaar et al. 2020, That is a Known Lie"
FILE_COLUMNS: tuple[str, ...] = (
    "number",
    "statement",
    "review_date",
    "url",
    "rating",
    "claimant",
    "title",
    "body",
)
_READ_BYTES = 1 << 20
csv.field_size_limit(100_000_000)  # an article is one cell


def fetch_politifact(
    store: ClaimStore,
    *,
    url: str = FILE_URL,
    blob: str = FILE_BLOB_ID,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Download PolitiFact's file, check its git blob id, and import it.

    Raises: NetworkError without network or if the file is another one; StoreError if it cannot be
    stored.
    """
    path = (folder or downloads.cache_folder()) / "facts_with_articles.csv"
    downloads.download(url, path, progress=progress)
    downloaded_blob = blob_id(path)
    if downloaded_blob != blob:
        path.unlink()
        message = (
            f"the file isn't the expected one (git blob {downloaded_blob}, expected {blob}). "
            "Lectern deleted the file."
        )
        raise NetworkError(message, where=url, remedy="Nothing was imported.")
    rows = confined.each(read_politifact, path, where=path.name, refusal=ClaimError)
    report = store.upsert(rows, source=FILE_SOURCE, whole_source=True, progress=progress)
    path.unlink()
    return report


def blob_id(path: Path) -> str:
    """Return the id that git gives to the bytes of a file."""
    digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with path.open("rb") as file:
        while piece := file.read(_READ_BYTES):
            digest.update(piece)
    return digest.hexdigest()


def read_politifact(path: Path) -> Iterator[ImportRow]:
    """Yield the verified claims of the file, and a RefusedRow for every invalid row.

    If a later file has a header, it names the columns; otherwise they are ``FILE_COLUMNS``.

    Raises: ClaimError if it is not a table in UTF-8.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            csv_rows = csv.reader(file)
            columns = FILE_COLUMNS
            for cells in csv_rows:
                row_place = f"{path.name}:{csv_rows.line_num}"
                if csv_rows.line_num == 1 and claim_fields.has_field(cells, "statement"):
                    columns = tuple(cells)
                elif cells:
                    yield _parsed_row(columns, cells, row_place)
    except (UnicodeDecodeError, csv.Error) as error:
        raise ClaimError(f"isn't a UTF-8 CSV file ({error}).", where=path.name) from error


def _parsed_row(columns: tuple[str, ...], cells: list[str], row_place: str) -> ImportRow:
    """Parse the claim of a row; an invalid one becomes a RefusedRow."""
    if len(cells) != len(columns):
        return RefusedRow(row_place, f"{len(cells)} columns, expected {len(columns)}.")
    value_by_column = dict(zip(columns, cells, strict=True))
    value_by_column["publisher"] = "PolitiFact"
    if "title" in value_by_column:
        # The rest is the site's name, which may be truncated anywhere.
        value_by_column["title"] = value_by_column["title"].split(" | PolitiFact")[0]
    try:
        return claim_fields.parse_claim(value_by_column, prefix="politifact")
    except MalformedClaim as error:
        return RefusedRow(row_place, error.what)
