"""Colours: readable in both themes, never alone."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from assistant.core.domain import RatingClass
from assistant.ui import theme

ROOT = Path(__file__).parent.parent.parent.parent


@pytest.mark.parametrize("night", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("ground", [*theme.BACKGROUNDS])
@pytest.mark.parametrize("text", theme.TEXT_COLOURS)
def test_text_is_readable_on_every_ground(text, ground, night):
    """4.5 : 1 for every text colour on every ground, by day and by night."""
    assert theme.contrast(theme.COLOURS[text][night], theme.COLOURS[ground][night]) >= 4.5


@pytest.mark.parametrize("night", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("mark", ["differs", "shared", "proof"])
def test_marked_text_is_readable(mark, night):
    """Marks have text of the text colour on them."""
    assert theme.contrast(theme.COLOURS["text"][night], theme.COLOURS[mark][night]) >= 4.5


def test_contrast_is_that_of_the_standard():
    """Black on white is 21, and the order does not matter. Source: WCAG 2.1."""
    assert pytest.approx(21.0) == theme.contrast("#000000", "#ffffff")
    assert pytest.approx(4.54, abs=0.01) == theme.contrast("#ffffff", "#767676")


def test_every_rating_class_has_its_own_sign():
    """A rating is shown by its sign and its words as well as by its colour."""
    assert set(RatingClass) == set(theme.RATING_SIGNS)
    assert (
        len(RatingClass)
        == len({s.mark for s in theme.RATING_SIGNS.values()})
        == len({s.words for s in theme.RATING_SIGNS.values()})
    )


def test_the_framework_wears_the_same_colours():
    """The theme of the configuration file is the one written here."""
    written = tomllib.loads(theme.streamlit_theme())
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))

    assert written["theme"] == config["theme"]
    assert config["browser"]["gatherUsageStats"] is False


@pytest.mark.parametrize("sheet", [theme.STYLE, theme.STYLE.parent / "list" / "list.css"])
def test_style_sheets_name_no_colour_of_their_own(sheet):
    """All colours are in one place, and every colour that a style sheet uses is there."""
    css = sheet.read_text("utf-8")

    assert re.findall(r"#[0-9a-fA-F]{3,8}\b", css) == []
    assert set(re.findall(r"--lx-([a-z]+)", css)) - set(theme.COLOURS) == set()
