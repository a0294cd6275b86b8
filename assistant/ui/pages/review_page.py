"""The page Review: choose a finished check, then decide on its matches."""

from __future__ import annotations

import streamlit as st

from assistant.core.errors import LecternError
from assistant.report import wording
from assistant.reports.markdown_form import plain
from assistant.ui.job_progress import draw_ended_job, draw_progress
from assistant.ui.report_list import report_button
from assistant.ui.review_adding import show_shortened
from assistant.ui.review_view import review
from assistant.ui.shared_resources import desk
from assistant.ui.shown_text import escape

NO_REPORTS = "Nothing has been checked on this computer yet. Check a transcript first; its matches are reviewed here."


def page() -> None:
    """Draw the report of the address, or the reports there are."""
    report_id = st.query_params.get("report", "")
    job = desk().jobs.get(report_id) if report_id else None
    if job is not None and not job.has_ended:
        st.html(f"<h1>Checking {escape(job.title)} again</h1>")
        show_shortened(is_final=False)
        draw_progress(desk(), report_id)
    elif report := desk().report(report_id) if report_id else None:
        review(report)
    elif job is not None:
        draw_ended_job(desk(), job)
    else:
        if report_id:
            st.warning("There is no report at this address.")
        _choose()


def _choose() -> None:
    report_heads = desk().report_heads()
    unreadable = desk().unreadable_reports()
    st.html("<h1>Which debate do you want to review?</h1>")
    if not report_heads and not unreadable:
        st.html(f'<p class="lx-line">{NO_REPORTS}</p>')
        st.page_link(
            "assistant/ui/pages/check_page.py",
            label="Check a transcript, or open the sample debate",
        )
    if unreadable:
        st.html(f'<p class="lx-warn">▲ {escape(wording.unreadable(unreadable))}</p>')
    with st.container(key="kept", gap="xxsmall"):
        for head in report_heads:
            report_button(head, f"review_{head.id}")


try:
    page()
except LecternError as error:
    st.error(plain(str(error)))
