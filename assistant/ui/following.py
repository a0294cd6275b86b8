"""Where a live event begins: the events there are, and a form for a new one. What it starts outlives the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from assistant import transcripts
from assistant.desk.desk import sample_files
from assistant.ground.errors import LecternError
from assistant.live.event import Event
from assistant.live.line import Source
from assistant.live.sources.file import FileSource
from assistant.live.sources.replay import ReplaySource
from assistant.live.studio import Studio
from assistant.ui import words
from assistant.ui.briefing import brief, note

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
    note(studio)
    with st.container(border=True, key="begin"):
        name = st.text_input("Name of the event", placeholder="City debate", max_chars=80)
        kind = st.selectbox("Source", KINDS if local() else KINDS[1:])
        given, speed = _details(kind)
        if st.button("Follow", type="primary"):
            _begin(studio, name, kind, given, speed)
    st.markdown(ELSEWHERE)


def local() -> bool:
    """Return whether the app is open to this computer only: others may not name files that lie on it."""
    return st.get_option("server.address") in ("127.0.0.1", "localhost", "::1")


def _details(kind: str) -> tuple[Any, int]:
    """Return what the chosen source needs: the path or the upload, and the speed."""
    if kind == FILE:
        return st.text_input("Path of the file", help="Text, SRT or WebVTT that something goes on writing."), 1
    types = ["txt", "srt", "vtt", "docx", "json", "pdf", "csv"]
    given = st.file_uploader("Recorded transcript", type=types) if kind == REPLAY else None
    return given, st.select_slider("Speed", SPEEDS, value=4, format_func=lambda speed: f"{speed} times")


def _begin(studio: Studio, name: str, kind: str, given: Any, speed: int) -> None:
    try:
        event, source = _order(name.strip(), kind, given, speed)
        studio.start(event, source)
    except LecternError as error:
        st.error(str(error))
        return
    _open(event.name)


def _order(name: str, kind: str, given: Any, speed: int) -> tuple[Event, Source]:
    """Return the event and the source that are asked for. Raises: LecternError."""
    if kind == FILE:
        if not given.strip():
            raise LecternError("no path was given.", remedy="Write where the file lies that grows.")
        return Event(name or Path(given).stem, name), FileSource(Path(given.strip()).expanduser())
    if kind == REPLAY:
        if given is None:
            raise LecternError("no transcript was given.", remedy="Choose the file that is to be said again.")
        transcript = transcripts.read_bytes(given.getvalue(), given.name)
        stem = Path(given.name).stem
    else:
        first = sample_files()[0]
        transcript, stem = transcripts.read(first), first.stem
    return Event(name or stem, name or transcript.title, transcript.event_date), ReplaySource(transcript, speed)


def _open(name: str) -> None:
    st.query_params.clear()
    st.query_params["event"] = name
    st.rerun()
