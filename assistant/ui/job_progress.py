"""Shows the progress of a job in every browser that asks.

Its stage, n of m, the time left, and a Cancel button.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from assistant.core.access import Role
from assistant.jobs import transcript_draft
from assistant.jobs.check_service import CheckService
from assistant.jobs.job_state import Job, JobProgress, JobState
from assistant.jobs.whole_progress import whole_progress
from assistant.report import wording
from assistant.report.speaker_names import shown_name
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import account, draft_session
from assistant.ui.shared_resources import audit_log
from assistant.ui.shown_text import draw_error, escape

if TYPE_CHECKING:
    from assistant.check.preview import Glimpse

# stages that are named for a thing, as an activity
STAGE_ACTIVITIES = {
    "statements": "reading the statements of the fact-checks",
    "articles": "reading their articles",
}
# stages whose units are seconds of a recording
SOUND_STAGES = ("reading the sound", "listening", "making it playable")


@account.fragment(run_every=1)
def draw_progress(check_service: CheckService, job_id: str) -> None:
    """Draw the progress of a job, once a second; when it is over, redraw the whole page."""
    job = check_service.jobs.get(job_id)
    if job is None or job.has_ended:
        st.rerun()
        return
    now = check_service.jobs.clock()
    # A running check knows the progress of all its stages, another job only of the current one.
    overall_progress = whole_progress(job.progress, now) if job.state is JobState.RUNNING else None
    if overall_progress is None:
        st.progress(done_share(job.progress), text=escape_markdown(progress_words(job, now)))
    else:
        time_words = time_left(overall_progress.seconds_left)
        time_words = f"{time_words[:1].upper()}{time_words[1:]}"
        st.progress(overall_progress.share, text=escape_markdown(time_words))
        st.html(f'<p class="lx-soft lx-tight">{escape(stage_words(job.progress))}</p>')
    st.html(
        '<p class="lx-soft">You can close this page: the work continues, and this address '
        "shows it again.</p>"
    )
    if job.preview:
        st.html(preview_html(job.preview))
    needed_role = Role.EDITOR if job.is_import else Role.REVIEWER
    if account.has_role(needed_role):
        st.button("Cancel", on_click=cancel_job, args=(check_service, job_id), key="cancel")


def cancel_job(check_service: CheckService, job_id: str) -> None:
    """Cancel a job for a person who may, and write it into the log.

    Raises: AccessDenied without the role: reviewer for a check, editor for an import.
    """
    job = check_service.jobs.get(job_id)
    is_import = job is None or job.is_import  # an unknown job counts as an import
    account.require(Role.EDITOR if is_import else Role.REVIEWER)
    with audit_log().noted(account.actor_name(), "cancel", job_id):
        check_service.jobs.cancel(job_id)


def done_share(progress: JobProgress) -> float:
    """Return the finished share of the current stage, 0 to 1; 0 if its size is not known."""
    if not progress.total:
        return 0.0
    return min(progress.done / progress.total, 1.0)


def preview_html(glimpses: Sequence[Glimpse]) -> str:
    """Return the sentences that may match as HTML, each with its nearest fact-check so far."""
    list_items = []
    for glimpse in glimpses:
        sentence = glimpse.sentence
        speaker = escape(shown_name(sentence.speaker or "Unknown"))
        nearest_fact_check = f"{escape(glimpse.rating)}: {escape(glimpse.statement)}"
        list_items.append(
            f"<li><b>{speaker}</b> {escape(sentence.text)}<br>"
            f'<span class="lx-soft">{nearest_fact_check}</span></li>'
        )
    note = (
        "Sentences that may match, and the nearest fact-check so far. "
        "Both may change until the check ends."
    )
    return f'<h2>First look</h2><p class="lx-soft">{note}</p><ol>{"".join(list_items)}</ol>'


def progress_words(job: Job, now: float) -> str:
    """Return the progress in words: ``Comparing words: 120 of 412, about 40 seconds left``."""
    if job.state is JobState.WAITING:
        if job.jobs_ahead:
            return f"Waiting for {wording.count(job.jobs_ahead, 'check')} before it"
        return "About to start"
    stage_line = stage_words(job.progress)
    if not job.progress.total:
        return stage_line
    return f"{stage_line}, {time_left(job.seconds_left(now))}"


def stage_words(progress: JobProgress) -> str:
    """Return the stage with its count once something is done: ``Comparing words: 120 of 412``."""
    activity = STAGE_ACTIVITIES.get(progress.stage, progress.stage)
    stage_name = f"{activity[:1].upper()}{activity[1:]}" or "Starting"
    if not progress.total:  # its size is not known
        return stage_name
    if progress.stage in SOUND_STAGES:
        done_words = wording.clock(progress.done)
        total_words = wording.clock(progress.total)
    else:
        done_words = f"{progress.done:,}"
        total_words = f"{progress.total:,}"
    return f"{stage_name}: {done_words} of {total_words}"


def time_left(seconds: float | None) -> str:
    """Return the time left in words, rounded so that it does not jump about."""
    if seconds is None:
        return "time left not known yet"
    if seconds < 10:
        return "a few seconds left"
    if seconds < 90:
        return f"about {round(seconds / 10) * 10} seconds left"
    return f"about {wording.count(round(seconds / 60), 'minute')} left"


def draw_ended_job(check_service: CheckService, job: Job) -> None:
    """Say why a job made no report, and offer to do it again."""
    if job.state is JobState.CANCELLED:
        st.info(
            f"The check of {escape_markdown(job.title)} was cancelled. Only the transcript was kept."
        )
    else:
        draw_error(f"{job.title} could not be checked: {job.error}")
    job_spec = check_service.job_spec(job.id) if account.has_role(Role.REVIEWER) else None
    with st.container(horizontal=True):
        if job_spec and st.button("Check again", type="primary"):
            check_service.start(job_spec, again=True)
            st.rerun()
        if job_spec and st.button("Change and check"):
            draft_session.open_draft(transcript_draft.of_transcript(job_spec.transcript))
            st.query_params.clear()
            st.rerun()
        if st.button("New check"):
            st.query_params.clear()
            st.rerun()
