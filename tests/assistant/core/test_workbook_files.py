"""Sheets of workbooks as records of text: dates, links, merged cells, and files that are none."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime

import pytest
from openpyxl import Workbook

from assistant.core.table_files import TableError, TableRecord, table_of_records
from assistant.core.workbook_files import is_workbook, read_sheets

SPREADSHEET = "application/vnd.oasis.opendocument.spreadsheet"
NAMESPACES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:xlink="http://www.w3.org/1999/xlink"'
)


def excel(sheet_rows, *, merged="", link=None) -> bytes:
    """Return a workbook of Excel with one sheet."""
    book = Workbook()
    sheet = book.active
    for sheet_row in sheet_rows:
        sheet.append(sheet_row)
    if link:
        cell, target = link
        sheet[cell].hyperlink = target
    if merged:
        sheet.merge_cells(merged)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def open_document(sheet_rows: str, kind: str = SPREADSHEET) -> bytes:
    """Return a workbook of LibreOffice with one sheet of these rows."""
    content = (
        f"<office:document-content {NAMESPACES}><office:body><office:spreadsheet>"
        f'<table:table table:name="One">{sheet_rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("content.xml", content)
    return file.getvalue()


def cells_of(data: bytes) -> list[tuple[int, list[str]]]:
    """Return number and cells of the rows of the only sheet."""
    (sheet,) = read_sheets(data)
    return [(record.line, record.cells) for record in sheet.records]


def test_a_table_has_no_more_columns_than_a_sheet_of_excel():
    wide = iter([TableRecord(3, ["x"] * 20_000)])

    with pytest.raises(
        TableError, match=r"row 3 has 20,000 columns, but a table may have at most 16,384"
    ):
        table_of_records(wide, len)


def test_a_cell_far_away_costs_no_more_than_others():
    book = Workbook()
    sheet = book.active
    sheet["B2"] = "Unemployment fell"
    sheet["A1048576"] = "end"
    file = io.BytesIO()
    book.save(file)

    assert cells_of(file.getvalue()) == [
        (2, ["", "Unemployment fell"]),
        (1_048_576, ["end", ""]),
    ]


def test_values_of_excel():
    data = excel([["a", 1, 2.5, True, datetime(2024, 1, 11), date(2024, 2, 5)], [], ["b"]])

    assert cells_of(data) == [
        (1, ["a", "1", "2.5", "True", "2024-01-11", "2024-02-05"]),
        (3, ["b", "", "", "", "", ""]),
    ]


def test_a_link_behind_a_text():
    data = excel([["Read"], ["x"]], link=("A1", "https://checks.example.org/p"))

    assert cells_of(data)[0] == (1, ['=HYPERLINK("https://checks.example.org/p","Read")'])


def test_a_cell_that_is_merged_downwards():
    data = excel([["A", "x"], [None, "y"]], merged="A1:A2")

    assert [cells for _, cells in cells_of(data)] == [["A", "x"], ["A", "y"]]


def test_cells_of_open_document():
    data = open_document(
        """<table:table-row>
        <table:table-cell table:number-rows-spanned="2"><text:p>A</text:p></table:table-cell>
        <table:table-cell office:value-type="date" office:date-value="2024-01-11T00:00:00"/>
        <table:table-cell office:value-type="float" office:value="3.0"/>
        <table:table-cell><text:p><text:a xlink:href="https://a.example/p">Read</text:a></text:p>
        </table:table-cell></table:table-row>
        <table:table-row><table:covered-table-cell/>
        <table:table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell>
        </table:table-row>
        <table:table-row table:number-rows-repeated="1048573"><table:table-cell/></table:table-row>"""
    )

    assert cells_of(data) == [
        (1, ["A", "2024-01-11", "3", '=HYPERLINK("https://a.example/p","Read")']),
        (2, ["A", "x", "x"]),
    ]


@pytest.mark.parametrize(
    "data, expected",
    [
        (excel([["a"]]), True),
        (open_document(""), True),
        (open_document("", "application/vnd.oasis.opendocument.text"), False),
        (b"PK\x03\x04broken", False),
        (b"claim,verdict", False),
    ],
)
def test_workbooks_are_known_by_their_content(data, expected):
    assert is_workbook(data) == expected


def test_a_workbook_that_unpacks_to_too_much_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * 20_000_000)

    with pytest.raises(TableError, match="archive bomb"):
        read_sheets(file.getvalue())


def test_a_damaged_workbook_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", b"<broken")

    with pytest.raises(TableError, match="damaged"):
        read_sheets(file.getvalue())
