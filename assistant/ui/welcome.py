"""The first screen: drop a transcript, paste one or take a sample; the database's size and age; earlier reports."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import streamlit as st

from assistant import transcripts
from assistant.desk.desk import Desk, sample_files
from assistant.desk.shelf import ReportHead
from assistant.ground.domain import Transcript
from assistant.ground.errors import LecternError
from assistant.reports import phrases
from assistant.reports.markdown import plain
from assistant.transcripts.bytes import MAX_BYTES
from assistant.transcripts.formats import USUAL

QUESTION = "Which sentences of this debate has somebody already fact-checked?"
MAX_MB = MAX_BYTES // 1_000_000
PREVIEWED = 3000
PASTED = "pasted text"


def welcome(desk: Desk) -> None:
    """Draw the first screen; a transcript that was read is put into the session."""
    st.html(f"<h1>{QUESTION}</h1>")
    left, right = st.columns([3, 2], gap="large")
    with left:
        _upload()
        _paste()
        _before(desk)
    with right:
        _database(desk)
        _samples()


def _upload() -> None:
    file = st.file_uploader(
        f"Drop a transcript here: {USUAL}, whatever its name says", max_upload_size=MAX_MB, key="upload"
    )
    if file is not None:
        _take(file.getvalue(), file.name)


def _paste() -> None:
    with st.expander("or paste text"), st.form("paste", border=False):
        text = st.text_area("Text of the debate", height=180, placeholder="REYES: The bridge opened in 1937.")
        if st.form_submit_button("Read this text"):
            _take(text.encode(), PASTED)


def _samples() -> None:
    paths = sample_files()
    if paths:
        st.html('<p class="lx-h4">Try a sample</p>')
        with st.container(horizontal=True, gap="small"):
            for path in paths:
                if st.button(_sample_name(path), key=f"sample_{path.name}"):
                    _take(path.read_bytes(), path.name)


def _sample_name(path: Path) -> str:
    """Return a sample's name without the date before it: ``Harrow falls (vtt)``."""
    name = re.sub(r"^[\d_-]+", "", path.stem).replace("-", " ").replace("_", " ")
    return f"{name[:1].upper()}{name[1:]} ({path.suffix[1:]})"


def _take(data: bytes, name: str) -> None:
    """Read a transcript into the session, or say in one line why it cannot be read."""
    try:
        with st.spinner(f"Reading {name}"):
            st.session_state["transcript"] = transcripts.read_bytes(data, name)
    except LecternError as error:
        st.error(str(error))
    else:
        st.rerun()


def _database(desk: Desk) -> None:
    status = desk.status()
    st.html(
        '<p class="lx-h4">Database</p><p class="lx-line">'
        f"{phrases.database(status.claims, status.publishers, status.newest_review_date)}</p>"
        '<p class="lx-line">Nothing leaves this computer.</p>'
    )
    if status.only_samples:
        st.html(f'<p class="lx-warn">▲ {phrases.count(status.claims, "sample fact-check")} only, written to show how '
                "Lectern works. Load real ones on the page Claims.</p>")  # fmt: skip
    if not status.claims:
        st.html('<p class="lx-warn">▲ Nothing can be found yet. Load fact-checks on the page Claims.</p>')


def _before(desk: Desk) -> None:
    running, interrupted = desk.jobs.active(), desk.interrupted()
    kept, unreadable = desk.report_heads(), desk.unreadable()
    if not (running or interrupted or kept or unreadable):
        return
    st.html('<p class="lx-h4">Checked on this computer</p>')
    if unreadable:
        st.html(f'<p class="lx-warn">▲ {escape(phrases.unreadable(unreadable))}</p>')
    with st.container(key="kept", gap="xxsmall"):
        for job in running:
            st.button(
                f"{job.title} · {job.state}", key=f"job_{job.id}", type="tertiary", on_click=_open, args=(job.id,)
            )
        for job_id, order in interrupted.items():
            name = f"{order.transcript.title} · was interrupted: run again"
            st.button(name, key=f"again_{job_id}", type="tertiary", on_click=_run_again, args=(desk, job_id))
        for head in kept:
            st.button(
                report_line(head), key=f"kept_{head.id}", type="tertiary", on_click=_open, args=(head.id,), wrap=True
            )


def report_line(head: ReportHead) -> str:
    """Return the title of a stored report as text, its date and what was found."""
    day = f" · {phrases.day(head.event_date)}" if head.event_date else ""
    counts = f"{head.counts['likely']:,} likely, {head.counts['possible']:,} possible"
    return f"{plain(head.title)}{day} · {counts}{' · as of the event' if head.as_of_event else ''}"


def _run_again(desk: Desk, job_id: str) -> None:
    _open(desk.resume(job_id).id)


def _open(report_id: str) -> None:
    st.query_params["report"] = report_id


def preview(transcript: Transcript) -> str:
    """Return the sentences with number, time and speaker as HTML to read through, the first thousands of a long one."""
    lines = "".join(
        f'<p><span class="lx-time">{s.number} {phrases.clock(s.start)}</span> <b>{escape(s.speaker or "Unknown")}</b> '
        f"{escape(s.text)}</p>"
        for s in transcript.sentences[:PREVIEWED]
    )
    rest = len(transcript) - PREVIEWED
    more = f"<p>and {phrases.count(rest, 'more sentence')}</p>" if rest > 0 else ""
    region = 'tabindex="0" role="region" aria-label="The transcript as it was read"'
    return f'<div class="lx-preview" {region}>{lines}{more}</div>'
