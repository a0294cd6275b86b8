"""The list of checks on this computer.

Running, interrupted and finished ones, each with its picture in small.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import RatingClass, Tier
from assistant.jobs.check_service import CheckService
from assistant.jobs.report_store import ReportHead, TimelinePoint
from assistant.report import wording
from assistant.reports.markdown_form import plain
from assistant.ui import account
from assistant.ui.theme import SIGNS


def draw_reports(desk: CheckService) -> None:
    """Draw what runs, what was cut short and what is done, newest first.

    Nothing if there is none.
    """
    running = [job for job in desk.jobs.active() if not job.is_import]
    interrupted = desk.interrupted_checks()
    kept = desk.report_heads()
    unreadable = desk.unreadable_reports()
    unheard = desk.interrupted_transcriptions() if account.may(Role.REVIEWER) else []
    if not (running or interrupted or unheard or kept or unreadable):
        return
    st.html('<h2 class="lx-h4">Checked on this computer</h2>')
    if unreadable:
        st.html(f'<p class="lx-warn">▲ {escape(wording.unreadable(unreadable))}</p>')
    with st.container(key="kept", gap="xxsmall"):
        for job in running:
            _open_button(f"{job.title} · {job.state}", f"job_{job.id}", job.id)
        for job in unheard:
            _open_button(f"{job.title} · was interrupted: go on", f"unheard_{job.id}", job.id)
        for job_id, order in interrupted.items() if account.may(Role.REVIEWER) else ():
            name = f"{order.transcript.title} · was interrupted: run again"
            st.button(
                name,
                key=f"again_{job_id}",
                type="tertiary",
                on_click=_run_again,
                args=(desk, job_id),
            )
        for head in kept:
            report_button(head, f"kept_{head.id}")


def report_button(head: ReportHead, key: str) -> None:
    """Draw a button that opens a stored report, its picture in small below it."""
    _open_button(report_line(head), key, head.id)
    if head.timeline:
        st.html(mini_timeline(head.timeline))


def report_line(head: ReportHead) -> str:
    """Return the title of a stored report as text, its date and what was found."""
    day = f" · {wording.day(head.event_date)}" if head.event_date else ""
    likely, possible = (
        head.counts.get(f"{tier}_rows", head.counts[tier]) for tier in ("likely", "possible")
    )
    counts = f"{likely:,} likely, {possible:,} possible"
    return f"{plain(head.title)}{day} · {counts}{' · as of the event' if head.as_of_event else ''}"


def mini_timeline(spots: Sequence[TimelinePoint]) -> str:
    """Return a debate as a strip.

    A mark a match from the beginning to the end, high for likely, low for possible.
    """
    marks = "".join(
        f'<i class="lx-{SIGNS[RatingClass(s.rating_class)].colour}{" lx-high" if s.tier == Tier.LIKELY else ""}" '
        f'style="left:{s.position * 100:.1f}%"></i>'
        for s in spots
    )
    return f'<div class="lx-strip" aria-hidden="true">{marks}</div>'


def _open_button(label: str, key: str, report_id: str) -> None:
    st.button(label, key=key, type="tertiary", on_click=_open, args=(report_id,), wrap=True)


def _run_again(desk: CheckService, job_id: str) -> None:
    account.require(Role.REVIEWER)
    _open(desk.resume(job_id).id)


def _open(report_id: str) -> None:
    st.query_params["report"] = report_id
