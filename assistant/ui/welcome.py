"""The first screen: inputs for a transcript beside a finished card, the database, the debates."""

from __future__ import annotations

import re
from pathlib import Path

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import Transcript
from assistant.core.errors import LecternError
from assistant.jobs.check_service import CheckService, sample_files, transcription_job_id
from assistant.jobs.recordings import file_digest
from assistant.report import wording
from assistant.reports.markdown_form import escape_markdown
from assistant.transcription import recording_formats
from assistant.transcription.recogniser import MAX_HINT_CHARACTERS
from assistant.transcripts.formats import USUAL_EXTENSIONS
from assistant.transcripts.text_decoding import MAX_BYTES
from assistant.ui import (
    account,
    draft_session,
    example_card,
    fact_check_loading,
    recording_player,
)
from assistant.ui.cut_short_list import draw_cut_short
from assistant.ui.report_list import draw_reports
from assistant.ui.shown_text import draw_error, escape

PROMISE = "Find what has already been fact-checked"
PROMISE_LINE = (
    "Drop a transcript or a recording. Lectern finds published fact-checks of the statements in it. "
    "It never rates anything itself."
)
MAX_MB = MAX_BYTES // 1_000_000
MAX_PREVIEW_SENTENCES = 3000
PASTED = "pasted text"
_LEADING_DATE_PATTERN = re.compile(r"^[\d_-]+")  # at the start of a file name
NAMES_KEY = "names_said"  # of the session state: vocabulary hints for transcription


def draw_welcome(check_service: CheckService) -> None:
    """Draw the first screen; a transcript that was read is stored in the session."""
    st.html(
        f'<p class="lx-brand">Lectern</p><h1>{PROMISE}</h1><p class="lx-lead">{PROMISE_LINE}</p>'
    )
    input_column, example_column = st.columns([6, 5], gap="large")
    with input_column, st.container(key="inputs", gap="small"):
        _draw_transcript_inputs(check_service)
    with example_column, st.container(key="example", gap="small"):
        example_card.draw_example(check_service)
    fact_check_loading.draw_database(check_service, check_service.status())
    draw_reports(check_service)
    draw_cut_short(check_service)
    _draw_samples(check_service)


def _draw_transcript_inputs(check_service: CheckService) -> None:
    if not account.has_role(Role.REVIEWER):  # the page says who checks transcripts
        return
    _upload_input(check_service)
    with st.expander("Or a recording, sound or video", key="drop_recording"):
        _draw_recording_input(check_service)
    with st.expander("Or paste its text", key="paste_text"):
        _paste_input(check_service)


def _draw_recording_input(check_service: CheckService) -> None:
    """Draw the inputs for a recording; one that is added is stored and transcribed."""
    st.html(f'<p class="lx-soft">{recording_player.RECORDING_NOTE}</p>')
    st.text_input(
        "Names and terms that will be said",
        placeholder="Halvorsen, Kestrel Bay",
        key=NAMES_KEY,
        max_chars=MAX_HINT_CHARACTERS,
    )
    try:
        added = recording_player.recording_inputs(check_service, "recording_of_debate")
        if added is not None:
            _start_transcription(check_service, added)
    except LecternError as error:
        draw_error(error)


def _start_transcription(
    check_service: CheckService, added_recording: recording_player.AddedRecording
) -> None:
    """Store a recording and open the page of the job that transcribes it. Raises: LecternError."""
    account.require(Role.REVIEWER)
    # a recording is known by its digest, like a transcript
    recording_digest = file_digest(added_recording.path)
    recording_player.save_recording(
        check_service, added_recording, recording_digest, added_recording.name, None
    )
    typed_names = st.session_state.get(NAMES_KEY, "")
    job = check_service.transcribe(transcription_job_id(recording_digest, typed_names))
    st.query_params["report"] = job.id
    st.rerun()


def _upload_input(check_service: CheckService) -> None:
    file = st.file_uploader(
        f"Drop a transcript here: {USUAL_EXTENSIONS} and other sound or video",
        max_upload_size=MAX_MB,
        key="upload",
    )
    if file is not None:
        _read_into_session(check_service, file.getvalue(), file.name)


def _paste_input(check_service: CheckService) -> None:
    with st.form("paste", border=False):
        text = st.text_area(
            "Text of the transcript", height=120, placeholder="REYES: The bridge opened in 1937."
        )
        if st.form_submit_button("Continue") and text.strip():
            _read_into_session(check_service, text.encode(), PASTED)


def _draw_samples(check_service: CheckService) -> None:
    paths = sample_files()
    if not paths or not account.has_role(Role.REVIEWER):
        return
    with st.expander("Try a sample", key="samples"), st.container(horizontal=True, gap="small"):
        for path in paths:
            if st.button(_sample_name(path), key=f"sample_{path.name}"):
                _read_into_session(check_service, path.read_bytes(), path.name)


def _sample_name(path: Path) -> str:
    """Return a sample's name without the date before it: ``Harrow Falls (vtt)``."""
    name = _LEADING_DATE_PATTERN.sub("", path.stem)
    words = name.replace("-", " ").replace("_", " ")
    format_name = path.suffix.removeprefix(".")
    return f"{words.title()} ({format_name})"


def _read_into_session(check_service: CheckService, data: bytes, name: str) -> None:
    """Read a transcript into the session, or transcribe a recording; show an error if that fails."""
    try:
        with st.spinner(f"Reading {escape_markdown(name)}"):
            if recording_formats.is_recording(data):  # its first bytes tell
                account.require(Role.REVIEWER)
                _start_transcription(
                    check_service, recording_player.store_upload(check_service, data, name)
                )
            else:
                draft_session.read_file(data, name)
    except LecternError as error:
        draw_error(error)
    else:
        st.rerun()


def preview_html(transcript: Transcript) -> str:
    """Return the first sentences as HTML, each with its number, time and speaker."""
    sentence_lines = []
    for sentence in transcript.sentences[:MAX_PREVIEW_SENTENCES]:
        speaker = escape(sentence.speaker or "Unknown")
        sentence_lines.append(
            f'<p><span class="lx-time">{sentence.number} {wording.clock(sentence.start)}</span> '
            f"<b>{speaker}</b> {escape(sentence.text)}</p>"
        )
    omitted_count = len(transcript) - MAX_PREVIEW_SENTENCES
    if omitted_count > 0:
        sentence_lines.append(f"<p>and {wording.count(omitted_count, 'more sentence')}</p>")
    # the box scrolls: keyboards reach it, and screen readers name it
    region_attributes = 'tabindex="0" role="region" aria-label="The transcript as it was read"'
    return f'<div class="lx-preview" {region_attributes}>{"".join(sentence_lines)}</div>'
