"""The start of the page Live.

Existing events and a form for a new one, which runs on when the page is closed.
"""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from assistant import transcripts
from assistant.claims.likely_names import fitting, listed
from assistant.core.access import Role
from assistant.core.errors import LecternError
from assistant.jobs.check_service import sample_files
from assistant.live.background import BackgroundEngines
from assistant.live.event import Event
from assistant.live.live_lines import Source
from assistant.live.sources.registry import SOURCES, Ask, SourceKind
from assistant.report import wording
from assistant.reports.markdown_form import plain
from assistant.transcription.recogniser import MAX_HINT_CHARACTERS
from assistant.transcripts.formats import EXTENSIONS
from assistant.ui import account, live_microphone
from assistant.ui.live_briefing import briefing_form, note_form
from assistant.web import fetching

SOURCE_CHOICES = {
    label: (kind, ask) for kind in SOURCES for label, ask in (kind.page or {}).items()
}
REPLAY_SPEEDS = (1, 4, 10, 40)
NO_STREAM = (
    "Lectern opens no stream here: the operator has not allowed it, or your role is not editor."
)
MICROPHONE_NOTE = "The board has the button that starts the microphone. Everybody who is heard must know and agree."
NAMES_HELP = "The recogniser expects these, and after them the names of the briefing, at most 400 characters in all."
NO_EVENTS = (
    "No event has been followed on this computer yet. Replay the sample debate at four times its speed to see how "
    "the board fills, or follow a source of your own below."
)
OTHER_SOURCES = "\n".join(
    (
        "Other sources are started on the command line and appear here:",
        "- `python -m assistant serve --event NAME`: lines over HTTP, WebSocket and from caption encoders",
        "- `python -m assistant live - --event NAME`: a pipe",
        "- `python -m assistant live FILE`: a file that grows; also here, where LECTERN_LIVE_FOLDER names its folder",
        *(
            f"- `python -m assistant live {k.option} {k.metavar}`: {k.help}"
            for k in SOURCES
            if not k.page
        ),
    )
)


def draw_start(engines: BackgroundEngines) -> None:
    """Draw the events, newest first, and the form."""
    st.html("<h1>Follow a debate while it happens</h1>")
    events = engines.log.events()[:12]
    if not events:
        st.html(f'<p class="lx-line">{NO_EVENTS}</p>')
        if account.may(Role.EDITOR):
            st.button(
                "Replay the sample debate",
                type="primary",
                key="replay_sample",
                on_click=_replay,
                args=(engines,),
            )
    for event in events:
        if st.button(
            f"{event.title} · {wording.day(event.day)}", key=f"event_{event.name}", type="tertiary"
        ):
            _open(event.name)
    expected = briefing_form(engines)
    note_form(engines)
    if account.may(Role.EDITOR):
        _form(engines, expected)
    st.markdown(OTHER_SOURCES)


@dataclass(frozen=True, slots=True)
class SoundInput:
    """What is listened to, an address or the name of a file, and the names that will be said."""

    address: str
    names: tuple[str, ...]


def _form(engines: BackgroundEngines, expected: tuple[str, ...]) -> None:
    folder = engines.settings.live_folder
    with st.container(border=True, key="begin"):
        name = st.text_input("Name of the event", placeholder="City debate", max_chars=80)
        choice = st.selectbox(
            "Source",
            [
                label
                for label, (_, input_kind) in SOURCE_CHOICES.items()
                if folder or input_kind is not Ask.PATH
            ],
        )
        source_input, speed = _source_fields(choice, folder, expected)
        if st.button("Follow", type="primary"):
            _start_event(engines, name, choice, source_input, speed)


def _replay(engines: BackgroundEngines) -> None:
    """Follow the first sample debate as if it were on now, and show its board."""
    account.require(Role.EDITOR)
    label = next(
        label for label, (_, input_kind) in SOURCE_CHOICES.items() if input_kind is Ask.SAMPLE
    )
    event, source = _event_and_source(engines, "", label, None, REPLAY_SPEEDS[1])
    engines.start(event, source, who=account.actor_name())
    st.query_params["event"] = event.name


def path_in_folder(folder: Path | None, name: str) -> Path:
    """Return the path of a file in the folder that the operator names.

    Raises: LecternError for one elsewhere.
    """
    if folder is None:
        raise LecternError(
            "no folder is named for files that are followed.", remedy="Set LECTERN_LIVE_FOLDER."
        )
    if not name.strip() or "\0" in name:
        raise LecternError("no file was named.", remedy="Give its name in that folder.")
    path = (folder / name.strip()).resolve()  # links are followed: where they lead counts
    if not path.is_relative_to(folder.resolve()):
        raise LecternError(
            f"{name.strip()} is not in {folder}.", remedy="Only files in that folder are followed."
        )
    return path


def _source_fields(choice: str, folder: Path | None, expected: tuple[str, ...]) -> tuple[Any, int]:
    """Return what the chosen source needs.

    The name of the file, the upload or what is listened to; and the speed.
    """
    _, ask = SOURCE_CHOICES[choice]
    if ask is Ask.SOUND:
        told = f"https://, http://, rtmp:// or srt://{f', or the name of a recording in {folder}' if folder else ''}."
        address = st.text_input(
            "Address or file", help=told, placeholder="https://example.org/live.m3u8"
        )
        return SoundInput(address.strip(), _names_field(expected)), 1
    if ask is Ask.BROWSER:
        st.html(f'<p class="lx-soft">{MICROPHONE_NOTE}</p>')
        return _names_field(expected), 1
    if ask is Ask.PATH:
        told = f"Text, SRT or WebVTT that something goes on writing in {folder}."
        return st.text_input("Name of the file", help=told), 1
    given = (
        st.file_uploader("Recorded transcript", type=list(EXTENSIONS))
        if ask is Ask.UPLOAD
        else None
    )
    return given, st.select_slider(
        "Speed", REPLAY_SPEEDS, value=4, format_func=lambda speed: f"{speed} times"
    )


def _names_field(expected: tuple[str, ...]) -> tuple[str, ...]:
    names = st.text_input(
        "Names and terms that will be said", help=NAMES_HELP, max_chars=MAX_HINT_CHARACTERS
    )
    return fitting([*listed(names), *expected])


def _start_event(
    engines: BackgroundEngines, name: str, choice: str, source_input: Any, speed: int
) -> None:
    try:
        account.require(Role.EDITOR)
        if SOURCE_CHOICES[choice][1] is Ask.BROWSER:
            event = Event(name.strip() or "Microphone", name.strip())
            live_microphone.start_listening(engines, event, ", ".join(source_input))
        else:
            event, source = _event_and_source(engines, name.strip(), choice, source_input, speed)
            engines.start(event, source, who=account.actor_name())
    except LecternError as error:
        st.error(plain(str(error)))
        return
    _open(event.name)


def _event_and_source(
    engines: BackgroundEngines, name: str, choice: str, given: Any, speed: int
) -> tuple[Event, Source]:
    """Return the event and the source that the form describes. Raises: LecternError."""
    kind, ask = SOURCE_CHOICES[choice]
    options = Namespace(speed=speed)
    if ask is Ask.SOUND:
        source = _sound_source(engines, kind, given)
        return Event(name or Path(urlsplit(given.address).path).stem or "stream", name), source
    if ask is Ask.PATH:
        path = path_in_folder(engines.settings.live_folder, given)
        return Event(name or path.stem, name), kind.make(str(path), options)
    if ask is Ask.UPLOAD and given is None:
        raise LecternError("no transcript was given.", remedy="Choose the file to replay.")
    if ask is Ask.UPLOAD:
        transcript = transcripts.read_bytes(given.getvalue(), given.name)
        stem = Path(given.name).stem
    else:
        sample = sample_files()[0]
        transcript = transcripts.read(sample)
        stem = sample.stem
    return Event(name or stem, name or transcript.title, transcript.event_date), kind.make(
        transcript, options
    )


def _sound_source(engines: BackgroundEngines, kind: SourceKind, given: SoundInput) -> Source:
    """Return what listens to an address, where the operator allows the network, or to a file of the folder.

    Raises: LecternError.
    """
    is_address = "://" in given.address
    if is_address and not account.may_fetch():
        raise LecternError(NO_STREAM)
    address = (
        given.address
        if is_address
        else str(path_in_folder(engines.settings.live_folder, given.address))
    )
    chosen = engines.settings
    private = fetching.allowed() is not fetching.public
    options = Namespace(
        home=str(chosen.home), speech_model=chosen.speech_model, allow_private=private
    )
    options.names = ", ".join(given.names)
    return kind.make(address, options)


def _open(name: str) -> None:
    st.query_params["event"] = name  # what the briefing asks for stays: it is bound to its fields
    st.rerun()
