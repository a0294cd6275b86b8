"""The page Activity: who did what, to what, how long it took and how it ended."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import streamlit as st

from assistant.core.access import Role
from assistant.core.audit import AuditEntry
from assistant.core.errors import LecternError
from assistant.review.decision_store import DECIDE
from assistant.ui import account
from assistant.ui.report_list import LISTED_REPORTS
from assistant.ui.shared_resources import audit_log, check_service, decisions
from assistant.ui.shown_text import data_for_page, draw_error

SHOWN_ENTRIES = 500
ANYBODY = "anybody"
ANYTHING = "anything"
NO_NAME = "someone without a name"
VISITOR_PREFIX = "visitor "
# The kinds of jobs by the beginning of their ids.
JOB_WORDS = {
    "import": "a file of fact-checks",
    "fetch": "a collection of fact-checks",
    "articles": "articles of fact-checks",
    "archive": "the archive",
}


def page() -> None:
    """Draw the newest entries; a person and a kind can be chosen.

    For editors only.
    """
    if not account.has_role(Role.EDITOR):
        st.html('<p class="lx-line">Only people with the editor role can see the activity.</p>')
        return
    activity_log = audit_log()
    st.html("<h1>Activity</h1>")
    # the kinds of actions that were ever noted
    kinds = sorted({total.what for total in activity_log.totals()})
    if not kinds:
        st.html(
            '<p class="lx-line">Nothing yet. Checks, imports, decisions and what administrators do are listed.</p>'
        )
        return
    left_column, right_column = st.columns(2)
    chosen_person = left_column.selectbox(
        "By", [ANYBODY, *filter(None, activity_log.people())], key="log_who"
    )
    chosen_action = right_column.selectbox("What", [ANYTHING, *kinds], key="log_what")
    person_filter = "" if chosen_person == ANYBODY else chosen_person
    action_filter = "" if chosen_action == ANYTHING else chosen_action
    entries = activity_log.newest(SHOWN_ENTRIES, who=person_filter, what=action_filter)
    names = _names_of_subjects(entries)
    rows = [table_row(entry, names) for entry in entries]
    st.dataframe(rows, hide_index=True, width="stretch")
    if len(entries) == SHOWN_ENTRIES:
        st.html(f'<p class="lx-soft">The newest {SHOWN_ENTRIES} are shown.</p>')


def _names_of_subjects(entries: Sequence[AuditEntry]) -> dict[str, str]:
    """Return titles of reports, and the statements that people decided on, by the ids in the log."""
    names = {head.id: head.title for head in check_service().report_heads(LISTED_REPORTS)}
    decision_keys = {entry.about for entry in entries if entry.what == DECIDE}
    for key, anchor in decisions().anchors(decision_keys).items():
        names[key] = f"{anchor.title}, {anchor.number}: “{anchor.text}”"
    return names


def table_row(entry: AuditEntry, names: Mapping[str, str]) -> dict[str, str]:
    """Return an entry as a row of the table; ``names`` has words for the ids of subjects."""
    return data_for_page(
        {
            "When (UTC)": f"{datetime.fromtimestamp(entry.at, UTC):%Y-%m-%d %H:%M:%S}",
            "Who": who_words(entry.who),
            "What": entry.what,
            "About": names.get(entry.about) or about_words(entry.about),
            "How long": "" if entry.seconds is None else f"{entry.seconds:,.1f} s",
            "Outcome": entry.outcome,
        }
    )


def who_words(who: str) -> str:
    """Return the name of a person; a session in which nobody gave a name is a visitor."""
    return NO_NAME if who.startswith(VISITOR_PREFIX) else who


def about_words(about: str) -> str:
    """Return the subject of an entry, the kind of a job in place of its random id."""
    for prefix, words in JOB_WORDS.items():
        if re.fullmatch(f"{prefix}[0-9a-f]{{12}}", about):
            return words
    return about


try:
    page()
except LecternError as error:
    draw_error(error)
