"""The first three steps of somebody new.

Look at the sample debate, load real fact-checks, drop a transcript.

Each step ticks itself off when it has happened, and all fold away once the last has. What has
happened is read from the database and the stored reports; only that the sample was looked at is
written down, in the home folder.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from assistant import transcripts
from assistant.claims.records import StoreStatus
from assistant.core import files
from assistant.core.access import Role
from assistant.jobs.check_service import CheckService, sample_files
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.job_state import Job, JobState
from assistant.report import wording
from assistant.reports.markdown_form import plain
from assistant.ui import account, claim_imports
from assistant.ui.article_offer import NOT_ALLOWED
from assistant.ui.job_progress import cancel_job, done_share, progress_words
from assistant.ui.shown_text import escape

SAMPLE_SEEN_FILE = "sample-seen"  # a file in the home folder
CLAIM_FILE_TYPES = ["jsonl", "json", "csv", "tsv", "xlsx", "ods", "gz", "html", "htm"]
STEP_TITLES = ("Look at the sample debate", "Load real fact-checks", "Drop your transcript")
NO_NETWORK = "Where there is no network, nothing is changed, and one line says so."


def done_steps(desk: CheckService, status: StoreStatus) -> tuple[bool, bool, bool]:
    """Return which of the steps are done.

    Whoever has checked a debate needs no sample.
    """
    sample_names = {path.name for path in sample_files()}
    heads = desk.report_heads(limit=50)
    has_own_report = any(head.source not in sample_names for head in heads)
    has_seen_sample = (desk.settings.home / SAMPLE_SEEN_FILE).is_file()
    has_real_claims = bool(status.claims) and not status.only_samples
    return has_own_report or has_seen_sample, has_real_claims, has_own_report


def draw_steps(
    desk: CheckService,
    status: StoreStatus,
    are_done: tuple[bool, ...],
    draw_inputs: Callable[[], None],
) -> None:
    """Draw the steps side by side, the finished ones collapsed to one line.

    ``draw_inputs`` draws the inputs for a transcript, the last step.
    """
    draw_bodies = (
        lambda: _sample(desk, status),
        lambda: draw_loading(desk, status),
        draw_inputs,
    )
    columns = st.columns([3, 4, 4], gap="large")
    for index, column in enumerate(columns):
        number = index + 1
        is_done = are_done[index]
        draw_body = draw_bodies[index]
        with column, st.container(key=f"step_{number}", gap="small"):
            sign = "✓" if is_done else str(number)
            note = '<span class="lx-unseen">done: </span>' if is_done else ""
            st.html(
                f'<h2 class="lx-step"><span class="lx-number">{sign}</span>{note} '
                f"{STEP_TITLES[index]}</h2>"
            )
            if is_done and draw_body is not draw_inputs:
                with st.expander("Open again", key=f"again_{number}"):
                    draw_body()
            else:
                draw_body()


def _sample(desk: CheckService, status: StoreStatus) -> None:
    if not status.claims:
        st.html(
            '<p class="lx-line">The sample debate needs fact-checks to be checked against: step 2 has samples.</p>'
        )
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Open the sample debate",
            key="open_sample",
            type="primary",
            on_click=_open_sample,
            args=(desk,),
        )
        st.html(
            '<p class="lx-soft">A made-up forum on energy, checked against made-up fact-checks.</p>'
        )


def _open_sample(desk: CheckService) -> None:
    """Open the first sample's report; check it first if it has none."""
    account.require(Role.READER)
    path = sample_files()[0]
    if account.may(Role.REVIEWER):  # a reader leaves nothing behind
        files.write(desk.settings.home / SAMPLE_SEEN_FILE, b"")
    for head in desk.report_heads(limit=50):
        if head.source == path.name:
            st.query_params["report"] = head.id
            return
    account.require(Role.REVIEWER)
    job = desk.start(JobSpec(transcripts.read(path)))
    st.query_params["report"] = job.id


def draw_loading(desk: CheckService, status: StoreStatus) -> None:
    """Draw the loadable collections with size, licence and time, or the progress of a load."""
    if not account.may(Role.EDITOR):
        st.html('<p class="lx-line">Only people with the role editor load fact-checks.</p>')
        return
    for job in desk.jobs.active():
        if job.is_import:
            draw_load_progress(desk, job.id)
            return
    last_job = desk.jobs.get(st.session_state.get("loading", ""))
    if last_job is not None and last_job.state is JobState.FAILED:
        st.error(plain(last_job.error))
    if status.claims and not account.may_fetch():
        st.html(f'<p class="lx-soft">{NOT_ALLOWED}</p>')
    collections: dict[str, claim_imports.Collection] = {}
    if account.may_fetch():
        collections.update(claim_imports.COLLECTIONS)
    if not status.claims:
        collections["samples"] = claim_imports.SAMPLE
    for name, collection in collections.items():
        _collection_line(desk, name, collection)
    _own_file(desk)


def _collection_line(desk: CheckService, name: str, collection: claim_imports.Collection) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"collection_{name}"
    ):
        note = f"{escape(collection.note)}; {escape(collection.time)}"
        st.html(
            f'<p class="lx-line"><b>{escape(collection.label)}</b><br>'
            f'<span class="lx-soft">{note}</span></p>',
            width="stretch",
        )
        st.button("Load", key=f"load_{name}", on_click=_load, args=(desk, name), help=NO_NETWORK)


def _own_file(desk: CheckService) -> None:
    """Draw the upload of a file with fact-checks; each uploaded file is imported once."""
    file = st.file_uploader(
        "Or your own file: JSON lines, JSON, ClaimReview, CSV, TSV, XLSX or ODS",
        type=CLAIM_FILE_TYPES,
        key="own_claims",
    )
    if file is None or st.session_state.get("taken") == file.file_id:
        return
    account.require(Role.EDITOR)
    st.session_state["taken"] = file.file_id
    _remember_job(claim_imports.start_import(desk, file.getvalue(), file.name))
    st.rerun()


@account.fragment(run_every=1)
def draw_load_progress(desk: CheckService, job_id: str) -> None:
    """Draw the progress of a load, once a second, with a button to stop it.

    Redraw the page when it is over.
    """
    job = desk.jobs.get(job_id)
    if job is None or job.has_ended:
        st.rerun()
        return
    words = f"{job.title}. {progress_words(job, desk.jobs.clock())}"
    st.progress(done_share(job.progress), text=plain(words))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<p class="lx-soft">Go on with anything meanwhile: this runs beside it.</p>')
        st.button("Stop", key="stop_load", on_click=cancel_job, args=(desk, job_id))


def _load(desk: CheckService, name: str) -> None:
    account.require(Role.EDITOR)
    _remember_job(claim_imports.start_fetch(desk, name))


def _remember_job(job: Job) -> None:
    st.session_state["loading"] = job.id


def database_html(status: StoreStatus) -> str:
    """Return the size and age of the database, and problems with it, as HTML."""
    line = wording.database(status.claims, status.publishers, status.newest_review_date)
    body = (
        '<h2 class="lx-h4">Database</h2>'
        f'<p class="lx-line">{line}<br>Nothing leaves this computer.</p>'
    )
    if status.only_samples:
        samples = wording.count(status.claims, "sample fact-check")
        body += (
            f'<p class="lx-warn">▲ {samples} only, written to show how '
            "Lectern works. Step 2 loads real ones.</p>"
        )
    if not status.claims:
        body += '<p class="lx-warn">▲ Nothing can be found yet. Step 2 loads fact-checks.</p>'
    return body
