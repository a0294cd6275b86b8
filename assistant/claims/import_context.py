"""Values that the readers of files of fact-checks share: the chosen columns, places and rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.claims.import_notes import ImportNotes
from assistant.claims.records import ImportRemark, ImportRow

Columns = Mapping[str, str]  # names of the fields of VerifiedClaim in a file
FileRow = ImportRow | ImportRemark
PlacedRow = tuple[str, FileRow]  # a row after its place: file and line
PlacedNode = tuple[str, Any]  # a row that is not parsed yet, or a FileRow, after its place


@dataclass(frozen=True, slots=True)
class ImportContext:
    """The columns that were chosen by hand, and the notes on everything that is not used."""

    columns: Columns
    notes: ImportNotes = field(default_factory=ImportNotes)
    needs_statement: bool = True  # a table without a column of statements is refused

    def chosen_names(self) -> set[str]:
        """Return the columns that were chosen by hand."""
        return set(self.columns.values()) - {""}
