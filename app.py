"""The Streamlit entry: the server that `streamlit run app.py` starts, page set-up and navigation, no logic."""

from __future__ import annotations

import streamlit as st

# First, whole: these import their own modules, and two first visitors who each begin with another part deadlock.
from assistant import reports, transcripts  # noqa: F401  isort: skip
from assistant.ui import account, entrance, theme
from assistant.ui.theme import MARK, STYLE


def draw() -> None:
    """Draw the page that is asked for, to whom may see it."""
    st.set_page_config(page_title="Lectern", page_icon=str(MARK), layout="wide")
    st.html(f"<style>{theme.tokens()}{STYLE.read_text('utf-8')}</style>")
    account.enter()
    st.navigation(
        [
            st.Page("assistant/ui/pages/check.py", title="Check", default=True),
            st.Page("assistant/ui/pages/review.py", title="Review"),
            st.Page("assistant/ui/pages/live.py", title="Live"),
            st.Page("assistant/ui/pages/archive.py", title="Archive"),
            st.Page("assistant/ui/pages/claims.py", title="Claims"),
            st.Page("assistant/ui/pages/patterns.py", title="Patterns"),
            st.Page("assistant/ui/pages/log.py", title="Log"),
            st.Page("assistant/ui/pages/about.py", title="About"),
        ],
        position="top",
    ).run()


if __name__ == "__main__":  # Streamlit runs this file for every page it draws; its server imports it once
    draw()
else:
    app = st.App(__file__, middleware=entrance.middleware())
