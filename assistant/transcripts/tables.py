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
from assistant.transcripts.cell_speakers import take_speakers_from_cells
from assistant.transcripts.column_roles import (
    find_header,
    is_note_column,
    is_usual_name,
    may_be_name,
)
from assistant.transcripts.cues import is_cue_number
from assistant.transcripts.speaker_labels import name_in_label, speaker_or_none
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.timestamps import TimeKind, recording_times, whole_time
from assistant.transcripts.title_and_date import dates_in_text

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
MIN_FALLS = 3  # starts that fall as often, and in as many of the rows, are no starts
MIN_FALL_SHARE = 0.2
MAX_UNITS_PER_WORD = 50  # nobody speaks slower than one word in 50 seconds
MAX_SHOWN_CELLS = 8
_SENTENCE_MARKS = tuple(".?!…。？！")
csv.field_size_limit(10_000_000)  # a speech can be one cell

# A message of a chat: "[12/05/2026, 20:10:03] Jane Doe: Good evening"
_BRACKETED_DATE_PATTERN = re.compile(r"^\s{0,4}\[\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s")
# [h:]mm:ss[.fff]
_CLOCK_PATTERN = re.compile(
    r"^(?:(?P<hours>\d{1,3}):)?(?P<minutes>\d{1,3}):(?P<seconds>\d{1,2}(?:[.,]\d{1,3})?)$"
)
# The end of a label behind the comma inside it: " mayor: No.", " 2:05 p.m.: No."
_LABEL_END_PATTERN = re.compile(r"^\s+(?:[^:]{1,40}|[^:]{0,10}\d{1,2}:\d{2}[^:]{0,8}):\s")
# hh:mm:ss:ff, with frames
_TIMECODE_PATTERN = re.compile(r"^(?P<clock>\d{1,2}:\d{2}:\d{2})[:;]\d{2}$")
# 12.5, 12.5s or PT12.5S
_SECONDS_PATTERN = re.compile(r"^(?:PT)?\d{1,15}(?:[.,]\d{1,15})?S?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TableRow:
    """Cells with the place of the row in its source, from 1."""

    number: int
    cells: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Columns:
    """The index of each column, None if it is missing.

    ``first_row`` is the index of the first row below the header, 0 for a table without a header.
    ``titles`` are the lines above the header.
    """

    text: int
    speaker: int | None = None
    start: int | None = None
    end: int | None = None
    date: int | None = None
    title: int | None = None
    duration: int | None = None
    first_row: int = 0
    titles: tuple[str, ...] = ()
    is_milliseconds: bool = False


def sniff(source: RawSource) -> bool:
    """Return whether the text has rows of equal length with a header or recognisable columns."""
    return _delimiter(source.text) is not None


def parse(source: RawSource) -> ParsedTranscript:
    """Return the speech in a CSV or TSV file."""
    delimiter = _delimiter(source.text) or ","
    # Excel may write the line "sep=;" above a table.
    text, skipped_lines = _below_separator_line(source.text)
    reader = csv.reader(StringIO(text), delimiter=delimiter)
    table_rows = []
    first_line = skipped_lines + 1
    for cells in reader:
        table_rows.append(TableRow(first_line, tuple(cells)))
        # A row may have several lines: the next one begins below its last.
        first_line = skipped_lines + reader.line_num + 1
    return read_rows(table_rows, source.name)


def sniff_workbook(source: RawSource) -> bool:
    """Return whether the file is an Excel workbook."""
    return refusals.has_archive_member(source.data, "xl/workbook.xml")


def parse_workbook(source: RawSource) -> ParsedTranscript:
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
            "the workbook is damaged.", where=source.name, remedy="Save the workbook again."
        ) from error
    fullest_title = max(sheet_rows, key=lambda title: len(sheet_rows[title]), default="")
    parsed = read_rows(sheet_rows.get(fullest_title, []), source.name)
    unread_titles = []
    for title, table_rows in sheet_rows.items():
        if table_rows and title != fullest_title:
            unread_titles.append(title)
    if unread_titles:
        parsed.warnings.append(
            f"only the sheet “{fullest_title}” was read; left out: {', '.join(unread_titles)}"
        )
    return parsed


def _filled_rows(sheet: Any) -> list[TableRow]:
    """Return the filled rows of a sheet, up to the largest plausible size.

    A cell may claim any position, however far out.
    """
    all_rows = sheet.iter_rows(max_row=MAX_ROWS, max_col=MAX_COLUMNS, values_only=True)
    return [
        TableRow(number, tuple(cells)) for number, cells in enumerate(all_rows, 1) if any(cells)
    ]


def read_rows(table_rows: Sequence[TableRow], file_name: str) -> ParsedTranscript:
    """Return one piece for each row with text.

    Raises MalformedTranscript if no column can be the text.
    """
    table_rows = [table_row for table_row in table_rows if _is_filled(table_row)]
    columns = _columns_by_header(table_rows) or _columns_by_cells_and_names(table_rows)
    if columns is None:
        raise _no_text_column_error(table_rows, file_name)
    parsed = ParsedTranscript()
    body_rows, warnings = _with_whole_texts(table_rows, columns)
    parsed.warnings += warnings
    body_rows, filled_count = _with_merged_speakers(body_rows, columns)
    if filled_count:
        parsed.warnings.append(
            f"rows without a speaker below a row with one, read as its speaker's: {filled_count}"
        )
    columns, warnings = _without_falling_starts(table_rows, body_rows, columns)
    parsed.warnings += warnings
    previous_piece: SpeechPiece | None = None
    start_cells = []
    for table_row in body_rows:
        piece = _piece(table_row, columns, previous_piece)
        if piece:
            parsed.pieces.append(piece)
            previous_piece = piece
            start_cells.append(_cell(table_row, columns.start))
    _count_times_of_day(parsed, start_cells)
    if columns.speaker is None:
        take_speakers_from_cells(parsed)
    _divide_without_marks(parsed)
    _add_title_and_warnings(parsed, table_rows, columns)
    return parsed


def _is_filled(table_row: TableRow) -> bool:
    return any(str(cell or "").strip() for cell in table_row.cells)


def _no_text_column_error(table_rows: Sequence[TableRow], file_name: str) -> MalformedTranscript:
    """Return the error for a table of which no column can be the text."""
    sample = "nothing"
    if table_rows:
        sample = ", ".join(str(cell) for cell in table_rows[0].cells[:MAX_SHOWN_CELLS])
    return MalformedTranscript(
        f"no column of the table looks like speech (the first row is: {sample}).",
        where=file_name,
        remedy="Name the columns Speaker and Text (and Start, if there are times).",
    )


def _with_whole_texts(
    table_rows: Sequence[TableRow], columns: _Columns
) -> tuple[list[TableRow], list[str]]:
    """Return the rows below the header, with the text of rows that are longer than it whole.

    A text in the last column may have the separator inside it without quotes around it.
    """
    body_rows = list(table_rows[columns.first_row :])
    if columns.first_row == 0:
        return body_rows, []
    header_row = table_rows[columns.first_row - 1]
    header_width = len(header_row.cells)
    long_indexes = []
    for index, table_row in enumerate(body_rows):
        cells_beyond_header = table_row.cells[header_width:]
        if any(cells_beyond_header):
            long_indexes.append(index)
    if not long_indexes:
        return body_rows, []
    shown_rows = [str(body_rows[index].number) for index in long_indexes[:MAX_SHOWN_CELLS]]
    row_numbers = ", ".join(shown_rows)
    long_count = len(long_indexes)
    is_text_last = columns.text == header_width - 1
    if not is_text_last:
        return body_rows, [
            f"rows with more cells than the header has names, whose columns may be shifted "
            f"({long_count}): row {row_numbers}"
        ]
    # Join the cells that the commas inside the text have made.
    for index in long_indexes:
        cells = body_rows[index].cells
        cells_before_text = cells[: columns.text]
        text = ",".join(str(cell or "") for cell in cells[columns.text :])
        body_rows[index] = TableRow(body_rows[index].number, (*cells_before_text, text))
    return body_rows, [
        f"rows with more cells than the header has names; all of the rest is the text "
        f"({long_count}): row {row_numbers}"
    ]


def _with_merged_speakers(
    body_rows: Sequence[TableRow], columns: _Columns
) -> tuple[list[TableRow], int]:
    """Return the rows with the speaker of merged cells in each, and the number of filled cells.

    Cells of speakers are merged if neighbours that have a name never have the same.
    """
    speaker_index = columns.speaker
    unchanged_rows = list(body_rows)
    if speaker_index is None or columns.first_row == 0:
        return unchanged_rows, 0
    # The name in each row, "" for the lower part of a merged cell
    names_by_row = [str(_cell(table_row, speaker_index) or "").strip() for table_row in body_rows]
    names = [name for name in names_by_row if name]
    empty_count = len(names_by_row) - len(names)
    if len(names) < MIN_MERGED_SPEAKERS or empty_count == 0:
        return unchanged_rows, 0
    has_equal_neighbours = any(name == next_name for name, next_name in pairwise(names))
    if has_equal_neighbours:
        return unchanged_rows, 0
    filled_rows = []
    speaker = ""
    for table_row, name in zip(body_rows, names_by_row, strict=True):
        speaker = name or speaker
        cells = list(table_row.cells)
        while len(cells) <= speaker_index:
            cells.append(None)
        cells[speaker_index] = speaker
        filled_rows.append(TableRow(table_row.number, tuple(cells)))
    return filled_rows, empty_count


def _without_falling_starts(
    table_rows: Sequence[TableRow], body_rows: Sequence[TableRow], columns: _Columns
) -> tuple[_Columns, list[str]]:
    """Return the columns without one of starts whose times fall again and again, and warnings.

    Such times are durations, or rows in another order. Starts that fall now and then stay: a
    second part begins anew, and people speak at once.
    """
    if columns.start is None:
        if columns.duration is None:
            return columns, []
        name = _column_name(table_rows, columns, columns.duration)
        return columns, [f"{name} has durations and no starts; no sentence has a time"]
    starts = [_start(_cell(table_row, columns.start), columns) for table_row in body_rows]
    known_starts = [start for start in starts if start is not None]
    fall_count = sum(following < start for start, following in pairwise(known_starts))
    if fall_count < max(MIN_FALLS, MIN_FALL_SHARE * len(known_starts)):
        return columns, []
    name = _column_name(table_rows, columns, columns.start)
    warning = (
        f"{name} has no starts, because its times fall {fall_count:,} times; no sentence has a time"
    )
    return replace(columns, start=None, end=None, is_milliseconds=False), [warning]


def _start(cell: Any, columns: _Columns) -> float | None:
    """Return the seconds of a start, also of one that is a time of day in words."""
    seconds = _seconds(cell, columns.is_milliseconds)
    if seconds is not None or not isinstance(cell, str):
        return seconds
    timestamp = whole_time(cell)
    return timestamp.seconds if timestamp else None


def _column_name(table_rows: Sequence[TableRow], columns: _Columns, index: int) -> str:
    """Return how a warning calls a column: by its name, by its number without a header."""
    if columns.first_row == 0:
        return f"column {index + 1}"
    name = str(_cell(table_rows[columns.first_row - 1], index) or "").strip()
    return f"the column “{name}”"


def _count_times_of_day(parsed: ParsedTranscript, start_cells: Sequence[Any]) -> None:
    """Count starts that are times of day, ``2025-03-12T19:00:01Z`` or ``7:00 PM``, from the first."""
    # The time in the row of each piece, None if it isn't written as a clock
    timestamps = [whole_time(cell) if isinstance(cell, str) else None for cell in start_cells]
    kinds = {timestamp.kind for timestamp in timestamps if timestamp}
    if kinds != {TimeKind.TIME_OF_DAY}:
        return
    starts, warning = recording_times(timestamps)
    timed_pieces = []
    for piece, start in zip(parsed.pieces, starts, strict=True):
        timed_pieces.append(replace(piece, start=start, end=None))
    parsed.pieces = timed_pieces
    parsed.warnings.append(warning)


def _divide_without_marks(parsed: ParsedTranscript) -> None:
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
    are_most_rows = len(speech_rows) >= MIN_GRID_SHARE * len(table_rows)
    if len(speech_rows) < 2 or not are_most_rows:
        return False
    return _is_table(speech_rows, "\t")


def _delimiter(text: str) -> str | None:
    """Return the separator of the cells, None if the text is not a table."""
    first_line = text.partition("\n")[0].rstrip("\r")
    # Excel may write the line "sep=;" above a table.
    separator_line = SEPARATOR_LINE_PATTERN.match(first_line)
    if separator_line:
        return separator_line["delimiter"].replace("\\t", "\t")
    head = text[:SNIFFED_CHARACTERS]
    if len(text) > SNIFFED_CHARACTERS and "\n" in head:
        # The last line of the head may be cut off.
        head = head[: head.rindex("\n")]
    if _BRACKETED_DATE_PATTERN.match(head):
        return None
    for delimiter in "\t,;|":
        if delimiter not in head:
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
        # Titles may stand above the header.
        cell_rows = cell_rows[header.row_index :]
    width = len(cell_rows[0])
    if width < 2:
        return False
    equal_count = sum(len(cells) == width for cells in cell_rows)
    equal_share = equal_count / len(cell_rows)
    if header:
        return equal_share >= MIN_EQUAL_SHARE_WITH_HEADER or len(cell_rows) == 1
    if len(cell_rows) < MIN_ROWS_WITHOUT_HEADER or equal_share < MIN_EQUAL_SHARE:
        return False
    return _is_table_by_cells(cell_rows, delimiter)


def _is_table_by_cells(cell_rows: Sequence[tuple[str, ...]], delimiter: str) -> bool:
    """Return whether the cells show their meaning without a header, so that they aren't a text."""
    table_rows = [TableRow(number, cells) for number, cells in enumerate(cell_rows, 1)]
    columns = _columns_by_cells_and_names(table_rows)
    if columns is None:
        return False
    # A text with numbered lines
    if len(cell_rows[0]) == 2 and _are_line_numbers(cell_rows):
        return False
    # A text with commas in it: "Roe, mayor: No."
    has_names_of_columns = columns.first_row > 0
    if delimiter == "," and not has_names_of_columns and _are_labelled_lines(cell_rows):
        return False
    has_speaker_or_time = columns.speaker is not None or columns.start is not None
    return delimiter == "\t" or has_speaker_or_time


def _are_labelled_lines(cell_rows: Sequence[tuple[str, ...]]) -> bool:
    """Return whether rows are lines with a role or a time before a colon: ``Roe, mayor: No.``"""
    labelled_count = sum(_LABEL_END_PATTERN.match(cells[-1]) is not None for cells in cell_rows)
    return labelled_count >= MIN_EQUAL_SHARE * len(cell_rows)


def _are_line_numbers(cell_rows: Sequence[tuple[str, ...]]) -> bool:
    """Return whether the first cells count the lines of a text, whose sentences run on."""
    are_all_sentences = all(cells[1].strip().endswith(_SENTENCE_MARKS) for cells in cell_rows)
    if are_all_sentences:
        return False
    first_cells = [cells[0] for cells in cell_rows]
    numbers = [int(cell) for cell in first_cells if is_cue_number(cell.strip())]
    if len(numbers) < len(cell_rows):
        return False
    return all(following == number + 1 for number, following in pairwise(numbers))


def _columns_by_header(table_rows: Sequence[TableRow]) -> _Columns | None:
    """Return the columns that a header names, None if there is none that names the text."""
    header = find_header([table_row.cells for table_row in table_rows[:SNIFFED_ROWS]])
    if header is None:
        return None
    first_row = header.row_index + 1
    body_rows = table_rows[first_row:]
    return _Columns(
        **header.columns,  # the index of each column by its role
        first_row=first_row,
        titles=tuple(header.titles),
        is_milliseconds=_is_milliseconds(header.names, body_rows, header.columns),
    )


def _is_milliseconds(
    headers: Sequence[str], table_rows: Sequence[TableRow], columns: dict[str, int]
) -> bool:
    """Return whether times are milliseconds.

    The header says so, or read as seconds they would be slower than anybody speaks.
    """
    if "start" not in columns:
        return False
    # "start_ms"
    start_header = headers[columns["start"]]
    if "end" not in columns:
        return "ms" in start_header
    header_words = re.split(r"[^a-z]+", start_header)
    return "ms" in header_words or _are_too_long_as_seconds(table_rows, columns)


def _are_too_long_as_seconds(table_rows: Sequence[TableRow], columns: dict[str, int]) -> bool:
    """Return whether starts and ends are whole numbers, too far apart for the words as seconds."""
    total_length = 0
    word_count = 0
    for table_row in table_rows:
        start = str(_cell(table_row, columns["start"]) or "")
        end = str(_cell(table_row, columns["end"]) or "")
        if not is_cue_number(start) or not is_cue_number(end):
            return False
        total_length += int(end) - int(start)
        text = str(_cell(table_row, columns["text"]) or "")
        word_count += len(text.split())
    return bool(table_rows) and total_length > MAX_UNITS_PER_WORD * max(word_count, 1)


def _columns_by_cells(
    table_rows: Sequence[TableRow], note_columns: Collection[int] = ()
) -> _Columns | None:
    """Return the columns as their cells suggest, None if none can be the text.

    The longest column is the text, clock times are starts and ends, repeated names are speakers.
    ``note_columns`` are never the text.
    """
    width = max((len(table_row.cells) for table_row in table_rows), default=0)
    # The cells of each column as text
    columns: list[list[str]] = []
    for index in range(width):
        columns.append([str(_cell(table_row, index) or "").strip() for table_row in table_rows])
    # The column with most words per cell has the text.
    mean_words = []
    for index, column in enumerate(columns):
        mean_words.append(0.0 if index in note_columns else _mean_words(column))
    most_words = max(mean_words, default=0.0)
    if most_words < MIN_MEAN_WORDS:
        return None
    text_index = mean_words.index(most_words)
    time_indexes = []
    speaker_index = None
    for index, column in enumerate(columns):
        if index == text_index:
            continue
        if _are_times(column):
            time_indexes.append(index)
        elif speaker_index is None and _are_names(column):
            speaker_index = index
    # The first column of times has the starts, the second one the ends.
    start_index = time_indexes[0] if time_indexes else None
    end_index = time_indexes[1] if len(time_indexes) > 1 else None
    return _Columns(text_index, speaker_index, start_index, end_index)


def _columns_by_cells_and_names(table_rows: Sequence[TableRow]) -> _Columns | None:
    """Return the columns as their cells suggest, below a row of names if the first row is one.

    It is one if it names a role, or if the column of times below it has no time in it.
    """
    columns = _columns_by_cells(table_rows)
    if len(table_rows) < MIN_ROWS_WITHOUT_HEADER:
        return columns
    # The first row may have the names of the columns, such as "Speaker" and "Notes".
    first_row, *rows_below = table_rows
    names = first_row.cells
    if not all(may_be_name(name) for name in names):
        return columns
    note_columns = {index for index, name in enumerate(names) if is_note_column(name)}
    columns_below = _columns_by_cells(rows_below, note_columns)
    if columns_below is None:
        return columns
    # It has names if they are usual ones, or if only the rows below it have times.
    had_times = columns is not None and columns.start is not None
    has_times_only_below = columns_below.start is not None and not had_times
    has_usual_name = any(is_usual_name(name) for name in names)
    if has_times_only_below or has_usual_name:
        return replace(columns_below, first_row=1)
    return columns


def _mean_words(column: Sequence[str]) -> float:
    return sum(len(cell.split()) for cell in column) / max(len(column), 1)


def _are_times(column: Sequence[str]) -> bool:
    filled_cells = [cell for cell in column if cell]
    return bool(filled_cells) and all(
        _CLOCK_PATTERN.match(cell) or _TIMECODE_PATTERN.match(cell) for cell in filled_cells
    )


def _are_names(column: Sequence[str]) -> bool:
    """Return whether cells are names: short, capitalised, and some occur several times."""
    filled_cells = [cell for cell in column if cell]
    name_count = sum(_is_name(cell) for cell in filled_cells)
    has_few_names = name_count < MIN_NAME_SHARE * len(filled_cells)
    if len(filled_cells) < 2 or has_few_names:
        return False
    has_repeated_name = len(set(filled_cells)) < len(filled_cells)
    has_colon = any(cell.endswith(":") for cell in filled_cells)
    return has_repeated_name or has_colon


def _is_name(cell: str) -> bool:
    if len(cell) > MAX_SPEAKER_CELL_CHARACTERS or cell[0].isdigit():
        return False
    return bool(name_in_label(cell.rstrip(":")))


def _cell(table_row: TableRow, column_index: int | None) -> Any:
    """Return the cell of a row in a column, None if the row or the table lacks the column."""
    if column_index is None or column_index >= len(table_row.cells):
        return None
    return table_row.cells[column_index]


def _piece(
    table_row: TableRow, columns: _Columns, previous_piece: SpeechPiece | None
) -> SpeechPiece | None:
    """Return the speech of a row, None if it has none.

    Rows with both times are captions: a sentence may continue in the next row.
    """
    text = _cell_text(_cell(table_row, columns.text))
    if not text:
        return None
    speaker = _speaker(_cell(table_row, columns.speaker))
    start = _seconds(_cell(table_row, columns.start), columns.is_milliseconds)
    end = _seconds(_cell(table_row, columns.end), columns.is_milliseconds)
    duration = _seconds(_cell(table_row, columns.duration), columns.is_milliseconds)
    if end is None and start is not None and duration is not None:
        end = round(start + duration, 3)
    is_same_speaker = previous_piece is not None and previous_piece.speaker == speaker
    may_continue_sentence = is_same_speaker and end is not None
    starts_turn = not may_continue_sentence
    return SpeechPiece(text, table_row.number, speaker, start, end, starts_turn)


def _cell_text(cell: Any) -> str:
    """Return the text of a cell with single spaces; a date has no time of day in it."""
    midnight = time()
    if isinstance(cell, datetime) and cell.time() == midnight:
        cell = cell.date()
    if cell is None:
        return ""
    return " ".join(str(cell).split())


def _speaker(cell: Any) -> str | None:
    """Return the name in a cell, without a colon or a role after a comma."""
    label = " ".join(str(cell or "").split())
    if label.endswith(":"):
        label = name_in_label(label.rstrip(":")) or label
    return speaker_or_none(label)


def _seconds(cell: Any, is_milliseconds: bool) -> float | None:
    """Return the seconds of a cell: a clock time, a timecode, a number, or a time of Excel."""
    if isinstance(cell, datetime):
        cell = cell.time()
    # A spreadsheet has typed cells: a moment, a time of day or a duration.
    if isinstance(cell, time):
        return cell.hour * 3600 + cell.minute * 60 + cell.second + cell.microsecond / 1e6
    if isinstance(cell, timedelta):
        return cell.total_seconds()
    written_time = "" if cell is None else str(cell).strip().replace(",", ".")
    # A timecode is a clock with the number of a frame, "00:01:12:05", which is left out.
    timecode = _TIMECODE_PATTERN.match(written_time)
    clock_text = timecode["clock"] if timecode else written_time
    clock = _CLOCK_PATTERN.match(clock_text)
    if clock:
        minutes = int(clock["hours"] or 0) * 60 + int(clock["minutes"])
        return minutes * 60 + float(clock["seconds"])
    if _SECONDS_PATTERN.match(written_time):
        # 12.5, 12.5s or PT12.5S
        number = float(written_time.upper().removeprefix("PT").removesuffix("S"))
        return number / 1000 if is_milliseconds else number
    return None


def _add_title_and_warnings(
    parsed: ParsedTranscript, table_rows: Sequence[TableRow], columns: _Columns
) -> None:
    """Add the title and the date if the table has exactly one of each, and the warnings."""
    titles, days = _titles_and_days(table_rows[columns.first_row :], columns)
    if len(titles) > 1:
        parsed.warnings.append(
            f"the table has {len(titles)} events; all were read as one transcript"
        )
    parsed.title = titles.pop() if len(titles) == 1 else ""
    parsed.event_date = days.pop() if len(days) == 1 else None
    if columns.first_row == 0:
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
    if columns.is_milliseconds:
        parsed.warnings.append("the times were read as milliseconds")


def _titles_and_days(
    body_rows: Sequence[TableRow], columns: _Columns
) -> tuple[set[str], set[date]]:
    """Return the titles and days of a table, from above the header and from its columns."""
    titles: set[str] = set()
    days: set[date] = set()
    for line_above_header in columns.titles:
        line_days = dates_in_text(line_above_header)
        days.update(line_days)
        if not line_days and not titles:
            titles.add(line_above_header)
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
    return dates_in_text(str(cell or ""))
