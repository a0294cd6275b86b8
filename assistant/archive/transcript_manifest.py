"""Reads the manifest of a folder of transcripts: title, date and speakers of each file.

It is a table as spreadsheet programs write them (``core/table_files.py``), or the first sheet of a
workbook that has one. Without names of columns, the cells show which column has the files and which
the dates. Unknown columns, dates that were read in a special way, and rows that name no file are
said.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from assistant.core.cell_texts import is_file_name, is_nothing
from assistant.core.errors import SettingsError
from assistant.core.replacement import require_regular_file
from assistant.core.table_files import Table, TableError, read_table, table_of_records
from assistant.core.workbook_files import is_workbook, read_sheets
from assistant.core.written_dates import DateColumn, DateProblem, day_reading

# Names of the columns in manifests, best first, without spaces, marks and case.
MANIFEST_NAMES: Mapping[str, tuple[str, ...]] = {
    "file": ("file", "filename", "path", "filepath", "transcript", "transcriptfile"),
    "title": ("title", "event", "eventtitle", "eventname", "debate", "headline"),
    "date": ("eventdate", "dateofevent", "dateheld", "held", "date", "day", "recordedon"),
    "speaker": ("speaker", "speakers", "speakername", "speakernames"),
}
# Words of other names, by field; the first field with a word of a name has the column.
_FIELD_WORDS: Mapping[str, frozenset[str]] = {
    "title": frozenset(("title", "headline")),
    "date": frozenset(("date", "day", "held", "when", "recorded")),
    "speaker": frozenset(("speaker", "speakers")),
    "file": frozenset(("file", "filename", "path", "filepath", "transcript")),
}
_EVENT_WORDS = frozenset(("event", "debate", "meeting", "session"))
_OTHER_DATES = frozenset(("upload", "uploaded", "modified", "created", "added", "updated"))
_HEADER_WORD_PATTERN = re.compile(r"[^\W\d_]+")
_VALUE_CHARACTERS_PATTERN = re.compile(r"[\d.,;|\t]")
MAX_NAMED_FILES = 20


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """What a manifest says about a file; "" and None if it says nothing."""

    title: str = ""
    event_date: date | None = None
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The entries of a manifest by the names of the files as written, and remarks on it."""

    path: Path
    entries: Mapping[str, ManifestEntry]
    remarks: list[str] = field(default_factory=list)

    def by_file(self, folders: Sequence[Path], files: Sequence[Path]) -> dict[Path, ManifestEntry]:
        """Return the entries by the path of their file.

        A name is a path from the manifest or from one of the folders, or the name of one of the
        files. Names without a file become a remark.
        """
        entries = {}
        missing_files = []
        for name, entry in self.entries.items():
            path = self._path_of(name, folders, files)
            if path is None:
                missing_files.append(name)
            else:
                entries[path] = entry
        if missing_files:
            self.remarks.append(_missing_files_remark(missing_files))
        return entries

    def _path_of(self, name: str, folders: Sequence[Path], files: Sequence[Path]) -> Path | None:
        """Return the file that a name stands for, None if there is none or several have it."""
        # The manifest may lie outside the folder that is added.
        for folder in (self.path.parent, *folders):
            # Windows writes paths with backslashes.
            for written in (name, name.replace("\\", "/")):
                candidate = folder / written
                if candidate.is_file():
                    return candidate.resolve()
        # Otherwise the name may be that of a single file in some folder.
        files_of_name = [file for file in files if file.name == name]
        return files_of_name[0].resolve() if len(files_of_name) == 1 else None


def _missing_files_remark(names: Sequence[str]) -> str:
    """Return a remark on the names of a manifest that are no files, the first of them listed."""
    file_list = ", ".join(names[:MAX_NAMED_FILES])
    unlisted_count = len(names) - MAX_NAMED_FILES
    if unlisted_count > 0:
        file_list += f" and {unlisted_count:,} more"
    if len(names) == 1:
        return f"1 row of the manifest names no file: {file_list}."
    return f"{len(names):,} rows of the manifest name no file: {file_list}."


class _LineCells(NamedTuple):
    """A row of a manifest: its line, and its cells by the name of their column."""

    line: int
    cells: dict[str, str]


def read_manifest(path: Path) -> Manifest:
    """Read a manifest. Raises: SettingsError with the line."""
    require_regular_file(path, SettingsError)
    try:
        table, sheet_remarks = _read_table(path)
        rows = []
        for table_row in table:
            if not table.repeats_header(table_row):
                rows.append(_checked_cells(table, path, table_row.line, table_row.cells))
    except (OSError, UnicodeDecodeError, TableError, csv.Error) as error:
        message = f"cannot be read ({error})."
        raise SettingsError(
            message, where=str(path), remedy="Save the file as CSV in UTF-8."
        ) from error

    column_names = table.header.names
    # The column of each field: file, title, date, speaker.
    if table.header.is_missing:
        columns = _columns_by_cells(rows, path)
    else:
        columns = _columns_by_names(column_names, path)
    remarks = [*sheet_remarks, *table.header.remarks()]
    remarks += _unused_column_remarks(column_names, set(columns.values()))

    # All dates together show whether the day or the month comes first.
    dates = DateColumn(columns.get("date", "date"))
    for row in rows:
        dates.survey(row.cells.get(dates.name))

    entries: dict[str, ManifestEntry] = {}
    for row in rows:
        file_name = _cell_text(row.cells, columns.get("file"))
        if not file_name:
            remarks.append(f"line {row.line} names no file.")
            continue
        location = f"{path}:{row.line}"
        entry = ManifestEntry(
            title=_cell_text(row.cells, columns.get("title")),
            event_date=_event_date(row.cells, dates, location),
            speaker=_cell_text(row.cells, columns.get("speaker")),
        )
        earlier_entry = entries.setdefault(file_name, entry)
        if earlier_entry != entry:
            raise SettingsError(f"lists {file_name!r} more than once.", where=location)
    remarks += dates.remarks()
    return Manifest(path, entries, [f"manifest: {remark}" for remark in remarks])


def _unused_column_remarks(column_names: Sequence[str], used_names: set[str]) -> list[str]:
    unused_names = [name for name in column_names if name and name not in used_names]
    return [f"column {name!r} was not used." for name in unused_names]


def _read_table(path: Path) -> tuple[Table, list[str]]:
    """Read the table of a manifest: of a text, or of the sheet of a workbook with most fields.

    Also return a remark on each sheet that is left out.
    """
    data = path.read_bytes()
    if not is_workbook(data):
        return read_table(BytesIO(data), _count_fields), []
    table_by_sheet = {}
    for sheet in read_sheets(data):
        table_by_sheet[sheet.name] = table_of_records(iter(sheet.records), _count_fields)
    if not table_by_sheet:
        raise TableError("the workbook is empty")

    def count_fields_of_sheet(sheet_name: str) -> int:
        return _count_fields(table_by_sheet[sheet_name].header.names)

    best_sheet = max(table_by_sheet, key=count_fields_of_sheet)
    remarks = []
    for sheet_name in table_by_sheet:
        if sheet_name != best_sheet:
            remarks.append(f"sheet {sheet_name!r} was not read.")
    return table_by_sheet[best_sheet], remarks


def _columns_by_cells(rows: Sequence[_LineCells], path: Path) -> dict[str, str]:
    """Return the columns of a table without names: files, dates, and a single one of titles.

    Raises: SettingsError if the cells do not show which column is which.
    """
    # The name of the column for each use: file, date and title
    column_by_use: dict[str, str] = {}
    text_columns = []
    column_names = list(rows[0].cells) if rows else []
    for name in column_names:
        cell_texts = [_cell_text(row.cells, name) for row in rows]
        filled_texts = [text for text in cell_texts if text]
        if not filled_texts:
            continue
        if all(is_file_name(text) for text in filled_texts):
            column_by_use.setdefault("file", name)
        elif all(_may_be_date(text) for text in filled_texts):
            column_by_use.setdefault("date", name)
        else:
            text_columns.append(name)
    if len(text_columns) == 1:
        column_by_use["title"] = text_columns[0]
    if "file" not in column_by_use or len(text_columns) > 1:
        remedy = f"Write a line with the names {', '.join(MANIFEST_NAMES)} above the first row."
        raise SettingsError("has no header row.", where=str(path), remedy=remedy)
    return column_by_use


def _may_be_date(text: str) -> bool:
    """Return whether a text is a date, perhaps one whose day and month may be swapped."""
    return day_reading(text).problem in (None, DateProblem.AMBIGUOUS)


def _checked_cells(table: Table, path: Path, line: int, cells: list[str]) -> _LineCells:
    """Return the cells of a row by column. Raises: SettingsError if there are too many."""
    column_names = table.header.names
    # Spreadsheet programs add empty cells behind the last column.
    while len(cells) > len(column_names) and not cells[-1].strip():
        cells = cells[:-1]
    if len(cells) > len(column_names):
        message = f"the row has {len(cells)} cells, but there are {len(column_names)} column names."
        raise SettingsError(message, where=f"{path}:{line}")
    # A short row lacks its last columns.
    cell_by_column = dict(zip(column_names, cells, strict=False))
    return _LineCells(line, cell_by_column)


def _columns_by_names(column_names: Sequence[str], path: Path) -> dict[str, str]:
    """Return the column of each field. Raises: SettingsError if there is none for the file."""
    columns: dict[str, str] = {}
    # First the known names, best first, then names with a word that tells the field.
    for field_name, known_names in MANIFEST_NAMES.items():
        for known_name in known_names:
            for name in column_names:
                if _letters_and_digits(name) == known_name:
                    columns.setdefault(field_name, name)
    for name in column_names:
        field_name = _field_by_words(name)
        if field_name and name not in columns.values():
            columns.setdefault(field_name, name)
    if "file" not in columns:
        listed_names = ", ".join(name for name in column_names if name)
        remedy = (
            f"Name the columns {', '.join(MANIFEST_NAMES)}. The table has {listed_names[:200]}."
        )
        raise SettingsError("has no column `file`.", where=str(path), remedy=remedy)
    return columns


def _count_fields(column_names: Sequence[str]) -> int:
    """Count the fields of a manifest that some column names stand for."""
    bare_names = {_letters_and_digits(name) for name in column_names}
    fields = {_field_by_words(name) for name in column_names}
    for field_name, known_names in MANIFEST_NAMES.items():
        if bare_names & set(known_names):
            fields.add(field_name)
    # "" stands for a column of no field.
    fields.discard("")
    return len(fields)


def _field_by_words(name: str) -> str:
    """Return the field of a name by its words: *Path to file*, *Date of debate*; "" for another."""
    words = set(_HEADER_WORD_PATTERN.findall(name.casefold()))
    # Cells with values are not names, even if a word of a name is in them.
    if _VALUE_CHARACTERS_PATTERN.search(name) or words & _OTHER_DATES:
        return ""
    for field_name, field_words in _FIELD_WORDS.items():
        if words & field_words:
            return field_name
    return "title" if words & _EVENT_WORDS else ""


def _letters_and_digits(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _cell_text(cells: Mapping[str, str], column_name: str | None) -> str:
    """Return the text of a cell, "" if it is empty or says that it has no value."""
    text = cells.get(column_name, "") if column_name else ""
    return "" if is_nothing(text) else " ".join(text.split())


def _event_date(cells: Mapping[str, str], dates: DateColumn, location: str) -> date | None:
    """Return the date of a row. Raises: SettingsError if it cannot be read."""
    text = _cell_text(cells, dates.name)
    event_date = dates.parse(text)
    if text and event_date is None:
        newest_problem = list(dates.unread)[-1]
        message = f"{text!r} is not a date ({newest_problem})."
        raise SettingsError(message, where=location, remedy="Write the date as YYYY-MM-DD.")
    return event_date
