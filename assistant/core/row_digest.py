"""The digest of the rows of a database, the same for every kind and order of storage."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any


def portable(value: Any) -> Any:
    """Return a value as every kind of database stores it.

    Times in UTC, no NUL, which PostgreSQL refuses.
    """
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    if isinstance(value, str):
        return value.replace("\0", "\N{REPLACEMENT CHARACTER}")
    return value


def row_hash(table_name: str, row_values: Iterable[Any]) -> int:
    """Return a number for a row.

    The sum of all numbers doesn't depend on the order in which a database gives the rows.
    """
    values = [value.isoformat() if isinstance(value, date) else value for value in row_values]
    content = repr((table_name, values)).encode("utf-8", "backslashreplace")
    return int.from_bytes(hashlib.sha256(content).digest())


def digest(sum_of_row_hashes: int) -> str:
    """Return 32 hexadecimal digits for the sum of all rows' numbers."""
    return f"{sum_of_row_hashes % 2**256:064x}"[:32]
