"""The table of imports in progress.

The parts of a large import are stored here, before any of them is added to the stored claims.

An import whose last part is stored will be finished: by its own process, or, if that was killed, by
the next one that opens the database. One that was still being read is dropped.
"""

from __future__ import annotations

import json
import os
import socket
import time
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa

from assistant.claims.claim_rows import CLAIM_FIELDS, KEY_VERSION
from assistant.claims.records import AttributedClaim
from assistant.claims.stored_claims import IncomingClaim
from assistant.core.domain import RatingClass, VerifiedClaim
from assistant.core.processes import is_alive
from assistant.core.schema import metadata

ABANDONED_S = 3600  # an import of another computer that writes nothing for so long was killed
_DATE_FIELDS = ("claim_date", "review_date")
incoming_table = sa.Table(
    "incoming_claims",
    metadata,
    sa.Column("import_id", sa.Text, primary_key=True),
    sa.Column("part", sa.Integer, primary_key=True),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("last", sa.Integer, nullable=False),  # 1 if this part completes the import
    sa.Column("process", sa.Text, nullable=False),  # the reader: name of the computer and number
    sa.Column("at", sa.Float, nullable=False),  # seconds since 1970
    sa.Column("rows", sa.LargeBinary, nullable=False),
)
_active_import_ids: set[str] = set()  # imports of this process


@dataclass(frozen=True, slots=True)
class EndedImport:
    """An import whose process has ended; it is complete if its last part is stored."""

    import_id: str
    source: str
    is_complete: bool


@dataclass(frozen=True, slots=True)
class ImportPart:
    """The claims of one part of an import."""

    import_id: str
    source: str
    number: int
    claims: Iterable[IncomingClaim]
    is_last: bool


def begin_import(import_id: str) -> None:
    """Begin an import of this process."""
    _active_import_ids.add(import_id)


def add_part(connection: sa.Connection, part: ImportPart) -> None:
    """Store a part of an import."""
    plain_claims = [_to_json(incoming) for incoming in part.claims]
    values = {
        "import_id": part.import_id,
        "part": part.number,
        "source": part.source,
        "last": int(part.is_last),
        "rows": zlib.compress(json.dumps(plain_claims).encode(), 1),
        "process": f"{socket.gethostname()} {os.getpid()}",
        "at": time.time(),
    }
    connection.execute(incoming_table.insert(), values)


def part_numbers(connection: sa.Connection, import_id: str) -> list[int]:
    """Return the numbers of the parts of an import."""
    query = (
        sa.select(incoming_table.c.part)
        .where(incoming_table.c.import_id == import_id)
        .order_by(incoming_table.c.part)
    )
    return list(connection.execute(query).scalars())


def read_part(connection: sa.Connection, import_id: str, part: int) -> list[IncomingClaim]:
    """Read the claims of a part; none if another process has finished the import."""
    columns = incoming_table.c
    query = sa.select(columns.rows).where(columns.import_id == import_id, columns.part == part)
    # The claims of a part are stored as compressed JSON.
    packed = connection.execute(query).scalar()
    if not packed:
        return []
    claim_values = json.loads(zlib.decompress(packed))
    return [_from_json(values) for values in claim_values]


def forget_import(connection: sa.Connection, import_id: str) -> None:
    """Delete the parts of an import."""
    try:
        connection.execute(incoming_table.delete().where(incoming_table.c.import_id == import_id))
    finally:
        release_import(import_id)


def release_import(import_id: str) -> None:
    """Let any process finish an import, or drop it, as if its process had ended."""
    _active_import_ids.discard(import_id)


def ended_imports(connection: sa.Connection) -> list[EndedImport]:
    """List the imports whose process has ended, oldest first."""
    # The claims of an import wait in several parts; ``last`` is true for the last one.
    columns = incoming_table.c
    is_complete = sa.func.max(columns.last)
    newest_part_at = sa.func.max(columns.at)
    query = (
        sa.select(columns.import_id, columns.source, columns.process, is_complete, newest_part_at)
        .group_by(columns.import_id, columns.source, columns.process)
        .order_by(sa.func.min(columns.at))
    )
    ended = []
    for import_id, source, process, has_last_part, newest_at in connection.execute(query):
        if _has_ended(import_id, process, newest_at):
            ended.append(EndedImport(import_id, source, bool(has_last_part)))
    return ended


def _has_ended(import_id: str, process: str, newest_at: float) -> bool:
    """Return whether the process that reads an import has ended.

    ``newest_at``: when it stored its newest part.
    """
    if import_id in _active_import_ids:
        return False
    host, _, process_digits = process.rpartition(" ")
    if host != socket.gethostname():
        # The processes of another computer cannot be seen.
        silent_s = time.time() - newest_at
        return silent_s > ABANDONED_S
    process_number = int(process_digits)
    # An import that is not active here, under this number, is one of an earlier process.
    is_earlier_process = process_number == os.getpid()
    return is_earlier_process or not is_alive(process_number)


def _to_json(incoming: IncomingClaim) -> list[object]:
    """Return an incoming claim as plain JSON values."""
    values = {name: getattr(incoming.claim, name) for name in CLAIM_FIELDS}
    for name in _DATE_FIELDS:
        if values[name]:
            values[name] = values[name].isoformat()
    # The keys take most of the time of a row, so they are computed once.
    keys = [KEY_VERSION, incoming.page_statement_key, incoming.review_key, incoming.digest]
    return [
        incoming.row_number,
        values,
        incoming.attribution,
        incoming.licence,
        incoming.retraction,
        keys,
    ]


def _from_json(plain: list) -> IncomingClaim:
    """Return the incoming claim of plain JSON values."""
    # An import that an earlier Lectern has begun has no reasons of retractions, and no keys.
    # The first key is the version of the other keys, "" if there are none.
    row_number, values, attribution, licence, *later_fields = plain
    retraction = later_fields[0] if later_fields else ""
    keys = later_fields[1] if len(later_fields) > 1 else [""]
    for name in _DATE_FIELDS:
        if values[name]:
            values[name] = date.fromisoformat(values[name])
    values["rating_class"] = RatingClass(values["rating_class"])
    claim = VerifiedClaim(**values)
    version_of_keys = keys[0]
    if version_of_keys != KEY_VERSION:
        # The keys are computed anew.
        attributed = AttributedClaim(claim, attribution, licence, retraction)
        return IncomingClaim.from_row(row_number, attributed)
    _, page_statement_key, review_key, claim_digest = keys
    return IncomingClaim(
        row_number=row_number,
        claim=claim,
        attribution=attribution,
        licence=licence,
        page_statement_key=page_statement_key,
        review_key=review_key,
        digest=claim_digest,
        retraction=retraction,
    )
