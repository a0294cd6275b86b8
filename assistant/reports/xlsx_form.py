"""The report as an Excel workbook (xlsx): matches, transcript and facts.

Every text is stored as text and marked, so that it stays text when somebody edits the cell. No
cell has a formula.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

from assistant.report import contents, wording
from assistant.report.view import ReportView
from assistant.reports import csv_form
from assistant.reports.reproducible_zip import moment, with_fixed_times

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

TRANSCRIPT_HEADER = (
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
    "strength",
)
WIDE_COLUMNS = {
    "sentence": 60,
    "claim": 60,
    "ratings": 50,
    "review": 40,
    "warnings": 30,
    "top_signals": 30,
    "url": 40,
    csv_form.COMMENTS_COLUMN: 60,
}
COLUMN_WIDTH = 14
MAX_CELL_CHARACTERS = 32_767


def render(view: ReportView) -> bytes:
    """Return the workbook."""
    from openpyxl import Workbook
    from openpyxl.writer.excel import ExcelWriter

    workbook = Workbook()
    matches_sheet = workbook.active
    matches_sheet.title = "Matches"
    _fill(matches_sheet, csv_form.header(view), csv_form.rows(view, wording.signals))
    _fill(workbook.create_sheet("Transcript"), TRANSCRIPT_HEADER, _transcript_rows(view))
    _fill(workbook.create_sheet("About"), ("what", "value"), _about(view))
    for sheet in workbook:
        _format_sheet(sheet, wording.review_state(view))
    workbook.properties.creator = f"Lectern {view.report.manifest.lectern}"
    workbook.properties.title = view.title
    workbook.properties.created = moment(view.event_date)
    workbook.properties.modified = workbook.properties.created
    xlsx_buffer = io.BytesIO()
    ExcelWriter(
        workbook, ZipFile(xlsx_buffer, "w")
    ).save()  # Workbook.save would store the current time
    return with_fixed_times(xlsx_buffer.getvalue())


def _fill(sheet: Worksheet, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    from openpyxl.styles import Alignment, Font

    sheet.append(list(header))
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    for row_number, values in enumerate(rows, 2):
        for column_number, value in enumerate(values, 1):
            cell = sheet.cell(row_number, column_number)
            if isinstance(value, str):
                cell.value = value[:MAX_CELL_CHARACTERS]
                cell.data_type = "s"
                cell.quotePrefix = True
            else:
                cell.value = value
            is_wide = header[column_number - 1] in WIDE_COLUMNS
            cell.alignment = Alignment(vertical="top", wrap_text=is_wide)


def _format_sheet(sheet: Worksheet, header_text: str) -> None:
    """Freeze and filter the head, set widths, and print the state of the review on every page."""
    from openpyxl.utils import get_column_letter

    for column_number, cell in enumerate(sheet[1], 1):
        width = WIDE_COLUMNS.get(str(cell.value), COLUMN_WIDTH)
        sheet.column_dimensions[get_column_letter(column_number)].width = width
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions
    sheet.oddHeader.center.text = header_text.replace("&", "and")
    sheet.oddFooter.right.text = "&P / &N"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True


def _transcript_rows(view: ReportView) -> Iterator[list[Any]]:
    """Yield the cells of every sentence under ``TRANSCRIPT_HEADER``."""
    for checked_sentence in view.report.sentences:
        sentence = checked_sentence.sentence
        matches = contents.unrejected_matches(checked_sentence)
        states = dict.fromkeys(contents.review_status(match) for match in matches)
        ratings = [f"{wording.publisher(match.claim)}: {match.claim.rating}" for match in matches]
        yield [
            sentence.number,
            wording.clock(sentence.start),
            sentence.speaker or "",
            sentence.text,
            round(checked_sentence.check_worthiness, 4),
            str(checked_sentence.tier or ""),
            checked_sentence.rank,
            "; ".join(states),
            "; ".join(ratings),
            checked_sentence.dropped_reason or "",
            contents.strength_word(checked_sentence),
        ]


def _about(view: ReportView) -> Iterator[tuple[str, str]]:
    yield ("Title", view.title)
    yield ("Review", wording.review_state(view))
    yield from contents.report_facts(view)
    for warning in view.report.warnings:
        yield ("Warning", warning)
    yield ("Ratings", wording.RATINGS_ARE_THE_PUBLISHERS)
