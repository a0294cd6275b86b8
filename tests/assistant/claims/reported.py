"""Reads the files of fact-checks that reports describe, with the remarks on them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from assistant.claims.importers import read_rows
from assistant.claims.records import AttributedClaim, ImportRemark, RefusedRow
from assistant.core.domain import VerifiedClaim

FOLDER = Path(__file__).parents[2] / "golden" / "reported_fact_checks"


class Imported(NamedTuple):
    """The claims of a file, its refused rows and the remarks on it."""

    claims: list[VerifiedClaim]
    refused: list[RefusedRow]
    remarks: list[str]


def imported(path: Path, **columns: str) -> Imported:
    """Read a file as an import does."""
    result = Imported([], [], [])
    for row in read_rows(path, columns):
        if isinstance(row, ImportRemark):
            result.remarks.append(row.text)
        elif isinstance(row, RefusedRow):
            result.refused.append(row)
        elif isinstance(row, AttributedClaim):
            result.claims.append(row.claim)
        else:
            assert isinstance(row, VerifiedClaim)
            result.claims.append(row)
    return result


def reported(name: str) -> Imported:
    """Read one of the reported files."""
    return imported(FOLDER / name)


def imported_text(folder: Path, text: str, **columns: str) -> Imported:
    """Read a text as a file of fact-checks."""
    path = folder / "file"
    path.write_text(text, "utf-8")
    return imported(path, **columns)
