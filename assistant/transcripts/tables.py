"""Reads tables of speech (CSV, TSV, XLSX, and those in DOCX and HTML).

Header or cells show what a column is.

``read_rows`` knows rows of cells and no file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from io import BytesIO, StringIO
from typing import Any

from assistant.core.errors import MalformedTranscript
from assistant.transcripts import refusals
from assistant.transcripts.cues import is_number
from assistant.transcripts.speaker_labels import name_in, named
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.title_and_date import dates

SNIFFED_CHARACTERS = 8_000
SNIFFED_ROWS = 40
# of a sheet: no debate has more sentences, no export of one more columns
MOST_ROWS = 200_000
MOST_COLUMNS = 50
LONGEST_NAME = 60  # characters: what is longer in a column of speakers is text
csv.field_size_limit(10_000_000)  # a speech can be one cell

_ROLES = {
    "text": "text/speech/transcript/body/utterance/content/dialogue/dialog/sentence/caption/words/statement/line text/"
    "spoken text/transcript text",
    "speaker": "speaker/name/who/voice/participant/person/speaker name",
    "start": "start/time/timecode/begin/in/timestamp/start time/starttime/offset/in point/start (s)/start (ms)/"
    "start ms",
    "end": "end/out/end time/endtime/stop/finish/out point/end (s)/end (ms)/end ms",
    "date": "date/event date/debate date/day",
    "title": "title/debate name/event/debate",
}
_HEADERS = {header: role for role, headers in _ROLES.items() for header in headers.split("/")}
_CLOCK = re.compile(r"^(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2}(?:[.,]\d{1,3})?)$")
_TIMECODE = re.compile(r"^(\d{1,2}):(\d{2}):(\d{2})[:;](\d{2})$")
_SECONDS = re.compile(r"^(?:PT)?\d{1,15}(?:[.,]\d{1,15})?S?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """Cells with the place of the row in its source, from 1."""

    number: int
    cells: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Columns:
    """The index of each column, None where there is none.

    ``body`` is the index of the first row that is no header.
    """

    text: int
    speaker: int | None = None
    start: int | None = None
    end: int | None = None
    date: int | None = None
    title: int | None = None
    body: int = 0
    milliseconds: bool = False


def sniff(source: RawSource) -> bool:
    """Whether the text is rows of the same number of cells, with a header or with recognisable columns."""
    return _delimiter(source.text) is not None


def parse(source: RawSource) -> Parsed:
    """Return the rows of a CSV or TSV file."""
    delimiter = _delimiter(source.text) or ","
    reader = csv.reader(StringIO(source.text), delimiter=delimiter)
    rows = []
    above = 0
    for cells in reader:
        rows.append(Row(above + 1, tuple(cells)))
        above = reader.line_num
    return read_rows(rows, source.name)


def sniff_workbook(source: RawSource) -> bool:
    """Whether the file is an Excel workbook."""
    return refusals.holds_part(source.data, "xl/workbook.xml")


def parse_workbook(source: RawSource) -> Parsed:
    """Return the rows of the fullest sheet of a workbook, values in place of formulas."""
    from openpyxl import load_workbook

    refusals.check_unpacked(source)
    try:
        book = load_workbook(BytesIO(source.data), read_only=True, data_only=True)
        filled = {sheet.title: _filled(sheet) for sheet in book.worksheets}
    except MemoryError:
        raise
    except Exception as error:  # openpyxl raises whatever its XML and ZIP readers raise
        raise MalformedTranscript(
            "the workbook is damaged.", where=source.name, remedy="Save it again."
        ) from error
    fullest = max(filled, key=lambda title: len(filled[title]), default="")
    parsed = read_rows(filled.get(fullest, []), source.name)
    others = [title for title, rows in filled.items() if rows and title != fullest]
    if others:
        parsed.warnings.append(
            f"only the sheet “{fullest}” was read; left out: {', '.join(others)}"
        )
    return parsed


def _filled(sheet: Any) -> list[Row]:
    """Return the rows of a sheet that are not empty.

    A cell may claim any place: what lies far out is left out.
    """
    rows = sheet.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS, values_only=True)
    return [Row(i, tuple(row)) for i, row in enumerate(rows, 1) if any(row)]


def read_rows(rows: Sequence[Row], name: str) -> Parsed:
    """Return one piece for each row with text.

    Raises MalformedTranscript if no column can be the text.
    """
    rows = [row for row in rows if any(str(cell or "").strip() for cell in row.cells)]
    columns = _by_header(rows) or _by_cells(rows)
    if columns is None:
        seen = ", ".join(str(cell) for cell in rows[0].cells[:8]) if rows else "nothing"
        raise MalformedTranscript(
            f"no column of the table can be the speech (the first row is: {seen}).",
            where=name,
            remedy="Name the columns Speaker and Text (and Start, if there are times).",
        )
    parsed = Parsed()
    for row in rows[columns.body :]:
        piece = _piece(row, columns, parsed.pieces[-1] if parsed.pieces else None)
        if piece:
            parsed.pieces.append(piece)
    _describe(parsed, rows, columns)
    return parsed


def is_grid(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows of a document's table are speech.

    Several rows of two to five cells with recognisable columns.
    """
    wide = [tuple(row) for row in rows if 2 <= len(row) <= 5]
    return len(wide) >= 2 and len(wide) >= 0.8 * len(rows) and _is_table(wide, "\t")


def _delimiter(text: str) -> str | None:
    """Return what separates the cells, None if the text is no table."""
    head = text[:SNIFFED_CHARACTERS]
    if len(text) > SNIFFED_CHARACTERS and "\n" in head:
        head = head[: head.rindex("\n")]
    for delimiter in "\t,;|":
        if delimiter not in head:
            continue
        rows = [tuple(row) for row in csv.reader(StringIO(head), delimiter=delimiter)][
            :SNIFFED_ROWS
        ]
        if _is_table([row for row in rows if row], delimiter):
            return delimiter
    return None


def _is_table(rows: Sequence[tuple[str, ...]], delimiter: str) -> bool:
    if not rows or len(rows[0]) < 2:
        return False
    same = sum(len(row) == len(rows[0]) for row in rows) / len(rows)
    numbered = [Row(i, row) for i, row in enumerate(rows, 1)]
    if _by_header(numbered):
        return same >= 0.5 or len(rows) == 1
    if len(rows) < 3 or same < 0.9:
        return False
    columns = _by_cells(numbered)
    return columns is not None and (
        delimiter == "\t" or columns.speaker is not None or columns.start is not None
    )


def _by_header(rows: Sequence[Row]) -> _Columns | None:
    """Return the columns that the first row names, None if it is no header with a text column."""
    if not rows:
        return None
    names = [
        " ".join(str(cell or "").lower().replace("_", " ").strip(" #:").split())
        for cell in rows[0].cells
    ]
    columns: dict[str, int] = {}
    for i, header in enumerate(names):
        if role := _HEADERS.get(header):
            columns.setdefault(role, i)
    if "text" not in columns:
        return None
    return _Columns(**columns, body=1, milliseconds=_is_milliseconds(names, rows[1:], columns))


def _is_milliseconds(names: Sequence[str], rows: Sequence[Row], columns: dict[str, int]) -> bool:
    """Whether times are whole milliseconds.

    The header says so, or they run a hundred times faster than speech.
    """
    if "start" not in columns or "end" not in columns:
        return "start" in columns and "ms" in names[columns["start"]]
    if "ms" in re.split(r"[^a-z]+", names[columns["start"]]):
        return True
    spans = [tuple(_cell(row, columns[role]) for role in ("start", "end", "text")) for row in rows]
    whole = [
        (int(a), int(b), str(c or ""))
        for a, b, c in spans
        if is_number(str(a or "")) and is_number(str(b or ""))
    ]
    words = sum(len(c.split()) for *_, c in whole)
    lasts = sum(b - a for a, b, _ in whole)
    return bool(whole) and len(whole) == len(spans) and lasts > 50 * max(words, 1)


def _by_cells(rows: Sequence[Row]) -> _Columns | None:
    """Return the columns as their cells suggest.

    The longest is the text, clocks are times, repeated names speakers.
    """
    width = max((len(row.cells) for row in rows), default=0)
    columns = [[str(_cell(row, i) or "").strip() for row in rows] for i in range(width)]
    means = [sum(len(cell.split()) for cell in column) / max(len(column), 1) for column in columns]
    if not columns or max(means) < 2:
        return None
    text = means.index(max(means))
    times = [i for i, column in enumerate(columns) if i != text and _all(column, _CLOCK, _TIMECODE)]
    names = [
        i for i, column in enumerate(columns) if i != text and i not in times and _are_names(column)
    ]
    speaker = names[0] if names else None
    start = times[0] if times else None
    end = times[1] if len(times) > 1 else None
    return _Columns(text, speaker, start, end)


def _all(column: Sequence[str], *patterns: re.Pattern[str]) -> bool:
    filled = [cell for cell in column if cell]
    return bool(filled) and all(any(pattern.match(cell) for pattern in patterns) for cell in filled)


def _are_names(column: Sequence[str]) -> bool:
    """Whether cells are names: short, capitalised, and some come again."""
    filled = [cell for cell in column if cell]
    likely = [
        cell
        for cell in filled
        if len(cell) <= LONGEST_NAME and not cell[0].isdigit() and name_in(cell.rstrip(":"))
    ]
    repeated = len(set(filled)) < len(filled) or any(cell.endswith(":") for cell in filled)
    return len(filled) >= 2 and len(likely) >= 0.9 * len(filled) and repeated


def _cell(row: Row, column: int | None) -> Any:
    return row.cells[column] if column is not None and column < len(row.cells) else None


def _piece(row: Row, columns: _Columns, before: Piece | None) -> Piece | None:
    """Return the speech of a row.

    Rows with both times are captions: a sentence may run on into the next row.
    """
    text = " ".join(str(_cell(row, columns.text) or "").split())
    if not text:
        return None
    speaker = _speaker(_cell(row, columns.speaker))
    start = _seconds(_cell(row, columns.start), columns.milliseconds)
    end = _seconds(_cell(row, columns.end), columns.milliseconds)
    runs_on = before is not None and end is not None and before.speaker == speaker
    return Piece(text, row.number, speaker, start, end, not runs_on)


def _speaker(cell: Any) -> str | None:
    """Return the name in a cell; a label keeps neither its colon nor a role after a comma."""
    written = " ".join(str(cell or "").split())
    label = name_in(written.rstrip(":")) if written.endswith(":") else written
    return named(label or written)


def _seconds(cell: Any, milliseconds: bool) -> float | None:
    """Return the seconds that a cell means: a clock, a timecode, a number, or a time of Excel."""
    if isinstance(cell, datetime):
        cell = cell.time()
    if isinstance(cell, time):
        return cell.hour * 3600 + cell.minute * 60 + cell.second + cell.microsecond / 1e6
    if isinstance(cell, timedelta):
        return cell.total_seconds()
    written = str(cell if cell is not None else "").strip().replace(",", ".")
    frames = _TIMECODE.match(written)
    clock = _CLOCK.match(written.rsplit(written[-3], 1)[0] if frames else written)
    if clock:
        hours, minutes, seconds = clock.groups()
        return int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds)
    if _SECONDS.match(written):
        return float(written.upper().removeprefix("PT").removesuffix("S")) / (
            1000 if milliseconds else 1
        )
    return None


def _describe(parsed: Parsed, rows: Sequence[Row], columns: _Columns) -> None:
    """Add title and date, where the table has one of each, and the warnings."""
    body = rows[columns.body :]
    titles = {str(_cell(row, columns.title)).strip() for row in body if _cell(row, columns.title)}
    days = {day for row in body for day in _days(_cell(row, columns.date))}
    parsed.title = titles.pop() if len(titles) == 1 else ""
    parsed.event_date = days.pop() if len(days) == 1 else None
    if len(titles) > 1:
        parsed.warnings.append(
            f"the table has {len(titles)} events; all were read as one transcript"
        )
    if columns.body == 0:
        speaker = (
            "" if columns.speaker is None else f", column {columns.speaker + 1} for the speaker"
        )
        parsed.warnings.append(
            f"the table has no header; took column {columns.text + 1} for the text{speaker}"
        )
    unknown = sum(piece.speaker is None for piece in parsed.pieces)
    if columns.speaker is None:
        parsed.warnings.append("the table has no column for the speaker; every speaker is unknown")
    elif unknown:
        parsed.warnings.append(f"rows that name no speaker, left unknown: {unknown}")
    if columns.milliseconds:
        parsed.warnings.append("the times were read as milliseconds")


def _days(cell: Any) -> list[date]:
    if isinstance(cell, datetime):
        return [cell.date()]
    return [cell] if isinstance(cell, date) else dates(str(cell or ""))
