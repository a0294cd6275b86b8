"""The briefing before an event: who speaks, about what, and the fact-checks that are likely to come back."""

from __future__ import annotations

import streamlit as st

from assistant import tools
from assistant.live.briefing import Expected, briefing
from assistant.live.studio import Studio
from assistant.ui import holdings, words

NOTHING = "No fact-check of these people, or on these topics, is in the database."
NOTES = "Notes of your own match like fact-checks: import them, or add one on the page Review, before you follow."


def brief(studio: Studio) -> None:
    """Draw the form, and what it asked for."""
    with st.expander("Briefing: what is likely to come back", key="briefing"):
        speakers = st.text_input("Speakers, with commas between them", key="brief_speakers", bind="query-params")
        topics = st.text_input("Topics, with commas between them", key="brief_topics", bind="query-params")
        asked = [[part.strip() for part in given.split(",") if part.strip()] for given in (speakers, topics)]
        if not any(asked):
            st.html(f'<p class="lx-soft">{NOTES}</p>')
            return
        with st.spinner("Looking through the fact-checks"):
            index = studio.checker().index
            encode = tools.encoders(studio.settings.profile).sbert.encode
            found = briefing(index, encode, speakers=asked[0], topics=asked[1])
        st.html("".join(map(_entry, found)) or f'<p class="lx-soft">{NOTHING}</p>')


def _entry(expected: Expected) -> str:
    others = words.count(expected.others, "other fact-check") + " of the same person near to it"
    told = f'<p class="lx-soft">{others}</p>' if expected.others else ""
    return holdings.entry(expected.claim) + told
