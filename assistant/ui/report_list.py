"""The list of running, interrupted and finished checks, with small timelines."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import RatingClass, Tier
from assistant.jobs.check_service import CheckService
from assistant.jobs.report_store import ReportHead, TimelinePoint
from assistant.report import wording
from assistant.reports.markdown_form import plain
from assistant.ui import account
from assistant.ui.shown_text import escape
from assistant.ui.theme import SIGNS

STRENGTH_COUNTS = {
    "strong_rows": "strong",
    "good_rows": "good",
    "possible_strength_rows": "possible",
}


def draw_reports(desk: CheckService) -> None:
    """Draw the running, interrupted and finished checks, newest first; nothing if there are none."""
    running = [job for job in desk.jobs.active() if not job.is_import]
    heads = desk.report_heads()
    unreadable = desk.unreadable_reports()
    interrupted = desk.interrupted_checks()
    may_resume = account.may(Role.REVIEWER)
    transcriptions = desk.interrupted_transcriptions() if may_resume else []
    if not (running or interrupted or transcriptions or heads or unreadable):
        return
    st.html('<h2 class="lx-h4">Checked on this computer</h2>')
    if unreadable:
        st.html(f'<p class="lx-warn">▲ {escape(wording.unreadable(unreadable))}</p>')
    with st.container(key="kept", gap="xxsmall"):
        for job in running:
            _open_button(f"{job.title} · {job.state}", f"job_{job.id}", job.id)
        for job in transcriptions:
            _open_button(f"{job.title} · was interrupted: go on", f"unheard_{job.id}", job.id)
        if may_resume:
            for job_id, job_spec in interrupted.items():
                st.button(
                    plain(f"{job_spec.transcript.title} · was interrupted: run again"),
                    key=f"again_{job_id}",
                    type="tertiary",
                    on_click=_run_again,
                    args=(desk, job_id),
                )
        for head in heads:
            report_button(head, f"kept_{head.id}")


def report_button(head: ReportHead, key: str) -> None:
    """Draw a button that opens a stored report, with a small timeline below it."""
    _open_button(report_line(head), key, head.id)
    if head.timeline:
        st.html(mini_timeline(head.timeline))


def report_line(head: ReportHead) -> str:
    """Return the title of a stored report, its date and its number of matches."""
    day = f" · {wording.day(head.event_date)}" if head.event_date else ""
    as_of_event = " · older fact-checks only" if head.as_of_event else ""
    return f"{head.title}{day} · {_strength_counts(head)}{as_of_event}"


def _strength_counts(head: ReportHead) -> str:
    """Return the number of statements by strength, by tier for a report without strengths."""
    by_strength = []
    for key, word in STRENGTH_COUNTS.items():
        if head.counts.get(key):
            by_strength.append(f"{head.counts[key]:,} {word}")
    if by_strength:
        return ", ".join(by_strength)
    # reports from before rows were counted have only the number of matches
    likely = head.counts.get("likely_rows", head.counts["likely"])
    possible = head.counts.get("possible_rows", head.counts["possible"])
    return f"{likely:,} likely, {possible:,} possible"


def mini_timeline(points: Sequence[TimelinePoint]) -> str:
    """Return a debate as a small timeline: one mark per match, high for likely, low for possible."""
    marks = []
    for point in points:
        classes = f"lx-{SIGNS[RatingClass(point.rating_class)].colour}"
        if point.tier == Tier.LIKELY:
            classes += " lx-high"
        marks.append(f'<i class="{classes}" style="left:{point.position * 100:.1f}%"></i>')
    return f'<div class="lx-strip" aria-hidden="true">{"".join(marks)}</div>'


def _open_button(label: str, key: str, report_id: str) -> None:
    st.button(plain(label), key=key, type="tertiary", on_click=_open, args=(report_id,), wrap=True)


def _run_again(desk: CheckService, job_id: str) -> None:
    account.require(Role.REVIEWER)
    _open(desk.resume(job_id).id)


def _open(report_id: str) -> None:
    st.query_params["report"] = report_id
