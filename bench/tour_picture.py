"""The stepped picture of the README: five screens, one after the other, each with a caption.

``bench.screens`` makes it from the pictures of the screens that it has taken.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

CAPTIONS = {
    "first": "1  Drop a transcript",
    "form": "2  Check what was read",
    "results": "3  Open a match",
    "review": "4  Decide on it",
    "export": "5  Export the result",
}
WIDTH_PX = 940
CAPTION_HEIGHT_PX = 48
FONT_PX = 26
MARGIN_PX = 16
PAUSE_MS = 3500
# The picture stops at its last step, because a reader cannot pause it.
ROUNDS = 2
INK = "#ffffff"
GROUND = "#1f2933"


def write_tour(screens: Path) -> Path:
    """Write the stepped picture (APNG) beside the pictures of the screens."""
    frames = []
    for name, caption in CAPTIONS.items():
        with Image.open(screens / f"{name}.png") as screen:
            frames.append(_captioned(screen.convert("RGB"), caption))
    path = screens / "tour.png"
    frames[0].save(
        path,
        save_all=True,
        append_images=frames[1:],
        duration=PAUSE_MS,
        loop=ROUNDS,
        optimize=True,
    )
    return path


def _captioned(screen: Image.Image, caption: str) -> Image.Image:
    height_px = round(screen.height * WIDTH_PX / screen.width)
    small_screen = screen.resize((WIDTH_PX, height_px), Image.Resampling.LANCZOS)
    frame = Image.new("RGB", (WIDTH_PX, height_px + CAPTION_HEIGHT_PX), GROUND)
    frame.paste(small_screen, (0, CAPTION_HEIGHT_PX))
    font = ImageFont.load_default(FONT_PX)
    place_px = (MARGIN_PX, CAPTION_HEIGHT_PX // 2)
    ImageDraw.Draw(frame).text(place_px, caption, fill=INK, font=font, anchor="lm")
    return frame
