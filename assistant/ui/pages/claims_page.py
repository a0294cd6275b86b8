"""The page Fact-checks: the size of the database, a search in it, and imports."""

from __future__ import annotations

import streamlit as st

from assistant.core.access import Role
from assistant.core.clean_text import without_direction_marks
from assistant.core.errors import LecternError
from assistant.jobs.check_service import CheckService
from assistant.jobs.job_state import JobState
from assistant.report import wording
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import (
    account,
    article_offer,
    claim_imports,
    claim_tables,
    fact_check_finder,
    import_form,
)
from assistant.ui.job_progress import draw_progress
from assistant.ui.shared_resources import check_service
from assistant.ui.shown_text import draw_error, draw_warning, escape

UPDATE_NOTE = (
    "To update, load the same source again. New and changed fact-checks are added, none is deleted."
)
JOB_PREFIXES = ("import", "fetch", "articles")
FILE_TYPES = ["jsonl", "json", "csv", "tsv", "xlsx", "ods", "gz", "html", "htm"]


def page(check_service: CheckService) -> None:
    """Draw the page; an import on its way or just done stands above."""
    status = check_service.status()
    lead_line = wording.database(
        status.fact_checks, status.publishers, status.newest_review_date, status.notes
    )
    if status.only_samples:
        lead_line += (
            '. <span class="lx-caution">▲ Samples only, invented to show how Lectern works.</span>'
        )
    elif not status.claims:
        lead_line += '. <span class="lx-caution">▲ Nothing can be found yet.</span>'
    st.html(f'<h1>Fact-checks</h1><p class="lx-lead">{lead_line}</p>')
    _draw_job(check_service, st.query_params.get("job", ""))
    left_column, right_column = st.columns([3, 2], gap="large")
    with left_column:
        fact_check_finder.draw_search(check_service)
    with right_column:
        _draw_import(check_service, expanded=status.only_samples or not status.claims)
        _draw_tables(check_service)


def _draw_job(check_service: CheckService, job_id: str) -> None:
    is_import = job_id.startswith(JOB_PREFIXES)  # the address may name a check
    job = check_service.jobs.get(job_id) if is_import else None
    if job is None:
        return
    st.html(f"<h2>{escape(job.title)}</h2>")
    if not job.has_ended:
        draw_progress(check_service, job_id)
    elif job.state is JobState.DONE:
        # jobs store their outcome, so that the page shows it again later
        outcome_json = check_service.jobs.result(job_id) or b"{}"
        if job_id.startswith("articles"):
            summary, notes = claim_tables.article_lines(outcome_json)
            refused_csv = ""
        else:
            summary, notes = claim_tables.import_lines(outcome_json)
            refused_csv = claim_tables.refused_csv(outcome_json)
        if refused_csv:
            draw_warning(summary)
            st.download_button(
                "Download rejected rows", refused_csv, "refused.csv", "text/csv", key="refused_rows"
            )
        else:
            st.success(escape_markdown(summary))
        if notes:
            with st.expander(wording.count(len(notes), "note") + " on this import"):
                st.text(without_direction_marks("\n".join(notes)))
    elif job.state is JobState.CANCELLED:
        st.info("Stopped. The database is as it was before.")
    else:
        draw_error(job.error)


def _draw_import(check_service: CheckService, *, expanded: bool) -> None:
    if not account.has_role(Role.EDITOR):
        return
    st.html(
        '<p class="lx-h4">Add or update fact-checks</p>'
        f'<p class="lx-soft lx-tight">{UPDATE_NOTE}</p>'
    )
    with st.expander("From a file"):
        file = st.file_uploader(
            "JSON lines, JSON, ClaimReview, CSV, TSV, XLSX or ODS",
            type=FILE_TYPES,
            key="claims_file",
        )
        if file is not None:
            data = file.getvalue()
            columns = import_form.draw_import_form(file.name, data)
            if columns is not None:  # the person selected Import
                job = claim_imports.start_import(check_service, data, file.name, columns)
                _show_job(job.id)
    with st.expander("From the web", expanded=expanded):
        _download(check_service)
    with st.expander("Fetch missing articles"):
        job_id = article_offer.draw_fetch_all_offer(check_service)
        if job_id:
            _show_job(job_id)


def _download(check_service: CheckService) -> None:
    if not account.may_fetch():
        st.html(f'<p class="lx-soft">{article_offer.FETCHING_NOT_ALLOWED}</p>')
        return
    for name, collection in claim_imports.COLLECTIONS.items():
        with st.container(horizontal=True, vertical_alignment="top", key=f"collection_{name}"):
            st.html(
                f'<p class="lx-line"><b>{collection.label}</b><br><span class="lx-soft">'
                f"{collection.note}; {collection.time}.</span></p>",
                width="stretch",
            )
            if st.button("Download", key=f"fetch_{name}"):
                _show_job(claim_imports.start_fetch(check_service, name).id)
    st.html('<p class="lx-soft">Nothing about your transcripts is sent.</p>')


def _show_job(job_id: str) -> None:
    st.query_params["job"] = job_id
    st.rerun()


def _draw_tables(check_service: CheckService) -> None:
    with check_service.store() as store:
        publishers = store.counts("publisher")
        classes = store.counts("rating_class")
        days = store.review_days()
    with st.expander("Counts by publisher, rating and year", key="counts"):
        st.html(
            claim_tables.counts_table("Publisher", claim_tables.counts_by_publisher(publishers))
        )
        st.html(claim_tables.counts_table("Rating", claim_tables.counts_by_rating_class(classes)))
        st.html(
            claim_tables.counts_table("Year of the fact-check", claim_tables.counts_by_year(days))
        )


try:
    page(check_service())
except LecternError as error:
    draw_error(error)
