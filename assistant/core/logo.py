"""The mark of Lectern: its file, and its mark-up for the head of a page that names Lectern beside it."""

from __future__ import annotations

from pathlib import Path

MARK = Path(__file__).with_name("logo.svg")


def svg() -> str:
    """Return the mark as an image without a name."""
    named = MARK.read_text("utf-8").strip()
    return named.replace("<svg ", '<svg aria-hidden="true" ', 1).replace(
        "<title>Lectern</title>", ""
    )
