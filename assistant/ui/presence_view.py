"""Who else has the debate open now, in one line."""

from __future__ import annotations

import streamlit as st

from assistant.core.errors import StoreError
from assistant.report import wording
from assistant.ui import account
from assistant.ui.shared_resources import presence
from assistant.ui.shown_text import escape

PRESENCE_POLL_S = 20
MAX_NAMED_PEOPLE = 3
LOOKED_KEY = "presence_looked"  # in the session: the page has looked for others


@account.fragment(key="presence", run_every=PRESENCE_POLL_S)
def draw_presence(document: str) -> None:
    """Note that the visitor has a debate open, and draw who else has; nothing without anybody."""
    name = account.name()
    is_first_look = LOOKED_KEY not in st.session_state
    st.session_state[LOOKED_KEY] = True
    if not name and is_first_look:
        # The browser may not have told the visitor's name yet. After a reload, the store still
        # has that name, and the visitor would be listed as a colleague.
        return
    try:
        people = presence().note(document, name)
    except StoreError:
        # A busy database: the next look tries again, and the page loses nothing by it.
        return
    if people:
        words = escape(f"Also here: {wording.enumerated(people, MAX_NAMED_PEOPLE)}")
        all_names = escape(", ".join(people))
        st.html(
            f'<p class="lx-soft lx-tight lx-here" role="status" title="{all_names}">{words}</p>',
            width="content",
        )
