"""Texts from outside as a page shows them: no HTML, and no marks that turn the direction of a line.

Such marks let a text look like another one on the screen, for example with the rating reversed.
"""

from __future__ import annotations

import html
from typing import Any

from assistant.core.clean_text import without_direction_marks


def escape(text: str) -> str:
    """Return a text for a page's HTML."""
    return html.escape(without_direction_marks(text))


def data_for_page(value: Any) -> Any:
    """Return plain data (dicts, lists, texts, numbers) with all its texts as a page shows them."""
    if isinstance(value, str):
        return without_direction_marks(value)
    if isinstance(value, dict):
        return {key: data_for_page(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [data_for_page(item) for item in value]
    return value
