"""The home folder that an earlier Lectern made, and what is in it."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

OLD = Path(__file__).parents[1] / "golden" / "homes" / "schema_2"
CLAIMS = "76482e53ace19f589cfe12206be3c845"  # the digest that schema 2 gave for its claims
REPORT = "0123456789abcdef0123"
CHECK = "fedcba98765432100000"


def make(home: Path) -> str:
    """Make a home folder of schema 2 with claims, decisions, a live event, a report and a check that was cut short.

    Returns the URL of its database.
    """
    shutil.copytree(OLD / "reports", home / "reports")
    with closing(sqlite3.connect(home / "lectern.db")) as connection:
        connection.executescript((OLD / "lectern.sql").read_text("utf-8"))
    (home / "lectern.db").chmod(0o644)
    return f"sqlite:///{home / 'lectern.db'}"
