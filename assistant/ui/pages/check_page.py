"""The page Debates: drop a transcript, watch the check, read and review the results."""

from __future__ import annotations

import streamlit as st

from assistant.core.errors import LecternError
from assistant.reports.markdown_form import plain
from assistant.ui.debates import draw_debates
from assistant.ui.shared_resources import desk

try:
    draw_debates(desk())
except LecternError as error:
    st.error(plain(str(error)))
