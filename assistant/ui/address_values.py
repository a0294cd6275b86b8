"""Numbers in the address of a page, which anybody may write."""

from __future__ import annotations

import streamlit as st

MAX_DIGITS = 6


def number_in_address(name: str) -> int | None:
    """Return the number of a parameter in the address, None if it is missing or not usable."""
    text = st.query_params.get(name, "")
    is_number = text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS
    return int(text) if is_number else None
