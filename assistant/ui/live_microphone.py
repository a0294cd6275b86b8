"""The microphone of this browser on the page Live.

Records, and goes on after Lectern was started again.
"""

from __future__ import annotations

import streamlit as st

from assistant.core.access import Role
from assistant.core.errors import LecternError
from assistant.live.background import BackgroundEngines
from assistant.live.event import Event
from assistant.live.sources import browser_microphone
from assistant.live.sources.browser_microphone import BrowserSource
from assistant.ui import account, microphone_route
from assistant.ui.component import component
from assistant.ui.shown_text import draw_error

MICROPHONE_POLL_S = 2  # how often the page looks whether the event is followed


def start_listening(engines: BackgroundEngines, event: Event, hot_words: str) -> None:
    """Begin to listen to what a browser sends for an event, or go on. Raises: LecternError."""
    account.require(Role.EDITOR)
    source = _microphone_source(engines, event, hot_words)
    source.sound_buffer.open()  # from now on the page offers the microphone, also after a restart
    engines.start(event, source, account=account.actor_name())


@account.fragment(run_every=MICROPHONE_POLL_S, key="microphone_panel")
def microphone_panel(engines: BackgroundEngines, event: Event) -> None:
    """Draw the microphone of an event that listens to a browser, for editors.

    Nothing for other events.
    """
    if not account.has_role(Role.EDITOR):
        return
    sound_folder = _microphone_source(
        engines, event
    ).sound_buffer.folder  # made when the listening began
    if not sound_folder.is_dir():
        return
    is_followed = engines.follows(event.name)
    try:
        if not is_followed and st.button("Go on with the microphone", type="primary"):
            start_listening(engines, event, "")
            st.rerun()
    except LecternError as error:
        draw_error(error)
    component_data = {
        "event": event.name,
        "ticket": _upload_ticket(engines, event),
        "follows": is_followed,
    }
    component("microphone")(key="microphone", data=component_data)


def _upload_ticket(engines: BackgroundEngines, event: Event) -> str:
    """Return the ticket with which this session sends, the same for every drawing of the page."""
    ticket_by_event = st.session_state.setdefault("microphone_tickets", {})
    if event.name not in ticket_by_event:
        first_sample = browser_microphone.heard_to(engines.log, event.name)
        login_end = account.login_end_time()
        ticket_by_event[event.name] = microphone_route.upload_ticket(
            _microphone_source(engines, event).sound_buffer, first_sample, login_end
        )
    return ticket_by_event[event.name]


def _microphone_source(
    engines: BackgroundEngines, event: Event, hot_words: str = ""
) -> BrowserSource:
    return browser_microphone.source(event.name, engines.settings, hot_words)
