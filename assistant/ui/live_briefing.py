"""The briefing before an event.

Its speakers and topics, fact-checks that are likely to come back, newsroom notes.
"""

from __future__ import annotations

import streamlit as st

from assistant.check import loaded_models
from assistant.claims import manual_entry
from assistant.claims.claim_store import ClaimStore
from assistant.claims.likely_names import split_names
from assistant.core.access import Role
from assistant.core.errors import LecternError
from assistant.live import briefing
from assistant.live.background import BackgroundEngines
from assistant.live.briefing import Expected
from assistant.report import wording
from assistant.reports.markdown_form import plain
from assistant.ui import account, claim_tables
from assistant.ui.shared_resources import audit_log

NO_FACT_CHECK = "No fact-check of these people, or on these topics, is in the database."
NOTES = "A newsroom note matches like a fact-check and is labelled as a note everywhere. Nobody has checked it."
NOTE_SAVED = """The note is saved. Events that this app follows find it from now on; an event followed from the command line
finds it after a restart."""
NOTES_SOURCE = "own notes"  # as databases have it


def briefing_form(engines: BackgroundEngines) -> tuple[str, ...]:
    """Draw the form and the fact-checks that it asks for.

    Return the names and terms that a recogniser expects then.
    """
    with st.expander("Briefing: what is likely to come back", key="briefing"):
        speakers = st.text_input(
            "Speakers, with commas between them", key="brief_speakers", bind="query-params"
        )
        topics = st.text_input(
            "Topics, with commas between them", key="brief_topics", bind="query-params"
        )
        people = split_names(speakers)
        subjects = split_names(topics)
        if not (people or subjects):
            st.html('<p class="lx-soft">Give a speaker or a topic.</p>')
            return ()
        with st.spinner("Looking through the fact-checks"):
            index = engines.checker().index
            encode = loaded_models.encoders(engines.settings.profile).sbert.encode
            expected = briefing.briefing(index, encode, speakers=people, topics=subjects)
        st.html("".join(map(_expected_html, expected)) or f'<p class="lx-soft">{NO_FACT_CHECK}</p>')
    return briefing.expected_names(people, subjects, expected)


def note_form(engines: BackgroundEngines) -> None:
    """Draw the form for a newsroom note, and store the note; editors only."""
    if not account.may(Role.EDITOR):
        return
    with (
        st.expander("Newsroom notes: what may be said tonight", key="notes"),
        st.form("own_note", border=False),
    ):
        st.html(f'<p class="lx-soft">{NOTES}</p>')
        statement = st.text_input(
            "What may be said, as one sentence", key="note_statement", max_chars=500
        )
        about = st.text_area("What you know about it", key="note_about", height=100)
        claimant = st.text_input("Who may say it", key="note_claimant", max_chars=80)
        if st.form_submit_button("Save this note"):
            _store_note(engines, statement, about, claimant)


def _store_note(engines: BackgroundEngines, statement: str, about: str, claimant: str) -> None:
    try:
        vclaim = manual_entry.from_note(statement, about=about, claimant=claimant)
        with st.spinner("Making it searchable"):
            noted = audit_log().noted(account.actor_name(), "note", vclaim.id)
            with noted, ClaimStore.open(engines.settings.database) as store:
                store.upsert([vclaim], source=account.signed_source(NOTES_SOURCE))
            engines.refresh()
    except LecternError as error:
        st.error(plain(str(error)))
    else:
        st.success(NOTE_SAVED)


def _expected_html(expected: Expected) -> str:
    others_words = (
        wording.count(expected.others, "other fact-check") + " of the same person near to it"
    )
    note = f'<p class="lx-soft">{others_words}</p>' if expected.others else ""
    return claim_tables.claim_html(expected.claim) + note
