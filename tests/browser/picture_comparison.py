"""Compares pictures of a page tolerantly: small, block by block.

Letters may be drawn by a hair otherwise on another computer. A block that has moved, lost its
colour or its words differs by far more.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

BLOCK_PX = 8  # side of a block in the reduced picture
# Brightness steps, 0 to 255: of one block, and of all blocks on average.
MAX_BLOCK_DIFFERENCE = 28.0
MAX_MEAN_DIFFERENCE = 1.5
NAMED_BLOCKS = 5
FRAME_COLOUR = "#d00020"
QUALITY_PERCENT = 80  # quality of a stored picture


class BlockDifference(NamedTuple):
    """A block that differs, with its left upper corner in pixels of the reduced picture."""

    left_px: int
    top_px: int
    steps: float


class Comparison(NamedTuple):
    """The differences of two pictures: on average, and the blocks that differ too much."""

    mean_steps: float
    differing_blocks: tuple[BlockDifference, ...]

    @property
    def is_alike(self) -> bool:
        """Return whether a person would call the pictures the same."""
        return self.mean_steps <= MAX_MEAN_DIFFERENCE and not self.differing_blocks


def reduced(picture: Image.Image, width_px: int) -> Image.Image:
    """Return a picture made smaller, in colours without transparency."""
    height_px = round(picture.height * width_px / picture.width)
    return picture.convert("RGB").resize((width_px, height_px), Image.Resampling.LANCZOS)


def compare(stored: Image.Image, current: Image.Image) -> Comparison:
    """Compare two reduced pictures of the same size by the mean colours of their blocks."""
    differences = np.abs(_block_means(stored) - _block_means(current)).max(axis=2)
    differing = []
    for block_row, block_column in np.argwhere(differences > MAX_BLOCK_DIFFERENCE):
        steps = float(differences[block_row, block_column])
        left_px = int(block_column) * BLOCK_PX
        top_px = int(block_row) * BLOCK_PX
        differing.append(BlockDifference(left_px, top_px, steps))
    differing.sort(key=lambda block: -block.steps)
    return Comparison(float(differences.mean()), tuple(differing))


def difference_words(comparison: Comparison, scale: float) -> str:
    """Describe the differences. ``scale``: pixels of the page per pixel of the reduced picture."""
    places = []
    for block in comparison.differing_blocks[:NAMED_BLOCKS]:
        left_px = round(block.left_px * scale)
        top_px = round(block.top_px * scale)
        places.append(f"{left_px} px from the left, {top_px} px from the top")
    count = len(comparison.differing_blocks)
    words = f"mean difference {comparison.mean_steps:.2f} of 255, {count} blocks differ"
    return f"{words}: {'; '.join(places)}" if places else words


def difference_picture(
    stored: Image.Image, current: Image.Image, comparison: Comparison
) -> Image.Image:
    """Return the stored picture, the drawn one, and the drawn one with the differences framed."""
    framed = current.copy()
    pen = ImageDraw.Draw(framed)
    for block in comparison.differing_blocks:
        right_px = block.left_px + BLOCK_PX
        bottom_px = block.top_px + BLOCK_PX
        pen.rectangle((block.left_px, block.top_px, right_px, bottom_px), outline=FRAME_COLOUR)
    width_px, height_px = stored.size
    sheet = Image.new("RGB", (3 * width_px, max(height_px, current.height)), "white")
    for index, picture in enumerate((stored, current, framed)):
        sheet.paste(picture, (index * width_px, 0))
    return sheet


def store(picture: Image.Image, path: Path) -> None:
    """Store a reduced picture."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, quality=QUALITY_PERCENT, method=6)


def _block_means(picture: Image.Image) -> np.ndarray:
    """Return the mean colour of each block, (rows, columns, 3); an incomplete edge is left out."""
    pixels = np.asarray(picture.convert("RGB"), dtype=float)
    rows = pixels.shape[0] // BLOCK_PX
    columns = pixels.shape[1] // BLOCK_PX
    whole = pixels[: rows * BLOCK_PX, : columns * BLOCK_PX]
    blocks = whole.reshape(rows, BLOCK_PX, columns, BLOCK_PX, 3)
    means: np.ndarray = blocks.mean(axis=(1, 3))
    return means
