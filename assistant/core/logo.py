"""The logo of Lectern: its file, and its mark-up for the head of a page."""

from __future__ import annotations

from pathlib import Path

LOGO_PATH = Path(__file__).with_name("logo.svg")


def logo_svg() -> str:
    """Return the logo as an image without a name, for a page with the name next to it."""
    svg = LOGO_PATH.read_text("utf-8").strip()
    without_name = svg.replace("<title>Lectern</title>", "")
    return without_name.replace("<svg ", '<svg aria-hidden="true" ', 1)
