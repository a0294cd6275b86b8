"""Shows how a file of fact-checks would be read, before anything is imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from assistant.claims import importers
from assistant.claims.column_names import map_columns
from assistant.claims.records import AttributedClaim, ImportRemark, RefusedRow
from assistant.core import confined
from assistant.core.domain import VerifiedClaim
from assistant.core.errors import ClaimError

PREVIEWED_ROWS = 3_000
MAX_PREVIEWED_CLAIMS = 5
MAX_REFUSED_ROWS = 20
COLUMN_ROWS = 50  # rows whose names are offered for the mapping


@dataclass(slots=True)
class ImportPreview:
    """The first fact-checks of a file, its refused rows, and remarks on it.

    ``columns`` are the names of its columns, ``mapping`` the column of each recognised field.
    ``is_partial``: the file has more rows than were read. ``problem``: why it cannot be read.
    """

    columns: list[str] = field(default_factory=list)
    mapping: dict[str, str] = field(default_factory=dict)
    claims: list[VerifiedClaim] = field(default_factory=list)
    refused: list[RefusedRow] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    claim_count: int = 0
    refused_count: int = 0
    is_partial: bool = False
    problem: str = ""


def preview_file(path: Path, chosen: Mapping[str, str]) -> ImportPreview:
    """Read the first rows of a file as an import would, with these columns for some fields."""
    preview = ImportPreview()
    try:
        names = confined.call(
            importers.names_of_columns, path, COLUMN_ROWS, where=path.name, refusal=ClaimError
        )
        preview.columns = names
        for field_name, columns in map_columns(names, chosen).columns.items():
            # The best column is the first; a person may have chosen none.
            preview.mapping[field_name] = columns[0] if columns else ""
        rows = confined.each(
            importers.read_rows, path, dict(chosen), where=path.name, refusal=ClaimError
        )
        _add_first_rows(preview, rows)
    except ClaimError as error:
        preview.problem = str(error)
    return preview


def _add_first_rows(preview: ImportPreview, rows: Iterator[importers.FileRow]) -> None:
    """Count the first rows of a file and remember those that are shown."""
    for row in islice(rows, PREVIEWED_ROWS):
        if isinstance(row, ImportRemark):
            preview.remarks.append(row.text)
        elif isinstance(row, RefusedRow):
            preview.refused_count += 1
            if len(preview.refused) < MAX_REFUSED_ROWS:
                preview.refused.append(row)
        else:
            # An attributed claim is a claim with its source and licence.
            claim = row.claim if isinstance(row, AttributedClaim) else row
            preview.claim_count += 1
            if isinstance(claim, VerifiedClaim) and len(preview.claims) < MAX_PREVIEWED_CLAIMS:
                preview.claims.append(claim)
    further_row = next(rows, None)
    preview.is_partial = further_row is not None
