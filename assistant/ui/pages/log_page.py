"""The page Log: who did what, on what, how long it took and how it ended."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from assistant.core.access import Role
from assistant.core.audit import AuditEntry
from assistant.core.errors import LecternError
from assistant.reports.markdown_form import plain
from assistant.ui import account
from assistant.ui.shared_resources import audit_log
from assistant.ui.shown_text import data_for_page

SHOWN_ENTRIES = 500
ANYBODY = "anybody"
ANYTHING = "anything"


def page() -> None:
    """Draw the newest entries, those of a person or of a kind if one is chosen.

    For editors only.
    """
    if not account.may(Role.EDITOR):
        st.html('<p class="lx-line">Only people with the role editor read what was done here.</p>')
        return
    log = audit_log()
    st.html("<h1>Activity</h1>")
    kinds = sorted({total.what for total in log.totals()})
    if not kinds:
        st.html(
            '<p class="lx-line">Nothing yet. Checks, imports, decisions and what administrators do are listed.</p>'
        )
        return
    left, right = st.columns(2)
    chosen_person = left.selectbox("By", [ANYBODY, *filter(None, log.people())], key="log_who")
    chosen_action = right.selectbox("What", [ANYTHING, *kinds], key="log_what")
    entries = log.newest(
        SHOWN_ENTRIES,
        who="" if chosen_person == ANYBODY else chosen_person,
        what="" if chosen_action == ANYTHING else chosen_action,
    )
    st.dataframe([table_row(entry) for entry in entries], hide_index=True, width="stretch")
    if len(entries) == SHOWN_ENTRIES:
        st.html(f'<p class="lx-soft">The newest {SHOWN_ENTRIES} are shown.</p>')


def table_row(entry: AuditEntry) -> dict[str, str]:
    """Return an entry as a row of the table."""
    return data_for_page(
        {
            "When (UTC)": f"{datetime.fromtimestamp(entry.at, UTC):%Y-%m-%d %H:%M:%S}",
            "Who": entry.who,
            "What": entry.what,
            "About": entry.about,
            "How long": "" if entry.seconds is None else f"{entry.seconds:,.1f} s",
            "Outcome": entry.outcome,
        }
    )


try:
    page()
except LecternError as error:
    st.error(plain(str(error)))
