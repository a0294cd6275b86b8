"""Resources that all sessions of the process share: the check service and the stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from assistant.alerts.alert_sender import AlertSender
from assistant.archive.archive_store import ArchiveStore
from assistant.claims.fact_check_search import FactCheckSearch
from assistant.core import confined, logs
from assistant.core.audit import AuditLog
from assistant.jobs.check_service import CheckService
from assistant.jobs.corrections import CorrectionStore
from assistant.jobs.reading_choices import ReadingChoiceStore
from assistant.jobs.recordings import RecordingStore
from assistant.jobs.voiceprints import VoiceprintStore
from assistant.review.assignment_store import AssignmentStore
from assistant.review.comment_store import CommentStore
from assistant.review.decision_store import DecisionStore
from assistant.review.presence_store import PresenceStore
from assistant.transcripts import reader
from assistant.ui import login_settings

if TYPE_CHECKING:
    from assistant.claims.claim_index import ClaimIndex

ACCOUNT = "account_name"  # of the session state: who has logged in


@st.cache_resource(show_spinner=False)
def check_service() -> CheckService:
    """Return the one CheckService of this process, with the settings of its start."""
    logs.begin_logging()
    confined.warm(reader.transcript)  # while the first page is drawn
    return CheckService.open(login_settings.start_settings(), current_person=visitor)


def visitor() -> str:
    """Return who draws the page.

    The account that has logged in, else a name for the browser's session.
    """
    # None outside a page, for example in a job
    context = get_script_run_ctx()
    return st.session_state.get(ACCOUNT) or (f"visitor {context.session_id[:6]}" if context else "")


@st.cache_resource(show_spinner=False)
def audit_log() -> AuditLog:
    """Return the log of what people do, opened once for the process."""
    return AuditLog.open(check_service().settings.database)


@st.cache_resource(show_spinner=False)
def fact_check_search() -> FactCheckSearch:
    """Return the search for fact-checks by words and filters, opened once for the process."""
    return FactCheckSearch.open(check_service().settings.database)


def claim_index() -> ClaimIndex:
    """Return the index of the fact-checks as they are now, opened once for each state of them.

    Raises: ClaimIndexError.
    """
    return _opened_index(check_service().status().digest)


@st.cache_resource(show_spinner="Opening the fact-checks", max_entries=1)
def _opened_index(digest: str) -> ClaimIndex:
    from assistant import pipeline

    return pipeline.open_index(check_service().settings)


@st.cache_resource(show_spinner=False)
def archive() -> ArchiveStore:
    """Return the archive, opened once for the process."""
    return ArchiveStore.open(check_service().settings.database)


@st.cache_resource(show_spinner=False)
def decisions() -> DecisionStore:
    """Return what people have decided, opened once for the process."""
    return DecisionStore.open(check_service().settings.database)


@st.cache_resource(show_spinner=False)
def comments() -> CommentStore:
    """Return the comments on matches, opened once for the process."""
    return CommentStore.open(check_service().settings.database)


@st.cache_resource(show_spinner=False)
def assignments() -> AssignmentStore:
    """Return the debates and matches that are assigned to people, opened once for the process."""
    return AssignmentStore.open(check_service().settings.database)


@st.cache_resource(show_spinner=False)
def presence() -> PresenceStore:
    """Return who has which debate open, opened once for the process."""
    return PresenceStore.open(check_service().settings.database)


@st.cache_resource(show_spinner=False)
def recordings() -> RecordingStore:
    """Return where recordings are, opened once for the process."""
    app_settings = check_service().settings
    return RecordingStore.open_in(app_settings.home, app_settings.database)


@st.cache_resource(show_spinner=False)
def corrections() -> CorrectionStore:
    """Return what people have corrected, opened once for the process."""
    return CorrectionStore.open(check_service().settings.database)


@st.cache_resource(show_spinner=False)
def reading_choices() -> ReadingChoiceStore:
    """Return the choices about labels of earlier transcripts, opened once for the process."""
    return ReadingChoiceStore.open(check_service().settings.database)


@st.cache_resource(show_spinner=False)
def voices() -> VoiceprintStore:
    """Return the voices that are kept under a name, opened once for the process."""
    return VoiceprintStore.open(check_service().settings.database)


@st.cache_resource(show_spinner=False)
def alert_sender() -> AlertSender:
    """Return the channels of alerts and the outbox, opened once for the process."""
    return AlertSender.open(check_service().settings)
