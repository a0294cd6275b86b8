"""The Streamlit entry: the server that `streamlit run app.py` starts, page set-up and navigation, no logic."""

from __future__ import annotations

from typing import Any

import streamlit as st

# First, whole: these import their own modules, and two first visitors who each begin with another
# part deadlock.
from assistant import reports, transcripts  # noqa: F401  isort: skip
from assistant.core.logo import LOGO_PATH
from assistant.ui import account, startup_access, theme
from assistant.ui.page_paths import PAGES_FOLDER
from assistant.ui.theme import STYLE

# Title and name of the pages in the bar, then of those under "…".
MAIN_PAGES = (("Live", "live"), ("Archive", "archive"), ("Fact-checks", "claims"))
MORE_PAGES = (
    ("Alerts", "alerts"),
    ("Activity", "log"),
    ("Patterns", "patterns"),
    ("About", "about"),
)


def draw() -> None:
    """Draw the requested page for a visitor who may see it."""
    st.set_page_config(page_title="Lectern", page_icon=str(LOGO_PATH), layout="wide")
    st.html(f"<style>{theme.css_variables()}{STYLE.read_text('utf-8')}</style>")
    st.logo(str(LOGO_PATH), size="small")
    account.enter()
    debates = _page("Debates", "check", url_path=None, default=True)
    # old links lead to the review of a debate, which is a view of the debate's page now
    review = _page("Review", "review", visibility="hidden")
    main_pages = [_page(title, name) for title, name in MAIN_PAGES]
    more_pages = [_page(title, name, visibility="hidden") for title, name in MORE_PAGES]
    chosen_page = st.navigation([debates, *main_pages, review, *more_pages], position="top")
    # a menu per page: the one in which somebody chose a page would stay open over it
    menu_key = f"menu_{chosen_page.title}"
    with (
        st.container(key="more_pages"),
        st.popover("…", type="tertiary", help="More pages", key=menu_key),
    ):
        with st.container(key="main_pages"):  # on a phone, in place of the side bar
            for page in (debates, *main_pages):
                st.page_link(page)
        for page in more_pages:
            st.page_link(page)
    chosen_page.run()


def _page(title: str, name: str, **options: Any) -> st.Page:
    return st.Page(PAGES_FOLDER / f"{name}_page.py", title=title, **{"url_path": name, **options})


if (
    __name__ == "__main__"
):  # Streamlit runs this file for every page it draws; its server imports it once
    draw()
else:
    app = st.App(__file__, middleware=startup_access.middleware())
