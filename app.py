"""The Streamlit entry: the server that `streamlit run app.py` starts, page set-up and navigation, no logic."""

from __future__ import annotations

import streamlit as st

# First, whole: these import their own modules, and two first visitors who each begin with another
# part deadlock.
from assistant import reports, transcripts  # noqa: F401  isort: skip
from assistant.ui import account, startup_access, theme
from assistant.ui.theme import MARK, STYLE


def draw() -> None:
    """Draw the page that is asked for, to whom may see it."""
    st.set_page_config(page_title="Lectern", page_icon=str(MARK), layout="wide")
    st.html(f"<style>{theme.tokens()}{STYLE.read_text('utf-8')}</style>")
    account.enter()
    st.navigation(
        [
            st.Page("assistant/ui/pages/check_page.py", title="Check", default=True),
            st.Page("assistant/ui/pages/review_page.py", title="Review", url_path="review"),
            st.Page("assistant/ui/pages/live_page.py", title="Live", url_path="live"),
            st.Page("assistant/ui/pages/archive_page.py", title="Archive", url_path="archive"),
            st.Page("assistant/ui/pages/claims_page.py", title="Claims", url_path="claims"),
            st.Page("assistant/ui/pages/patterns_page.py", title="Patterns", url_path="patterns"),
            st.Page("assistant/ui/pages/log_page.py", title="Log", url_path="log"),
            st.Page("assistant/ui/pages/about_page.py", title="About", url_path="about"),
        ],
        position="top",
    ).run()


if (
    __name__ == "__main__"
):  # Streamlit runs this file for every page it draws; its server imports it once
    draw()
else:
    app = st.App(__file__, middleware=startup_access.middleware())
