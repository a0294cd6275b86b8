"""The list of debates: running and interrupted checks, and a tile for each debate with its reports."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import streamlit as st

from assistant.api.debate_stores import open_debate_stores
from assistant.core.access import Role
from assistant.core.domain import RatingClass
from assistant.core.errors import LecternError
from assistant.jobs.check_service import CheckService
from assistant.jobs.report_store import ReportHead, TimelinePoint
from assistant.report import wording
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import account, assignment_view
from assistant.ui.match_strength import GOOD, LIKELY, POSSIBLE, STRONG
from assistant.ui.shared_resources import audit_log, decisions
from assistant.ui.shown_text import draw_error, escape
from assistant.ui.theme import RATING_SIGNS

# The keys of a report's counts, with the strength of the matches that each counts.
STRENGTH_BY_COUNT_KEY = {
    "strong_rows": STRONG,
    "good_rows": GOOD,
    "possible_strength_rows": POSSIBLE,
}
HIGH_STRENGTHS = (STRONG, LIKELY)
SHOWN_DEBATES = 8
LISTED_REPORTS = 500
MAX_DEBATE_TITLE_CHARACTERS = 200
ALL_DEBATES_KEY = "all_debates"  # session state: whether all debates are shown
DELETE_NOTE = (
    "Deletes the transcript, its reports, decisions and recording from this computer for good. "
    "Backups and exported files still have them."
)
OLD_REPORT = "checked before strengths had names"


@dataclass(frozen=True, slots=True)
class DebateReports:
    """The stored reports of one transcript, the newest first."""

    heads: tuple[ReportHead, ...]

    @property
    def newest(self) -> ReportHead:
        """Return the report that opens when the debate is opened."""
        return self.heads[0]


def draw_reports(check_service: CheckService) -> None:
    """Draw running and interrupted checks and the debates, newest first; nothing without any."""
    running_jobs = [job for job in check_service.jobs.active() if not job.is_import]
    debates = by_debate(check_service.report_heads(LISTED_REPORTS))
    unreadable_reports = check_service.unreadable_reports()
    interrupted_checks = check_service.interrupted_checks()
    may_resume = account.has_role(Role.REVIEWER)
    interrupted_transcriptions = check_service.interrupted_transcriptions() if may_resume else []
    has_jobs = bool(running_jobs or interrupted_checks or interrupted_transcriptions)
    if not has_jobs and not debates and not unreadable_reports:
        return
    st.html('<h2 class="lx-section">Debates</h2>')
    if unreadable_reports:
        st.html(f'<p class="lx-warn">▲ {escape(wording.unreadable(unreadable_reports))}</p>')
    with st.container(key="kept", gap="xxsmall"):
        for job in running_jobs:
            _open_button(f"{job.title} · {job.state}", f"job_{job.id}", job.id)
        for job in interrupted_transcriptions:
            _open_button(f"{job.title} · was interrupted: resume", f"unheard_{job.id}", job.id)
        if may_resume:
            for job_id, job_spec in interrupted_checks.items():
                st.button(
                    escape_markdown(f"{job_spec.transcript.title} · was interrupted: run again"),
                    key=f"again_{job_id}",
                    type="tertiary",
                    on_click=_run_again,
                    args=(check_service, job_id),
                )
        _draw_tiles(check_service, debates)


def by_debate(heads: Iterable[ReportHead]) -> list[DebateReports]:
    """Return the reports by transcript, in the order of the first report of each."""
    # document: the digest of the transcript; early reports lack it
    heads_by_document: dict[str, list[ReportHead]] = {}
    for head in heads:
        heads_by_document.setdefault(head.document or head.id, []).append(head)
    return [DebateReports(tuple(versions)) for versions in heads_by_document.values()]


def _draw_tiles(check_service: CheckService, debates: Sequence[DebateReports]) -> None:
    # the filter Mine, and the people to whom each debate is assigned
    passes_filter, people_by_document = assignment_view.debates_filter(
        debate.newest.document for debate in debates
    )
    debates = [debate for debate in debates if passes_filter(debate.newest)]
    shown_debates = debates
    if not st.session_state.get(ALL_DEBATES_KEY):
        shown_debates = debates[:SHOWN_DEBATES]
    documents = [debate.newest.document for debate in shown_debates]
    decided_counts = decisions().decided_counts(documents)
    for debate in shown_debates:
        decided_count = decided_counts.get(debate.newest.document, 0)
        assigned_to = assignment_view.assigned_words(
            people_by_document.get(debate.newest.document, [])
        )
        _draw_tile(check_service, debate, decided_count, assigned_to)
    if len(shown_debates) < len(debates):
        label = f"Show all {len(debates):,} debates"
        st.button(escape_markdown(label), key="show_debates", on_click=_show_all_debates)


def _draw_tile(
    check_service: CheckService, debate: DebateReports, decided_count: int, assigned_to: str
) -> None:
    """Draw a debate with its counts and timeline; a click on the title opens its newest report."""
    head = debate.newest
    with st.container(key=f"tile_{head.id}", gap=None):
        with st.container(
            horizontal=True,
            vertical_alignment="center",
            gap="small",
            key=f"tile_head_{head.id}",
        ):
            _open_button(debate_title(head), f"kept_{head.id}", head.id)
            if len(debate.heads) > 1:
                _versions_menu(debate)
            if account.has_role(Role.EDITOR):
                _tile_menu(check_service, head)
        st.html(tile_html(head, decided_count, assigned_to) + mini_timeline(head.timeline))


def _versions_menu(debate: DebateReports) -> None:
    count = wording.count(len(debate.heads), "version")
    with st.popover(escape_markdown(count), type="tertiary", key=f"versions_{debate.newest.id}"):
        for head in debate.heads:
            _open_button(version_line(head), f"version_{head.id}", head.id)


def _tile_menu(check_service: CheckService, report_head: ReportHead) -> None:
    """Draw the menu that renames or deletes a debate."""
    with st.popover(
        "…", type="tertiary", key=f"tile_menu_{report_head.id}", help="Rename or delete"
    ):
        title = st.text_input(
            "Title",
            value=report_head.title,
            key=f"title_{report_head.id}",
            max_chars=MAX_DEBATE_TITLE_CHARACTERS,
        )
        if st.button("Rename", key=f"rename_{report_head.id}", disabled=title == report_head.title):
            _rename(check_service, report_head, title or "")
        st.html(f'<p class="lx-soft">{DELETE_NOTE}</p>')
        is_confirmed = st.checkbox("Yes, delete this debate", key=f"delete_meant_{report_head.id}")
        if st.button("Delete", key=f"delete_{report_head.id}", disabled=not is_confirmed):
            _delete(check_service, report_head)


def _rename(check_service: CheckService, report_head: ReportHead, title: str) -> None:
    try:
        account.require(Role.EDITOR)
        with audit_log().noted(account.actor_name(), "rename", report_head.document[:16]):
            check_service.rename_debate(report_head.document, title)
    except LecternError as error:
        draw_error(error)
    else:
        st.rerun()


def _delete(check_service: CheckService, report_head: ReportHead) -> None:
    """Delete a debate with everything stored about it."""
    try:
        account.require(Role.EDITOR)
        audit_note = audit_log().noted(account.actor_name(), "purge", report_head.document[:16])
        with audit_note, open_debate_stores(check_service.settings) as stores:
            for debate in stores.debates():
                if debate.document == report_head.document:
                    stores.purge(debate, time.time())
    except LecternError as error:
        draw_error(error)
    else:
        st.rerun()


def report_button(report_head: ReportHead, key: str) -> None:
    """Draw a button that opens a stored report, with a small timeline below it."""
    _open_button(report_line(report_head), key, report_head.id)
    if report_head.timeline:
        st.html(mini_timeline(report_head.timeline))


def debate_title(report_head: ReportHead) -> str:
    """Return the title of a debate with its date: ``City hall debate · 10 Sep 2024``."""
    return f"{report_head.title} · {wording.day(report_head.event_date, 'date not set')}"


def version_line(report_head: ReportHead) -> str:
    """Return a report among the reports of its debate: when it was made, and its counts."""
    # as_of_event: without fact-checks from after the debate
    older_only = ", older fact-checks only" if report_head.as_of_event else ""
    return f"{_checked_at(report_head)}{older_only} · {strength_counts(report_head)}"


def report_line(report_head: ReportHead) -> str:
    """Return the title of a stored report, its date and its number of statements."""
    as_of_event = " · older fact-checks only" if report_head.as_of_event else ""
    return f"{debate_title(report_head)} · {strength_counts(report_head)}{as_of_event}"


def tile_html(report_head: ReportHead, decided_count: int, assigned_to: str = "") -> str:
    """Return the counts of a debate, the progress of its review and the time of its check."""
    phrases = [f"<b>{escape(strength_counts(report_head))}</b>"]
    if decided_count:
        phrases.append(f"{wording.count(decided_count, 'statement')} decided")
    else:
        phrases.append("not reviewed")
    if assigned_to:
        phrases.append(escape(assigned_to))
    phrases.append(escape(_checked_at(report_head)))
    if report_head.as_of_event:
        phrases.append("older fact-checks only")
    return f'<p class="lx-soft lx-tight lx-count">{" · ".join(phrases)}</p>'


def strength_counts(report_head: ReportHead) -> str:
    """Return the number of statements by strength, in all for a report without strengths."""
    strength_phrases = []
    for key, strength in STRENGTH_BY_COUNT_KEY.items():
        if report_head.counts.get(key):
            strength_phrases.append(f"{report_head.counts[key]:,} {strength}")
    if strength_phrases:
        return ", ".join(strength_phrases)
    # reports from before rows were counted have only the number of sentences
    likely_count = report_head.counts.get("likely_rows", report_head.counts["likely"])
    possible_count = report_head.counts.get("possible_rows", report_head.counts["possible"])
    total = likely_count + possible_count
    if not total:
        return "nothing found"
    return f"{wording.count(total, 'statement')}, {OLD_REPORT}"


def _checked_at(report_head: ReportHead) -> str:
    moment = datetime.fromtimestamp(report_head.written)
    return f"checked {wording.day(moment.date())}, {moment:%H:%M}"


def mini_timeline(points: Sequence[TimelinePoint]) -> str:
    """Return a debate as a small timeline: one mark per match, the stronger the higher."""
    marks = []
    for point in points:
        sign = RATING_SIGNS[RatingClass(point.rating_class)]
        css_classes = f"lx-{sign.colour}"
        # a report from before strengths had names has the tiers "likely" and "possible"
        strength = point.strength or point.tier
        if strength in HIGH_STRENGTHS:
            css_classes += " lx-high"
        elif strength == GOOD:
            css_classes += " lx-medium"
        left_percent = point.position * 100  # position in the debate, 0 to 1
        marks.append(f'<i class="{css_classes}" style="left:{left_percent:.1f}%"></i>')
    return f'<div class="lx-strip" aria-hidden="true">{"".join(marks)}</div>'


def _open_button(label: str, key: str, report_id: str) -> None:
    st.button(
        escape_markdown(label),
        key=key,
        type="tertiary",
        on_click=_open,
        args=(report_id,),
        wrap=True,
    )


def _run_again(check_service: CheckService, job_id: str) -> None:
    account.require(Role.REVIEWER)
    _open(check_service.resume(job_id).id)


def _open(report_id: str) -> None:
    st.query_params["report"] = report_id


def _show_all_debates() -> None:
    st.session_state[ALL_DEBATES_KEY] = True
