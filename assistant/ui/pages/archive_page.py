"""The page Archive: what was repeated in all debates, the debates, search in everything said, alerts."""

from __future__ import annotations

import streamlit as st

from assistant.archive import repeats
from assistant.core.errors import LecternError
from assistant.jobs.check_service import CheckService
from assistant.reports.markdown_form import plain
from assistant.ui import archive_views as views
from assistant.ui.shared_resources import archive, desk

REPEATED, SHARED, DEBATES, SEARCH, ALERTS = VIEWS = (
    "Repeated",
    "Several speakers",
    "Debates",
    "Search",
    "New checks",
)
EMPTY = """The archive is empty. Take a folder of transcripts in, then have them checked:

    python -m assistant archive add FOLDER
    python -m assistant archive run
"""


def page(at: CheckService) -> None:
    """Draw the view that the address names."""
    st.html("<h1>The archive</h1>")
    entries = archive().entries()
    if not entries:
        st.markdown(EMPTY)
        return
    view = st.segmented_control(
        "View", VIEWS, default=REPEATED, required=True, key="view", bind="query-params",
        label_visibility="collapsed", on_change=_first_page,
    )  # fmt: skip
    if view in (REPEATED, SHARED):
        views.repeated(views.tally(at, repeats.version(archive())), shared=view == SHARED)
    elif view == DEBATES:
        views.debates(at, entries)
    elif view == SEARCH:
        views.search(at)
    else:
        views.new_checks(at)


def _first_page() -> None:
    for name in ("page", "claim"):
        st.query_params.pop(name, None)


try:
    page(desk())
except LecternError as error:
    st.error(plain(str(error)))
