"""The pictures of docs/screens.

Each is taken by the script, and each that a page shows is there.
"""

from __future__ import annotations

import re
from pathlib import Path

from PIL import Image

from bench.screens import SCENES, SCREENS
from bench.tour_picture import CAPTIONS, PAUSE_MS, write_tour

ROOT = Path(__file__).parents[2]
OF_THE_WINDOW = {"desktop"}  # taken of the native window, which no browser has
STEPPED = "tour"  # made of the others
LARGEST_TOUR_BYTES = 1_500_000


def test_every_picture_is_a_row_of_the_script() -> None:
    """None is left that nobody takes again."""
    assert {path.name for path in SCREENS.iterdir() if path.stem not in OF_THE_WINDOW} == {
        f"{name}.png" for name in (*SCENES, STEPPED)
    }


def test_every_picture_that_a_page_shows_is_taken() -> None:
    """README and docs name pictures that exist."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {
        name
        for page in pages
        for name in re.findall(r"\(\S*screens/(\w+)\.png\)", page.read_text("utf-8"))
    }

    assert shown - OF_THE_WINDOW <= {*SCENES, STEPPED}
    assert {"form", "results", "review", "export"} <= shown


def test_the_stepped_picture_stops_at_each_screen(tmp_path) -> None:
    for name in CAPTIONS:
        Image.new("RGB", (200, 100), "white").save(tmp_path / f"{name}.png")

    with Image.open(write_tour(tmp_path)) as tour:
        pauses_ms = []
        for step in range(tour.n_frames):
            tour.seek(step)
            pauses_ms.append(tour.info["duration"])

    assert pauses_ms == [PAUSE_MS] * len(CAPTIONS)


def test_the_stepped_picture_of_the_readme_is_small() -> None:
    assert (SCREENS / f"{STEPPED}.png").stat().st_size < LARGEST_TOUR_BYTES
