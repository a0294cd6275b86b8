"""The list of recordings that did not arrive whole: how to resume sending, and a way to delete them."""

from __future__ import annotations

import time

import streamlit as st

from assistant.core.access import Role
from assistant.jobs.check_service import CheckService
from assistant.jobs.recordings import CutShortRecording, cut_short_recordings, delete_cut_short
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import account
from assistant.ui.shared_resources import audit_log
from assistant.ui.shown_text import escape

STILL_SENDING_S = 60.0  # a recording to which bytes were added so recently is being sent
BYTES_PER_MB = 1_000_000
RESUMED_KEY = "resumed_recording"  # session state: the key of the recording to send again


def draw_cut_short(check_service: CheckService) -> None:
    """Draw the recordings that did not arrive whole; nothing if there are none."""
    if not account.has_role(Role.REVIEWER):
        return
    now = time.time()
    interrupted_recordings = [
        recording
        for recording in cut_short_recordings(check_service.settings.home)
        if now - recording.changed > STILL_SENDING_S
    ]
    if not interrupted_recordings:
        return
    st.html('<h2 class="lx-h4">Recordings that did not arrive whole</h2>')
    with st.container(key="cut_short", gap="xxsmall"):
        for recording in interrupted_recordings:
            _draw_recording(check_service, recording)


def arrived_words(recording: CutShortRecording) -> str:
    """Return how much of a recording has arrived: ``12.0 of 40.0 MB arrived``."""
    arrived_mb = recording.arrived / BYTES_PER_MB
    if not recording.size:  # unknown
        return f"{arrived_mb:,.1f} MB arrived"
    size_mb = recording.size / BYTES_PER_MB
    return f"{arrived_mb:,.1f} of {size_mb:,.1f} MB arrived"


def _draw_recording(check_service: CheckService, recording: CutShortRecording) -> None:
    name = recording.name or "A recording without a name"
    line = f"{name}, {arrived_words(recording)}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="lx-line">{escape(line)}</p>', width="content")
        st.button(
            "Resume",
            key=f"resume_{recording.key}",
            type="tertiary",
            on_click=_resume,
            args=(recording.key,),
        )
        with st.popover("Delete", type="tertiary"):
            st.write("The part that arrived is deleted from this computer for good.")
            st.button(
                "Delete it",
                key=f"delete_{recording.key}",
                on_click=_delete,
                args=(check_service, recording.key),
            )
    if st.session_state.get(RESUMED_KEY) == recording.key:
        words = f"Choose {name} again under “Or a recording, sound or video”."
        st.info(escape_markdown(f"{words} Sending goes on where it stopped, if you began it."))


def _resume(key: str) -> None:
    st.session_state[RESUMED_KEY] = key


def _delete(check_service: CheckService, key: str) -> None:
    account.require(Role.REVIEWER)
    with audit_log().noted(account.actor_name(), "delete recording", key[:16]):
        delete_cut_short(check_service.settings.home, key)
