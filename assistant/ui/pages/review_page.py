"""The address of earlier reviews: the debate in its view Review, or the debates to choose from."""

from __future__ import annotations

import streamlit as st

from assistant.core.errors import LecternError
from assistant.report import wording
from assistant.ui.debates import draw_debates
from assistant.ui.page_paths import CHECK_PAGE
from assistant.ui.report_list import by_debate, report_button
from assistant.ui.results import REVIEW
from assistant.ui.shared_resources import check_service
from assistant.ui.shown_text import draw_error, escape

NO_REPORTS = (
    "Nothing has been checked yet. Check a transcript first. Its matches are reviewed here."
)


def page() -> None:
    """Draw the debate of the address in the view Review, or the debates there are."""
    report_id = st.query_params.get("report", "")
    if report_id:
        draw_debates(check_service(), usual_view=REVIEW)
    else:
        _choose()


def _choose() -> None:
    report_heads = check_service().report_heads()
    unreadable = check_service().unreadable_reports()
    st.html("<h1>Which debate do you want to review?</h1>")
    if not report_heads and not unreadable:
        st.html(f'<p class="lx-line">{NO_REPORTS}</p>')
        st.page_link(
            CHECK_PAGE,
            label="Check a transcript, or open the sample debate",
        )
    if unreadable:
        st.html(f'<p class="lx-warn">▲ {escape(wording.unreadable(unreadable))}</p>')
    with st.container(key="kept", gap="xxsmall"):
        for debate in by_debate(report_heads):
            report_button(debate.newest, f"review_{debate.newest.id}")


try:
    page()
except LecternError as error:
    draw_error(error)
