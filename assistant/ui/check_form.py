"""The form between upload and check.

What was read, title and date, speakers to rename, merge or reassign.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import Transcript
from assistant.core.settings import RANKERS
from assistant.jobs.check_service import CheckService
from assistant.jobs.job_specs import JobSpec
from assistant.report import wording
from assistant.reports.markdown_form import plain
from assistant.transcripts import speakers
from assistant.transcripts.formats import LABELS
from assistant.ui import account
from assistant.ui.sentence_list import UNKNOWN_SPEAKER
from assistant.ui.shown_text import escape
from assistant.ui.welcome import preview_html

RANKER_NAMES = {
    "lectern": "Lectern (learns on pairs, then pools)",
    "ranksvm-max-skip": "RankSVM-Max with half-true claims skipped (the published method)",
}


def draw_form(desk: CheckService) -> None:
    """Draw a summary of the transcript, fields to correct it, and the button to start the check."""
    transcript: Transcript = st.session_state["transcript"]
    summary = _capitalised(_source_words(transcript))
    st.html(f"<h1>{escape(transcript.source.name)}</h1><p class='lx-line'>{summary}</p>")
    if transcript.warnings:
        lines = [escape(_capitalised(warning)) for warning in transcript.warnings]
        st.html(f'<div class="lx-warn">{"<br>".join(lines)}</div>')
    main_column, speaker_column = st.columns([3, 2], gap="large")
    with main_column:
        title, day, ranker = _heading_fields(transcript)
        _warn_of_old_database(desk, day)
        _buttons(desk, replace(transcript, title=title, event_date=day), ranker)
        with st.expander("Read it through"):
            st.html(preview_html(transcript))
    with speaker_column:
        _speaker_forms(transcript)


def sentence_numbers(text: str, last_number: int) -> list[int]:
    """Return the sentence numbers in ``12-15, 20``, in order, none above ``last_number``.

    Raises: ValueError with the text that is not a number or a range.
    """
    numbers: set[int] = set()
    for item in text.split(","):
        item = item.strip()
        if not item:
            continue
        start, _, end = item.partition("-")
        if not _is_number(start) or (end and not _is_number(end)):
            raise ValueError(item)
        range_end = min(int(end or start), last_number)
        numbers.update(range(int(start), range_end + 1))
    return sorted(number for number in numbers if 1 <= number <= last_number)


def _is_number(text: str) -> bool:
    return text.strip().isdecimal()


def speaker_counts(transcript: Transcript) -> list[tuple[str, int]]:
    """Return the speakers with their number of sentences, most first.

    Sentences without a speaker count for Unknown.
    """
    speakers = [sentence.speaker or UNKNOWN_SPEAKER for sentence in transcript]
    return Counter(speakers).most_common()


def _capitalised(words: str) -> str:
    """Return words with the first letter in upper case."""
    return words[:1].upper() + words[1:]


def _source_words(transcript: Transcript) -> str:
    source_format = transcript.source.format
    speakers = {sentence.speaker for sentence in transcript} - {None}
    ends = [sentence.end or sentence.start or 0.0 for sentence in transcript]
    return source_words(
        LABELS.get(source_format, source_format),
        len(transcript),
        len(speakers),
        max(ends, default=0.0),
    )


def source_words(source_format: str, sentences: int, speakers: int, seconds: float | None) -> str:
    """Summarize a source: ``WebVTT, 1,204 sentences, 5 speakers, 96 min``."""
    phrases = [source_format, wording.count(sentences, "sentence")]
    phrases.append(wording.count(speakers, "speaker") if speakers else "no speakers named")
    if seconds:
        phrases.append("under a minute" if seconds < 60 else f"{round(seconds / 60):,} min")
    return ", ".join(phrases)


def _heading_fields(transcript: Transcript) -> tuple[str, date | None, str]:
    title = st.text_input("Title", transcript.title, key="order_title")
    date_column, ranker_column = st.columns([1, 2])
    day = date_column.date_input(
        "Date of the event",
        transcript.event_date,
        format="DD/MM/YYYY",
        key="order_date",
        min_value="1900-01-01",
        max_value="2100-12-31",
    )
    ranker = ranker_column.selectbox(
        "Ranked by",
        RANKERS,
        format_func=lambda name: RANKER_NAMES.get(name, name),
        key="order_ranker",
    )
    if day is None:
        st.html(
            '<p class="lx-soft">Without a date nobody can say how old a fact-check was on the day.'
            "</p>"
        )
    return title or transcript.title, day, ranker


def _warn_of_old_database(desk: CheckService, day: date | None) -> None:
    old = wording.old_database(desk.status().newest_review_date, day)
    if old:
        st.html(f'<p class="lx-warn">{old}</p>')


def _buttons(desk: CheckService, transcript: Transcript, ranker: str) -> None:
    with st.container(horizontal=True):
        if account.may(Role.REVIEWER) and st.button("Check", type="primary", key="check"):
            job = desk.start(JobSpec(transcript, False, ranker))
            st.session_state.pop("transcript")
            st.query_params["report"] = job.id
            st.rerun()
        if st.button("Another file", key="another"):
            st.session_state.pop("transcript")
            st.rerun()


def _speaker_forms(transcript: Transcript) -> None:
    counts = dict(speaker_counts(transcript))
    st.html('<p class="lx-h4">Speakers</p>')
    lines = []
    for speaker, sentences in counts.items():
        count_words = wording.count(sentences, "sentence")
        lines.append(f'<p class="lx-line">{escape(speaker)} · {count_words}</p>')
    st.html("".join(lines))
    with st.expander("Rename or merge"), st.form("rename", border=False):
        known_speakers = [speaker for speaker in counts if speaker != UNKNOWN_SPEAKER]
        renamed = st.multiselect("Speakers", known_speakers)
        new_name = st.text_input("New name")
        if st.form_submit_button("Rename") and renamed and new_name.strip():
            new_names = dict.fromkeys(renamed, new_name.strip())
            _replace_transcript(speakers.rename(transcript, new_names))
    with st.expander("Change the speaker of sentences"), st.form("reassign", border=False):
        numbers_text = st.text_input("Sentences", placeholder="12-15, 20")
        speaker_name = st.text_input("Speaker")
        if st.form_submit_button("Change") and numbers_text.strip():
            _reassign(transcript, numbers_text, speaker_name.strip() or None)


def _reassign(transcript: Transcript, numbers_text: str, name: str | None) -> None:
    try:
        chosen_numbers = sentence_numbers(numbers_text, len(transcript))
    except ValueError as error:
        st.error(plain(f"{error} is not a sentence number; write 12-15, 20."))
        return
    _replace_transcript(speakers.reassign(transcript, chosen_numbers, name))


def _replace_transcript(transcript: Transcript) -> None:
    st.session_state["transcript"] = transcript
    st.rerun()
