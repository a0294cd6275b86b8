"""The Streamlit entry: the server that `streamlit run app.py` starts, page set-up and navigation, no logic."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

# First, whole: these import their own modules, and two first visitors who each begin with another
# part deadlock.
from assistant import reports, transcripts  # noqa: F401  isort: skip
from assistant.core.logo import LOGO_PATH
from assistant.ui import account, pages, startup_access, theme
from assistant.ui.theme import STYLE


def draw() -> None:
    """Draw the requested page for a visitor who may see it."""
    st.set_page_config(page_title="Lectern", page_icon=str(LOGO_PATH), layout="wide")
    st.html(f"<style>{theme.css_variables()}{STYLE.read_text('utf-8')}</style>")
    account.enter()
    # Absolute paths: an installed package has this script in another folder.
    folder = Path(pages.__path__[0])
    pages_shown = [st.Page(folder / "check_page.py", title="Check", default=True)]
    for name in ("review", "live", "archive", "claims", "patterns", "log", "about"):
        path = folder / f"{name}_page.py"
        pages_shown.append(st.Page(path, title=name.capitalize(), url_path=name))
    st.navigation(pages_shown, position="top").run()


if (
    __name__ == "__main__"
):  # Streamlit runs this file for every page it draws; its server imports it once
    draw()
else:
    app = st.App(__file__, middleware=startup_access.middleware())
