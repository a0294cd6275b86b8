"""The form between upload and check.

What was read, title and date, speakers to rename, merge or reassign.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from html import escape

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import Transcript
from assistant.core.settings import RANKERS
from assistant.jobs.check_service import CheckService
from assistant.jobs.job_specs import JobSpec
from assistant.report import wording
from assistant.transcripts import speakers
from assistant.transcripts.formats import LABELS
from assistant.ui import account
from assistant.ui.sentence_list import UNKNOWN_SPEAKER
from assistant.ui.welcome import preview

RANKER_NAMES = {
    "lectern": "Lectern (learns on pairs, then pools)",
    "ranksvm-max-skip": "RankSVM-Max with half-true claims skipped (the published method)",
}


def ordering(desk: CheckService) -> None:
    """Draw what was read, the fields to correct it, and the button that starts the check."""
    transcript: Transcript = st.session_state["transcript"]
    st.html(
        f"<h1>{escape(transcript.source.name)}</h1><p class='lx-line'>{_begun(_read_as(transcript))}</p>"
    )
    if transcript.warnings:
        st.html(
            '<div class="lx-warn">'
            + "<br>".join(escape(_begun(w)) for w in transcript.warnings)
            + "</div>"
        )
    left, right = st.columns([3, 2], gap="large")
    with left:
        title, day, ranker = _heading(transcript)
        _old_database(desk, day)
        _buttons(desk, replace(transcript, title=title, event_date=day), ranker)
        with st.expander("Read it through"):
            st.html(preview(transcript))
    with right:
        _speakers(transcript)


def numbers(text: str, last: int) -> list[int]:
    """Return the sentence numbers that ``12-15, 20`` names, in order, none above ``last``.

    Raises: ValueError with the part that is not a number or a span.
    """
    chosen: set[int] = set()
    for part in filter(None, (p.strip() for p in text.split(","))):
        first, _, end = part.partition("-")
        if not first.strip().isdecimal() or end and not end.strip().isdecimal():
            raise ValueError(part)
        chosen |= set(range(int(first), min(int(end or first), last) + 1))
    return sorted(n for n in chosen if 1 <= n <= last)


def speaker_counts(transcript: Transcript) -> list[tuple[str, int]]:
    """Return the speakers with their number of sentences, most first.

    Those without a name as Unknown.
    """
    return Counter(s.speaker or UNKNOWN_SPEAKER for s in transcript).most_common()


def _begun(words: str) -> str:
    """Return words that begin a line."""
    return words[:1].upper() + words[1:]


def _read_as(transcript: Transcript) -> str:
    named = {s.speaker for s in transcript} - {None}
    end = max((s.end or s.start or 0.0 for s in transcript), default=0.0)
    return read_as(
        LABELS.get(transcript.source.format, transcript.source.format),
        len(transcript),
        len(named),
        end,
    )


def read_as(source_format: str, sentences: int, speakers: int, seconds: float | None) -> str:
    """Return what was read from a file: ``WebVTT, 1,204 sentences, 5 speakers, 96 min``."""
    parts = [source_format, wording.count(sentences, "sentence")]
    parts.append(wording.count(speakers, "speaker") if speakers else "no speakers named")
    if seconds:
        parts.append("under a minute" if seconds < 60 else f"{round(seconds / 60):,} min")
    return ", ".join(parts)


def _heading(transcript: Transcript) -> tuple[str, date | None, str]:
    title = st.text_input("Title", transcript.title, key="order_title")
    one, two = st.columns([1, 2])
    day = one.date_input("Date of the event", transcript.event_date, format="DD/MM/YYYY", key="order_date",
                         min_value="1900-01-01", max_value="2100-12-31")  # fmt: skip
    ranker = two.selectbox(
        "Ranked by", RANKERS, format_func=lambda r: RANKER_NAMES.get(r, r), key="order_ranker"
    )
    if day is None:
        st.html(
            '<p class="lx-soft">Without a date nobody can say how old a fact-check was on the day.</p>'
        )
    return title or transcript.title, day, ranker


def _old_database(desk: CheckService, day: date | None) -> None:
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


def _speakers(transcript: Transcript) -> None:
    counts = dict(speaker_counts(transcript))
    st.html('<p class="lx-h4">Speakers</p>')
    st.html(
        "".join(
            f'<p class="lx-line">{escape(n)} · {wording.count(c, "sentence")}</p>'
            for n, c in counts.items()
        )
    )
    with st.expander("Rename or merge"), st.form("rename", border=False):
        chosen = st.multiselect("Speakers", [n for n in counts if n != UNKNOWN_SPEAKER])
        name = st.text_input("New name")
        if st.form_submit_button("Rename") and chosen and name.strip():
            _renew(speakers.rename(transcript, dict.fromkeys(chosen, name.strip())))
    with st.expander("Change the speaker of sentences"), st.form("reassign", border=False):
        which = st.text_input("Sentences", placeholder="12-15, 20")
        name = st.text_input("Speaker")
        if st.form_submit_button("Change") and which.strip():
            _reassign(transcript, which, name.strip() or None)


def _reassign(transcript: Transcript, which: str, name: str | None) -> None:
    try:
        chosen = numbers(which, len(transcript))
    except ValueError as error:
        st.error(f"{error} is not a sentence number; write 12-15, 20.")
        return
    _renew(speakers.reassign(transcript, chosen, name))


def _renew(transcript: Transcript) -> None:
    st.session_state["transcript"] = transcript
    st.rerun()
