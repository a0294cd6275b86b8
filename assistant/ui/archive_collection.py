"""The part of the page Archive that takes transcripts in, and has the new ones checked."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence

import streamlit as st

from assistant.archive import bulk_run, transcript_collection
from assistant.archive.archive_store import ArchivedTranscript, ArchiveStore
from assistant.core.access import Role
from assistant.core.errors import Cancelled, LecternError
from assistant.jobs.check_service import CheckService
from assistant.jobs.report_store import JobRequest
from assistant.jobs.worker_pool import IsCancelled, OnProgress
from assistant.report import wording
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import account, archive_example
from assistant.ui.fact_check_loading import draw_load_progress
from assistant.ui.shared_resources import archive, audit_log
from assistant.ui.shown_text import escape

JOB_PREFIX = "archive"
COLLECTED_KEY = "collected_files"  # session state: the uploaded files that were read
SKIPPED_KEY = "skipped_files"  # session state: lines on files that were not read
EMPTY_WORDS = (
    "The archive finds claims that come back in many debates. It is empty, because it has only "
    "transcripts that you add here, not those on the page Debates. Add a folder of transcripts, "
    "then have them checked."
)
EDITORS_ONLY = "Only people with the editor role can add transcripts."


def draw_collection(check_service: CheckService, entries: Sequence[ArchivedTranscript]) -> None:
    """Draw the upload of a folder, the number of waiting transcripts, and the run that checks them."""
    if not entries:
        st.html(f'<p class="lx-line">{EMPTY_WORDS}</p>')
    _draw_tools(check_service, entries)
    if not entries:
        st.html(archive_example.example_html())


def _draw_tools(check_service: CheckService, entries: Sequence[ArchivedTranscript]) -> None:
    if not account.has_role(Role.EDITOR):
        if not entries:
            st.html(f'<p class="lx-soft">{EDITORS_ONLY}</p>')
        return
    for job in check_service.jobs.active():
        if job.id.startswith(JOB_PREFIX):
            draw_load_progress(check_service, job.id)
            return
    waiting_count = sum(1 for entry in entries if not entry.stamp)  # not checked yet
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="collect"):
        with st.popover("Add a folder", key="add_folder"):
            _draw_upload()
        if entries:
            label = "Check again"
            if waiting_count:
                label = f"Check {wording.count(waiting_count, 'new transcript')}"
            st.button(
                escape_markdown(label),
                key="run_archive",
                on_click=_start_run,
                args=(check_service,),
            )
    for line in st.session_state.pop(SKIPPED_KEY, ()):
        st.html(f'<p class="lx-warn">{escape(line)}</p>')


def _draw_upload() -> None:
    """Draw the field for the files of a folder; each uploaded file is read once."""
    uploaded_files = st.file_uploader(
        "Transcripts: choose a folder",
        accept_multiple_files="directory",
        key="archive_files",
    )
    collected_ids = st.session_state.setdefault(COLLECTED_KEY, set())
    new_files = [file for file in uploaded_files or () if file.file_id not in collected_ids]
    if not new_files:
        return
    account.require(Role.EDITOR)
    skipped_files = []
    with (
        st.spinner("Reading the transcripts"),
        audit_log().noted(account.actor_name(), "archive add"),
    ):
        for file in new_files:
            collected_ids.add(file.file_id)
            added_file = transcript_collection.add_upload(archive(), file.getvalue(), file.name)
            if added_file.outcome == "skipped":
                skipped_files.append(f"{file.name} was not added: {added_file.why}")
    st.session_state[SKIPPED_KEY] = skipped_files
    st.rerun()


def _start_run(check_service: CheckService) -> None:
    """Start the job that checks the transcripts that wait."""
    account.require(Role.EDITOR)
    person = account.name() or check_service.current_person()
    request = JobRequest(f"{JOB_PREFIX}{secrets.token_hex(6)}", "Checking the archive", person)

    def run(on_progress: OnProgress, is_cancelled: IsCancelled) -> bytes:
        on_progress("starting", 0, 0)
        settings = check_service.settings
        engine = bulk_run.local_engine(
            {"home": str(settings.home), "database_url": settings.database}
        )

        def on_checked(entry: ArchivedTranscript, error: str, done: int, total: int) -> None:
            if is_cancelled():
                raise Cancelled("The run was stopped. The transcripts checked so far are stored.")
            on_progress("checking transcripts", done, total)

        with ArchiveStore.open(settings.database) as store:
            summary = bulk_run.run_checks(store, settings, engine, on_checked=on_checked)
        return json.dumps({"checked": summary.checked, "failed": summary.failed}).encode()

    try:
        check_service.jobs.submit(request, run)
    except LecternError as error:
        st.session_state[SKIPPED_KEY] = [str(error)]
