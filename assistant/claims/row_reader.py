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
from assistant.claims.records import Attributed, ImportRow, Refused
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
_TEXT_LISTS = {"body": "\n"}  # a list of texts becomes paragraphs; others are joined by commas


@dataclass(slots=True)
class _RowValues:
    """The values of a row, by column and by field.

    ``accounted`` are the columns whose values were used, or counted as unread.
    """

    flat: Mapping[str, Any]
    by_field: dict[str, Any] = field(default_factory=dict)
    accounted: set[str] = field(default_factory=set)


@dataclass(slots=True)
class RowReader:
    """The reader of the rows of one file. ``chosen`` maps fields to columns by hand."""

    chosen: Mapping[str, str]
    is_table: bool = False
    maps: dict[tuple[str, ...], ColumnMap] = field(default_factory=dict)
    dates: dict[str, DateColumn] = field(default_factory=dict)
    notes: ImportNotes = field(default_factory=ImportNotes)

    def survey(self, row: Mapping[str, Any]) -> None:
        """Look at a row before any row is read, to learn the form of the dates."""
        flat = flat_row(row)
        mapped = self._map(flat)
        for field_name in DATE_FIELDS:
            for name in mapped.columns.get(field_name, ()):
                if _is_filled(flat.get(name)):
                    self._date_column(name).survey(flat[name])

    def parse(self, row: Mapping[str, Any], where: str) -> ImportRow:
        """Read a row; an invalid one becomes a Refused with its cells."""
        flat = flat_row(row)
        mapped = self._map(flat)
        values = _RowValues(flat)
        for field_name, candidates in mapped.columns.items():
            self._add_value(field_name, candidates, values)
        self._add_checker(mapped, values)
        try:
            self._add_linked_address(values)
            vclaim = claim_fields.parse_claim({**values.by_field, **_states(flat)})
        except MalformedClaim as error:
            return Refused(where, error.what, cells_of(flat))
        retraction = retractions.reason_in_row(flat)
        if retraction:
            values.accounted |= {name for name in flat if retractions.is_about_retraction(name)}
        self._count_unused(values)
        return Attributed(vclaim, retraction=retraction) if retraction else vclaim

    def remarks(self) -> Iterator[str]:
        """Yield a line for everything that was not used or was read in a special way."""
        if self.is_table and len(self.maps) == 1:
            yield next(iter(self.maps.values())).sentence()
        noun = "column" if self.is_table else "field"
        yield from self.notes.unused_remarks(noun)
        for column in self.dates.values():
            yield from column.remarks()
        yield from self.notes.other_remarks()

    def _map(self, flat: Mapping[str, Any]) -> ColumnMap:
        names = tuple(flat)
        if names not in self.maps:
            self.maps[names] = column_names.map_columns(names, self.chosen)
        return self.maps[names]

    def _add_value(self, field_name: str, candidates: list[str], values: _RowValues) -> None:
        """Add the value of a field, from the first of its columns that has one."""
        for name in candidates:
            value = values.flat.get(name)
            if not _is_filled(value):
                self._note_cell_error(name, value)
                continue
            field_value = self._field_value(field_name, name, values)
            if field_value is not None:
                values.by_field[field_name] = field_value
                values.accounted.add(name)
                return

    def _field_value(self, field_name: str, name: str, values: _RowValues) -> Any:
        """Return the value of a column for a field, None if it has none that can be used."""
        value = values.flat[name]
        if field_name in DATE_FIELDS:
            values.accounted.add(name)
            return self._date_value(name, value)
        if field_name == "url":
            values.accounted.add(name)
            return self._address_value(name, value)
        if field_name == "language":
            return self._language_value(name, value)
        text = _joined(value, _TEXT_LISTS.get(field_name, ", "))
        if field_name == "rating" and not any(letter.isalpha() for letter in text):
            return None
        return addresses.formula_text(text)

    def _date_value(self, name: str, value: Any) -> Any:
        """Return the day of a value. CheckThat!'s *stated on* is read by the parser of claims."""
        day = self._date_column(name).parse(value)
        if day and isinstance(value, str) and claim_fields.is_stated_on(value):
            return value
        return day

    def _address_value(self, name: str, value: Any) -> str | None:
        """Return the web address of a value; a path is left to the parser of claims."""
        text = _joined(value, " ")
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
        text = _joined(value, ", ").strip()
        code = LANGUAGE_CODES.get(text.casefold()) or claim_fields.language_code(text)
        if not code:
            self._note(f"column {name!r}: not a language code, so English was assumed", value)
        return code or None

    def _add_linked_address(self, values: _RowValues) -> None:
        """Take the address from the HYPERLINK formula of a text, if no column has an address."""
        if values.by_field.get("url"):
            return
        for name in sorted(values.accounted):
            value = values.flat[name]
            if isinstance(value, str) and addresses.is_link_formula(value):
                values.by_field["url"] = self._address_value(name, value)
                return

    def _add_checker(self, mapped: ColumnMap, values: _RowValues) -> None:
        """Take the publisher from a column of fact-checkers, unless it names a person.

        The publisher of a known site is the site's.
        """
        url = str(values.by_field.get("url", ""))
        # The host is the publisher of a site that the table of ratings doesn't have.
        is_known_site = ratings.publisher_of(url) != ratings.host_of(url)
        if values.by_field.get("publisher") or is_known_site:
            return
        for name in mapped.checker_columns:
            value = values.flat.get(name)
            if _is_filled(value) and not column_names.looks_like_person(str(value)):
                values.by_field["publisher"] = value
                values.accounted.add(name)
                return

    def _count_unused(self, values: _RowValues) -> None:
        """Count the values of a row that became no part of its claim, nor repeat one."""
        # A column that repeats a used text, such as a second address of the page, loses nothing.
        used_texts = {str(value).strip() for value in values.by_field.values()}
        for name, value in values.flat.items():
            if name in values.accounted or not _is_filled(value):
                continue
            if str(value).strip() not in used_texts:
                self.notes.count_unused(name, _joined(value, ", "))

    def _date_column(self, name: str) -> DateColumn:
        return self.dates.setdefault(name, DateColumn(name))

    def _note(self, note: str, value: Any) -> None:
        self.notes.count(note, _joined(value, ", "))

    def _note_cell_error(self, name: str, value: Any) -> None:
        if value is not None and is_cell_error(str(value)):
            self._note(f"column {name!r}: an error of the spreadsheet in place of a value", value)


def flat_row(row: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    """Return a row without nested objects: ``{"claim": {"text": …}}`` as ``claim.text``."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name is None:
            continue
        if isinstance(value, Mapping) and depth < MAX_NESTED_DEPTH:
            for inner_name, inner_value in flat_row(value, depth + 1).items():
                flat[f"{name}.{inner_name}"] = inner_value
        else:
            flat[str(name)] = value
    return flat


def _states(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a row that say whether the fact-check still counts."""
    return {name: value for name, value in flat.items() if retractions.is_about_retraction(name)}


def cells_of(flat: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of a row as texts, to be given back to the person who imports it."""
    return {name: _joined(value, ", ")[:MAX_CELL_SHOWN_CHARACTERS] for name, value in flat.items()}


def _is_filled(value: Any) -> bool:
    """Return whether a value is more than nothing: not empty, and neither NaN nor null."""
    if value is None or value in ([], {}):
        return False
    return isinstance(value, (list, Mapping)) or not is_nothing(str(value))


def _joined(value: Any, separator: str) -> str:
    """Return a value as a text; the texts of a list are joined."""
    if isinstance(value, list):
        if any(isinstance(item, (list, Mapping)) for item in value):
            return json.dumps(value, ensure_ascii=False, default=str)
        return separator.join(str(item) for item in value if _is_filled(item))
    return "" if value is None else str(value)
