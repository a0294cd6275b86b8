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

from assistant.core.cell_texts import is_file_name, is_nothing
from assistant.core.errors import SettingsError
from assistant.core.replacement import require_regular_file
from assistant.core.table_files import Table, TableError, read_table, table_of_records
from assistant.core.workbook_files import is_workbook, read_sheets
from assistant.core.written_dates import DateColumn, Unread, day_reading

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
        lost_names = []
        for name, entry in self.entries.items():
            path = self._path_of(name, folders, files)
            if path is None:
                lost_names.append(name)
            else:
                entries[path] = entry
        if lost_names:
            shown = ", ".join(lost_names[:MAX_NAMED_FILES])
            if len(lost_names) > MAX_NAMED_FILES:
                shown += f" and {len(lost_names) - MAX_NAMED_FILES:,} more"
            row_count = f"{len(lost_names):,} rows of the manifest name"
            if len(lost_names) == 1:
                row_count = "1 row of the manifest names"
            self.remarks.append(f"{row_count} no file: {shown}.")
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
        named_alike = [file for file in files if file.name == name]
        return named_alike[0].resolve() if len(named_alike) == 1 else None


def read_manifest(path: Path) -> Manifest:
    """Read a manifest. Raises: SettingsError with the line."""
    require_regular_file(path, SettingsError)
    try:
        table, sheet_remarks = _read_table(path)
        rows = []
        for row in table:
            if not table.repeats_header(row):
                rows.append(_checked_cells(table, path, row.line, row.cells))
    except (OSError, UnicodeDecodeError, TableError, csv.Error) as error:
        message = f"cannot be read ({error})."
        raise SettingsError(message, where=str(path), remedy="Save it as CSV in UTF-8.") from error
    names = table.header.names
    columns = _columns_by_cells(rows, path) if table.header.is_missing else _columns(names, path)
    remarks = [*sheet_remarks, *table.header.remarks()]
    used_names = set(columns.values())
    remarks += [
        f"column {name!r} was not used." for name in names if name and name not in used_names
    ]
    dates = DateColumn(columns.get("date", "date"))
    for _, cells in rows:
        dates.survey(cells.get(dates.name))
    entries: dict[str, ManifestEntry] = {}
    for line, cells in rows:
        file_name = _cell(cells, columns.get("file"))
        if not file_name:
            remarks.append(f"line {line} names no file.")
            continue
        day = _day(cells, dates, f"{path}:{line}")
        title = _cell(cells, columns.get("title"))
        entry = ManifestEntry(title, day, _cell(cells, columns.get("speaker")))
        if entries.setdefault(file_name, entry) != entry:
            message = f"names {file_name!r} a second time."
            raise SettingsError(message, where=f"{path}:{line}")
    return Manifest(path, entries, [f"manifest: {text}" for text in [*remarks, *dates.remarks()]])


def _read_table(path: Path) -> tuple[Table, list[str]]:
    """Read the table of a manifest: of a text, or of the sheet of a workbook with most fields.

    Also return a remark on each sheet that is left out.
    """
    data = path.read_bytes()
    if not is_workbook(data):
        return read_table(BytesIO(data), _count_known), []
    tables = {}
    for sheet in read_sheets(data):
        tables[sheet.name] = table_of_records(iter(sheet.records), _count_known)
    if not tables:
        raise TableError("the workbook is empty")
    best_name = max(tables, key=lambda name: _count_known(tables[name].header.names))
    left_out = [f"sheet {name!r} was not read." for name in tables if name != best_name]
    return tables[best_name], left_out


def _columns_by_cells(rows: Sequence[tuple[int, dict[str, str]]], path: Path) -> dict[str, str]:
    """Return the columns of a table without names: files, dates, and a single one of titles.

    Raises: SettingsError if the cells do not show which column is which.
    """
    columns: dict[str, str] = {}
    others = []
    for name in rows[0][1] if rows else ():
        texts = [text for text in (_cell(cells, name) for _, cells in rows) if text]
        if not texts:
            continue
        if all(map(is_file_name, texts)):
            columns.setdefault("file", name)
        elif all(day_reading(text).problem in (None, Unread.AMBIGUOUS) for text in texts):
            columns.setdefault("date", name)
        else:
            others.append(name)
    if len(others) == 1:
        columns["title"] = others[0]
    if "file" not in columns or len(others) > 1:
        remedy = f"Write a line with the names {', '.join(MANIFEST_NAMES)} above the first row."
        raise SettingsError("has no row of column names.", where=str(path), remedy=remedy)
    return columns


def _checked_cells(
    table: Table, path: Path, line: int, cells: list[str]
) -> tuple[int, dict[str, str]]:
    """Return the line and the cells of a row by column. Raises: SettingsError if it is ragged."""
    names = table.header.names
    while len(cells) > len(names) and not cells[-1].strip():
        cells = cells[:-1]
    if len(cells) > len(names):
        message = f"the row has {len(cells)} cells under {len(names)} column names."
        raise SettingsError(message, where=f"{path}:{line}")
    return line, dict(zip(names, cells, strict=False))


def _columns(names: Sequence[str], path: Path) -> dict[str, str]:
    """Return the column of each field. Raises: SettingsError if there is none for the file."""
    columns: dict[str, str] = {}
    for field_name, known_names in MANIFEST_NAMES.items():
        for known_name in known_names:
            for name in names:
                if _bare(name) == known_name:
                    columns.setdefault(field_name, name)
    for name in names:
        if name not in columns.values():
            columns.setdefault(_field_by_words(name), name)
    columns.pop("", None)
    if "file" not in columns:
        shown = ", ".join(name for name in names if name)
        remedy = f"Name the columns {', '.join(MANIFEST_NAMES)}. It has {shown[:200]}."
        raise SettingsError("has no column `file`.", where=str(path), remedy=remedy)
    return columns


def _count_known(names: Sequence[str]) -> int:
    """Count the fields of a manifest that some names stand for."""
    bare_names = {_bare(name) for name in names}
    fields = {_field_by_words(name) for name in names} - {""}
    fields |= {name for name, known in MANIFEST_NAMES.items() if bare_names & set(known)}
    return len(fields)


def _field_by_words(name: str) -> str:
    """Return the field of a name by its words: *Path to file*, *Date of debate*; "" for another."""
    words = set(re.findall(r"[^\W\d_]+", name.casefold()))
    # Cells with values are not names, even if a word of a name is in them.
    if words & _OTHER_DATES or re.search(r"[\d.,;|\t]", name):
        return ""
    for field_name, field_words in _FIELD_WORDS.items():
        if words & field_words:
            return field_name
    return "title" if words & _EVENT_WORDS else ""


def _bare(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _cell(cells: Mapping[str, str], name: str | None) -> str:
    """Return the text of a cell, "" if it is empty or says that it has no value."""
    text = cells.get(name, "") if name else ""
    return "" if is_nothing(text) else " ".join(text.split())


def _day(cells: Mapping[str, str], dates: DateColumn, where: str) -> date | None:
    """Return the date of a row. Raises: SettingsError if it cannot be read."""
    text = _cell(cells, dates.name)
    day = dates.parse(text)
    if text and day is None:
        problem = list(dates.unread)[-1]
        message = f"{text!r} is not a date ({problem})."
        raise SettingsError(message, where=where, remedy="Write it as 2024-09-10.")
    return day
