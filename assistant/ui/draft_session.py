"""The draft of a transcript in the session of a page: read from a file, changed, given up."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from assistant.core.access import Role
from assistant.core.errors import LecternError, TranscriptError
from assistant.jobs import transcript_draft
from assistant.jobs.transcript_draft import TranscriptDraft
from assistant.ui import account
from assistant.ui.shared_resources import reading_choices
from assistant.ui.shown_text import draw_error

DRAFT_KEY = "draft"  # of the session state
UNUSED_CHOICES = "the choices from the last similar file could not be used"


def has_draft() -> bool:
    """Return whether a transcript waits to be checked."""
    return DRAFT_KEY in st.session_state


def current_draft() -> TranscriptDraft:
    """Return the transcript that waits to be checked."""
    draft: TranscriptDraft = st.session_state[DRAFT_KEY]
    return draft


def open_draft(draft: TranscriptDraft) -> None:
    """Put a transcript into the session."""
    st.session_state[DRAFT_KEY] = draft


def close_draft() -> None:
    """Take the transcript out of the session."""
    st.session_state.pop(DRAFT_KEY, None)


def read_file(data: bytes, name: str) -> None:
    """Read a file into the session, with the choices for an earlier file of its shape.

    Raises: TranscriptError, StoreError.
    """
    draft = transcript_draft.read_draft(data, name)
    # a person's choices about labels and names for an earlier file of the same layout
    stored_choices = reading_choices().fitting(draft.shape)
    if stored_choices:
        try:
            draft = transcript_draft.with_stored_choices(draft, stored_choices)
        except TranscriptError:
            warnings = (*draft.as_read.warnings, UNUSED_CHOICES)
            read_transcript = replace(draft.as_read, warnings=warnings)
            draft = replace(draft, as_read=read_transcript)
    open_draft(draft)


def change_draft(draft: TranscriptDraft) -> None:
    """Replace the transcript by a changed one, and draw the page again."""
    account.require(Role.REVIEWER)
    open_draft(draft)
    st.rerun()


def show_error(error: LecternError) -> None:
    """Say why a change was not made."""
    draw_error(f"{error} Nothing was changed.")
