"""Reads the sheets of workbooks, XLSX and ODS, as records of text.

Values stand in place of formulas. A date is written as 2024-01-11, a link as a formula with its
address and its text. A cell that is merged downwards has its value in each of its rows.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time
from io import BytesIO
from typing import Any, NamedTuple

from assistant.core.table_files import TableError, TableRecord

ZIP_START = b"PK\x03\x04"
MAX_WORKBOOK_BYTES = 300_000_000
MAX_WORKBOOK_RATIO = 200  # XML of a sheet shrinks to a twentieth
LARGE_WORKBOOK_BYTES = 30_000_000  # unpacked; a larger one is read without links and merged cells
MAX_SHEET_ROWS = 1_048_576  # the rows of a sheet of Excel
MAX_SHEET_COLUMNS = 200  # a cell may claim any position, however far out
MAX_MERGED_CELLS = 100_000
MAX_REPEATED_CELLS = 1_000
_EXCEL_CONTENT = "xl/workbook.xml"
_OPEN_DOCUMENT_CONTENT = "content.xml"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_LINK = "{http://www.w3.org/1999/xlink}href"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a workbook: its name, and its records with the numbers of their rows."""

    name: str
    records: list[TableRecord] = field(default_factory=list)
    is_large: bool = False  # its links and merged cells were not read


def is_workbook(data: bytes) -> bool:
    """Return whether a file is a workbook that ``read_sheets`` reads, by its content."""
    if not data.startswith(ZIP_START):
        return False
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
            if "mimetype" in names:
                mime_type = archive.read("mimetype")[:100]
                return b"opendocument.spreadsheet" in mime_type
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, KeyError):
        return False
    return _EXCEL_CONTENT in names


def read_sheets(data: bytes) -> list[Sheet]:
    """Return the filled sheets of a workbook.

    Raises: TableError if it is damaged or unpacks to more than a workbook has.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            unpacked_bytes = _checked_size(archive, len(data))
            is_excel = _EXCEL_CONTENT in archive.namelist()
            open_document_xml = b"" if is_excel else archive.read(_OPEN_DOCUMENT_CONTENT)
        is_large = unpacked_bytes > LARGE_WORKBOOK_BYTES
        if is_excel:
            sheets = list(_excel_sheets(data, is_large=is_large))
        else:
            sheets = list(_open_document_sheets(open_document_xml))
    except (TableError, MemoryError):
        raise
    except Exception as error:  # openpyxl raises whatever its XML and ZIP readers raise
        raise TableError("the workbook is damaged. Open the workbook and save it again") from error
    return [sheet for sheet in sheets if sheet.records]


def _checked_size(archive: zipfile.ZipFile, packed_bytes: int) -> int:
    """Return the unpacked size of a workbook. Raises: TableError if it is a bomb."""
    unpacked_bytes = sum(member.file_size for member in archive.infolist())
    if unpacked_bytes > min(MAX_WORKBOOK_BYTES, MAX_WORKBOOK_RATIO * packed_bytes):
        megabytes = f"{unpacked_bytes / 1e6:,.0f} MB"
        raise TableError(f"the workbook unpacks to {megabytes}, which looks like an archive bomb")
    return unpacked_bytes


def _excel_sheets(data: bytes, *, is_large: bool) -> Iterator[Sheet]:
    from openpyxl import load_workbook

    # Links and merged cells are known only if the whole workbook is in memory.
    book = load_workbook(BytesIO(data), data_only=True, read_only=is_large)
    for worksheet in book.worksheets:
        rows = _rows_of_large_sheet(worksheet) if is_large else _rows_of_sheet(worksheet)
        records = [TableRecord(row_number, texts) for row_number, texts in rows if any(texts)]
        yield Sheet(worksheet.title, records, is_large)


def _rows_of_large_sheet(worksheet: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield number and cells of the rows of a sheet that is not in memory."""
    rows = worksheet.iter_rows(max_row=MAX_SHEET_ROWS, max_col=MAX_SHEET_COLUMNS, values_only=True)
    for row_number, values in enumerate(rows, start=1):
        yield row_number, [_cell_text(value) for value in values]


def _rows_of_sheet(worksheet: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield number and cells of the rows of a sheet that have any, all of the same width."""
    texts_by_row: dict[int, dict[int, str]] = {}
    # The library's public iterators make a cell for every position up to the last one, and one
    # cell may claim to be in row 1,048,576.
    for (row_number, column_number), cell in worksheet._cells.items():
        if row_number <= MAX_SHEET_ROWS and column_number <= MAX_SHEET_COLUMNS:
            text = _with_link_formula(_cell_text(cell.value), _link_address(cell))
            texts_by_row.setdefault(row_number, {})[column_number] = text
    for (row_number, column_number), text in _texts_of_merged_cells(worksheet).items():
        texts_by_column = texts_by_row.setdefault(row_number, {})
        texts_by_column[column_number] = texts_by_column.get(column_number) or text

    column_count = min(worksheet.max_column, MAX_SHEET_COLUMNS)
    for row_number in sorted(texts_by_row):
        texts_by_column = texts_by_row[row_number]
        yield row_number, [texts_by_column.get(column, "") for column in range(1, column_count + 1)]


def _texts_of_merged_cells(worksheet: Any) -> dict[tuple[int, int], str]:
    """Return the texts of cells that are merged with a cell above, by row and column."""
    text_by_position: dict[tuple[int, int], str] = {}
    for merged_range in worksheet.merged_cells.ranges:
        top_cell = worksheet.cell(merged_range.min_row, merged_range.min_col)
        text = _with_link_formula(_cell_text(top_cell.value), _link_address(top_cell))
        # Only the first cell of a merged range has the text in the file.
        for row in range(merged_range.min_row + 1, merged_range.max_row + 1):
            if len(text_by_position) >= MAX_MERGED_CELLS:
                raise TableError("the workbook has too many merged cells")
            text_by_position[row, merged_range.min_col] = text
    return text_by_position


def _link_address(cell: Any) -> str:
    """Return the address that a cell of Excel links to, "" if it has none."""
    link = getattr(cell, "hyperlink", None)
    return str(link.target or "") if link is not None else ""


def _with_link_formula(text: str, target: str) -> str:
    """Return the text of a cell with a link: a formula, as spreadsheets write it, if both count."""
    if not target.lower().startswith(("http://", "https://")):
        return text
    if not text or text.lower().startswith(("http://", "https://")):
        return target
    quoted_text = text.replace('"', '""')
    return f'=HYPERLINK("{target}","{quoted_text}")'


def _cell_text(value: Any) -> str:
    """Return the value of a cell as text."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        is_day = value.time() == time()
        return value.date().isoformat() if is_day else value.isoformat(" ", "seconds")
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _open_document_sheets(content: bytes) -> Iterator[Sheet]:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    root = etree.fromstring(content, parser)
    for table in root.iter(f"{_TABLE}table"):
        yield Sheet(table.get(f"{_TABLE}name", ""), list(_open_document_records(table)))


def _open_document_records(table: Any) -> Iterator[TableRecord]:
    row_number = 1
    merged_cells: dict[int, _MergedCell] = {}
    for row in table.iter(f"{_TABLE}table-row"):
        repeat_count = int(row.get(f"{_TABLE}number-rows-repeated", "1"))
        texts = _open_document_cells(row, row_number, merged_cells)
        next_row_number = row_number + repeat_count
        # Empty rows are repeated to the end of the sheet.
        if any(texts):
            for repeated_number in range(row_number, next_row_number):
                if repeated_number > MAX_SHEET_ROWS:
                    raise TableError("the workbook has too many rows")
                yield TableRecord(repeated_number, texts)
        row_number = next_row_number


class _MergedCell(NamedTuple):
    """The last row and the text of a cell that is merged with cells below it."""

    last_row: int
    text: str


def _open_document_cells(
    row: Any, row_number: int, merged_cells: dict[int, _MergedCell]
) -> list[str]:
    """Return the texts of a row, and note by column the cells that are merged with cells below."""
    cell_texts: list[str] = []
    for cell in row.iterchildren(f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
        column = len(cell_texts)
        if column >= MAX_SHEET_COLUMNS:
            break
        cell_text = _text_of_cell(cell)
        merged_cell = merged_cells.get(column)
        if merged_cell and not cell_text and row_number <= merged_cell.last_row:
            cell_text = merged_cell.text
        # A merged cell has its text in its first row; the rows below get it, too.
        spanned_rows = int(cell.get(f"{_TABLE}number-rows-spanned", "1"))
        if spanned_rows > 1:
            merged_cells[column] = _MergedCell(row_number + spanned_rows - 1, cell_text)
        repeat_count = int(cell.get(f"{_TABLE}number-columns-repeated", "1"))
        cell_texts += [cell_text] * min(repeat_count, MAX_REPEATED_CELLS)
    while cell_texts and not cell_texts[-1]:
        cell_texts.pop()
    return cell_texts


def _text_of_cell(cell: Any) -> str:
    """Return the text of a cell: its date or number, else its paragraphs."""
    value_type = cell.get(f"{_OFFICE}value-type", "")
    if value_type == "date":
        date_text = cell.get(f"{_OFFICE}date-value", "")
        return date_text.removesuffix("T00:00:00")
    if value_type in ("float", "percentage", "currency"):
        return cell.get(f"{_OFFICE}value", "").removesuffix(".0")
    paragraphs = ["".join(paragraph.itertext()) for paragraph in cell.iterchildren(f"{_TEXT}p")]
    link_addresses = [link.get(_LINK, "") for link in cell.iter(f"{_TEXT}a")]
    first_address = link_addresses[0] if link_addresses else ""
    return _with_link_formula("\n".join(paragraphs), first_address)
