"""The tolerant comparison of pictures: noise passes, a moved or recoloured block does not."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="pillow is not installed")

from PIL import Image, ImageDraw

from tests.browser import picture_comparison


def page_picture(box=(40, 40, 120, 60), colour="#1c1b19") -> Image.Image:
    picture = Image.new("RGB", (320, 160), "#fbfaf7")
    ImageDraw.Draw(picture).rectangle(box, fill=colour)
    return picture


def test_the_same_picture_with_a_little_noise_is_alike():
    noise = np.random.default_rng(17).integers(-3, 4, (160, 320, 3))
    noisy = np.clip(np.asarray(page_picture(), dtype=int) + noise, 0, 255).astype("uint8")

    assert picture_comparison.compare(page_picture(), Image.fromarray(noisy)).is_alike


@pytest.mark.parametrize(
    "changed",
    [
        page_picture(box=(48, 40, 128, 60)),
        page_picture(box=(40, 56, 120, 76)),
        page_picture(colour="#a83208"),
        page_picture(box=(40, 40, 110, 60)),
    ],
    ids=["moved right", "moved down", "another colour", "shorter"],
)
def test_a_block_that_has_changed_is_named_and_framed(changed):
    comparison = picture_comparison.compare(page_picture(), changed)

    assert not comparison.is_alike
    assert "px from the left" in picture_comparison.difference_words(comparison, 2.5)
    sheet = picture_comparison.difference_picture(page_picture(), changed, comparison)
    assert sheet.size == (960, 160)


def test_a_picture_is_the_same_after_it_was_stored(tmp_path):
    path = tmp_path / "looks" / "page.webp"

    picture_comparison.store(page_picture(), path)

    assert picture_comparison.compare(Image.open(path), page_picture()).is_alike
