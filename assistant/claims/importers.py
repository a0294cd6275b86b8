"""Imports files of fact-checks of any shape.

JSON lines, JSON, CSV, TSV, workbooks, CheckThat!'s folder, and web pages with ClaimReview.

They are read in a separate process (``core/confined.py``), so that a malicious file hurts nothing
else. The content decides on the reader, never the suffix. ``claim_fields.py`` interprets the
fields.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from assistant.claims import claimreview, merging
from assistant.claims.feed_rows import feed_rows
from assistant.claims.import_context import (
    Columns,
    FileRow,
    ImportContext,
    PlacedNode,
    PlacedRow,
)
from assistant.claims.lenient_json import parse_lenient
from assistant.claims.records import (
    AttributedClaim,
    ImportRemark,
    ImportReport,
    ImportRow,
    LeftOutRow,
    RefusedRow,
)
from assistant.claims.row_reader import RowReader, flat_row
from assistant.claims.schema_markup import MAX_DEPTH
from assistant.claims.table_rows import TableCells, read_text_table, read_workbook
from assistant.claims.usual_names import FIELD_NAMES
from assistant.core import confined
from assistant.core.errors import ClaimError
from assistant.core.files import shown_path
from assistant.core.progress_callback import Progress
from assistant.core.replacement import require_regular_file
from assistant.core.table_files import encoding_of
from assistant.core.workbook_files import ZIP_START, is_workbook

if TYPE_CHECKING:
    from assistant.claims.claim_store import ClaimStore

HEAD_BYTES = 65_536
MAX_UNPACKED_BYTES = 50_000_000  # a larger gzip file is limited by MAX_UNPACKED_RATIO
MAX_UNPACKED_RATIO = 40  # JSON shrinks to a tenth
BROKEN_JSON = "the JSON is broken from here on"
_GZIP_START = b"\x1f\x8b"
_BINARY_STARTS = (b"PK\x03\x04", b"%PDF", b"SQLite format 3", b"\x89PNG", b"\xd0\xcf\x11\xe0")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# Sixty brackets that open one after the other, perhaps with keys before them.
_NESTED_60_DEEP_PATTERN = re.compile(
    rb"""
    (?:
        [\[{] \s*
        (?: "[^"]{0,80}" \s* : \s* )?
    ){60}
    """,
    re.VERBOSE,
)
_JSON_SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
_LINK_REASON = "is a link, which may lead out of the folder. Import the file by its own path."
_BINARY_REMEDY = (
    "Import JSON lines, CSV, TSV, XLSX, ODS, JSON-LD, a web page or CheckThat!'s folder."
)
_SHAPES_REMEDY = "docs/reference/fact-check-formats.md lists the formats."
# Rows that show the form of the dates of a column, before the first one is parsed.
SURVEYED_ROWS = 2_000

FileReader = Callable[[BinaryIO, str, ImportContext], Iterator[PlacedNode]]


def read_claims(
    path: str | Path,
    *,
    columns: Columns | None = None,
    on_remark: Callable[[str], object] | None = None,
) -> Iterator[ImportRow]:
    """Yield the verified claims of a file or folder, and a RefusedRow for every invalid row.

    ``columns`` maps fields of VerifiedClaim to the file's names for them; well-known names are
    recognised without it. ``on_remark`` gets a line for everything in the file that was not used
    or was read in a special way; most of them come at the end.

    Raises: ClaimError if the file cannot be read, has no known shape, is empty, or takes more time
    or memory than a file of fact-checks does.
    """
    path = Path(path).expanduser()
    require_regular_file(path, ClaimError)
    rows = confined.each(
        read_rows, path, dict(columns or {}), where=shown_path(path.name), refusal=ClaimError
    )
    for row in rows:
        if not isinstance(row, ImportRemark):
            yield row
        elif on_remark:
            on_remark(row.text)


def import_file(
    store: ClaimStore,
    path: str | Path,
    *,
    columns: Columns | None = None,
    source: str = "",
    progress: Progress | None = None,
) -> ImportReport:
    """Import a file or folder, all of it or nothing, and report everything that was not used.

    Raises: as ``read_claims`` and ``ClaimStore.upsert``.
    """
    remarks: list[str] = []
    refused_rows: list[RefusedRow] = []

    def rows() -> Iterator[ImportRow]:
        for row in read_claims(path, columns=columns, on_remark=remarks.append):
            if isinstance(row, RefusedRow):
                refused_rows.append(row)
            yield row

    # The last part of "." is empty: the name of the folder is asked for.
    source_name = source or shown_path(Path(path).expanduser().absolute().name)
    report = store.upsert(rows(), source=source_name, whole_source=True, progress=progress)
    return replace(report, remarks=tuple(remarks), refused_rows=tuple(refused_rows))


def read_rows(path: Path, columns: Columns) -> Iterator[FileRow]:
    """Yield the rows of a file or folder and remarks on it, read in this process, without limits.

    Raises: as ``read_claims``.
    """
    unknown_fields = sorted(set(columns) - set(FIELD_NAMES))
    if unknown_fields:
        message = f"there is no field named {', '.join(unknown_fields)}."
        known_fields = ", ".join(FIELD_NAMES)
        raise ClaimError(
            message, where=shown_path(path.name), remedy=f"The known fields are {known_fields}."
        )
    context = ImportContext(columns)
    placed_nodes = _read_folder(path, context) if path.is_dir() else _read_file(path, context)
    is_empty = True
    try:
        for row in _with_unique_ids(_parse_rows(placed_nodes, context)):
            # A file of remarks alone is empty.
            if not isinstance(row, ImportRemark):
                is_empty = False
            yield row
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f"cannot be read ({reason})."
        raise ClaimError(message, where=str(path), remedy="Nothing was imported.") from error
    if is_empty:
        raise ClaimError("contains no fact-checks.", where=str(path), remedy=_SHAPES_REMEDY)


def names_of_columns(path: Path, row_count: int) -> list[str]:
    """Return the names of the columns or fields in the first rows of a file.

    A file of web markup has none. Raises: ClaimError if it has no known shape.
    """
    # A dict without values keeps each name once, in order.
    different_names: dict[str, None] = {}
    context = ImportContext({}, needs_statement=False)
    for _, node in islice(_read_file(path, context), row_count):
        if isinstance(node, Mapping):
            different_names.update(dict.fromkeys(flat_row(node)))
    return list(different_names)


def _parse_rows(placed_nodes: Iterator[PlacedNode], context: ImportContext) -> Iterator[PlacedRow]:
    """Yield the rows of a file, parsed. The first ones are surveyed before any is parsed."""
    # The form of a column of dates must be known before its first date is read.
    first_nodes = list(islice(placed_nodes, SURVEYED_ROWS))
    is_table = any(isinstance(node, TableCells) for _, node in first_nodes)
    reader = RowReader(context.columns, is_table=is_table)
    for _, node in first_nodes:
        if isinstance(node, Mapping):
            reader.survey(node)

    last_place = ""
    for place, node in chain(first_nodes, placed_nodes):
        last_place = place
        if isinstance(node, FileRow):
            # The reader of the file has parsed it.
            yield place, node
        elif isinstance(node, Mapping):
            yield place, reader.parse(node, place)
        else:
            reason = f"expected an object with fields, found {type(node).__name__}."
            yield place, RefusedRow(place, reason)

    remarks = [*reader.remarks(), *context.notes.other_remarks()]
    remarks += context.notes.unused_remarks("field")
    for remark in remarks:
        yield last_place, ImportRemark(remark)


def _read_file(path: Path, context: ImportContext) -> Iterator[PlacedNode]:
    file_name = shown_path(path.name)
    with open_decompressed(path) as stream:
        # The first bytes of the file; peek leaves them in the stream.
        head = stream.peek(HEAD_BYTES)[:HEAD_BYTES]
        if head.startswith(ZIP_START):
            yield from _read_packed(stream, file_name, context)
            return
        encoding = encoding_of(head)
        if encoding != "utf-8-sig" and not head.startswith(_BINARY_STARTS):
            stream = _as_utf8(stream, encoding, file_name)
            head = stream.peek(HEAD_BYTES)[:HEAD_BYTES]
        text_start = head.removeprefix(_BYTE_ORDER_MARK).lstrip()
        if text_start:
            read_stream = _reader_of(text_start, file_name)
            yield from read_stream(stream, file_name, context)


def _read_packed(stream: BinaryIO, name: str, context: ImportContext) -> Iterator[PlacedNode]:
    """Read a workbook; another packed file is refused."""
    data = stream.read()
    if not is_workbook(data):
        raise ClaimError(
            "is a binary file that Lectern can't read as fact-checks.",
            where=name,
            remedy=_BINARY_REMEDY,
        )
    yield from read_workbook(io.BytesIO(data), name, context)


def _as_utf8(stream: BinaryIO, encoding: str, name: str) -> io.BufferedReader:
    """Return the text of a file in UTF-16 or UTF-32, such as *Unicode text* of Excel, as UTF-8."""
    try:
        text = stream.read().decode(encoding)
    except UnicodeDecodeError as error:
        message = f"is not {encoding.upper()} ({_short_reason(error)})."
        raise ClaimError(message, where=name, remedy="Save the file as UTF-8.") from error
    raw: Any = io.BytesIO(text.removeprefix("\ufeff").encode())
    return io.BufferedReader(raw, HEAD_BYTES)


def _reader_of(head: bytes, name: str) -> FileReader:
    """Return the reader for a file that begins with these bytes."""
    if head.startswith(_BINARY_STARTS) or b"\x00" in head[:1024]:
        raise ClaimError(
            "is a binary file that Lectern can't read as fact-checks.",
            where=name,
            remedy=_BINARY_REMEDY,
        )
    if head.startswith(b"<"):
        return _read_page
    if _NESTED_60_DEEP_PATTERN.match(head):
        message = "is nested too deeply for a file of fact-checks."
        raise ClaimError(message, where=name, remedy=_SHAPES_REMEDY)
    if head.startswith(b"["):
        return partial(_read_json_stream, prefix="item")
    if not head.startswith(b"{"):
        return read_text_table
    # A data feed of schema.org is one object around a list of items.
    if b'"dataFeedElement"' in head:
        return partial(_read_json_stream, prefix="dataFeedElement.item")
    return _read_json_objects


def _read_json_objects(stream: BinaryIO, name: str, context: ImportContext) -> Iterator[PlacedNode]:
    """Read JSON lines, or one JSON value over several lines: the first line tells which."""
    first_lines = [stream.readline()]
    while first_lines[-1].isspace():
        first_lines.append(stream.readline())
    # In JSON lines every line is a whole object, in other JSON the first line ends inside one.
    if first_lines[-1].rstrip().endswith(b"}"):
        yield from _read_json_lines(chain(first_lines, stream), name, context)
    else:
        yield from _read_json(b"".join(first_lines) + stream.read(), name, context)


def _read_json_lines(
    lines: Iterable[bytes], name: str, context: ImportContext
) -> Iterator[PlacedNode]:
    """Read JSON lines: one object per line, with Lectern's fields or schema.org's."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        try:
            values = _lenient_values(line, where, context)
        except (ValueError, RecursionError) as error:
            yield where, RefusedRow(where, f"not a JSON object ({_short_reason(error)}).")
            continue
        for node in values:
            yield from _rows_in_json(node, where, context)


def _read_json(data: bytes, name: str, context: ImportContext) -> Iterator[PlacedNode]:
    """Read one JSON value over several lines: a claim, or JSON-LD."""
    try:
        values = _lenient_values(data, name, context)
    except (ValueError, RecursionError) as error:
        message = f"is neither JSON nor JSON lines ({_short_reason(error)})."
        raise ClaimError(message, where=name) from error
    for node in values:
        yield from _rows_in_json(node, name, context)


def _lenient_values(data: bytes, where: str, context: ImportContext) -> list[Any]:
    """Return the values of almost JSON, and note what was mended. Raises: ValueError."""
    mended_json = parse_lenient(data.decode("utf-8-sig"))
    for fault in mended_json.corrections:
        context.notes.count(f"the JSON was mended ({fault})", where)
    return mended_json.values


def _read_json_stream(
    stream: BinaryIO, name: str, context: ImportContext, *, prefix: str
) -> Iterator[PlacedNode]:
    """Read the objects under an ijson prefix, one in memory at a time.

    A broken end is refused, not raised.
    """
    for where, node in json_items(stream, prefix, name=name):
        if isinstance(node, RefusedRow):
            yield where, node
        else:
            yield from _rows_in_json(node, where, context)


def json_items(stream: BinaryIO, prefix: str, *, name: str) -> Iterator[tuple[str, Any]]:
    """Yield place and value of each JSON value under an ijson prefix.

    If the text breaks off, the last value is a RefusedRow.
    """
    import ijson

    number = 0
    values = ijson.items(_WithoutByteOrderMark(stream), prefix, use_float=True)
    while True:
        try:
            node = next(values)
        except StopIteration:
            return
        except (ijson.JSONError, EOFError, zlib.error, gzip.BadGzipFile) as error:
            where = f"{name}, item {number + 1}"
            yield where, RefusedRow(where, f"{BROKEN_JSON} ({_short_reason(error)}).")
            return
        number += 1
        yield f"{name}, item {number}", node


def _read_page(stream: BinaryIO, name: str, context: ImportContext) -> Iterator[PlacedNode]:
    """Read the ClaimReviews of a web page."""
    for row in claimreview.claims_in_page(stream.read(), name, notes=context.notes):
        yield name, _without_empty_attribution(row)


def _read_folder(path: Path, context: ImportContext) -> Iterator[PlacedNode]:
    """Read every JSON file of a folder, as CheckThat! publishes them, sorted by name."""
    paths = [file for file in path.rglob("*") if file.is_file()]
    for file in sorted(paths):
        if not file.name.endswith(_JSON_SUFFIXES):
            continue
        file_name = shown_path(file.name)
        if file.is_symlink():
            yield file_name, RefusedRow(file_name, _LINK_REASON)
            continue
        try:
            yield from _read_file(file, context)
        except (ClaimError, OSError, EOFError, zlib.error) as error:
            reason = str(getattr(error, "what", error))
            yield file_name, RefusedRow(file_name, reason)


def _rows_in_json(
    node: Any, where: str, context: ImportContext, depth: int = 0
) -> Iterator[PlacedNode]:
    """Yield the claims of a JSON value: schema.org's reviews, a list of rows, or one row."""
    if depth > MAX_DEPTH:
        yield where, RefusedRow(where, "lists inside lists, too deep to be fact-checks.")
        return
    # Columns that a person has named are columns of a row.
    has_named_columns = bool(context.columns)
    is_markup = claimreview.is_schema_markup(node) or _is_feed_item(node)
    if is_markup and not has_named_columns:
        yield from _rows_of_markup(node, where, context)
        return
    if isinstance(node, list):
        for item in node:
            yield from _rows_in_json(item, where, context, depth + 1)
        return
    # The rows of a service's answer, None if the value is a row itself.
    rows = None if has_named_columns else feed_rows(node, context.notes)
    if rows is None:
        yield where, node
        return
    for feed_row in rows:
        yield where, feed_row


def _rows_of_markup(node: Any, where: str, context: ImportContext) -> Iterator[PlacedNode]:
    """Yield the claims of schema.org markup, or a refusal if it has none."""
    is_empty = True
    for row in claimreview.claims_in_json(node, where=where, notes=context.notes):
        is_empty = False
        yield where, _without_empty_attribution(row)
    if is_empty:
        yield where, RefusedRow(where, "no ClaimReview in it.")


def _is_feed_item(node: Any) -> bool:
    """Return whether a JSON value is an item of a data feed around schema.org markup."""
    if not isinstance(node, Mapping):
        return False
    item = node.get("item")
    return isinstance(item, (list, dict)) and claimreview.is_schema_markup(item)


def _without_empty_attribution(row: AttributedClaim | RefusedRow) -> ImportRow:
    """Return the claim alone if nothing is known but the claim."""
    if not isinstance(row, AttributedClaim):
        return row
    if row.attribution or row.licence or row.retraction:
        return row
    return row.claim


def _with_unique_ids(placed_rows: Iterator[PlacedRow]) -> Iterator[FileRow]:
    """Yield the rows; refuse a second claim under an id that the file has already used."""
    key_by_id: dict[str, str] = {}
    for place, row in placed_rows:
        claim = row.claim if isinstance(row, AttributedClaim) else row
        if isinstance(claim, (RefusedRow, LeftOutRow, ImportRemark)):
            yield claim
            continue
        # Two rows with the same key are the same fact-check.
        key = merging.page_statement_key(claim)
        first_key = key_by_id.setdefault(claim.id, key)
        if key == first_key:
            yield row
        else:
            statement = claim.statement[:60]
            reason = f"two claims have the id {claim.id!r}. The second is {statement!r}."
            yield RefusedRow(place, reason)


@contextmanager
def open_decompressed(path: Path) -> Iterator[io.BufferedReader]:
    """Yield a file's bytes, decompressed if they are gzip."""
    packed: io.BufferedReader = io.BufferedReader(io.FileIO(path), HEAD_BYTES)
    with packed:
        is_gzip = packed.peek(2)[:2] == _GZIP_START
        if not is_gzip:
            yield packed
            return
        # A small file may unpack to more than the disk holds.
        max_bytes = max(MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO * path.stat().st_size)
        unpacked: Any = _LimitedGzip(packed, max_bytes, shown_path(path.name))
        yield io.BufferedReader(unpacked, HEAD_BYTES)


def _short_reason(error: Exception) -> str:
    """Return the beginning of an error's message."""
    return str(error).splitlines()[0][:120]


class _LimitedGzip(gzip.GzipFile):
    """A gzip file that refuses to unpack to more than ``max_bytes``."""

    def __init__(self, packed: Any, max_bytes: int, where: str) -> None:
        super().__init__(fileobj=packed)
        self._left_bytes = max_bytes
        self._max_bytes = max_bytes
        self._where = where

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self._left_bytes -= len(data)
        if self._left_bytes < 0:
            megabytes = f"{self._max_bytes / 1e6:,.0f} MB"
            message = (
                f"unpacks to more than {megabytes}, which looks like an archive bomb. "
                "Lectern did not read the file."
            )
            raise ClaimError(
                message,
                where=self._where,
                remedy="If you trust the archive, unpack it and import the files.",
            )
        return data


class _WithoutByteOrderMark:
    """A stream of bytes without the byte order mark, which ijson does not accept."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._is_start = True

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        if self._is_start and data:
            self._is_start = False
            data = data.removeprefix(_BYTE_ORDER_MARK)
        return data
