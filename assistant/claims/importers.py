"""Imports files of fact-checks of any shape.

JSON lines, JSON, CSV, TSV, CheckThat!'s folder, ClaimReview pages.

They are read in a process of its own (``core/confined.py``), so that a hostile file hurts nothing
else. The content decides, never the suffix. What a field means is in ``fields.py``.
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
from assistant.claims.records import Attributed, LeftOut, Refused, Row
from assistant.core import confined
from assistant.core.errors import ClaimError, MalformedClaim

HEAD = 65_536
_DEEP = re.compile(rb'(?:[\[{]\s*(?:"[^"]{0,80}"\s*:\s*)?){60}')  # values in each other
UNPACKED_BYTES = (
    50_000_000  # a gzip file that grows beyond it must not grow by more than UNPACKED_RATIO
)
UNPACKED_RATIO = 40  # JSON shrinks to a tenth
LONGEST_HEADER = 1_000_000  # characters
BROKEN = "the JSON is broken from here on"
_GZIP = b"\x1f\x8b"
_BINARY = (b"PK\x03\x04", b"%PDF", b"SQLite format 3", b"\x89PNG", b"\xd0\xcf\x11\xe0")
_JSON_NAMES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
csv.field_size_limit(100_000_000)  # an article is one cell


def read_claims(path: str | Path, *, columns: Mapping[str, str] | None = None) -> Iterator[Row]:
    """Yield the verified claims of a file or folder, and a Refused with line and reason for every row that is none.

    ``columns`` maps fields of VerifiedClaim to the file's names for them; known names need no map.

    Raises: ClaimError if the file cannot be read, has no known shape, is empty, or takes more time
    or memory than a file of fact-checks does.
    """
    path = Path(path).expanduser()
    yield from confined.each(rows, path, dict(columns or {}), where=path.name, refusal=ClaimError)


def rows(path: Path, columns: Mapping[str, str]) -> Iterator[Row]:
    """Yield the rows of a file or folder, read in this process, without limits.

    Raises: as ``read_claims``.
    """
    unknown = sorted(set(columns or ()) - set(claim_fields.NAMES))
    if unknown:
        known = ", ".join(claim_fields.NAMES)
        raise ClaimError(
            f"no field named {', '.join(unknown)}.", where=path.name, remedy=f"Fields: {known}."
        )
    found = _folder(path, columns) if path.is_dir() else _file(path, columns)
    number = 0
    try:
        for number, row in enumerate(_unclashing(found), start=1):  # noqa: B007
            yield row
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ClaimError(
            f"cannot be read ({reason}).", where=str(path), remedy="Nothing was imported."
        ) from error
    if not number:
        raise ClaimError(
            "holds no fact-check.", where=str(path), remedy="docs/claims.md shows the shapes."
        )


def _file(path: Path, columns: Mapping[str, str] | None) -> Iterator[tuple[str, Row]]:
    with opened(path) as stream:
        head = stream.peek(HEAD)[:HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
        if head:
            yield from _reader(head, path.name)(stream, path.name, columns)


def _reader(head: bytes, name: str) -> Callable[..., Iterator[tuple[str, Row]]]:
    """Return the reader of a file that begins with these bytes."""
    if head.startswith(_BINARY) or b"\x00" in head[:1024]:
        remedy = "Import JSON lines, CSV, TSV, JSON-LD, a web page or CheckThat!'s folder."
        raise ClaimError("is a binary file, not fact-checks.", where=name, remedy=remedy)
    if head.startswith(b"<"):
        return _page
    if _DEEP.match(head):
        raise ClaimError(
            "is nested too deeply to be fact-checks.",
            where=name,
            remedy="docs/claims.md shows the shapes.",
        )
    if head.startswith(b"["):
        return partial(_streamed, prefix="item")
    if not head.startswith(b"{"):
        return _table
    if b'"dataFeedElement"' in head:
        return partial(_streamed, prefix="dataFeedElement.item")
    return _lines if head.split(b"\n", 1)[0].rstrip().endswith(b"}") else _json


def _lines(
    stream: BinaryIO, name: str, columns: Mapping[str, str] | None
) -> Iterator[tuple[str, Row]]:
    """Yield from JSON lines: one object a line, with our fields or schema.org's."""
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        try:
            node = json.loads(line.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            yield where, Refused(where, f"not a JSON object ({_short(error)}).")
            continue
        yield from _each_node(node, where, columns)


def _json(
    stream: BinaryIO, name: str, columns: Mapping[str, str] | None
) -> Iterator[tuple[str, Row]]:
    """Yield from one JSON value over several lines: a claim, or JSON-LD."""
    try:
        node = json.loads(stream.read().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ClaimError(
            f"is neither JSON nor JSON lines ({_short(error)}).", where=name
        ) from error
    yield from _each_node(node, name, columns)


def _streamed(
    stream: BinaryIO, name: str, columns: Mapping[str, str] | None, *, prefix: str
) -> Iterator[tuple[str, Row]]:
    """Yield from the objects under an ijson prefix, one in memory at a time.

    A broken end is refused, not raised.
    """
    for where, node in elements(stream, prefix, name=name):
        if isinstance(node, Refused):
            yield where, node
        else:
            yield from _each_node(node, where, columns)


def elements(stream: BinaryIO, prefix: str, *, name: str) -> Iterator[tuple[str, Any]]:
    """Yield place and value of each JSON value under an ijson prefix, and a Refused where the text breaks off."""
    import ijson

    number = 0
    values = ijson.items(_WithoutMark(stream), prefix, use_float=True)
    while True:
        try:
            node = next(values)
        except StopIteration:
            return
        except (ijson.JSONError, EOFError, zlib.error, gzip.BadGzipFile) as error:
            where = f"{name}, item {number + 1}"
            yield where, Refused(where, f"{BROKEN} ({_short(error)}).")
            return
        number += 1
        yield f"{name}, item {number}", node


def _page(
    stream: BinaryIO, name: str, columns: Mapping[str, str] | None
) -> Iterator[tuple[str, Row]]:
    for row in claimreview.page(stream.read(), name):
        yield name, _plain(row)


def _table(
    stream: BinaryIO, name: str, columns: Mapping[str, str] | None
) -> Iterator[tuple[str, Row]]:
    """Yield from CSV or TSV with a header.

    The delimiter is its most frequent of tab, semicolon and comma.
    """
    lines = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="strict", newline="")
    try:
        header = lines.readline(LONGEST_HEADER)
        delimiter = max("\t;,", key=header.count)
        names = next(csv.reader([header], delimiter=delimiter), [])
        _check_header(names, columns or {}, name)
        reader = csv.DictReader(lines, fieldnames=names, delimiter=delimiter)
        for row in reader:
            where = f"{name}:{reader.line_num + 1}"
            yield where, _row(row, where, columns)
    except UnicodeDecodeError as error:
        raise ClaimError(
            f"is not UTF-8 ({_short(error)}).", where=name, remedy="Save it as UTF-8."
        ) from error
    except csv.Error as error:
        raise ClaimError(f"is no table ({error}).", where=name) from error


def _check_header(names: list[str], columns: Mapping[str, str], name: str) -> None:
    missing = sorted(set(columns.values()) - set(names))
    if missing:
        remedy = f"It has {', '.join(names)[:300]}."
        raise ClaimError(f"no column named {', '.join(missing)}.", where=f"{name}:1", remedy=remedy)
    if "statement" not in columns and not claim_fields.knows(names, "statement"):
        remedy = "Name it: --column statement=COLUMN."
        raise ClaimError("no column with the statement.", where=f"{name}:1", remedy=remedy)


def _folder(path: Path, columns: Mapping[str, str] | None) -> Iterator[tuple[str, Row]]:
    """Yield from every JSON file of a folder, as CheckThat! publishes them, in the order of their names."""
    for file in sorted(p for p in path.rglob("*") if p.is_file() and p.name.endswith(_JSON_NAMES)):
        try:
            yield from _file(file, columns)
        except (ClaimError, OSError, EOFError, zlib.error) as error:
            yield file.name, Refused(file.name, str(getattr(error, "what", error)))


def _each_node(
    node: Any, where: str, columns: Mapping[str, str] | None, depth: int = 0
) -> Iterator[tuple[str, Row]]:
    """Yield the claims of a JSON value: schema.org's reviews, a list of rows, or a row."""
    if depth > claimreview.DEPTH:
        yield where, Refused(where, "lists inside lists, too deep to be fact-checks.")
    elif not columns and (claimreview.is_schema(node) or _is_feed_item(node)):
        rows = [_plain(row) for row in claimreview.claims(node, where=where)]
        yield from ((where, row) for row in rows or [Refused(where, "no ClaimReview in it.")])
    elif isinstance(node, list):
        for part in node:
            yield from _each_node(part, where, columns, depth + 1)
    else:
        yield where, _row(node, where, columns)


def _is_feed_item(node: Any) -> bool:
    return (
        isinstance(node, Mapping)
        and isinstance(node.get("item"), (list, dict))
        and claimreview.is_schema(node["item"])
    )


def _row(node: Any, where: str, columns: Mapping[str, str] | None) -> Row:
    if not isinstance(node, Mapping):
        return Refused(where, f"expected an object with fields, found {type(node).__name__}.")
    try:
        return claim_fields.claim(node, columns=columns)
    except MalformedClaim as error:
        return Refused(where, error.what)


def _plain(row: Attributed | Refused) -> Row:
    """Return the claim alone if it has neither attribution nor licence."""
    return (
        row.claim if isinstance(row, Attributed) and not (row.attribution or row.licence) else row
    )


def _unclashing(rows: Iterator[tuple[str, Row]]) -> Iterator[Row]:
    """Yield the rows; refuse a second claim under an id that the file has already used."""
    first: dict[str, str] = {}
    for where, row in rows:
        vclaim = row.claim if isinstance(row, Attributed) else row
        if isinstance(vclaim, (Refused, LeftOut)):
            yield vclaim
            continue
        key = merging.same_key(vclaim)
        if first.setdefault(vclaim.id, key) != key:
            yield Refused(
                where,
                f"two claims with the id {vclaim.id!r}: {vclaim.statement[:60]!r} is the second.",
            )
        else:
            yield row


@contextmanager
def opened(path: Path) -> Iterator[io.BufferedReader]:
    """Yield a file's bytes, decompressed if they are gzip."""
    raw: io.BufferedReader = io.BufferedReader(io.FileIO(path), HEAD)
    with raw:
        if raw.peek(2)[:2] == _GZIP:
            packed = path.stat().st_size
            yield io.BufferedReader(
                _Unpacked(raw, max(UNPACKED_BYTES, UNPACKED_RATIO * packed), path.name), HEAD
            )
        else:
            yield raw


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:120]


class _Unpacked(gzip.GzipFile):
    """A gzip file that is no archive bomb. ``most``: the bytes it may unpack to."""

    def __init__(self, packed: Any, most: int, where: str) -> None:
        super().__init__(fileobj=packed)
        self._left = most
        self._most = most
        self._where = where

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self._left -= len(data)
        if self._left < 0:
            what = f"unpacks to more than {self._most / 1e6:,.0f} MB, as archive bombs do; it was not read."
            raise ClaimError(what, where=self._where, remedy="Unpack it yourself if you trust it.")
        return data


class _WithoutMark:
    """A stream of bytes without the byte order mark, which ijson does not accept."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._is_first = True

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        if self._is_first and data:
            self._is_first = False
            data = data.removeprefix(b"\xef\xbb\xbf")
        return data
