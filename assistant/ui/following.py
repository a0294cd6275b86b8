"""Where a live event begins: the events there are, and a form for a new one. What it starts outlives the page."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from assistant import transcripts
from assistant.desk import sample_files
from assistant.errors import LecternError
from assistant.live.event import Event
from assistant.live.line import Source
from assistant.live.sources.file import FileSource
from assistant.live.sources.replay import ReplaySource
from assistant.live.studio import Studio
from assistant.ui import words
from assistant.ui.briefing import brief

FILE, REPLAY, SAMPLE = KINDS = ("A file that grows", "A recorded transcript, said again", "A sample debate, said again")
SPEEDS = (1, 4, 10, 40)
ELSEWHERE = """Other sources are started on the command line and appear here:
`python -m assistant serve --event NAME` takes lines over HTTP, WebSocket and from caption encoders;
`python -m assistant live - --event NAME` reads a pipe."""


def beginning(studio: Studio) -> None:
    """Draw the events, newest first, and the form."""
    st.html("<h1>Follow a debate while it happens</h1>")
    for event in studio.log.events()[:12]:
        if st.button(f"{event.title} · {words.day(event.day)}", key=f"event_{event.name}", type="tertiary"):
            _open(event.name)
    brief(studio)
    with st.form("begin"):
        name = st.text_input("Name of the event", placeholder="City debate", max_chars=80)
        kind = st.selectbox("Source", KINDS)
        path = st.text_input("Path of the file", help="For a file that grows: text, SRT or WebVTT.")
        given = st.file_uploader("Recorded transcript", type=["txt", "srt", "vtt", "docx", "json", "pdf", "csv"])
        speed = st.select_slider("Speed of the replay", SPEEDS, value=4)
        if st.form_submit_button("Follow", type="primary"):
            _begin(studio, name, kind, (path, given), speed)
    st.markdown(ELSEWHERE)


def _begin(studio: Studio, name: str, kind: str, given: tuple, speed: int) -> None:
    try:
        event, source = _order(name.strip(), kind, given, speed)
        studio.start(event, source)
    except LecternError as error:
        st.error(str(error))
        return
    _open(event.name)


def _order(name: str, kind: str, given: tuple, speed: int) -> tuple[Event, Source]:
    """Return the event and the source that the form asks for. Raises: LecternError."""
    path, upload = given
    if kind == FILE:
        if not path.strip():
            raise LecternError("no path was given.", remedy="Write where the file lies that grows.")
        return Event(name or Path(path).stem, name), FileSource(Path(path.strip()).expanduser())
    if kind == REPLAY:
        if upload is None:
            raise LecternError("no transcript was given.", remedy="Choose the file that is to be said again.")
        transcript = transcripts.read_bytes(upload.getvalue(), upload.name)
        stem = Path(upload.name).stem
    else:
        first = sample_files()[0]
        transcript, stem = transcripts.read(first), first.stem
    return Event(name or stem, name or transcript.title, transcript.event_date), ReplaySource(transcript, speed)


def _open(name: str) -> None:
    st.query_params.clear()
    st.query_params["event"] = name
    st.rerun()
