"""Resources that all sessions of the process share: the desk and the store of decisions."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from assistant.archive.archive_store import ArchiveStore
from assistant.core import confined, logs, settings
from assistant.core.audit import AuditLog
from assistant.jobs.check_service import Desk
from assistant.jobs.corrections import Corrections
from assistant.jobs.recordings import Recordings
from assistant.jobs.voiceprints import Voices
from assistant.review.decision_store import DecisionStore
from assistant.transcripts import reader

ACCOUNT = "account_name"  # of the session state: who has logged in


@st.cache_resource(show_spinner=False)
def desk() -> Desk:
    """Return the one Desk of this process, with the settings of its environment."""
    logs.begin()
    confined.warm(reader.transcript)  # while the first page is drawn
    return Desk.open(settings.load(), asking=visitor)


def visitor() -> str:
    """Return who draws the page.

    The account that has logged in, else a name for the browser's session.
    """
    context = get_script_run_ctx()
    return st.session_state.get(ACCOUNT) or (f"visitor {context.session_id[:6]}" if context else "")


@st.cache_resource(show_spinner=False)
def audit_log() -> AuditLog:
    """Return the log of what people do, opened once for the process."""
    return AuditLog.open(desk().settings.database)


@st.cache_resource(show_spinner=False)
def archive() -> ArchiveStore:
    """Return the archive, opened once for the process."""
    return ArchiveStore.open(desk().settings.database)


@st.cache_resource(show_spinner=False)
def decisions() -> DecisionStore:
    """Return what people have decided, opened once for the process."""
    return DecisionStore.open(desk().settings.database)


@st.cache_resource(show_spinner=False)
def recordings() -> Recordings:
    """Return where recordings are, opened once for the process."""
    chosen = desk().settings
    return Recordings.open_in(chosen.home, chosen.database)


@st.cache_resource(show_spinner=False)
def corrections() -> Corrections:
    """Return what people have corrected, opened once for the process."""
    return Corrections.open(desk().settings.database)


@st.cache_resource(show_spinner=False)
def voices() -> Voices:
    """Return the voices that are kept under a name, opened once for the process."""
    return Voices.open(desk().settings.database)
