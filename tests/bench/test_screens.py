"""The pictures of docs/screens.

Each is taken by the script, and each that a page shows is there.
"""

from __future__ import annotations

import re
from pathlib import Path

from bench.screens import SCENES, SCREENS

ROOT = Path(__file__).parents[2]
OF_THE_WINDOW = {"desktop"}  # taken of the native window, which no browser has


def test_every_picture_is_a_row_of_the_script() -> None:
    """None is left that nobody takes again."""
    assert {path.name for path in SCREENS.iterdir() if path.stem not in OF_THE_WINDOW} == {
        f"{name}.png" for name in SCENES
    }


def test_every_picture_that_a_page_shows_is_taken() -> None:
    """README and docs name pictures that exist."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {
        name
        for page in pages
        for name in re.findall(r"\(\S*screens/(\w+)\.png\)", page.read_text("utf-8"))
    }

    assert shown - OF_THE_WINDOW <= set(SCENES)
    assert {"form", "results", "review", "export"} <= shown
