"""The table of imports on their way.

Claims that are read, in parts, before any of them is among the stored claims.

An import whose last part is there is finished whatever happens: by its own process, or by the next
one that opens the database if that was killed. One that was still being read is dropped.
"""

from __future__ import annotations

import json
import os
import socket
import time
import zlib
from collections.abc import Iterable
from dataclasses import asdict
from datetime import date

import sqlalchemy as sa

from assistant.claims.merging import Entry
from assistant.claims.records import Attributed
from assistant.core.domain import RatingClass, VerifiedClaim
from assistant.core.processes import alive
from assistant.core.schema import metadata

ABANDONED_S = 3600  # after which an import of another computer counts as broken off
_DATES = ("claim_date", "review_date")
table = sa.Table(
    "incoming_claims",
    metadata,
    sa.Column("import_id", sa.Text, primary_key=True),
    sa.Column("part", sa.Integer, primary_key=True),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column(
        "last", sa.Integer, nullable=False
    ),  # 1 for the last part, which makes the import complete
    sa.Column("process", sa.Text, nullable=False),  # which reads it: computer and number
    sa.Column("at", sa.Float, nullable=False),  # seconds since 1970
    sa.Column("rows", sa.LargeBinary, nullable=False),
)
_active: set[str] = set()  # imports of this process


def begin(import_id: str) -> None:
    """Begin an import of this process."""
    _active.add(import_id)


def add(
    connection: sa.Connection,
    import_id: str,
    source: str,
    part: int,
    entries: Iterable[Entry],
    last: bool,
) -> None:
    """Store a part of an import."""
    process = f"{socket.gethostname()} {os.getpid()}"
    packed = zlib.compress(json.dumps([_plain(entry) for entry in entries]).encode(), 1)
    row = {
        "import_id": import_id,
        "part": part,
        "source": source,
        "last": int(last),
        "rows": packed,
    }
    connection.execute(table.insert(), {**row, "process": process, "at": time.time()})


def parts(connection: sa.Connection, import_id: str) -> list[int]:
    """Return the numbers of the parts of an import."""
    chosen = sa.select(table.c.part).where(table.c.import_id == import_id).order_by(table.c.part)
    return list(connection.execute(chosen).scalars())


def read(connection: sa.Connection, import_id: str, part: int) -> list[Entry]:
    """Return the rows of a part; none if another process has finished the import."""
    chosen = sa.select(table.c.rows).where(table.c.import_id == import_id, table.c.part == part)
    packed = connection.execute(chosen).scalar()
    return [_entry(row) for row in json.loads(zlib.decompress(packed))] if packed else []


def forget(connection: sa.Connection, import_id: str) -> None:
    """Delete the parts of an import."""
    connection.execute(table.delete().where(table.c.import_id == import_id))
    _active.discard(import_id)


def left(connection: sa.Connection) -> list[tuple[str, str, bool]]:
    """Return id, source and whether it is complete of every import whose process has ended, the oldest first."""
    c = table.c
    begun = sa.func.min(c.at)
    chosen = sa.select(c.import_id, c.source, c.process, sa.func.max(c.last), sa.func.max(c.at))
    rows = connection.execute(chosen.group_by(c.import_id, c.source, c.process).order_by(begun))
    return [
        (name, source, bool(whole))
        for name, source, process, whole, at in rows
        if _is_left(name, process, at)
    ]


def _is_left(import_id: str, process: str, at: float) -> bool:
    host, _, number = process.rpartition(" ")
    if import_id in _active or host != socket.gethostname():
        return import_id not in _active and time.time() - at > ABANDONED_S
    return int(number) == os.getpid() or not alive(int(number))


def _plain(entry: Entry) -> list[object]:
    row = asdict(entry.claim)
    row |= {name: row[name].isoformat() for name in _DATES if row[name]}
    return [entry.row, row, entry.attribution, entry.licence]


def _entry(row: list) -> Entry:
    number, values, attribution, licence = row
    values |= {name: date.fromisoformat(values[name]) for name in _DATES if values[name]}
    claim = VerifiedClaim(**{**values, "rating_class": RatingClass(values["rating_class"])})
    return Entry.of(number, Attributed(claim, attribution, licence))
