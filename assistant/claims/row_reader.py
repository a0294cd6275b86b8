"""Reads rows with columns of any name as fact-checks, and counts everything that it does not use.

The rows of one file are read together: some of them are surveyed first, to learn the form of the
dates of each column. Afterwards ``remarks`` says which columns were used, which values were not,
and which dates and addresses could not be read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.claims import addresses, claim_fields, column_names, ratings, retractions
from assistant.claims.column_names import ColumnMap
from assistant.claims.import_notes import ImportNotes
from assistant.claims.records import AttributedClaim, ImportRow, RefusedRow
from assistant.claims.usual_names import DATE_FIELDS
from assistant.core.cell_texts import is_cell_error, is_nothing
from assistant.core.errors import MalformedClaim
from assistant.core.written_dates import DateColumn

MAX_NESTED_DEPTH = 4
MAX_CELL_SHOWN_CHARACTERS = 10_000  # the texts of a refused row are cut
LANGUAGE_CODES: Mapping[str, str] = {
    "arabic": "ar",
    "bengali": "bn",
    "bulgarian": "bg",
    "chinese": "zh",
    "croatian": "hr",
    "czech": "cs",
    "danish": "da",
    "dutch": "nl",
    "english": "en",
    "french": "fr",
    "german": "de",
    "greek": "el",
    "hindi": "hi",
    "hungarian": "hu",
    "indonesian": "id",
    "italian": "it",
    "japanese": "ja",
    "korean": "ko",
    "polish": "pl",
    "portuguese": "pt",
    "romanian": "ro",
    "russian": "ru",
    "spanish": "es",
    "swedish": "sv",
    "tagalog": "tl",
    "turkish": "tr",
    "ukrainian": "uk",
    "urdu": "ur",
    "vietnamese": "vi",
}
PARAGRAPH_SEPARATOR = "\n"


@dataclass(slots=True)
class _RowValues:
    """The values of a row, by column and by field.

    ``handled_columns`` are those whose values were used, or counted as unread.
    """

    by_column: Mapping[str, Any]
    by_field: dict[str, Any] = field(default_factory=dict)
    handled_columns: set[str] = field(default_factory=set)


@dataclass(slots=True)
class RowReader:
    """The reader of the rows of one file. ``chosen`` maps fields to columns by hand."""

    chosen: Mapping[str, str]
    is_table: bool = False
    maps: dict[tuple[str, ...], ColumnMap] = field(default_factory=dict)
    dates: dict[str, DateColumn] = field(default_factory=dict)
    notes: ImportNotes = field(default_factory=ImportNotes)

    def survey(self, table_row: Mapping[str, Any]) -> None:
        """Look at a row before any row is read, to learn the form of the dates."""
        cells = flat_row(table_row)
        column_map = self._column_map(cells)
        for field_name in DATE_FIELDS:
            for column in column_map.columns.get(field_name, ()):
                if _is_filled(cells.get(column)):
                    self._date_column(column).survey(cells[column])

    def parse(self, table_row: Mapping[str, Any], row_place: str) -> ImportRow:
        """Read a row; an invalid one becomes a RefusedRow with its cells."""
        cells = flat_row(table_row)
        column_map = self._column_map(cells)
        values = _RowValues(cells)
        for field_name, columns_of_field in column_map.columns.items():
            self._add_value(field_name, columns_of_field, values)
        self._add_checker(column_map, values)
        retraction_cells = _retraction_cells(cells)
        try:
            self._add_linked_address(values)
            claim = claim_fields.parse_claim({**values.by_field, **retraction_cells})
        except MalformedClaim as error:
            return RefusedRow(row_place, error.what, cells_of(cells))
        retraction = retractions.reason_in_row(cells)
        if retraction:
            values.handled_columns.update(retraction_cells)
        self._count_unused(values)
        return AttributedClaim(claim, retraction=retraction) if retraction else claim

    def remarks(self) -> Iterator[str]:
        """Yield a line for everything that was not used or was read in a special way."""
        # Rows of a table have the same columns: one sentence says how they were read.
        if self.is_table and len(self.maps) == 1:
            (column_map,) = self.maps.values()
            yield column_map.sentence()
        noun = "column" if self.is_table else "field"
        yield from self.notes.unused_remarks(noun)
        for date_column in self.dates.values():
            yield from date_column.remarks()
        yield from self.notes.other_remarks()

    def _column_map(self, cells: Mapping[str, Any]) -> ColumnMap:
        columns = tuple(cells)
        if columns not in self.maps:
            self.maps[columns] = column_names.map_columns(columns, self.chosen)
        return self.maps[columns]

    def _add_value(self, field_name: str, columns: list[str], values: _RowValues) -> None:
        """Add the value of a field, from the first of its columns that has one."""
        for column in columns:
            cell = values.by_column.get(column)
            if not _is_filled(cell):
                self._note_cell_error(column, cell)
                continue
            field_value = self._field_value(field_name, column, values)
            if field_value is not None:
                values.by_field[field_name] = field_value
                values.handled_columns.add(column)
                return

    def _field_value(self, field_name: str, column: str, values: _RowValues) -> Any:
        """Return the value of a column for a field, None if it has none that can be used."""
        cell = values.by_column[column]
        # A date or an address that cannot be used is noted, so it is handled in any case.
        if field_name in DATE_FIELDS:
            values.handled_columns.add(column)
            return self._date_value(column, cell)
        if field_name == "url":
            values.handled_columns.add(column)
            return self._address_value(column, cell)
        if field_name == "language":
            return self._language_value(column, cell)
        # A cell may have several texts, as a list.
        separator = PARAGRAPH_SEPARATOR if field_name == "body" else ", "
        text = _joined_texts(cell, separator)
        # A rating in figures only, such as "3", says nothing without its scale.
        has_letters = any(character.isalpha() for character in text)
        if field_name == "rating" and not has_letters:
            return None
        # A spreadsheet may have a formula in place of a text.
        return addresses.formula_text(text)

    def _date_value(self, name: str, value: Any) -> Any:
        """Return the day of a value. CheckThat!'s *stated on* is read by the parser of claims."""
        day = self._date_column(name).parse(value)
        if day and isinstance(value, str) and claim_fields.is_stated_on(value):
            return value
        return day

    def _address_value(self, name: str, value: Any) -> str | None:
        """Return the web address of a value; a path is left to the parser of claims."""
        text = _joined_texts(value, " ")
        if text.startswith("/") and not text.startswith("//"):
            return text
        address = addresses.read_address(text)
        if address.change:
            self._note(f"column {name!r}: address {address.change}", value)
        if not address.url:
            self._note(f"column {name!r}: not a web address, so not used", value)
            return None
        return address.url

    def _language_value(self, name: str, value: Any) -> str | None:
        """Return the code of a language that is given by its code or its English name."""
        text = _joined_texts(value, ", ").strip()
        code = LANGUAGE_CODES.get(text.casefold()) or claim_fields.language_code(text)
        if not code:
            self._note(f"column {name!r}: not a language code, so English was assumed", value)
        return code or None

    def _add_linked_address(self, values: _RowValues) -> None:
        """Take the address from the HYPERLINK formula of a text, if no column has an address."""
        if values.by_field.get("url"):
            return
        for column in sorted(values.handled_columns):
            cell = values.by_column[column]
            if isinstance(cell, str) and addresses.is_link_formula(cell):
                values.by_field["url"] = self._address_value(column, cell)
                return

    def _add_checker(self, column_map: ColumnMap, values: _RowValues) -> None:
        """Take the publisher from a column of fact-checkers, unless it names a person.

        The publisher of a known site is the site's.
        """
        url = str(values.by_field.get("url", ""))
        # The host is the publisher of a site that the table of ratings doesn't have.
        is_known_site = ratings.publisher_of(url) != ratings.host_of(url)
        if values.by_field.get("publisher") or is_known_site:
            return
        for column in column_map.checker_columns:
            checker_name = values.by_column.get(column)
            if _is_filled(checker_name) and not column_names.looks_like_person(str(checker_name)):
                values.by_field["publisher"] = checker_name
                values.handled_columns.add(column)
                return

    def _count_unused(self, values: _RowValues) -> None:
        """Count the values of a row that became no part of its claim, nor repeat one."""
        # A column that repeats a used text, such as a second address of the page, loses nothing.
        used_texts = {str(value).strip() for value in values.by_field.values()}
        for column, cell in values.by_column.items():
            if column in values.handled_columns or not _is_filled(cell):
                continue
            if str(cell).strip() not in used_texts:
                self.notes.count_unused(column, _joined_texts(cell, ", "))

    def _date_column(self, name: str) -> DateColumn:
        return self.dates.setdefault(name, DateColumn(name))

    def _note(self, note: str, value: Any) -> None:
        self.notes.count(note, _joined_texts(value, ", "))

    def _note_cell_error(self, name: str, value: Any) -> None:
        if value is not None and is_cell_error(str(value)):
            self._note(f"column {name!r}: an error of the spreadsheet in place of a value", value)


def flat_row(table_row: Mapping[str, Any], nesting_depth: int = 0) -> dict[str, Any]:
    """Return a row without nested objects: ``{"claim": {"text": …}}`` as ``claim.text``."""
    flat_cells: dict[str, Any] = {}
    for cell_name, cell in table_row.items():
        # Cells beyond the last column have no name.
        if cell_name is None:
            continue
        if isinstance(cell, Mapping) and nesting_depth < MAX_NESTED_DEPTH:
            for inner_name, inner_value in flat_row(cell, nesting_depth + 1).items():
                flat_cells[f"{cell_name}.{inner_name}"] = inner_value
        else:
            flat_cells[str(cell_name)] = cell
    return flat_cells


def _retraction_cells(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a row that say whether the fact-check still counts."""
    retraction_cells = {}
    for column, cell in cells.items():
        if retractions.is_about_retraction(column):
            retraction_cells[column] = cell
    return retraction_cells


def cells_of(cells: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of a row as texts, to be given back to the person who imports it."""
    texts = {}
    for column, cell in cells.items():
        texts[column] = _joined_texts(cell, ", ")[:MAX_CELL_SHOWN_CHARACTERS]
    return texts


def _is_filled(value: Any) -> bool:
    """Return whether a value is more than nothing: not empty, and neither NaN nor null."""
    if value is None:
        return False
    if isinstance(value, (list, Mapping)):
        return len(value) > 0
    return not is_nothing(str(value))


def _joined_texts(cell: Any, separator: str) -> str:
    """Return a value as a text; the texts of a list are joined."""
    if cell is None:
        return ""
    if not isinstance(cell, list):
        return str(cell)
    is_nested = any(isinstance(item, (list, Mapping)) for item in cell)
    if is_nested:
        return json.dumps(cell, ensure_ascii=False, default=str)
    return separator.join(str(item) for item in cell if _is_filled(item))
