"""The report as an Excel workbook (xlsx).

The matches as in the CSV file, the transcript, and what made it.

Every text is stored as text, marked so that it stays text when somebody edits the cell; no cell
holds a formula.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

from assistant.report import contents, wording
from assistant.report.view import ReportView
from assistant.reports import csv_form
from assistant.reports.reproducible_zip import moment, settled

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

TRANSCRIPT = (
    "n",
    "time",
    "speaker",
    "sentence",
    "check_worthiness",
    "tier",
    "rank",
    "review",
    "ratings",
    "dropped",
)
WIDE = {
    "sentence": 60,
    "claim": 60,
    "ratings": 50,
    "review": 40,
    "warnings": 30,
    "top_signals": 30,
    "url": 40,
}
# the longest text of a cell
WIDTH = 14
LONGEST = 32_767


def render(view: ReportView) -> bytes:
    """Return the workbook."""
    from openpyxl import Workbook
    from openpyxl.writer.excel import ExcelWriter

    book = Workbook()
    first = book.active
    first.title = "Matches"
    _fill(first, csv_form.HEADER, csv_form.rows(view, wording.signals))
    _fill(book.create_sheet("Transcript"), TRANSCRIPT, _sentences(view))
    _fill(book.create_sheet("About"), ("what", "value"), _about(view))
    for sheet in book:
        _dress(sheet, wording.reviewed(view))
    book.properties.creator = f"Lectern {view.report.manifest.lectern}"
    book.properties.title = view.title
    book.properties.created = book.properties.modified = moment(view.event_date)
    out = io.BytesIO()
    ExcelWriter(book, ZipFile(out, "w")).save()  # Workbook.save would put in the moment of writing
    return settled(out.getvalue())


def _fill(sheet: Worksheet, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    from openpyxl.styles import Alignment, Font

    sheet.append(list(header))
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    for number, row in enumerate(rows, 2):
        for column, value in enumerate(row, 1):
            cell = sheet.cell(number, column)
            if isinstance(value, str):
                cell.value = value[:LONGEST]
                cell.data_type = "s"
                cell.quotePrefix = True
            else:
                cell.value = value
            cell.alignment = Alignment(vertical="top", wrap_text=header[column - 1] in WIDE)


def _dress(sheet: Worksheet, state: str) -> None:
    """Freeze and filter the head, set widths, and say on every printed page what was reviewed."""
    from openpyxl.utils import get_column_letter

    for column, cell in enumerate(sheet[1], 1):
        sheet.column_dimensions[get_column_letter(column)].width = WIDE.get(str(cell.value), WIDTH)
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions
    sheet.oddHeader.center.text = state.replace("&", "and")
    sheet.oddFooter.right.text = "&P / &N"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True


def _sentences(view: ReportView) -> Iterable[tuple[Any, ...]]:
    for checked in view.report.sentences:
        sent = checked.sentence
        matches = contents.standing(checked)
        yield (
            *(sent.number, wording.clock(sent.start), sent.speaker or "", sent.text),
            *(round(checked.check_worthiness, 4), str(checked.tier or ""), checked.rank),
            "; ".join(dict.fromkeys(contents.status(match) for match in matches)),
            "; ".join(
                f"{wording.publisher(match.claim)}: {match.claim.rating}" for match in matches
            ),
            checked.dropped_reason or "",
        )


def _about(view: ReportView) -> Iterable[tuple[str, str]]:
    yield ("Title", view.title)
    yield ("Review", wording.reviewed(view))
    yield from contents.about(view)
    yield from (("Warning", text) for text in view.report.warnings)
    yield ("Ratings", wording.RATINGS_ARE_THE_PUBLISHERS)
