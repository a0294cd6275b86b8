"""Reads tables of any spreadsheet program: the delimiter, the header, and the rows with their lines.

The header is looked for among the first rows, because titles, blank lines, ``sep=;`` and a row of
group names may come before it. A row that does not fit the header is refused, never shifted.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import BinaryIO

from assistant.core.cell_texts import is_file_name
from assistant.core.written_dates import parse_day

HEADER_ROWS = 20  # the header is one of the first
SURVEYED_CHARACTERS = 200_000
MAX_CELL_CHARACTERS = 100_000_000  # an article is one cell
MAX_COLUMNS = 16_384  # the columns of a sheet of Excel
DELIMITERS = ("\t", ";", ",", "|")
MIN_ZERO_SHARE = 0.4  # zero bytes at every second place: UTF-16 in Latin script
MAX_SKIPPED_CHARACTERS = 60
MIN_DATA_WORDS = 5  # a text with a figure and fewer words may name a column
LONGEST_NAME_CHARACTERS = 60  # a longer text with spaces does not name a column
SEPARATOR_LINE_PATTERN = re.compile(r'^"?sep=(?P<delimiter>\\t|[^"\r\n])"?[\s;,|]*$', re.I)
# Some programs write quotation marks inside a cell with a backslash, and never double them.
_BACKSLASH_QUOTE_PATTERN = re.compile(r"\\\"(?=[^,;\t|\r\n])")
_DOUBLED_QUOTE_PATTERN = re.compile(r'[^,;\t|\r\n"]""')
_IN_BRACKETS_PATTERN = re.compile(r"\([^()]*\)|\[[^][]*\]|<[^<>]*>")
_TOTAL_PATTERN = re.compile(
    r"(?:grand |sub)?totals?\b[\s:=]*[\d.,]*(?: rows?| claims?| records?)?", re.I
)
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
csv.field_size_limit(MAX_CELL_CHARACTERS)

CountFields = Callable[[Sequence[str]], int]
"""A function that counts how many names of a possible header it knows."""


class TableError(ValueError):
    """The reason why a file cannot be read as a table."""


@dataclass(frozen=True, slots=True)
class TableRecord:
    """A row of a table: the line that it begins on, its cells, and the line that it ends on."""

    line: int
    cells: list[str]
    last_line: int = 0


@dataclass(frozen=True, slots=True)
class _CsvForm:
    """The form of a text with cells: its delimiter, and the lines above the first record."""

    delimiter: str
    escape_character: str | None = None
    lines_above: int = 0


@dataclass(frozen=True, slots=True)
class Header:
    """The names of a table's columns.

    ``groups`` has the names of the row above the header that span several columns, "" for a
    column without one. ``skipped`` are the texts above the header that are left out. A table
    without a header has numbers as names, from 1, and line 0.
    """

    names: list[str]
    line: int
    groups: list[str]
    skipped: list[str] = field(default_factory=list)

    @property
    def is_missing(self) -> bool:
        """Return whether the table has no header row."""
        return self.line == 0

    def remarks(self) -> list[str]:
        """Say which line is the header, unless it is the first."""
        remark_lines = []
        if self.is_missing:
            remark_lines.append("the table has no header row; its columns are numbered from 1.")
        if any(self.groups):
            distinct_groups = dict.fromkeys(group for group in self.groups if group)
            group_names = ", ".join(distinct_groups)
            remark_lines.append(
                f"line {self.line} is the header; the line above it names groups: {group_names}."
            )
        # Titles and notes may stand above the header.
        if self.skipped:
            skipped_text = " / ".join(self.skipped)[:MAX_SKIPPED_CHARACTERS]
            remark_lines.append(
                f"line {self.line} is the header; left out above it: {skipped_text!r}."
            )
        return remark_lines


class Table:
    """A table that is read row by row. Iterating gives its rows below the header, once."""

    def __init__(self, header: Header, records: Iterator[TableRecord]) -> None:
        self.header = header
        self._records = records

    def first_cells(self) -> list[str]:
        """Return the cells of the first row, which is still to be read."""
        first_record = next(self._records, None)
        if first_record is None:
            return []
        # The record is put back in front of the others.
        self._records = chain([first_record], self._records)
        return first_record.cells

    def __iter__(self) -> Iterator[TableRecord]:
        for record in self._records:
            if any(cell.strip() for cell in record.cells):
                yield record

    def problem(self, record: TableRecord) -> str:
        """Return why a row does not fit the header, "" if it does."""
        name_count = len(self.header.names)
        cells = record.cells
        # Leave out the empty cells that spreadsheets write on the right.
        while len(cells) > name_count and not cells[-1].strip():
            cells = cells[:-1]
        if len(cells) != name_count:
            return (
                f"the row has {len(cells)} cells under {name_count} column names{_extent(record)}. "
                "Is a delimiter missing, or a text with one not in quotation marks?"
            )
        if self.repeats_header(record):
            return "the row repeats the names of the columns."
        return _problem_of_texts([cell.strip() for cell in cells if cell.strip()])

    def repeats_header(self, row: TableRecord) -> bool:
        """Return whether a row has the names of the columns again, as files in a row have them."""
        if self.header.is_missing:
            return False
        names = _clean_names(row.cells)
        return names[: len(self.header.names)] == self.header.names


def _problem_of_texts(texts: list[str]) -> str:
    """Return why the filled cells of a row are about the table itself, "" if they are not."""
    if len(texts) > 1 and all(_IN_BRACKETS_PATTERN.fullmatch(text) for text in texts):
        return "the row describes the columns."
    if texts and _TOTAL_PATTERN.fullmatch(texts[0]) and not any(map(_has_letter, texts[1:])):
        return "the row is a total of the table."
    return ""


def _has_letter(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


def read_table(
    stream: BinaryIO, count_fields: CountFields, required_names: Collection[str] = ()
) -> Table:
    """Find delimiter and header of a table, and return it with its rows still to be read.

    The header is the row among the first ones with most names that ``count_fields`` knows, or
    the first one that has all of ``required_names``.

    Raises: TableError if the file is empty or not a text; UnicodeDecodeError if it is not UTF-8
    and has no byte order mark.
    """
    table_lines = decoded_lines(stream)
    first_lines = _first_lines(table_lines)
    if not first_lines:
        raise TableError("the table is empty")
    skipped_lines = 0
    separator = SEPARATOR_LINE_PATTERN.match(first_lines[0])
    if separator:
        skipped_lines = 1
        delimiter = separator["delimiter"].replace("\\t", "\t")
    else:
        delimiter = _best_delimiter(first_lines, count_fields, required_names)
    csv_form = _CsvForm(delimiter, _escape_character(first_lines), skipped_lines)
    first_records = list(_records(first_lines[skipped_lines:], csv_form))
    header = _best_header(first_records[:HEADER_ROWS], count_fields, required_names)
    # The survey is read again, so that a record at its end is whole.
    records = _records(_joined_lines(first_lines[skipped_lines:], table_lines), csv_form)
    return _table_below_header(header, records)


def table_of_records(
    records: Iterator[TableRecord], count_fields: CountFields, required_names: Collection[str] = ()
) -> Table:
    """Find the header among the records of a sheet, and return it with its rows.

    Raises: TableError if the sheet is empty.
    """
    sample = list(islice(records, HEADER_ROWS))
    header = _best_header(sample, count_fields, required_names)
    return _table_below_header(header, chain(sample, records))


def _table_below_header(header: Header, records: Iterator[TableRecord]) -> Table:
    return Table(header, (record for record in records if record.line > header.line))


def encoding_of(head: bytes) -> str:
    """Return the encoding that the first bytes of a text show; UTF-8 if they show none."""
    for byte_order_mark, encoding in _BYTE_ORDER_MARKS:
        if head.startswith(byte_order_mark):
            return encoding
    # In UTF-16 a Latin letter has two bytes, and one of them is zero.
    pair_count = len(head) // 2
    if pair_count:
        paired_bytes = head[: 2 * pair_count]
        first_zero_share = paired_bytes[0::2].count(0) / pair_count
        second_zero_share = paired_bytes[1::2].count(0) / pair_count
        if second_zero_share > MIN_ZERO_SHARE and first_zero_share == 0:
            return "utf-16-le"
        if first_zero_share > MIN_ZERO_SHARE and second_zero_share == 0:
            return "utf-16-be"
    return "utf-8-sig"


def decoded_lines(stream: BinaryIO) -> io.TextIOWrapper:
    """Return the lines of a text in the encoding that its first bytes show."""
    buffered = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream)  # type: ignore[type-var]
    encoding = encoding_of(buffered.peek(1024)[:1024])
    return io.TextIOWrapper(buffered, encoding=encoding, errors="strict", newline="")


def _first_lines(lines: io.TextIOWrapper) -> list[str]:
    """Read the first lines of a text, enough for some rows."""
    first_lines: list[str] = []
    character_count = 0
    while character_count < SURVEYED_CHARACTERS:
        line = lines.readline(MAX_CELL_CHARACTERS)
        if not line:
            break
        character_count += len(line)
        # A byte order mark may begin the text.
        is_first = not first_lines
        first_lines.append(line.lstrip("\ufeff") if is_first else line)
    return first_lines


def _joined_lines(first_lines: list[str], lines: io.TextIOWrapper) -> Iterator[str]:
    yield from first_lines
    yield from lines


def _extent(row: TableRecord) -> str:
    """Return the lines of a row that has several, which shows a quotation mark too many."""
    return f" and goes on to line {row.last_line}" if row.last_line > row.line else ""


def _escape_character(survey: list[str]) -> str | None:
    r"""Return the backslash if a text has quotation marks in cells as ``\"``, never doubled."""
    has_backslash = any(_BACKSLASH_QUOTE_PATTERN.search(line) for line in survey)
    if has_backslash and not any(_DOUBLED_QUOTE_PATTERN.search(line) for line in survey):
        return "\\"
    return None


def _records(lines: Iterator[str] | list[str], form: _CsvForm) -> Iterator[TableRecord]:
    """Yield the records of CSV with the lines that each has."""
    reader = csv.reader(iter(lines), delimiter=form.delimiter, escapechar=form.escape_character)
    first_line = form.lines_above + 1
    for cells in reader:
        # A cell in quotation marks may have several lines, so a record may, too.
        last_line = form.lines_above + reader.line_num
        yield TableRecord(first_line, cells, last_line)
        first_line = last_line + 1


def _best_delimiter(
    first_lines: list[str], count_fields: CountFields, required_names: Collection[str]
) -> str:
    """Return the delimiter that gives the header with most known names, and rows of its length."""
    score_by_delimiter = {}
    escape_character = _escape_character(first_lines)
    for delimiter in DELIMITERS:
        try:
            csv_form = _CsvForm(delimiter, escape_character)
            first_records = list(_records(first_lines, csv_form))[:HEADER_ROWS]
            header = _best_header(first_records, count_fields, required_names)
        except (csv.Error, TableError):
            continue
        score_by_delimiter[delimiter] = _score_of_header(header, first_records, count_fields)
    if not score_by_delimiter:
        raise TableError("no rows and columns were found")
    return max(score_by_delimiter, key=lambda delimiter: score_by_delimiter[delimiter])


def _score_of_header(
    header: Header, first_records: Sequence[TableRecord], count_fields: CountFields
) -> tuple[int, bool, int, int]:
    """Return how well the first records of a table fit its header; the first value counts most."""
    name_count = len(header.names)
    fitting_count = 0
    for record in first_records:
        if record.line > header.line and len(record.cells) == name_count:
            fitting_count += 1
    # How many columns have the name of a known field
    known_count = count_fields(_combined_names(header))
    has_several_columns = name_count > 1
    return known_count, has_several_columns, fitting_count, name_count


def _best_header(
    sample: list[TableRecord], count_fields: CountFields, required_names: Collection[str]
) -> Header:
    """Return the header among some rows: the one with most known names, the first of equals."""
    filled_rows = [row for row in sample if any(cell.strip() for cell in row.cells)]
    if not filled_rows:
        raise TableError("the table is empty")
    for row in filled_rows:
        column_count = len(row.cells)
        if column_count > MAX_COLUMNS:
            raise TableError(
                f"row {row.line} has {column_count:,} columns, but a table may have at most {MAX_COLUMNS:,}"
            )
    # The first of equals, because a row of data may have names of columns in its texts.
    best_position = 0
    best_count = -1
    for position, row in enumerate(filled_rows):
        known_count = _known_names(row, count_fields, required_names)
        if known_count > best_count:
            best_position = position
            best_count = known_count
    if best_count == 0 and _lacks_header(filled_rows[0], required_names):
        return _numbered_header(filled_rows)

    header_row = filled_rows[best_position]
    names = _clean_names(header_row.cells)
    # Spreadsheets write empty columns on the right.
    while len(names) > 1 and not names[-1]:
        names.pop()
    rows_above = filled_rows[:best_position]
    groups = [""] * len(names)
    if rows_above and _names_groups(rows_above[-1], names):
        group_row = rows_above.pop()
        groups = _names_of_groups(group_row.cells, len(names))
    skipped_texts = [" ".join(" ".join(row.cells).split()) for row in rows_above]
    return Header(names, header_row.line, groups, skipped_texts)


def _known_names(
    row: TableRecord, count_fields: CountFields, required_names: Collection[str]
) -> int:
    """Count the names that a row would give columns; one with all required names is best."""
    names = _clean_names(row.cells)
    known_count = 0 if _has_values(row) else count_fields(names)
    has_all_required = bool(required_names) and set(required_names) <= set(names)
    if has_all_required:
        # So many that no row without them can have more.
        known_count += len(names) + len(required_names)
    return known_count


def _lacks_header(first_row: TableRecord, required_names: Collection[str]) -> bool:
    """Return whether a table without known names has no header: its first row has data."""
    is_data = _has_values(first_row) or any(_is_sentence(cell) for cell in first_row.cells)
    # Columns without names are chosen by their numbers.
    chooses_numbers = bool(required_names) and all(name.isdigit() for name in required_names)
    return is_data or chooses_numbers


def _has_values(row: TableRecord) -> bool:
    """Return whether a row has texts that no column is named by: addresses, dates, file names."""
    return any(_is_value(cell.strip()) for cell in row.cells)


def _is_value(cell: str) -> bool:
    """Return whether a cell is an address, a date or the name of a file."""
    if cell.lower().startswith(("http://", "https://")):
        return True
    if len(cell) > LONGEST_NAME_CHARACTERS:
        return False
    if is_file_name(cell):
        return True
    has_figure = any(letter.isdigit() for letter in cell)
    return has_figure and not cell.isdigit() and parse_day(cell) is not None


def _is_sentence(cell: str) -> bool:
    """Return whether a cell is a sentence rather than a name or a question to fill in."""
    # A question or a text with a colon is the heading of a column.
    text = cell.strip()
    if text.endswith(("?", ":")):
        return False
    word_count = len(text.split())
    has_figure = any(character.isdigit() for character in text)
    if has_figure and word_count >= MIN_DATA_WORDS:
        return True
    has_end_mark = text.endswith((".", "!", "”", '"'))
    return has_end_mark and word_count > 2


def _numbered_header(filled: list[TableRecord]) -> Header:
    """Return the header of a table without one: its columns are numbered."""
    length_counts = Counter(len(row.cells) for row in filled)
    ((width, _),) = length_counts.most_common(1)
    names = [str(number) for number in range(1, width + 1)]
    return Header(names, line=0, groups=[""] * width)


def _combined_names(header: Header) -> list[str]:
    """Return the names of columns, each after the name of its group."""
    return [
        f"{group} {name}".strip() for group, name in zip(header.groups, header.names, strict=True)
    ]


def _names_groups(row: TableRecord, names: list[str]) -> bool:
    """Return whether the row above a header names groups of columns: several, with gaps."""
    cells = [cell.strip() for cell in row.cells]
    filled_count = sum(bool(cell) for cell in cells)
    return 1 < filled_count < len(names) and len(cells) <= len(names)


def _names_of_groups(cells: list[str], length: int) -> list[str]:
    """Return a group's name for each column: the last one named at the column or to its left."""
    # A group is named above its first column only: the name holds until the next one.
    group_by_column = []
    group = ""
    for position in range(length):
        name = cells[position] if position < len(cells) else ""
        group = " ".join(name.split()) or group
        group_by_column.append(group)
    return group_by_column


def _clean_names(cells: list[str]) -> list[str]:
    """Return the names of columns, each on one line."""
    return [" ".join(cell.replace("\ufeff", "").split()) for cell in cells]
