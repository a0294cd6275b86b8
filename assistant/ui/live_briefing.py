"""The briefing before an event.

Its speakers and topics, fact-checks that are likely to come back, newsroom notes.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

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
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import account, claim_tables
from assistant.ui.fact_check_finder import BY_MEANING
from assistant.ui.shared_resources import audit_log
from assistant.ui.shown_text import draw_error, escape
from features.language.same_words import same_words

SPEAKER_NOT_NAMED = "Speaker not named"
BRIEFING_NOTE = (
    "Who will speak, and about what? Lectern lists fact-checks of claims that may be made again."
)
NO_FACT_CHECK = "The database contains no fact-check of these people or on these topics."
NOTES_HELP = "A newsroom note matches like a fact-check and is labelled as a note everywhere. Nobody has checked it."
NOTE_SAVED = """The note is saved. Events that this app monitors find it from now on. An event monitored from the command line
finds it after a restart."""
NOTES_SOURCE = "own notes"  # as databases have it


def briefing_form(engines: BackgroundEngines) -> tuple[str, ...]:
    """Draw the form and the fact-checks that it asks for.

    Return the names and terms that a recogniser expects then.
    """
    with st.expander("Briefing: claims you may hear again", key="briefing"):
        st.html(f'<p class="lx-soft lx-tight">{BRIEFING_NOTE}</p>')
        speaker_column, topic_column = st.columns(2)
        speakers = speaker_column.text_input(
            "Speakers (comma-separated)", key="brief_speakers", bind="query-params"
        )
        topics = topic_column.text_input(
            "Topics (comma-separated)", key="brief_topics", bind="query-params"
        )
        speaker_names = split_names(speakers)
        topic_names = split_names(topics)
        if not speaker_names and not topic_names:
            return ()
        with st.spinner("Looking through the fact-checks"):
            # the fact-checks as the live checks use them
            index = engines.checker().index
            encode = loaded_models.encoders(engines.settings.profile).sbert.encode
            expected_fact_checks = briefing.briefing(
                index, encode, speakers=speaker_names, topics=topic_names
            )
        st.html(briefing_html(expected_fact_checks) or f'<p class="lx-soft">{NO_FACT_CHECK}</p>')
        if expected_fact_checks:
            st.download_button(
                "Download to print",
                briefing_text(expected_fact_checks),
                "briefing.md",
                "text/markdown",
                key="briefing_file",
                on_click="ignore",
            )
    return briefing.expected_names(speaker_names, topic_names, expected_fact_checks)


def note_form(engines: BackgroundEngines) -> None:
    """Draw the form for a newsroom note, and store the note; editors only."""
    if not account.has_role(Role.EDITOR):
        return
    with (
        st.expander("Newsroom notes: what may be said tonight", key="notes"),
        st.form("own_note", border=False),
    ):
        st.html(f'<p class="lx-soft">{NOTES_HELP}</p>')
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
            # running events find the note from now on
            engines.refresh()
    except LecternError as error:
        draw_error(error)
    else:
        st.success(NOTE_SAVED)


def by_speaker(expected_fact_checks: Iterable[Expected]) -> dict[str, list[Expected]]:
    """Return the fact-checks by who said the claims, in their order, each claim once."""
    fact_checks_by_speaker: dict[str, list[Expected]] = {}
    seen_statements: set[str] = set()
    for fact_check in expected_fact_checks:
        # publishers write the same statement in slightly different ways
        comparable_statement = same_words(fact_check.claim.statement)
        if comparable_statement not in seen_statements:
            seen_statements.add(comparable_statement)
            speaker = fact_check.claim.claimant or SPEAKER_NOT_NAMED
            fact_checks_by_speaker.setdefault(speaker, []).append(fact_check)
    return fact_checks_by_speaker


def briefing_html(expected: Iterable[Expected]) -> str:
    """Return the fact-checks grouped by speaker; each opens to its whole card."""
    sections = []
    for speaker, group in by_speaker(expected).items():
        cards = "".join(_expected_html(fact_check) for fact_check in group)
        sections.append(f'<section><h2 class="lx-h4">{escape(speaker)}</h2>{cards}</section>')
    return f'<div class="lx-briefing">{"".join(sections)}</div>' if sections else ""


def briefing_text(expected_fact_checks: Iterable[Expected]) -> str:
    """Return the briefing as Markdown, to print or to send."""
    lines = ["# Briefing: claims you may hear again", ""]
    for speaker, fact_checks in by_speaker(expected_fact_checks).items():
        lines += [f"## {escape_markdown(speaker)}", ""]
        for fact_check in fact_checks:
            claim = fact_check.claim
            statement = escape_markdown(claim.statement)
            rating = escape_markdown(wording.rating_sentence(claim))
            lines.append(f"- {statement} {rating}. {claim.url}".rstrip())
        lines.append("")
    return "\n".join(lines)


def _expected_html(expected: Expected) -> str:
    note = ""
    if expected.others:  # fact-checks of nearly the same statement
        count = wording.count(expected.others, "more fact-check")
        query = urlencode({"find": expected.claim.statement, "how": BY_MEANING})
        note = (
            f'<p class="lx-soft lx-tight"><a href="claims?{escape(query)}">{count} like it</a></p>'
        )
    return claim_tables.claim_card(expected.claim) + note
