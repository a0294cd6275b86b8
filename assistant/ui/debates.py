"""The states of the page Debates: first screen, form, progress, results.

The URL says which report is shown.
"""

from __future__ import annotations

import streamlit as st

from assistant.core.access import Role
from assistant.jobs import transcript_draft
from assistant.jobs.check_service import TRANSCRIPTION_ID_PREFIX, CheckService
from assistant.jobs.job_state import Job
from assistant.ui import account, draft_session
from assistant.ui.check_form import draw_form
from assistant.ui.job_progress import draw_ended_job, draw_progress
from assistant.ui.results import draw_results
from assistant.ui.review_adding import show_shortened
from assistant.ui.sentence_list import RANKED
from assistant.ui.shown_text import draw_error, escape
from assistant.ui.welcome import draw_welcome

NO_REPORT = "There is no report at this address: it was made on another computer. Check the transcript again."
READERS_ONLY = (
    "You may read what was checked; transcripts are checked by people with the reviewer role."
)
INTERRUPTED = (
    "This check was cut short when Lectern was closed. The transcript is kept, with your changes."
)

TRANSCRIPTION_STOPPED = "Listening was stopped before its end. What was heard is kept for a week."


def draw_debates(check_service: CheckService, *, usual_view: str = RANKED) -> None:
    """Draw the state that the address and the session ask for.

    ``usual_view`` is the view of a debate if the address names none.
    """
    report_id = st.query_params.get("report", "")
    if report_id.startswith(TRANSCRIPTION_ID_PREFIX):
        _draw_transcription(check_service, report_id)
    elif report_id:
        _draw_report(check_service, report_id, usual_view)
    elif draft_session.has_draft():
        draw_form(check_service)
    else:
        if not account.has_role(Role.REVIEWER):
            st.html(f'<p class="lx-soft">{READERS_ONLY}</p>')
        draw_welcome(check_service)


def _draw_transcription(check_service: CheckService, job_id: str) -> None:
    """Draw how far listening to a recording is; what was said goes into the session."""
    account.require(Role.REVIEWER)
    job = check_service.jobs.get(job_id)
    if job and not job.has_ended:
        st.html(f"<h1>Listening to {escape(job.title)}</h1>")
        draw_progress(check_service, job_id)
        return
    transcript = check_service.transcribed(job_id)
    if not transcript:  # none, or one without a sentence
        _draw_stopped_transcription(check_service, job_id, job)
        return
    draft_session.open_draft(transcript_draft.of_transcript(transcript))
    st.query_params.clear()
    st.rerun()


def _draw_stopped_transcription(check_service: CheckService, job_id: str, job: Job | None) -> None:
    """Say why a recording was not heard to its end, and offer to go on, or to forget it."""
    # a failed job has an error, a cancelled one has none
    if job and job.error:
        draw_error(f"{job.title} could not be heard: {job.error}")
    else:
        st.info(TRANSCRIPTION_STOPPED)
    with st.container(horizontal=True):
        if st.button("Go on", type="primary"):
            check_service.transcribe(job_id)
            st.rerun()
        if st.button("Forget the recording"):
            check_service.forget_transcription(job_id)
            st.query_params.clear()
            st.rerun()
        if st.button("New check"):
            st.query_params.clear()
            st.rerun()


def _draw_report(check_service: CheckService, report_id: str, usual_view: str) -> None:
    job = check_service.jobs.get(report_id)  # a report has the id of the job that made it
    if job and not job.has_ended:
        st.html(f"<h1>Checking {escape(job.title)}</h1>")
        show_shortened(is_final=False)
        draw_progress(check_service, report_id)
    elif report := check_service.report(report_id):
        draw_results(check_service, report, usual_view)
    elif job:
        draw_ended_job(check_service, job)
    elif job_spec := check_service.interrupted_checks().get(report_id):
        st.html(f"<h1>{escape(job_spec.transcript.title)}</h1>")
        st.info(INTERRUPTED)
        if account.has_role(Role.REVIEWER) and st.button("Run again", type="primary"):
            st.query_params["report"] = check_service.resume(report_id).id
            st.rerun()
    else:
        st.html("<h1>No report here</h1>")
        st.warning(NO_REPORT)
        if st.button("New check"):
            st.query_params.clear()
            st.rerun()
