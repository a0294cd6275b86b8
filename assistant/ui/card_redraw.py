"""Has a page drawn again where the card that was drawn last never came to the browser.

Streamlit (1.67) drops what a run has drawn if the next request comes after the run has ended and
before all of it is sent. A board asks every second, so on a busy computer a card that somebody
opens is lost now and then: the place stays empty, and another click on the same sentence changes
nothing. So each card ends with a mark, and the browser says if the mark that was drawn is not
there.
"""

from __future__ import annotations

import time

import streamlit as st

from assistant.ui.component import component


def draw_mark() -> None:
    """Draw the mark that ends a card: invisible, with the time at which it was drawn."""
    st.session_state["marked"] = now = time.time()
    st.html(f'<span hidden data-drawn="{now}"></span>')


def watch_mark() -> None:
    """Let the browser look for the newest mark.

    To be drawn after it, in a fragment that is drawn again by itself.
    """
    component("mark_check")(
        key="mark_check",
        data={"drawn": st.session_state.get("marked", 0.0)},
        on_lost_change=st.rerun,
    )
