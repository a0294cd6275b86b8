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
from assistant.report.wording import RATING_SIGNS

__all__ = [
    "COLOURS",
    "FONT",
    "FONT_FILES",
    "BACKGROUNDS",
    "RATING_SIGNS",
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
    "ground": Colour("#fbfaf7", "#17181a"),
    "panel": Colour("#f3f0e9", "#222326"),
    "line": Colour("#ddd8cd", "#3b3c40"),
    "text": Colour("#1c1b19", "#ecebe6"),
    "soft": Colour("#5b574f", "#b1aea6"),
    "accent": Colour("#1f4f8f", "#8db9ef"),
    "chosen": Colour("#eae5d9", "#2d2f34"),
    "true": Colour("#00665a", "#5cd0b8"),
    "false": Colour("#a83208", "#ff9a76"),
    "mixture": Colour("#755000", "#e3b64c"),
    "other": Colour("#4c5460", "#b8bfc8"),
    "differs": Colour("#fde3d3", "#55301f"),
    "shared": Colour("#fff0b8", "#4a4016"),
    "proof": Colour("#fff0b8", "#4a4016"),
    "for": Colour("#1f4f8f", "#8db9ef"),
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
# The fonts in static/: one for the interface, one for what was said and claimed.
FONT = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
SERIF = "'Source Serif 4', Charter, 'Iowan Old Style', Georgia, 'Times New Roman', serif"
FONT_FILES = {"Inter": "Inter.woff2", "Source Serif 4": "SourceSerif4.woff2"}
FONT_WEIGHTS = "200 900"


def logo_html() -> str:
    """Return the logo of Lectern as an image of a page."""
    data = b64encode(LOGO_PATH.read_bytes()).decode()
    return f'<img class="lx-mark" alt="" src="data:image/svg+xml;base64,{data}">'


def css_variables() -> str:
    """Return the fonts, and as CSS variables the serif and the colours of the theme in force."""
    css = ""
    for family, file_name in FONT_FILES.items():
        css += (
            f"@font-face{{font-family:'{family}';font-weight:{FONT_WEIGHTS};font-display:swap;"
            f"src:url('app/static/{file_name}') format('woff2');}}"
        )
    # The variables: ":root{--serif:Georgia;--lx-ink:light-dark(#111,#eee);}"
    # The colour scheme: Streamlit sets it for the page, but draws menus beside the page.
    variables = f"color-scheme:light dark;--serif:{SERIF};"
    for name, colour in COLOURS.items():
        variables += f"--lx-{name}:light-dark({colour.light},{colour.dark});"
    return css + ":root{" + variables + "}"


def streamlit_theme() -> str:
    """Return the theme sections of ``.streamlit/config.toml``, with the same colours for widgets."""
    colour_by_setting = {
        "primaryColor": "accent",
        "backgroundColor": "ground",
        "secondaryBackgroundColor": "panel",
        "textColor": "text",
        "linkColor": "accent",
        "borderColor": "line",
    }
    theme_sections = f'[theme]\nfont = "{FONT}"\nbaseRadius = "4px"\nshowWidgetBorder = true\n'
    for theme in ("light", "dark"):
        setting_lines = []
        for key, name in colour_by_setting.items():
            setting_lines.append(f'{key} = "{getattr(COLOURS[name], theme)}"\n')
        theme_sections += f"\n[theme.{theme}]\n{''.join(setting_lines)}"
    return theme_sections


def contrast(colour: str, other_colour: str) -> float:
    """Return the contrast ratio of two ``#rrggbb`` colours, 1 to 21. Source: WCAG 2.1, 1.4.3."""
    darker, lighter = sorted((_luminance(colour), _luminance(other_colour)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    # the intensity of each channel of "#rrggbb", from the value that screens use
    intensities = []
    for position in (1, 3, 5):
        channel = int(colour[position : position + 2], 16) / 255
        if channel <= 0.04045:
            intensities.append(channel / 12.92)
        else:
            intensities.append(((channel + 0.055) / 1.055) ** 2.4)
    red, green, blue = intensities
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
