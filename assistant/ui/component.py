"""Makes a component of the page from a folder with its HTML, CSS and JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from assistant.ui.shown_text import data_for_page


@cache
def component(name: str) -> Callable[..., Any]:
    """Return the component whose files are in the folder ``name`` beside this module, registered once."""
    # the texts of its files by extension: html, css, js
    folder = Path(__file__).parent / name
    files = {path.suffix[1:]: path.read_text("utf-8") for path in sorted(folder.iterdir())}
    html = files.get("html", "<span hidden></span>")
    mounted_component = st.components.v2.component(
        f"lectern.{name}",
        html=html,
        css=files.get("css"),
        js=files.get("js"),
    )

    def draw(*, data: Any = None, **options: Any) -> Any:
        return mounted_component(data=data_for_page(data), **options)

    return draw
