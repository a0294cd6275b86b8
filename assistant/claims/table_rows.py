"""Reads tables of fact-checks: CSV, TSV and other texts with cells, and sheets of workbooks."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import BinaryIO

from assistant.claims.column_names import count_known_fields, map_columns, names_with_groups
from assistant.claims.import_context import Columns, ImportContext, PlacedNode
from assistant.claims.records import ImportRemark, RefusedRow
from assistant.claims.refused_file import FIRST_COLUMNS
from assistant.core import spreadsheet_cells
from assistant.core.cell_texts import is_nothing
from assistant.core.errors import ClaimError
from assistant.core.table_files import Table, TableError, read_table, table_of_records
from assistant.core.workbook_files import Sheet, read_sheets

MAX_SHOWN_CELL_CHARACTERS = 40
MAX_SHOWN_ERROR_CHARACTERS = 120


def read_text_table(
    stream: BinaryIO, file_name: str, context: ImportContext
) -> Iterator[PlacedNode]:
    """Read a table with a header: CSV, TSV or with semicolons."""
    try:
        table = read_table(stream, count_known_fields, context.chosen_names())
        yield from _rows_of_table(table, file_name, context)
    except UnicodeDecodeError as error:
        reason = str(error).splitlines()[0][:MAX_SHOWN_ERROR_CHARACTERS]
        message = f"is not {error.encoding.upper()} ({reason})."
        raise ClaimError(message, where=file_name, remedy="Save the file as UTF-8.") from error
    except (csv.Error, TableError) as error:
        raise ClaimError(f"isn't a CSV or TSV file ({error}).", where=file_name) from error


def read_workbook(stream: BinaryIO, file_name: str, context: ImportContext) -> Iterator[PlacedNode]:
    """Read the sheets of a workbook that have fact-checks, and say which ones have none."""
    try:
        sheets = read_sheets(stream.read())
    except TableError as error:
        raise ClaimError(f"isn't a CSV or TSV file ({error}).", where=file_name) from error
    refusals = []
    has_rows = False
    for sheet in sheets:
        sheet_place = f"{file_name}, sheet {sheet.name!r}"
        try:
            # A sheet is refused before its first row, so that others can still be read.
            row_nodes = list(_rows_of_sheet(sheet, sheet_place, context))
        except ClaimError as error:
            refusals.append((sheet_place, error))
            continue
        has_rows = True
        yield from row_nodes
    if refusals and not has_rows:
        raise refusals[0][1]
    for sheet_place, refusal in refusals:
        yield sheet_place, ImportRemark(f"{sheet_place}: not read, because it {refusal.what}")


def _rows_of_sheet(sheet: Sheet, sheet_place: str, context: ImportContext) -> Iterator[PlacedNode]:
    """Yield the rows of a sheet, all filled up to the width of its widest row."""
    if sheet.is_large:
        remark = "the workbook is large, so links of cells and merged cells were not read."
        yield sheet_place, ImportRemark(f"{sheet_place}: {remark}")
    # All rows get the same number of cells.
    cell_count = max(len(record.cells) for record in sheet.records)
    for record in sheet.records:
        missing_cells = cell_count - len(record.cells)
        record.cells.extend([""] * missing_cells)
    table = table_of_records(iter(sheet.records), count_known_fields, context.chosen_names())
    yield from _rows_of_table(table, sheet_place, context)


def _rows_of_table(table: Table, table_name: str, context: ImportContext) -> Iterator[PlacedNode]:
    """Yield the rows of a table, and the refusals of those that do not fit its header."""
    column_names = names_with_groups(table.header.names, table.header.groups)
    if context.needs_statement:
        _check_header(table, column_names, context.columns, table_name)
    for remark in table.header.remarks():
        yield table_name, ImportRemark(remark)
    # A file of refused rows that Lectern wrote has a mark before texts that look like formulas.
    first_names = table.header.names[: len(FIRST_COLUMNS)]
    is_refused_file = tuple(first_names) == FIRST_COLUMNS
    for row in table:
        row_place = f"{table_name}:{row.line}"
        if is_refused_file:
            row.cells[:] = [spreadsheet_cells.without_mark(cell) for cell in row.cells]
        problem = table.problem(row)
        if problem:
            yield row_place, RefusedRow(row_place, problem, _numbered_cells(row.cells))
        else:
            yield row_place, _table_cells(column_names, row.cells, row_place)


class TableCells(dict[str, str]):
    """The cells of a row of a table, by the key of their column."""


def _table_cells(
    column_names: list[str], cells: list[str], row_place: str
) -> TableCells | RefusedRow:
    """Return the cells of a row; of columns with one name, the first filled cell.

    The row is refused if they have different texts.
    """
    cell_by_name = TableCells()
    for column_name, cell in zip(column_names, cells, strict=False):
        if not column_name and is_nothing(cell):
            continue
        earlier_cell = cell_by_name.get(column_name, "")
        if is_nothing(earlier_cell):
            cell_by_name[column_name] = cell
        elif not is_nothing(cell) and cell.strip() != earlier_cell.strip():
            reason = f"two columns named {column_name!r} have different texts."
            return RefusedRow(row_place, reason, _numbered_cells(cells))
    return cell_by_name


def _numbered_cells(cells: list[str]) -> dict[str, str]:
    """Return the cells of a row that does not fit its header, by their position."""
    return {f"cell {number}": cell for number, cell in enumerate(cells, start=1)}


def _check_header(table: Table, column_names: list[str], columns: Columns, file_name: str) -> None:
    """Raise ClaimError if a named column or the column of the statements is missing."""
    header_place = f"{file_name}:{max(1, table.header.line)}"
    # A field with "" is not read from any column.
    missing_columns = sorted(set(columns.values()) - set(column_names) - {""})
    if missing_columns:
        message = f"has no column named {', '.join(missing_columns)}."
        remedy = f"The columns are {', '.join(column_names)[:300]}."
        raise ClaimError(message, where=header_place, remedy=remedy)
    if map_columns(column_names, columns).columns.get("statement"):
        return
    if table.header.is_missing:
        numbered_cells = []
        for column_number, cell in enumerate(table.first_cells(), start=1):
            numbered_cells.append(f"{column_number} {cell[:MAX_SHOWN_CELL_CHARACTERS]!r}")
        remedy = (
            "Add a line with names above the first row, or give the columns by their numbers: "
            f"--column statement=NUMBER. The columns are {', '.join(numbered_cells)[:400]}."
        )
        raise ClaimError("has no header row.", where=header_place, remedy=remedy)
    remedy = f"Use --column statement=COLUMN. The columns are {', '.join(column_names)[:300]}."
    raise ClaimError("has no statement column.", where=header_place, remedy=remedy)
