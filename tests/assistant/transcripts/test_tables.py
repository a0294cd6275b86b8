"""Tables: which column is what, units of time, workbooks.

The golden files of `text` hold the usual shapes.
"""

from __future__ import annotations

from datetime import date, time
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from assistant.core.errors import MalformedTranscript
from assistant.transcripts import tables
from assistant.transcripts.tables import TableRow, read_rows
from tests.assistant.transcripts import reading


def workbook(cell_rows: list[list], *other_rows: str) -> bytes:
    book = Workbook()
    for cells in cell_rows:
        book.active.append(cells)
    for title in other_rows:
        book.create_sheet(title).append(["Text"])
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_workbook() -> None:
    """Times of Excel, clocks in words and dates are read. Empty rows are left out.

    Another sheet is reported.
    """
    cell_rows = [
        ["Date", "Start", "Speaker", "Text"],
        [date(2020, 2, 25), time(0, 1, 7), "Anna Hale", "Good evening."],
        [],
        [date(2020, 2, 25), "1:12", None, "Hello."],
    ]
    parsed = reading.parse(workbook(cell_rows, "Notes"), "debate.xlsx")
    pieces = [(piece.line_number, piece.start, piece.speaker) for piece in parsed.pieces]
    warnings = "\n".join(parsed.warnings)
    assert pieces == [(2, 67.0, "Anna Hale"), (4, 72.0, None)]
    assert parsed.event_date == date(2020, 2, 25)
    assert "Notes" in warnings
    assert "unknown" in warnings


@pytest.mark.parametrize(
    ("cell", "seconds"),
    [
        ("1:07", 67.0),
        ("01:02:03.5", 3723.5),
        ("00:00:01:12", 1.0),
        ("12,5", 12.5),
        ("PT3.42S", 3.42),
        (7, 7.0),
        ("", None),
        ("soon", None),
    ],
)
def test_times(cell: object, seconds: float | None) -> None:
    """Clocks, timecodes and seconds in every usual spelling."""
    table_rows = [TableRow(1, ("Start", "Text")), TableRow(2, (cell, "Hello."))]
    assert read_rows(table_rows, "a.csv").pieces[0].start == seconds


@pytest.mark.parametrize("header", ["start_ms,end_ms,text", "start,end,text"])
def test_milliseconds(header: str) -> None:
    """Milliseconds are known by their header, or because nobody speaks so slowly."""
    parsed = reading.parse(
        f"{header}\n1000,3500,Good evening to you.\n3500,4000,We begin.\n", "a.csv"
    )
    assert [(piece.start, piece.end) for piece in parsed.pieces] == [(1.0, 3.5), (3.5, 4.0)]


def test_seconds_stay_seconds() -> None:
    """Whole seconds at the speed of speech are no milliseconds."""
    parsed = reading.parse(
        "start,end,text\n10,13,Good evening to all of you.\n13,15,We begin now.\n", "a.csv"
    )
    assert [(piece.start, piece.end) for piece in parsed.pieces] == [(10.0, 13.0), (13.0, 15.0)]


def test_no_text_column() -> None:
    """A table of which no column can be speech is refused with its first row."""
    with pytest.raises(MalformedTranscript, match="no column .* year, code"):
        read_rows([TableRow(1, ("year", "code")), TableRow(2, ("1960", "A"))], "a.csv")


def test_prose_with_commas_is_no_table() -> None:
    """Lines of prose with equally many commas are read as text."""
    text = "Well, I think, so\nNo, you do, not\nYes, we do, it\nAnd so, it goes, on\n"
    assert reading.first_format(reading.source(text)).name == "text"


def test_formulas_are_text() -> None:
    """A cell that a spreadsheet would calculate is what was said, nothing more."""
    parsed = reading.parse('speaker,text\nAnna Hale,"=HYPERLINK(""x"")"\n', "a.csv")
    assert parsed.pieces[0].text == '=HYPERLINK("x")'


_CELLS = st.text(
    st.characters(blacklist_categories=["Cs", "Cc"], blacklist_characters="\ufffd"), max_size=30
)


@given(st.lists(st.tuples(_CELLS, _CELLS), min_size=1, max_size=8))
def test_any_rows_are_read(cell_rows: list[tuple[str, str]]) -> None:
    """Every row with text becomes one piece with the same words."""
    table = [
        TableRow(1, ("speaker", "text")),
        *(TableRow(i, cells) for i, cells in enumerate(cell_rows, 2)),
    ]
    assert [" ".join(text.split()) for _, text in cell_rows if text.split()] == [
        piece.text for piece in tables.read_rows(table, "a").pieces
    ]


def rows_of_times(name: str, times: list[str]) -> list[TableRow]:
    texts = [f"This is the sentence of row {number} here." for number in range(1, len(times) + 1)]
    cell_rows = [("speaker", "text", name)]
    cell_rows += [("Anna Hale", text, time) for text, time in zip(texts, times, strict=True)]
    return [TableRow(number, cells) for number, cells in enumerate(cell_rows, 1)]


@pytest.mark.parametrize(
    "name", ["speaking_time_seconds", "Talk time (s)", "Redezeit", "temps de parole", "speechTime"]
)
def test_the_time_that_somebody_spoke_is_not_a_start(name: str) -> None:
    """Even two of them that rise, as starts would."""
    parsed = read_rows(rows_of_times(name, ["8.0", "22.0"]), "debate.csv")

    assert [piece.start for piece in parsed.pieces] == [None, None]
    (warning,) = parsed.warnings
    assert warning == f"the column “{name}” has durations and no starts; no sentence has a time"


@pytest.mark.parametrize("name", ["time", "start", "timestamp"])
def test_times_that_fall_again_and_again_are_no_starts(name: str) -> None:
    """A column of durations may have any name."""
    times = ["0:08", "0:22", "0:14", "0:10", "0:31", "0:09"]
    parsed = read_rows(rows_of_times(name, times), "debate.csv")

    assert {piece.start for piece in parsed.pieces} == {None}
    (warning,) = parsed.warnings
    assert warning.startswith(f"the column “{name}” has no starts, because its times fall 3 times")


@pytest.mark.parametrize(
    "times",
    [
        ["0:08", "0:22", "0:14", "0:40", "0:51", "1:09"],  # people speak at once
        ["0:08", "0:22", "0:40", "0:02", "0:12", "0:30"],  # a second part
        ["23:58:00", "23:59:00", "00:01:00", "00:02:00", "00:03:00", "00:04:00"],
    ],
)
def test_starts_that_fall_now_and_then_are_starts(times: list[str]) -> None:
    parsed = read_rows(rows_of_times("time", times), "debate.csv")

    assert None not in {piece.start for piece in parsed.pieces}
