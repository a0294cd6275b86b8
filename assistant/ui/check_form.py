"""The form between upload and check: one look at the transcript as it was read."""

from __future__ import annotations

import time
from dataclasses import replace

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import Transcript
from assistant.core.settings import RANKERS
from assistant.jobs.check_service import DEFAULT_RANKER, CheckService
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.transcript_draft import TranscriptDraft
from assistant.report import wording
from assistant.transcripts import title_and_date
from assistant.transcripts.formats import LABELS
from assistant.ui import account
from assistant.ui.draft_session import close_draft, current_draft
from assistant.ui.event_date import TypedDate, draw_date_field
from assistant.ui.shared_resources import reading_choices
from assistant.ui.shown_text import escape
from assistant.ui.speaker_form import draw_doubtful_labels, draw_reused_choices, draw_speakers
from assistant.ui.turn_preview import SHOWN_TURNS, colour_classes, turns_html, turns_of
from assistant.ui.welcome import preview_html

RANKER_NAMES = {
    "lectern": "Lectern (learns on pairs, then pools)",
    "ranksvm-max-skip": "RankSVM-Max with half-true claims skipped (the published method)",
}
HEADING = "Is this what was said?"
SECONDS_PER_MINUTE = 60
# The start of the warning about the lines that the form lists
DOUBT_WARNING = "lines that may be speaker labels"


def draw_form(check_service: CheckService) -> None:
    """Draw the transcript as it was read, fields to correct it, and the button to check it."""
    draft = current_draft()
    transcript = draft.transcript
    source_line = f"{transcript.source.name} · {_capitalised(_source_words(transcript))}"
    st.html(f'<h1>{HEADING}</h1><p class="lx-lead">{escape(source_line)}</p>')
    title, typed_date = _heading_fields(transcript)
    ranker = st.session_state.get("order_ranker", DEFAULT_RANKER)
    # the transcript as the form corrects it
    corrected_transcript = title_and_date.dated(replace(transcript, title=title), typed_date.day)
    job_spec = JobSpec(corrected_transcript, False, ranker)
    _buttons(check_service, draft, job_spec, typed_date)
    draw_reused_choices(draft)
    draw_doubtful_labels(draft)
    turn_column, speaker_column = st.columns([3, 2], gap="large")
    class_by_speaker = colour_classes([summary.speaker for summary in draft.summaries()])
    with turn_column:
        _draw_warnings(corrected_transcript)
        _draw_turns(transcript, class_by_speaker)
    with speaker_column:
        draw_speakers(draft, class_by_speaker)
        if account.has_role(Role.REVIEWER):
            with st.expander("Advanced"):
                _ranker_field()


def _draw_turns(transcript: Transcript, classes: dict[str | None, str]) -> None:
    turns = turns_of(transcript)
    heading = "Preview"
    if len(turns) > SHOWN_TURNS:
        heading = f"Preview: the first {SHOWN_TURNS} turns"
    # lines that may begin with a speaker label; the turns mark them
    doubtful_lines = {doubtful.line for doubtful in transcript.doubtful_labels}
    st.html(f'<h2 class="lx-h4">{heading}</h2>{turns_html(turns, classes, doubtful_lines)}')
    with st.expander("Read it through"):
        st.html(preview_html(transcript))


def _draw_warnings(transcript: Transcript) -> None:
    """Draw the warnings; those about labels are in a list of their own with buttons."""
    warnings = [
        escape(_capitalised(warning))
        for warning in transcript.warnings
        if not warning.startswith(DOUBT_WARNING)
    ]
    if warnings:
        items = "".join(f"<li>{warning}</li>" for warning in warnings)
        st.html(f'<ul class="lx-warnings">{items}</ul>')


def _capitalised(words: str) -> str:
    """Return words with the first letter in upper case."""
    return words[:1].upper() + words[1:]


def _source_words(transcript: Transcript) -> str:
    source_format = transcript.source.format
    speakers = {sentence.speaker for sentence in transcript} - {None}
    ends = [sentence.end or sentence.start or 0.0 for sentence in transcript]  # in seconds
    return source_words(
        LABELS.get(source_format, source_format),
        len(transcript),
        len(speakers),
        max(ends, default=0.0),
    )


def source_words(source_format: str, sentences: int, speakers: int, seconds: float | None) -> str:
    """Summarize a source: ``WebVTT, 1,204 sentences, 5 speakers, 96 min``."""
    sentence_words = wording.count(sentences, "sentence")
    speaker_words = "no speakers named"
    if speakers:
        speaker_words = wording.count(speakers, "speaker")
    phrases = [source_format, sentence_words, speaker_words]
    if seconds and seconds < SECONDS_PER_MINUTE:
        phrases.append("under a minute")
    elif seconds:
        phrases.append(f"{round(seconds / SECONDS_PER_MINUTE):,} min")
    return ", ".join(phrases)


def _heading_fields(transcript: Transcript) -> tuple[str, TypedDate]:
    title_column, date_column = st.columns([3, 2], gap="large")
    with title_column:
        title = st.text_input("Title", transcript.title, key="order_title")
    with date_column:
        typed_date = draw_date_field(transcript.event_date)
    return title.strip() or transcript.title, typed_date


def _ranker_field() -> None:
    st.selectbox(
        "Ranked by",
        RANKERS,
        format_func=lambda name: RANKER_NAMES.get(name, name),
        key="order_ranker",
    )


def _warn_of_old_database(check_service: CheckService, typed_date: TypedDate) -> None:
    newest_day = check_service.newest_review_date()
    warning = wording.old_database(newest_day, typed_date.day)
    if warning:
        st.html(f'<p class="lx-soft lx-tight">▲ {warning}</p>', width="stretch")


def _buttons(
    check_service: CheckService, draft: TranscriptDraft, job_spec: JobSpec, typed_date: TypedDate
) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="check_buttons"):
        may_check = account.has_role(Role.REVIEWER)
        if may_check and st.button(
            "Check transcript", type="primary", key="check", disabled=not typed_date.is_settled
        ):
            # the choices about labels and names serve the next file of this shape, too
            choices = draft.choices(account.actor_name(), time.time())
            reading_choices().replace(draft.shape, choices)
            job = check_service.start(job_spec)
            close_draft()
            st.query_params["report"] = job.id
            st.rerun()
        if st.button("Another file", key="another", type="tertiary"):
            close_draft()
            st.rerun()
        _warn_of_old_database(check_service, typed_date)
