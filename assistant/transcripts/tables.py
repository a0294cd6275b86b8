"""Reads tables of speech (CSV, TSV, XLSX, and those in DOCX and HTML).

Header or cells show what a column is.

``read_rows`` knows rows of cells and no file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from io import BytesIO, StringIO
from itertools import pairwise
from typing import Any

from assistant.core.errors import MalformedTranscript
from assistant.core.table_files import SEPARATOR_LINE_PATTERN
from assistant.transcripts import refusals
from assistant.transcripts.cell_speakers import name_by_cells
from assistant.transcripts.column_roles import (
    find_header,
    is_note_column,
    is_usual_name,
    may_be_name,
)
from assistant.transcripts.cues import is_cue_number
from assistant.transcripts.speaker_labels import name_in_label, speaker_or_none
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.timestamps import TimeKind, recording_times, whole_time
from assistant.transcripts.title_and_date import dates

SNIFFED_CHARACTERS = 8_000
SNIFFED_ROWS = 40
MAX_ROWS = 200_000  # of a sheet: no debate has more sentences
MAX_COLUMNS = 50
MAX_SPEAKER_CELL_CHARACTERS = 60  # longer cells in a column of speakers are text
MAX_GRID_COLUMNS = 5
MIN_GRID_SHARE = 0.8
MIN_EQUAL_SHARE = 0.9  # of the rows must be as long as the first
MIN_EQUAL_SHARE_WITH_HEADER = 0.5
MIN_ROWS_WITHOUT_HEADER = 3
MIN_MEAN_WORDS = 2  # a column with fewer words per cell is not the text
MIN_NAME_SHARE = 0.9
MIN_MERGED_SPEAKERS = 3
MAX_UNITS_PER_WORD = 50  # nobody speaks slower than one word in 50 seconds
MAX_SHOWN_CELLS = 8
_SENTENCE_MARKS = tuple(".?!…。？！")
csv.field_size_limit(10_000_000)  # a speech can be one cell

# A message of a chat: "[12/05/2026, 20:10:03] Jane Doe: Good evening"
_BRACKETED_DATE_PATTERN = re.compile(r"^\s{0,4}\[\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s")
# [h:]mm:ss[.fff]
_CLOCK_PATTERN = re.compile(r"^(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2}(?:[.,]\d{1,3})?)$")
# The end of a label behind the comma inside it: " mayor: No.", " 2:05 p.m.: No."
_LABEL_END_PATTERN = re.compile(r"^\s+(?:[^:]{1,40}|[^:]{0,10}\d{1,2}:\d{2}[^:]{0,8}):\s")
# hh:mm:ss:ff, with frames
_TIMECODE_PATTERN = re.compile(r"^(\d{1,2}):(\d{2}):(\d{2})[:;](\d{2})$")
# 12.5, 12.5s or PT12.5S
_SECONDS_PATTERN = re.compile(r"^(?:PT)?\d{1,15}(?:[.,]\d{1,15})?S?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TableRow:
    """Cells with the place of the row in its source, from 1."""

    number: int
    cells: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Columns:
    """The index of each column, None if it is missing, and of the first row below the header."""

    text: int
    speaker: int | None = None
    start: int | None = None
    end: int | None = None
    date: int | None = None
    title: int | None = None
    duration: int | None = None
    body: int = 0
    titles: tuple[str, ...] = ()
    milliseconds: bool = False


def sniff(source: RawSource) -> bool:
    """Return whether the text has rows of equal length with a header or recognisable columns."""
    return _delimiter(source.text) is not None


def parse(source: RawSource) -> Parsed:
    """Return the speech in a CSV or TSV file."""
    delimiter = _delimiter(source.text) or ","
    text, skipped_lines = _below_separator_line(source.text)
    reader = csv.reader(StringIO(text), delimiter=delimiter)
    table_rows = []
    previous_line = 0
    for cells in reader:
        table_rows.append(TableRow(skipped_lines + previous_line + 1, tuple(cells)))
        previous_line = reader.line_num
    return read_rows(table_rows, source.name)


def sniff_workbook(source: RawSource) -> bool:
    """Return whether the file is an Excel workbook."""
    return refusals.holds_part(source.data, "xl/workbook.xml")


def parse_workbook(source: RawSource) -> Parsed:
    """Return the speech in the fullest sheet of a workbook, with values in place of formulas."""
    from openpyxl import load_workbook

    refusals.check_unpacked(source)
    try:
        book = load_workbook(BytesIO(source.data), read_only=True, data_only=True)
        sheet_rows = {sheet.title: _filled_rows(sheet) for sheet in book.worksheets}
    except MemoryError:
        raise
    except Exception as error:  # openpyxl raises whatever its XML and ZIP readers raise
        raise MalformedTranscript(
            "the workbook is damaged.", where=source.name, remedy="Save it again."
        ) from error
    fullest = max(sheet_rows, key=lambda title: len(sheet_rows[title]), default="")
    parsed = read_rows(sheet_rows.get(fullest, []), source.name)
    unread = [title for title, rows in sheet_rows.items() if rows and title != fullest]
    if unread:
        unread_titles = ", ".join(unread)
        parsed.warnings.append(f"only the sheet “{fullest}” was read; left out: {unread_titles}")
    return parsed


def _filled_rows(sheet: Any) -> list[TableRow]:
    """Return the filled rows of a sheet, up to the largest plausible size.

    A cell may claim any position, however far out.
    """
    all_rows = sheet.iter_rows(max_row=MAX_ROWS, max_col=MAX_COLUMNS, values_only=True)
    return [
        TableRow(number, tuple(cells)) for number, cells in enumerate(all_rows, 1) if any(cells)
    ]


def read_rows(table_rows: Sequence[TableRow], name: str) -> Parsed:
    """Return one piece for each row with text.

    Raises MalformedTranscript if no column can be the text.
    """
    table_rows = [row for row in table_rows if any(str(cell or "").strip() for cell in row.cells)]
    columns = _columns_by_header(table_rows) or _columns_by_cells_and_names(table_rows)
    if columns is None:
        sample = "nothing"
        if table_rows:
            sample = ", ".join(str(cell) for cell in table_rows[0].cells[:MAX_SHOWN_CELLS])
        raise MalformedTranscript(
            f"no column of the table looks like speech (the first row is: {sample}).",
            where=name,
            remedy="Name the columns Speaker and Text (and Start, if there are times).",
        )
    parsed = Parsed()
    previous_piece: Piece | None = None
    whole_rows, warnings = _with_whole_texts(table_rows, columns)
    parsed.warnings += warnings
    body_rows, filled_count = _with_merged_speakers(whole_rows, columns)
    if filled_count:
        parsed.warnings.append(
            f"rows without a speaker below a row with one, read as its speaker's: {filled_count}"
        )
    start_cells = []
    for table_row in body_rows:
        piece = _piece(table_row, columns, previous_piece)
        if piece:
            parsed.pieces.append(piece)
            previous_piece = piece
            start_cells.append(_cell(table_row, columns.start))
    _count_times_of_day(parsed, start_cells)
    if columns.speaker is None:
        name_by_cells(parsed)
    _divide_without_marks(parsed)
    _add_title_and_warnings(parsed, table_rows, columns)
    return parsed


def _with_whole_texts(
    table_rows: Sequence[TableRow], columns: _Columns
) -> tuple[list[TableRow], list[str]]:
    """Return the rows below the header, with the text of rows that are longer than it whole.

    A text in the last column may have the separator inside it without quotes around it.
    """
    body_rows = list(table_rows[columns.body :])
    if columns.body == 0:
        return body_rows, []
    width = len(table_rows[columns.body - 1].cells)
    long_indexes = []
    for index, table_row in enumerate(body_rows):
        extra_cells = [cell for cell in table_row.cells[width:] if cell]
        if extra_cells:
            long_indexes.append(index)
    if not long_indexes:
        return body_rows, []
    numbers = ", ".join(str(body_rows[index].number) for index in long_indexes[:MAX_SHOWN_CELLS])
    count = len(long_indexes)
    if columns.text != width - 1:
        return body_rows, [
            f"rows with more cells than the header has names, whose columns may be shifted "
            f"({count}): row {numbers}"
        ]
    for index in long_indexes:
        cells = body_rows[index].cells
        text = ",".join(str(cell or "") for cell in cells[columns.text :])
        body_rows[index] = TableRow(body_rows[index].number, (*cells[: columns.text], text))
    return body_rows, [
        f"rows with more cells than the header has names; all of the rest is the text ({count}): "
        f"row {numbers}"
    ]


def _with_merged_speakers(
    body_rows: Sequence[TableRow], columns: _Columns
) -> tuple[list[TableRow], int]:
    """Return the rows with the speaker of merged cells in each, and the number of filled cells.

    Cells of speakers are merged if neighbours that have a name never have the same.
    """
    index = columns.speaker
    unchanged = list(body_rows)
    if index is None or columns.body == 0:
        return unchanged, 0
    written_names = [str(_cell(row, index) or "").strip() for row in body_rows]
    names = [name for name in written_names if name]
    is_merged = len(names) >= MIN_MERGED_SPEAKERS and all(
        name != following for name, following in pairwise(names)
    )
    if not is_merged or len(names) == len(written_names):
        return unchanged, 0
    filled_rows = []
    speaker = ""
    for table_row, name in zip(body_rows, written_names, strict=True):
        speaker = name or speaker
        cells = list(table_row.cells) + [None] * (index + 1 - len(table_row.cells))
        cells[index] = speaker
        filled_rows.append(TableRow(table_row.number, tuple(cells)))
    return filled_rows, len(written_names) - len(names)


def _count_times_of_day(parsed: Parsed, start_cells: Sequence[Any]) -> None:
    """Count starts that are times of day, ``2025-03-12T19:00:01Z`` or ``7:00 PM``, from the first."""
    timestamps = [whole_time(cell) if isinstance(cell, str) else None for cell in start_cells]
    kinds = {timestamp.kind for timestamp in timestamps if timestamp}
    if kinds != {TimeKind.TIME_OF_DAY}:
        return
    starts, warning = recording_times(timestamps)
    parsed.pieces = [
        replace(piece, start=start, end=None)
        for piece, start in zip(parsed.pieces, starts, strict=True)
    ]
    parsed.warnings.append(warning)


def _divide_without_marks(parsed: Parsed) -> None:
    """Let each row be a sentence if no row ends with a mark, so that no mark divides them."""
    if not any(piece.text.endswith(_SENTENCE_MARKS) for piece in parsed.pieces):
        parsed.pieces = [replace(piece, starts_turn=True) for piece in parsed.pieces]


def _below_separator_line(text: str) -> tuple[str, int]:
    """Return a text without the line "sep=;" of Excel, and the number of lines left out."""
    first_line, line_end, below = text.partition("\n")
    if line_end and SEPARATOR_LINE_PATTERN.match(first_line.rstrip("\r")):
        return below, 1
    return text, 0


def is_speech_table(table_rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the rows of a document's table are speech.

    Most have two to five cells, and their columns are recognisable.
    """
    speech_rows = [tuple(cells) for cells in table_rows if 2 <= len(cells) <= MAX_GRID_COLUMNS]
    if len(speech_rows) < 2 or len(speech_rows) < MIN_GRID_SHARE * len(table_rows):
        return False
    return _is_table(speech_rows, "\t")


def _delimiter(text: str) -> str | None:
    """Return the separator of the cells, None if the text is not a table."""
    separator = SEPARATOR_LINE_PATTERN.match(text.partition("\n")[0].rstrip("\r"))
    if separator:
        return separator["delimiter"].replace("\\t", "\t")
    head = text[:SNIFFED_CHARACTERS]
    if len(text) > SNIFFED_CHARACTERS and "\n" in head:
        head = head[: head.rindex("\n")]
    for delimiter in "\t,;|":
        if delimiter not in head or _BRACKETED_DATE_PATTERN.match(head):
            continue
        all_rows = list(csv.reader(StringIO(head), delimiter=delimiter))
        filled_rows = [tuple(cells) for cells in all_rows[:SNIFFED_ROWS] if cells]
        if _is_table(filled_rows, delimiter):
            return delimiter
    return None


def _is_table(cell_rows: Sequence[tuple[str, ...]], delimiter: str) -> bool:
    """Return whether rows of cells have equal lengths and columns that show their meaning."""
    if not cell_rows:
        return False
    header = find_header(cell_rows)
    if header:
        cell_rows = cell_rows[header.row :]
    width = len(cell_rows[0])
    if width < 2:
        return False
    equal_share = sum(len(cells) == width for cells in cell_rows) / len(cell_rows)
    table_rows = [TableRow(number, cells) for number, cells in enumerate(cell_rows, 1)]
    if header:
        return equal_share >= MIN_EQUAL_SHARE_WITH_HEADER or len(cell_rows) == 1
    if len(cell_rows) < MIN_ROWS_WITHOUT_HEADER or equal_share < MIN_EQUAL_SHARE:
        return False
    columns = _columns_by_cells_and_names(table_rows)
    if columns is None or (width == 2 and _are_line_numbers(cell_rows)):
        return False
    if columns.body == 0 and delimiter == "," and _are_labelled_lines(cell_rows):
        return False
    return delimiter == "\t" or columns.speaker is not None or columns.start is not None


def _are_labelled_lines(cell_rows: Sequence[tuple[str, ...]]) -> bool:
    """Return whether rows are lines with a role or a time before a colon: ``Roe, mayor: No.``"""
    labelled_count = sum(_LABEL_END_PATTERN.match(cells[-1]) is not None for cells in cell_rows)
    return labelled_count >= MIN_EQUAL_SHARE * len(cell_rows)


def _are_line_numbers(cell_rows: Sequence[tuple[str, ...]]) -> bool:
    """Return whether the first cells count the lines of a text, whose sentences run on."""
    ended_count = sum(cells[1].strip().endswith(_SENTENCE_MARKS) for cells in cell_rows)
    if ended_count == len(cell_rows):
        return False
    numbers = [int(cells[0]) for cells in cell_rows if is_cue_number(cells[0].strip())]
    if len(numbers) < len(cell_rows):
        return False
    return all(following - number == 1 for number, following in pairwise(numbers))


def _columns_by_header(table_rows: Sequence[TableRow]) -> _Columns | None:
    """Return the columns that a header names, None if there is none that names the text."""
    header = find_header([row.cells for row in table_rows[:SNIFFED_ROWS]])
    if header is None:
        return None
    body = header.row + 1
    is_milliseconds = _is_milliseconds(header.names, table_rows[body:], header.columns)
    return _Columns(
        **header.columns, body=body, titles=tuple(header.titles), milliseconds=is_milliseconds
    )


def _is_milliseconds(
    headers: Sequence[str], table_rows: Sequence[TableRow], columns: dict[str, int]
) -> bool:
    """Return whether times are milliseconds.

    The header says so, or read as seconds they would be slower than anybody speaks.
    """
    if "start" not in columns:
        return False
    start_header = headers[columns["start"]]
    if "end" not in columns:
        return "ms" in start_header
    if "ms" in re.split(r"[^a-z]+", start_header):
        return True
    total_length = 0
    word_count = 0
    for table_row in table_rows:
        start = str(_cell(table_row, columns["start"]) or "")
        end = str(_cell(table_row, columns["end"]) or "")
        if not is_cue_number(start) or not is_cue_number(end):
            return False
        total_length += int(end) - int(start)
        word_count += len(str(_cell(table_row, columns["text"]) or "").split())
    return bool(table_rows) and total_length > MAX_UNITS_PER_WORD * max(word_count, 1)


def _columns_by_cells(
    table_rows: Sequence[TableRow], note_columns: Collection[int] = ()
) -> _Columns | None:
    """Return the columns as their cells suggest, None if none can be the text.

    The longest column is the text, clock times are starts and ends, repeated names are speakers.
    ``note_columns`` are never the text.
    """
    width = max((len(row.cells) for row in table_rows), default=0)
    columns = [
        [str(_cell(row, index) or "").strip() for row in table_rows] for index in range(width)
    ]
    mean_words = []
    for index, column in enumerate(columns):
        mean_words.append(0.0 if index in note_columns else _mean_words(column))
    if not columns or max(mean_words) < MIN_MEAN_WORDS:
        return None
    text_index = mean_words.index(max(mean_words))
    time_indices = []
    speaker_index = None
    for index, column in enumerate(columns):
        if index == text_index:
            continue
        if _are_times(column):
            time_indices.append(index)
        elif speaker_index is None and _are_names(column):
            speaker_index = index
    start_index = time_indices[0] if time_indices else None
    end_index = time_indices[1] if len(time_indices) > 1 else None
    return _Columns(text_index, speaker_index, start_index, end_index)


def _columns_by_cells_and_names(table_rows: Sequence[TableRow]) -> _Columns | None:
    """Return the columns as their cells suggest, below a row of names if the first row is one.

    It is one if it names a role, or if the column of times below it has no time in it.
    """
    columns = _columns_by_cells(table_rows)
    if len(table_rows) < MIN_ROWS_WITHOUT_HEADER or not all(
        may_be_name(cell) for cell in table_rows[0].cells
    ):
        return columns
    names = table_rows[0].cells
    below = _columns_by_cells(
        table_rows[1:], {index for index, name in enumerate(names) if is_note_column(name)}
    )
    if below is None:
        return columns
    is_new_time = below.start is not None and (columns is None or columns.start is None)
    if is_new_time or any(is_usual_name(cell) for cell in names):
        return replace(below, body=1)
    return columns


def _mean_words(column: Sequence[str]) -> float:
    return sum(len(cell.split()) for cell in column) / max(len(column), 1)


def _are_times(column: Sequence[str]) -> bool:
    filled = [cell for cell in column if cell]
    return bool(filled) and all(
        _CLOCK_PATTERN.match(cell) or _TIMECODE_PATTERN.match(cell) for cell in filled
    )


def _are_names(column: Sequence[str]) -> bool:
    """Return whether cells are names: short, capitalised, and some occur several times."""
    filled = [cell for cell in column if cell]
    name_count = sum(_is_name(cell) for cell in filled)
    if len(filled) < 2 or name_count < MIN_NAME_SHARE * len(filled):
        return False
    is_repeated = len(set(filled)) < len(filled)
    return is_repeated or any(cell.endswith(":") for cell in filled)


def _is_name(cell: str) -> bool:
    if len(cell) > MAX_SPEAKER_CELL_CHARACTERS or cell[0].isdigit():
        return False
    return bool(name_in_label(cell.rstrip(":")))


def _cell(table_row: TableRow, column: int | None) -> Any:
    if column is None or column >= len(table_row.cells):
        return None
    return table_row.cells[column]


def _piece(table_row: TableRow, columns: _Columns, previous_piece: Piece | None) -> Piece | None:
    """Return the speech of a row, None if it has none.

    Rows with both times are captions: a sentence may continue in the next row.
    """
    text = _cell_text(_cell(table_row, columns.text))
    if not text:
        return None
    speaker = _speaker(_cell(table_row, columns.speaker))
    start = _seconds(_cell(table_row, columns.start), columns.milliseconds)
    end = _seconds(_cell(table_row, columns.end), columns.milliseconds)
    length = _seconds(_cell(table_row, columns.duration), columns.milliseconds)
    if end is None and start is not None and length is not None:
        end = round(start + length, 3)
    is_same_speaker = previous_piece is not None and previous_piece.speaker == speaker
    continues_sentence = is_same_speaker and end is not None
    return Piece(text, table_row.number, speaker, start, end, not continues_sentence)


def _cell_text(cell: Any) -> str:
    """Return the words of a cell; a date that a spreadsheet stores with a midnight has none."""
    if isinstance(cell, datetime) and cell.time() == time():
        cell = cell.date()
    return " ".join(str("" if cell is None else cell).split())


def _speaker(cell: Any) -> str | None:
    """Return the name in a cell, without a colon or a role after a comma."""
    written = " ".join(str(cell or "").split())
    label = written
    if written.endswith(":"):
        label = name_in_label(written.rstrip(":")) or written
    return speaker_or_none(label)


def _seconds(cell: Any, milliseconds: bool) -> float | None:
    """Return the seconds of a cell: a clock time, a timecode, a number, or a time of Excel."""
    if isinstance(cell, datetime):
        cell = cell.time()
    if isinstance(cell, time):
        return cell.hour * 3600 + cell.minute * 60 + cell.second + cell.microsecond / 1e6
    if isinstance(cell, timedelta):
        return cell.total_seconds()
    written = "" if cell is None else str(cell).strip().replace(",", ".")
    clock_text = written
    if _TIMECODE_PATTERN.match(written):
        frame_separator = written[-3]
        clock_text = written.rsplit(frame_separator, 1)[0]
    clock = _CLOCK_PATTERN.match(clock_text)
    if clock:
        hours, minutes, seconds = clock.groups()
        return int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds)
    if _SECONDS_PATTERN.match(written):
        number = float(written.upper().removeprefix("PT").removesuffix("S"))
        return number / (1000 if milliseconds else 1)
    return None


def _add_title_and_warnings(
    parsed: Parsed, table_rows: Sequence[TableRow], columns: _Columns
) -> None:
    """Add the title and the date if the table has exactly one of each, and the warnings."""
    titles, days = _titles_and_days(table_rows[columns.body :], columns)
    if len(titles) > 1:
        parsed.warnings.append(
            f"the table has {len(titles)} events; all were read as one transcript"
        )
    parsed.title = titles.pop() if len(titles) == 1 else ""
    parsed.event_date = days.pop() if len(days) == 1 else None
    if columns.body == 0:
        speaker_column = ""
        if columns.speaker is not None:
            speaker_column = f", column {columns.speaker + 1} for the speaker"
        parsed.warnings.append(
            f"the table has no header; took column {columns.text + 1} for the text{speaker_column}"
        )
    unnamed_count = sum(piece.speaker is None for piece in parsed.pieces)
    if unnamed_count == len(parsed.pieces) and columns.speaker is None:
        parsed.warnings.append("the table has no column for the speaker; every speaker is unknown")
    elif unnamed_count:
        parsed.warnings.append(f"rows that name no speaker, left unknown: {unnamed_count}")
    if columns.milliseconds:
        parsed.warnings.append("the times were read as milliseconds")


def _titles_and_days(
    body_rows: Sequence[TableRow], columns: _Columns
) -> tuple[set[str], set[date]]:
    """Return the titles and days of a table, from above the header and from its columns."""
    titles: set[str] = set()
    days: set[date] = set()
    for written_title in columns.titles:
        title_days = dates(written_title)
        days.update(title_days)
        if not title_days and not titles:
            titles.add(written_title)
    for table_row in body_rows:
        title = _cell(table_row, columns.title)
        if title:
            titles.add(str(title).strip())
        days.update(_days(_cell(table_row, columns.date)))
    return titles, days


def _days(cell: Any) -> list[date]:
    if isinstance(cell, datetime):
        return [cell.date()]
    if isinstance(cell, date):
        return [cell]
    return dates(str(cell or ""))
