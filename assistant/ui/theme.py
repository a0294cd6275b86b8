"""The theme of the app: every colour for light and dark.

The signs of ratings come from ``report.wording``.

Blue-green, vermilion, ochre and slate stay apart for colour-blind readers; a rating also has a
sign and its words, a tier also has the shape of its bar. Text colours keep a contrast of 4.5 : 1
on every background they are used on.
"""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import NamedTuple

from assistant.core.logo import LOGO_PATH
from assistant.report.wording import SIGNS

__all__ = [
    "COLOURS",
    "FONT",
    "BACKGROUNDS",
    "SIGNS",
    "STYLE",
    "TEXT_COLOURS",
    "VOICE_COLOURS",
    "contrast",
    "logo_html",
    "streamlit_theme",
    "css_variables",
]


class Colour(NamedTuple):
    """One colour by day and by night."""

    light: str
    dark: str


COLOURS: dict[str, Colour] = {
    "ground": Colour("#ffffff", "#14171c"),
    "panel": Colour("#f4f6f8", "#1e232b"),
    "line": Colour("#d5dae1", "#3a424e"),
    "text": Colour("#1b2430", "#e6eaf0"),
    "soft": Colour("#52606f", "#a8b3c1"),
    "accent": Colour("#1d5a9e", "#86b8f2"),
    "chosen": Colour("#e6effa", "#22344c"),
    "true": Colour("#00665a", "#5cd0b8"),
    "false": Colour("#a83208", "#ff9a76"),
    "mixture": Colour("#775200", "#e3b64c"),
    "other": Colour("#465568", "#b3bfcd"),
    "differs": Colour("#fde3d3", "#55301f"),
    "shared": Colour("#dcecf9", "#233c55"),
    "proof": Colour("#fff0c2", "#4a3d12"),
    "for": Colour("#1d5a9e", "#86b8f2"),
    "against": Colour("#a83208", "#ff9a76"),
    # speakers, in the order in which they begin to speak
    "voicea": Colour("#1d5a9e", "#86b8f2"),
    "voiceb": Colour("#a83208", "#ff9a76"),
    "voicec": Colour("#00665a", "#5cd0b8"),
    "voiced": Colour("#7a2f8f", "#d9a8ee"),
    "voicee": Colour("#775200", "#e3b64c"),
    "voicef": Colour("#9c1f56", "#ff93bf"),
    "voiceg": Colour("#4a3fa8", "#b9b4ff"),
    "voiceh": Colour("#465c00", "#b8cc5c"),
}
VOICE_COLOURS = tuple(name for name in COLOURS if name.startswith("voice"))
TEXT_COLOURS = ("text", "soft", "accent", "true", "false", "mixture", "other", *VOICE_COLOURS)
BACKGROUNDS = ("ground", "panel", "chosen")
STYLE = Path(__file__).parent / "style.css"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"


def logo_html() -> str:
    """Return the logo of Lectern as an image of a page."""
    data = b64encode(LOGO_PATH.read_bytes()).decode()
    return f'<img class="lx-mark" alt="" src="data:image/svg+xml;base64,{data}">'


def css_variables() -> str:
    """Return the colours as CSS variables that follow the theme in force."""
    rules = []
    for name, colour in COLOURS.items():
        rules.append(f"--lx-{name}:light-dark({colour.light},{colour.dark});")
    return f":root{{{''.join(rules)}}}"


def streamlit_theme() -> str:
    """Return the theme sections of ``.streamlit/config.toml``, with the same colours for widgets."""
    names = {
        "primaryColor": "accent",
        "backgroundColor": "ground",
        "secondaryBackgroundColor": "panel",
        "textColor": "text",
        "linkColor": "accent",
        "borderColor": "line",
    }
    sections = f'[theme]\nfont = "{FONT}"\nbaseRadius = "4px"\nshowWidgetBorder = true\n'
    for theme in ("light", "dark"):
        lines = []
        for key, name in names.items():
            lines.append(f'{key} = "{getattr(COLOURS[name], theme)}"\n')
        sections += f"\n[theme.{theme}]\n{''.join(lines)}"
    return sections


def contrast(colour: str, other_colour: str) -> float:
    """Return the contrast ratio of two ``#rrggbb`` colours, 1 to 21. Source: WCAG 2.1, 1.4.3."""
    darker, lighter = sorted((_luminance(colour), _luminance(other_colour)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    linear = []
    for position in (1, 3, 5):
        channel = int(colour[position : position + 2], 16) / 255
        if channel <= 0.04045:
            linear.append(channel / 12.92)
        else:
            linear.append(((channel + 0.055) / 1.055) ** 2.4)
    red, green, blue = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
