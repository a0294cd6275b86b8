"""The page Live: choose an event or begin one, and watch its board."""

from __future__ import annotations

import streamlit as st

from assistant.core.errors import LecternError
from assistant.jobs.check_service import CheckService
from assistant.live.background import BackgroundEngines
from assistant.live.event_log import EventLog
from assistant.ui.live_start import draw_start
from assistant.ui.live_view import draw_event
from assistant.ui.shared_resources import check_service
from assistant.ui.shown_text import draw_error


@st.cache_resource(show_spinner=False)
def engines() -> BackgroundEngines:
    """Return what follows events in this process, made once."""
    app_settings = check_service().settings
    app_settings.home.mkdir(parents=True, exist_ok=True)
    return BackgroundEngines(app_settings, EventLog.open(app_settings.database))


def page(check_service: CheckService) -> None:
    """Draw the event that the address names, or the choice of events."""
    live = engines()
    event = live.log.event(st.query_params.get("event", ""))
    if event is None:
        draw_start(live)
    else:
        draw_event(check_service, live, event)


try:
    page(check_service())
except LecternError as error:
    draw_error(error)
