"""Adds the best fact-check to each row of a table with one statement per row.

Usage: python -m docs.examples.spreadsheet statements.csv > checked.csv
"""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from assistant.client import Client

ADDED_COLUMNS = ["strength", "rating", "publisher", "fact_check", "address", "cautions"]
STATEMENT_COLUMN = "statement"
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def checked_rows(client: Client, rows: Iterable[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Yield each row with the columns of its best match, empty ones if there is none."""
    for row in rows:
        added = dict.fromkeys(ADDED_COLUMNS, "")
        statement = row.get(STATEMENT_COLUMN, "").strip()
        matches = client.match(statement, limit=1) if statement else []
        if matches:
            best = matches[0]
            check = best.fact_check
            added["strength"] = best.strength
            added["rating"] = check.rating
            added["publisher"] = check.publisher
            added["fact_check"] = check.statement
            added["address"] = check.url
            added["cautions"] = "; ".join([*best.differs, *best.cautions])
        yield {**row, **{name: no_formula(value) for name, value in added.items()}}


def no_formula(value: str) -> str:
    """Return a value that no spreadsheet takes for a formula."""
    return f"'{value}" if value.startswith(FORMULA_SIGNS) else value


def main() -> None:
    """Write the table that the command line names, with the added columns."""
    address = os.environ.get("LECTERN_API", "http://127.0.0.1:8600")
    with (
        Client(address, os.environ["LECTERN_API_TOKEN"]) as client,
        Path(sys.argv[1]).open(encoding="utf-8-sig", newline="") as file,
    ):
        table = csv.DictReader(file)
        columns = [*(table.fieldnames or []), *ADDED_COLUMNS]
        writer = csv.DictWriter(sys.stdout, columns)
        writer.writeheader()
        writer.writerows(checked_rows(client, table))


if __name__ == "__main__":
    main()
