"""Imports files of fact-checks of any shape.

JSON lines, JSON, CSV, TSV, CheckThat!'s folder, and web pages with ClaimReview.

They are read in a separate process (``core/confined.py``), so that a malicious file hurts nothing
else. The content decides on the reader, never the suffix. ``claim_fields.py`` interprets the
fields.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from assistant.claims import claim_fields, claimreview, merging
from assistant.claims.records import Attributed, ImportRow, LeftOut, Refused
from assistant.core import confined
from assistant.core.errors import ClaimError, MalformedClaim

HEAD_BYTES = 65_536
MAX_UNPACKED_BYTES = 50_000_000  # a larger gzip file is limited by MAX_UNPACKED_RATIO
MAX_UNPACKED_RATIO = 40  # JSON shrinks to a tenth
MAX_HEADER_CHARACTERS = 1_000_000
BROKEN_JSON = "the JSON is broken from here on"
_GZIP_START = b"\x1f\x8b"
_BINARY_STARTS = (b"PK\x03\x04", b"%PDF", b"SQLite format 3", b"\x89PNG", b"\xd0\xcf\x11\xe0")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NESTED_60_DEEP = re.compile(rb'(?:[\[{]\s*(?:"[^"]{0,80}"\s*:\s*)?){60}')
_JSON_SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
_SHAPES_REMEDY = "docs/claims.md shows the shapes."
csv.field_size_limit(100_000_000)  # an article is one cell

Columns = Mapping[str, str]  # names of the fields of VerifiedClaim in a file
PlacedRow = tuple[str, ImportRow]  # a row after its place: file and line
FileReader = Callable[[BinaryIO, str, Columns | None], Iterator[PlacedRow]]


def read_claims(path: str | Path, *, columns: Columns | None = None) -> Iterator[ImportRow]:
    """Yield the verified claims of a file or folder, and a Refused for every invalid row.

    ``columns`` maps fields of VerifiedClaim to the file's names for them; well-known names are
    recognised without it.

    Raises: ClaimError if the file cannot be read, has no known shape, is empty, or takes more time
    or memory than a file of fact-checks does.
    """
    path = Path(path).expanduser()
    yield from confined.each(
        read_rows, path, dict(columns or {}), where=path.name, refusal=ClaimError
    )


def read_rows(path: Path, columns: Columns) -> Iterator[ImportRow]:
    """Yield the rows of a file or folder, read in this process, without limits.

    Raises: as ``read_claims``.
    """
    unknown = sorted(set(columns or ()) - set(claim_fields.FIELD_NAMES))
    if unknown:
        message = f"no field named {', '.join(unknown)}."
        fields = ", ".join(claim_fields.FIELD_NAMES)
        raise ClaimError(message, where=path.name, remedy=f"Fields: {fields}.")
    placed_rows = _read_folder(path, columns) if path.is_dir() else _read_file(path, columns)
    is_empty = True
    try:
        for row in _with_unique_ids(placed_rows):
            is_empty = False
            yield row
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f"cannot be read ({reason})."
        raise ClaimError(message, where=str(path), remedy="Nothing was imported.") from error
    if is_empty:
        raise ClaimError("holds no fact-check.", where=str(path), remedy=_SHAPES_REMEDY)


def _read_file(path: Path, columns: Columns | None) -> Iterator[PlacedRow]:
    with open_decompressed(path) as stream:
        head = stream.peek(HEAD_BYTES)[:HEAD_BYTES].removeprefix(_BYTE_ORDER_MARK).lstrip()
        if head:
            read_stream = _reader_of(head, path.name)
            yield from read_stream(stream, path.name, columns)


def _reader_of(head: bytes, name: str) -> FileReader:
    """Return the reader for a file that begins with these bytes."""
    if head.startswith(_BINARY_STARTS) or b"\x00" in head[:1024]:
        remedy = "Import JSON lines, CSV, TSV, JSON-LD, a web page or CheckThat!'s folder."
        raise ClaimError("is a binary file, not fact-checks.", where=name, remedy=remedy)
    if head.startswith(b"<"):
        return _read_page
    if _NESTED_60_DEEP.match(head):
        message = "is nested too deeply to be fact-checks."
        raise ClaimError(message, where=name, remedy=_SHAPES_REMEDY)
    if head.startswith(b"["):
        return partial(_read_json_stream, prefix="item")
    if not head.startswith(b"{"):
        return _read_table
    if b'"dataFeedElement"' in head:
        return partial(_read_json_stream, prefix="dataFeedElement.item")
    first_line = head.split(b"\n", 1)[0].rstrip()
    return _read_json_lines if first_line.endswith(b"}") else _read_json


def _read_json_lines(stream: BinaryIO, name: str, columns: Columns | None) -> Iterator[PlacedRow]:
    """Read JSON lines: one object per line, with Lectern's fields or schema.org's."""
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        try:
            node = json.loads(line.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            yield where, Refused(where, f"not a JSON object ({_short(error)}).")
            continue
        yield from _rows_in_json(node, where, columns)


def _read_json(stream: BinaryIO, name: str, columns: Columns | None) -> Iterator[PlacedRow]:
    """Read one JSON value over several lines: a claim, or JSON-LD."""
    try:
        node = json.loads(stream.read().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        message = f"is neither JSON nor JSON lines ({_short(error)})."
        raise ClaimError(message, where=name) from error
    yield from _rows_in_json(node, name, columns)


def _read_json_stream(
    stream: BinaryIO, name: str, columns: Columns | None, *, prefix: str
) -> Iterator[PlacedRow]:
    """Read the objects under an ijson prefix, one in memory at a time.

    A broken end is refused, not raised.
    """
    for where, node in json_items(stream, prefix, name=name):
        if isinstance(node, Refused):
            yield where, node
        else:
            yield from _rows_in_json(node, where, columns)


def json_items(stream: BinaryIO, prefix: str, *, name: str) -> Iterator[tuple[str, Any]]:
    """Yield place and value of each JSON value under an ijson prefix.

    If the text breaks off, the last value is a Refused.
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
            yield where, Refused(where, f"{BROKEN_JSON} ({_short(error)}).")
            return
        number += 1
        yield f"{name}, item {number}", node


def _read_page(stream: BinaryIO, name: str, columns: Columns | None) -> Iterator[PlacedRow]:
    """Read the ClaimReviews of a web page."""
    for row in claimreview.claims_in_page(stream.read(), name):
        yield name, _without_empty_attribution(row)


def _read_table(stream: BinaryIO, name: str, columns: Columns | None) -> Iterator[PlacedRow]:
    """Read CSV or TSV with a header.

    The delimiter is the most frequent of tab, semicolon and comma in the header.
    """
    lines = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="strict", newline="")
    try:
        header = lines.readline(MAX_HEADER_CHARACTERS)
        delimiter = max("\t;,", key=header.count)
        names = next(csv.reader([header], delimiter=delimiter), [])
        _check_header(names, columns or {}, name)
        table = csv.DictReader(lines, fieldnames=names, delimiter=delimiter)
        for cells in table:
            where = f"{name}:{table.line_num + 1}"
            yield where, _parsed_row(cells, where, columns)
    except UnicodeDecodeError as error:
        message = f"is not UTF-8 ({_short(error)})."
        raise ClaimError(message, where=name, remedy="Save it as UTF-8.") from error
    except csv.Error as error:
        raise ClaimError(f"is no table ({error}).", where=name) from error


def _check_header(names: list[str], columns: Columns, name: str) -> None:
    """Raise ClaimError if a named column or the column of the statements is missing."""
    missing = sorted(set(columns.values()) - set(names))
    if missing:
        message = f"no column named {', '.join(missing)}."
        remedy = f"It has {', '.join(names)[:300]}."
        raise ClaimError(message, where=f"{name}:1", remedy=remedy)
    if "statement" not in columns and not claim_fields.has_field(names, "statement"):
        remedy = "Name it: --column statement=COLUMN."
        raise ClaimError("no column with the statement.", where=f"{name}:1", remedy=remedy)


def _read_folder(path: Path, columns: Columns | None) -> Iterator[PlacedRow]:
    """Read every JSON file of a folder, as CheckThat! publishes them, sorted by name."""
    paths = [file for file in path.rglob("*") if file.is_file()]
    for file in sorted(paths):
        if not file.name.endswith(_JSON_SUFFIXES):
            continue
        try:
            yield from _read_file(file, columns)
        except (ClaimError, OSError, EOFError, zlib.error) as error:
            reason = str(getattr(error, "what", error))
            yield file.name, Refused(file.name, reason)


def _rows_in_json(
    node: Any, where: str, columns: Columns | None, depth: int = 0
) -> Iterator[PlacedRow]:
    """Yield the claims of a JSON value: schema.org's reviews, a list of rows, or a row."""
    if depth > claimreview.MAX_DEPTH:
        yield where, Refused(where, "lists inside lists, too deep to be fact-checks.")
        return
    if not columns and (claimreview.is_schema(node) or _is_feed_item(node)):
        is_empty = True
        for row in claimreview.claims_in_json(node, where=where):
            is_empty = False
            yield where, _without_empty_attribution(row)
        if is_empty:
            yield where, Refused(where, "no ClaimReview in it.")
    elif isinstance(node, list):
        for item in node:
            yield from _rows_in_json(item, where, columns, depth + 1)
    else:
        yield where, _parsed_row(node, where, columns)


def _is_feed_item(node: Any) -> bool:
    """Return whether a JSON value is an item of a data feed around schema.org markup."""
    if not isinstance(node, Mapping):
        return False
    item = node.get("item")
    return isinstance(item, (list, dict)) and claimreview.is_schema(item)


def _parsed_row(node: Any, where: str, columns: Columns | None) -> ImportRow:
    """Parse the fields of a row; an invalid one becomes a Refused."""
    if not isinstance(node, Mapping):
        return Refused(where, f"expected an object with fields, found {type(node).__name__}.")
    try:
        return claim_fields.parse_claim(node, columns=columns)
    except MalformedClaim as error:
        return Refused(where, error.what)


def _without_empty_attribution(row: Attributed | Refused) -> ImportRow:
    """Return the claim alone if it has neither attribution nor licence."""
    if isinstance(row, Attributed) and not (row.attribution or row.licence):
        return row.claim
    return row


def _with_unique_ids(placed_rows: Iterator[PlacedRow]) -> Iterator[ImportRow]:
    """Yield the rows; refuse a second claim under an id that the file has already used."""
    key_of_id: dict[str, str] = {}
    for where, row in placed_rows:
        vclaim = row.claim if isinstance(row, Attributed) else row
        if isinstance(vclaim, (Refused, LeftOut)):
            yield vclaim
            continue
        key = merging.same_key(vclaim)
        if key_of_id.setdefault(vclaim.id, key) == key:
            yield row
        else:
            statement = vclaim.statement[:60]
            reason = f"two claims with the id {vclaim.id!r}: {statement!r} is the second."
            yield Refused(where, reason)


@contextmanager
def open_decompressed(path: Path) -> Iterator[io.BufferedReader]:
    """Yield a file's bytes, decompressed if they are gzip."""
    packed: io.BufferedReader = io.BufferedReader(io.FileIO(path), HEAD_BYTES)
    with packed:
        if packed.peek(2)[:2] != _GZIP_START:
            yield packed
            return
        max_bytes = max(MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO * path.stat().st_size)
        unpacked: Any = _LimitedGzip(packed, max_bytes, path.name)
        yield io.BufferedReader(unpacked, HEAD_BYTES)


def _short(error: Exception) -> str:
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
            message = f"unpacks to more than {megabytes}, as archive bombs do; it was not read."
            raise ClaimError(
                message, where=self._where, remedy="Unpack it yourself if you trust it."
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
