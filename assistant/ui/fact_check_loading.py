"""The fact-checks of the first screen: one status line, and a menu that loads more of them."""

from __future__ import annotations

import streamlit as st

from assistant.claims.records import StoreStatus
from assistant.core.access import Role
from assistant.jobs.check_service import CheckService
from assistant.jobs.job_state import Job, JobState
from assistant.report import wording
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import account, claim_imports
from assistant.ui.article_offer import FETCHING_NOT_ALLOWED
from assistant.ui.job_progress import cancel_job, done_share, progress_words
from assistant.ui.shown_text import draw_error, escape

CLAIM_FILE_TYPES = ["jsonl", "json", "csv", "tsv", "xlsx", "ods", "gz", "html", "htm"]
NO_NETWORK = "If the download fails, nothing changes, and a message says so."
PRIVACY_ON_COMPUTER = "Your transcripts are never sent anywhere."
PRIVACY_ON_SERVER = "Your transcripts stay on this server."


def draw_database(check_service: CheckService, status: StoreStatus) -> None:
    """Draw the status line of the fact-checks with the menu that loads some, and a load that runs."""
    running_imports = [job for job in check_service.jobs.active() if job.is_import]
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="fact_check_line"
    ):
        st.html(database_html(status), width="content")
        if not running_imports and account.has_role(Role.EDITOR):
            has_real_fact_checks = status.claims and not status.only_samples
            label = "Load more" if has_real_fact_checks else "Load real ones"
            with st.popover(label, key="load_fact_checks"):
                draw_loading(check_service, status)
    # the load that this session started last
    last_job = check_service.jobs.get(st.session_state.get("loading", ""))
    if last_job is not None and last_job.state is JobState.FAILED:
        draw_error(last_job.error)
    for job in running_imports:
        draw_load_progress(check_service, job.id)


def database_html(status: StoreStatus) -> str:
    """Return the number and age of the fact-checks, and problems with them, as HTML."""
    database_line = wording.database(
        status.fact_checks, status.publishers, status.newest_review_date, status.notes
    )
    if status.only_samples:
        sample_count = wording.count(status.fact_checks, "sample fact-check")
        database_line = (
            f'<b class="lx-caution">▲ {sample_count} only</b>, invented to show how Lectern works'
        )
    if not status.claims:
        database_line = (
            '<b class="lx-caution">▲ Nothing can be found yet.</b> Load fact-checks first'
        )
    privacy_note = PRIVACY_ON_SERVER if account.uses_login() else PRIVACY_ON_COMPUTER
    return f'<p class="lx-line">{database_line}. <span class="lx-soft">{privacy_note}</span></p>'


def draw_loading(check_service: CheckService, status: StoreStatus) -> None:
    """Draw the loadable collections with size, licence and time."""
    if status.claims and not account.may_fetch():
        st.html(f'<p class="lx-soft">{FETCHING_NOT_ALLOWED}</p>')
    collections: dict[str, claim_imports.Collection] = {}
    if account.may_fetch():
        collections.update(claim_imports.COLLECTIONS)
    if not status.claims:  # the samples come with Lectern and need no download
        collections["samples"] = claim_imports.SAMPLE
    for name, collection in collections.items():
        _draw_collection(check_service, name, collection)
    _draw_own_file_field(check_service)


def _draw_collection(
    check_service: CheckService, name: str, collection: claim_imports.Collection
) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"collection_{name}"
    ):
        note = f"{escape(collection.note)}; {escape(collection.time)}"
        st.html(
            f'<p class="lx-line"><b>{escape(collection.label)}</b><br>'
            f'<span class="lx-soft">{note}</span></p>',
            width="stretch",
        )
        st.button(
            "Load", key=f"load_{name}", on_click=_load, args=(check_service, name), help=NO_NETWORK
        )


def _draw_own_file_field(check_service: CheckService) -> None:
    """Draw the upload of a file with fact-checks; each uploaded file is imported once."""
    uploaded_file = st.file_uploader(
        "Or your own file: JSON lines, JSON, ClaimReview, CSV, TSV, XLSX or ODS",
        type=CLAIM_FILE_TYPES,
        key="own_claims",
    )
    # the widget keeps its file, and returns it on every run
    if uploaded_file is None or st.session_state.get("taken") == uploaded_file.file_id:
        return
    account.require(Role.EDITOR)
    st.session_state["taken"] = uploaded_file.file_id
    _remember_job(
        claim_imports.start_import(check_service, uploaded_file.getvalue(), uploaded_file.name)
    )
    st.rerun()


@account.fragment(run_every=1)
def draw_load_progress(check_service: CheckService, job_id: str) -> None:
    """Draw the progress of a load, once a second, with a button to stop it.

    Redraw the page when it is over.
    """
    job = check_service.jobs.get(job_id)
    if job is None or job.has_ended:
        st.rerun()
        return
    progress_line = f"{job.title}. {progress_words(job, check_service.jobs.clock())}"
    st.progress(done_share(job.progress), text=escape_markdown(progress_line))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<p class="lx-soft">You can go on working meanwhile.</p>')
        st.button("Stop", key="stop_load", on_click=cancel_job, args=(check_service, job_id))


def _load(check_service: CheckService, name: str) -> None:
    account.require(Role.EDITOR)
    _remember_job(claim_imports.start_fetch(check_service, name))


def _remember_job(job: Job) -> None:
    st.session_state["loading"] = job.id
