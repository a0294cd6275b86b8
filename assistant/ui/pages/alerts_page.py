"""The page Alerts: the channels by which Lectern writes to people outside the app."""

from __future__ import annotations

import streamlit as st

from assistant.core.errors import LecternError
from assistant.ui import alert_channels
from assistant.ui.shown_text import draw_error


def page() -> None:
    """Draw the page."""
    st.html("<h1>Alerts</h1>")
    alert_channels.section()


try:
    page()
except LecternError as error:
    draw_error(error)
