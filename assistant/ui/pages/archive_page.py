"""The page Archive: what was repeated in all debates, the debates, search in everything said, alerts."""

from __future__ import annotations

import streamlit as st

from assistant.archive import repeats
from assistant.core.errors import LecternError
from assistant.jobs.check_service import CheckService
from assistant.ui import archive_collection
from assistant.ui import archive_views as views
from assistant.ui.shared_resources import archive, check_service
from assistant.ui.shown_text import draw_error

REPEATED, SHARED, SPEAKER, DEBATES, SEARCH, ALERTS = ARCHIVE_VIEWS = (
    "Repeated claims",
    "Shared by several speakers",
    "By speaker",
    "Debates",
    "Search",
    "New fact-checks",
)
# The names of views in old addresses.
OLD_VIEWS = {"Repeated": REPEATED, "Several speakers": SHARED, "New checks": ALERTS}


def page(check_service: CheckService) -> None:
    """Draw the view that the address names."""
    st.html("<h1>Archive</h1>")
    entries = archive().entries()
    archive_collection.draw_collection(check_service, entries)
    if not entries:
        return
    old_view = st.query_params.get("view", "")
    if old_view in OLD_VIEWS:
        st.query_params["view"] = OLD_VIEWS[old_view]
        st.rerun()  # the widget below reads the address when a run begins
    view = st.segmented_control(
        "View", ARCHIVE_VIEWS, default=REPEATED, required=True, key="view", bind="query-params",
        label_visibility="collapsed", on_change=_first_page,
    )  # fmt: skip
    if view in (REPEATED, SHARED, SPEAKER):
        repeat_counts = views.tally(check_service, repeats.counts_version(archive()))
    if view == SPEAKER:
        views.draw_speaker(repeat_counts)
    elif view in (REPEATED, SHARED):
        views.draw_repeated(repeat_counts, shared=view == SHARED)
    elif view == DEBATES:
        views.draw_debates(check_service, entries)
    elif view == SEARCH:
        views.draw_search(check_service)
    else:
        views.draw_new_checks(check_service)


def _first_page() -> None:
    for name in ("page", "claim"):
        st.query_params.pop(name, None)


try:
    page(check_service())
except LecternError as error:
    draw_error(error)
