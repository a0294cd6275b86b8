"""Texts from outside as a page shows them: no HTML, and no marks that turn the direction of a line.

Such marks let a text look like another one on the screen, for example with the rating reversed.
"""

from __future__ import annotations

import html
from typing import Any

import streamlit as st

from assistant.core.clean_text import without_direction_marks
from assistant.reports.markdown_form import escape_markdown


def escape(text: str) -> str:
    """Return a text for a page's HTML."""
    return html.escape(without_direction_marks(text))


def sentence_case(text: str) -> str:
    """Return a text with a capital at its start, unless it starts with a file name, an address or a place.

    The messages of errors start with a small letter, because a command line prints a place before
    them.
    """
    sentence = text.strip()
    initial_word = sentence.split(maxsplit=1)[0] if sentence else ""
    letters = initial_word.rstrip(".,;!?")
    for mark in "'’-":  # "can't", "re-ranking"
        letters = letters.replace(mark, "")
    is_word = letters.isalpha() and letters.islower()
    if not is_word:
        return sentence
    return sentence[0].upper() + sentence[1:]


def draw_error(error: object) -> None:
    """Draw an error as a sentence that shows exactly its words."""
    st.error(escape_markdown(sentence_case(str(error))))


def draw_warning(warning: object) -> None:
    """Draw a warning as a sentence that shows exactly its words."""
    st.warning(escape_markdown(sentence_case(str(warning))))


def data_for_page(value: Any) -> Any:
    """Return plain data (dicts, lists, texts, numbers) with all its texts as a page shows them."""
    if isinstance(value, str):
        return without_direction_marks(value)
    if isinstance(value, dict):
        return {key: data_for_page(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [data_for_page(item) for item in value]
    return value
