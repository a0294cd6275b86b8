"""The Streamlit entry: page set-up and navigation, no logic."""

from __future__ import annotations

import streamlit as st

from assistant.ui import theme
from assistant.ui.theme import ICON, STYLE

st.set_page_config(page_title="Lectern", page_icon=str(ICON), layout="wide")
st.html(f"<style>{theme.tokens()}{STYLE.read_text('utf-8')}</style>")
st.navigation(
    [
        st.Page("assistant/ui/pages/check.py", title="Check", default=True),
        st.Page("assistant/ui/pages/review.py", title="Review"),
        st.Page("assistant/ui/pages/live.py", title="Live"),
        st.Page("assistant/ui/pages/claims.py", title="Claims"),
        st.Page("assistant/ui/pages/patterns.py", title="Patterns"),
        st.Page("assistant/ui/pages/log.py", title="Log"),
        st.Page("assistant/ui/pages/about.py", title="About"),
    ],
    position="top",
).run()
