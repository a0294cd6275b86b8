"""The URL of an SQLite file."""

from __future__ import annotations

from pathlib import Path


def sqlite_url(path: Path) -> str:
    """Return the URL of an SQLite file, from which SQLAlchemy reads the same path again."""
    # A "?" would begin the options of the URL, and "%41" would be read as "A".
    quoted_path = str(path).replace("%", "%25").replace("?", "%3F")
    return f"sqlite:///{quoted_path}"
