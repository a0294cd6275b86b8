"""Voices saved under a name: the form that saves one, and the list that forgets them."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import Report
from assistant.core.errors import LecternError
from assistant.jobs.check_service import CheckService
from assistant.jobs.recordings import Recording
from assistant.jobs.voiceprints import VOICEPRINT_NOTICE, make_voiceprint, speaking_spans
from assistant.report import wording
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import account
from assistant.ui.shared_resources import audit_log, voices
from assistant.ui.shown_text import draw_error, escape

CONSENT_LABEL = "This person agrees, or the law allows it"


def voice_form(check_service: CheckService, report: Report, recording: Recording) -> None:
    """Draw the form that saves the voice of a speaker; editors only, if the administrator allows it."""
    speakers = [sentence.speaker for sentence in report.transcript if sentence.speaker]
    recording_file = recording.existing_file
    may_save = check_service.settings.voices and account.has_role(Role.EDITOR)
    if not recording_file or not speakers or not may_save:
        return
    with (
        st.expander("Keep a voice for the next debate", key="keep_voice"),
        st.form("voice", border=False),
    ):
        st.html(f'<p class="lx-soft">{escape(VOICEPRINT_NOTICE)}</p>')
        # in the order in which they begin to speak
        distinct_speakers = list(dict.fromkeys(speakers))
        speaker = st.selectbox("Whose sentences", distinct_speakers, key="voice_speaker")
        name = st.text_input(
            "Name", placeholder="as the speaker is called here", key="voice_name", max_chars=80
        )
        has_consent = st.checkbox(CONSENT_LABEL, key="voice_agreed")
        is_submitted = st.form_submit_button("Keep this voice")
        if is_submitted and has_consent:
            _save_voice(check_service, report, recording_file, speaker, name.strip() or speaker)
        elif is_submitted:
            account.require(Role.EDITOR)
            st.error("A voice is kept only where that person agrees, or the law allows it.")


def saved_voices() -> None:
    """Draw the saved voices, each with a button to forget it; nothing if there are none."""
    debates_by_name: dict[str, list[str]] = defaultdict(list)
    for voice in voices().all():
        # the speech that the voiceprint was made from
        duration = wording.count(round(voice.seconds), "second")
        debates_by_name[voice.name].append(f"{voice.title}, {duration}")
    if not debates_by_name:
        return
    st.html(f'<h2>Voices that are kept</h2><p class="lx-article">{escape(VOICEPRINT_NOTICE)}</p>')
    for name, debates in debates_by_name.items():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(
                f'<p class="lx-line"><b>{escape(name)}</b>: {escape("; ".join(debates))}</p>',
                width="content",
            )
            if account.has_role(Role.EDITOR):
                st.button(
                    "Forget",
                    key=f"forget_voice_{name}",
                    on_click=_forget,
                    args=(name,),
                    type="tertiary",
                )


def _save_voice(
    check_service: CheckService, report: Report, file: Path, speaker: str, name: str
) -> None:
    account.require(Role.EDITOR)
    transcript = report.transcript
    # (start, end) in seconds
    spans = speaking_spans(transcript, speaker)
    try:
        with st.spinner("Listening to this voice"):
            voice = make_voiceprint(
                check_service.settings, file, spans, name, transcript, account.actor_name()
            )
            voices().keep(voice)
    except LecternError as error:
        draw_error(error)
    else:
        st.success(f"The voice of {escape_markdown(voice.name)} is kept. The page About lists it.")


def _forget(name: str) -> None:
    account.require(Role.EDITOR)
    with audit_log().noted(account.actor_name(), "forget voice", ""):
        voices().forget(name)
