"""Writes the refused rows of an import as a table, to be mended and imported again."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from assistant.claims.records import ImportReport, RefusedRow
from assistant.core import spreadsheet_cells

FIRST_COLUMNS = ("place", "reason")


def refused_table(report: ImportReport) -> str:
    """Return the refused rows of an import as CSV: place, reason, and the row's own cells.

    A row that the database refused, such as a second claim under one id, has its reason only.
    """
    return refused_rows_table(report.refused_rows, report.refused)


def refused_rows_table(refused_rows: Sequence[RefusedRow], refused_lines: Sequence[str]) -> str:
    """Return refused rows as CSV, and the lines of refusals that have no row."""
    # A dict without values keeps each name once, in order.
    column_names: dict[str, None] = {}
    for refused_row in refused_rows:
        column_names.update(dict.fromkeys(refused_row.cells))
    csv_text = io.StringIO()
    writer = csv.writer(csv_text)
    writer.writerow(_as_texts([*FIRST_COLUMNS, *column_names]))
    written_lines = set()
    for refused_row in refused_rows:
        written_lines.add(str(refused_row))
        cells = [refused_row.cells.get(column_name, "") for column_name in column_names]
        writer.writerow(_as_texts([refused_row.where, refused_row.reason, *cells]))
    for line in refused_lines:
        if line not in written_lines:
            writer.writerow(_as_texts(["", line]))
    return csv_text.getvalue()


def _as_texts(cells: Sequence[str]) -> list[str]:
    """Return cells that no spreadsheet runs as formulas; an import takes the marks away again."""
    return [spreadsheet_cells.as_text(cell) for cell in cells]
