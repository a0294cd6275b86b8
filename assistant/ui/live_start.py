"""The start of the page Live.

Existing events and a form for a new one, which runs on when the page is closed.
"""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import streamlit as st

from assistant import transcripts
from assistant.claims.likely_names import fitting_names, split_names
from assistant.core.access import Role
from assistant.core.errors import LecternError
from assistant.jobs.check_service import sample_files
from assistant.live.background import BackgroundEngines
from assistant.live.event import Event, name_of_title
from assistant.live.live_lines import Source
from assistant.live.sources.registry import SOURCES, Ask, SourceKind
from assistant.report import wording
from assistant.reports.markdown_form import escape_markdown
from assistant.transcription.recogniser import MAX_HINT_CHARACTERS
from assistant.transcripts.formats import EXTENSIONS
from assistant.ui import account, live_microphone
from assistant.ui.live_briefing import briefing_form, note_form
from assistant.ui.shown_text import draw_error
from assistant.web import fetching


class SourceChoice(NamedTuple):
    """A choice in the form: a kind of source, and the input that the form asks for it."""

    kind: SourceKind
    input_kind: Ask


# The choices by their labels; a kind of source has a label for each input that it takes.
SOURCE_CHOICES = {
    label: SourceChoice(kind, input_kind)
    for kind in SOURCES
    for label, input_kind in (kind.page or {}).items()
}
SHOWN_EVENTS = 12
NUMBERED_NAME_CHARS = 70  # a name may have 80, so that a number fits behind it
REPLAY_SPEEDS = (1, 4, 10, 40)
SAMPLE_SPEED = 4  # times the speed of the debate
STREAMS_NOT_ALLOWED = (
    "Lectern opens no stream here: the administrator has not allowed it, or you are not an editor."
)
MICROPHONE_NOTE = "The next page has the button that starts the microphone. Everybody who is recorded must know and agree."
NAMES_HELP = "The recogniser expects these, and after them the names of the briefing, at most 400 characters in all."
LIVE_LEAD = (
    "Lectern follows captions, a sound stream or your microphone, and lists statements that are already fact-checked "
    "as they are said."
)
REHEARSAL_NOTE = "See it work: an invented debate, replayed at four times its speed."
OTHER_SOURCE_LINES = (
    "Other sources are started on the command line and appear here:",
    "- `python -m assistant serve --event NAME`: lines over HTTP, WebSocket and from caption encoders",
    "- `python -m assistant live - --event NAME`: a pipe",
    "- `python -m assistant live FILE`: a file that grows; also here, where LECTERN_LIVE_FOLDER names its folder",
)
COMMAND_LINE_SOURCES = [kind for kind in SOURCES if not kind.page]  # the form lacks them
OTHER_SOURCES = "\n".join(
    [
        *OTHER_SOURCE_LINES,
        *(
            f"- `python -m assistant live {kind.option} {kind.metavar}`: {kind.help}"
            for kind in COMMAND_LINE_SOURCES
        ),
    ]
)


def draw_start(engines: BackgroundEngines) -> None:
    """Draw the form beside the events, newest first, and the preparations below."""
    st.html(f'<h1>Follow a debate while it happens</h1><p class="lx-lead">{LIVE_LEAD}</p>')
    form_column, event_column = st.columns([6, 5], gap="large")
    with event_column:
        _draw_events(engines)
    # below the form, but read first: a recogniser expects the names of the briefing
    expected_names = briefing_form(engines)
    note_form(engines)
    if account.has_role(Role.EDITOR):
        with form_column:
            _draw_start_form(engines, expected_names)
    with st.expander("Other sources, for administrators"):
        st.markdown(OTHER_SOURCES)


def _draw_events(engines: BackgroundEngines) -> None:
    """Draw the replay of the sample, and the events that were monitored."""
    if account.has_role(Role.EDITOR):
        st.html(f'<p class="lx-h4">Rehearse</p><p class="lx-line">{REHEARSAL_NOTE}</p>')
        st.button(
            "Replay the sample debate",
            key="replay_sample",
            on_click=_replay_sample,
            args=(engines,),
        )
    events = engines.log.events()[:SHOWN_EVENTS]
    if not events:
        return
    st.html('<p class="lx-h4">Events on this computer</p>')
    with st.container(gap="xxsmall", key="events"):
        for event in events:
            label = f"{event.title} · {wording.day(event.day)}"
            if st.button(escape_markdown(label), key=f"event_{event.name}", type="tertiary"):
                _open_event(event.name)


@dataclass(frozen=True, slots=True)
class SoundInput:
    """A sound source: an address or the name of a file, and names that may be said."""

    address: str
    names: tuple[str, ...]


def _draw_start_form(engines: BackgroundEngines, expected_names: tuple[str, ...]) -> None:
    folder = engines.settings.live_folder
    labels = []
    for label, choice in SOURCE_CHOICES.items():
        if folder or choice.input_kind is not Ask.PATH:  # a path is one in that folder
            labels.append(label)
    with st.container(border=True, key="begin"):
        st.html('<p class="lx-h4">Start</p>')
        name = st.text_input("Name of the event", placeholder="City debate", max_chars=80)
        label = st.selectbox("Source", labels)
        source_input, speed = _draw_source_fields(label, folder, expected_names)
        if st.button("Start monitoring", type="primary"):
            _start_event(engines, name, label, source_input, speed)


def _replay_sample(engines: BackgroundEngines) -> None:
    """Replay the first sample debate as a live event, and open its live view."""
    account.require(Role.EDITOR)
    sample_label = ""
    for label, choice in SOURCE_CHOICES.items():
        if choice.input_kind is Ask.SAMPLE:
            sample_label = label
            break
    event, source = _event_and_source(engines, "", sample_label, None, SAMPLE_SPEED)
    is_running = engines.log.event(event.name) is not None and engines.follows(event.name)
    if not is_running:
        engines.start(event, source, account=account.actor_name())
    st.query_params["event"] = event.name


def path_in_folder(folder: Path | None, name: str) -> Path:
    """Return the path of a file in the folder that the operator names.

    Raises: LecternError for one elsewhere.
    """
    if folder is None:
        raise LecternError(
            "no folder is set from which the app may read files.", remedy="Set LECTERN_LIVE_FOLDER."
        )
    if not name.strip() or "\0" in name:
        remedy = f"Enter the name of a file in the folder {folder}."
        raise LecternError("no file name was entered.", remedy=remedy)
    path = (folder / name.strip()).resolve()  # links are followed: where they lead counts
    if not path.is_relative_to(folder.resolve()):
        raise LecternError(
            f"{name.strip()} isn't in the folder {folder}.",
            remedy="Lectern follows only files in this folder.",
        )
    return path


def _draw_source_fields(
    source_label: str, folder: Path | None, expected_names: tuple[str, ...]
) -> tuple[Any, int]:
    """Draw the fields of a source, and return its input and the speed.

    The input is the name of a file, an upload, a SoundInput, names, or None for the sample.
    """
    input_kind = SOURCE_CHOICES[source_label].input_kind
    normal_speed = 1  # only a replay may be faster
    if input_kind is Ask.SOUND:
        recordings_hint = (
            f", or the name of a recording in {escape_markdown(str(folder))}" if folder else ""
        )
        address = st.text_input(
            "Address or file",
            help=f"https://, http://, rtmp:// or srt://{recordings_hint}.",
            placeholder="https://example.org/live.m3u8",
        )
        return SoundInput(address.strip(), _draw_names_field(expected_names)), normal_speed
    if input_kind is Ask.BROWSER:
        st.html(f'<p class="lx-soft">{MICROPHONE_NOTE}</p>')
        return _draw_names_field(expected_names), normal_speed
    if input_kind is Ask.PATH:
        help_text = f"Text, SRT or WebVTT that something goes on writing in {folder}."
        name = st.text_input("Name of the file", help=escape_markdown(help_text))
        return name, normal_speed
    uploaded_file = None
    if input_kind is Ask.UPLOAD:
        uploaded_file = st.file_uploader("Recorded transcript", type=list(EXTENSIONS))
    speed = st.select_slider("Speed", REPLAY_SPEEDS, value=SAMPLE_SPEED, format_func=speed_words)
    return uploaded_file, speed


def speed_words(factor: int) -> str:
    """Return the speed of a replay in words."""
    return "as it was said" if factor == 1 else f"{factor} times as fast"


def _draw_names_field(expected_names: tuple[str, ...]) -> tuple[str, ...]:
    names = st.text_input(
        "Names and terms that will be said", help=NAMES_HELP, max_chars=MAX_HINT_CHARACTERS
    )
    return fitting_names([*split_names(names), *expected_names])


def _start_event(
    engines: BackgroundEngines, name: str, label: str, source_input: Any, speed: int
) -> None:
    try:
        account.require(Role.EDITOR)
        if SOURCE_CHOICES[label].input_kind is Ask.BROWSER:
            # the browser sends the sound: the source begins with the first upload
            event = Event(name_of_title(name) or "Microphone", name.strip())
            live_microphone.start_listening(engines, event, ", ".join(source_input))
        else:
            event, source = _event_and_source(engines, name.strip(), label, source_input, speed)
            engines.start(event, source, account=account.actor_name())
    except LecternError as error:
        draw_error(error)
        return
    _open_event(event.name)


def _event_and_source(
    engines: BackgroundEngines, title: str, source_label: str, source_input: Any, speed: int
) -> tuple[Event, Source]:
    """Return the event and the source that the form describes. Raises: LecternError."""
    source_kind, input_kind = SOURCE_CHOICES[source_label]
    source_options = Namespace(speed=speed)  # sources take the options of the command line
    # an event without a name is named after its file
    if input_kind is Ask.SOUND:
        source = _sound_source(engines, source_kind, source_input)
        file_stem = Path(urlsplit(source_input.address).path).stem
        name = name_of_title(title) or name_of_title(file_stem) or "stream"
        return Event(name, title), source
    if input_kind is Ask.PATH:
        path = path_in_folder(engines.settings.live_folder, source_input)
        event = Event(name_of_title(title) or name_of_title(path.stem), title)
        return event, source_kind.make(str(path), source_options)
    # the other kinds replay a transcript
    if input_kind is not Ask.UPLOAD:
        sample_path = sample_files()[0]
        transcript = transcripts.read(sample_path)
        file_stem = sample_path.stem
    elif source_input is None:
        raise LecternError("no transcript was chosen.", remedy="Choose the file to replay.")
    else:
        transcript = transcripts.read_bytes(source_input.getvalue(), source_input.name)
        file_stem = Path(source_input.name).stem
    name = name_of_title(title) or name_of_title(file_stem) or "Replay"
    event = Event(name, title or transcript.title, transcript.event_date)
    return _new_rehearsal(engines, event), source_kind.make(transcript, source_options)


def _new_rehearsal(engines: BackgroundEngines, event: Event) -> Event:
    """Return an event for a replay, numbered if it is not the first one of this name.

    A replay that is running keeps its event. One that was stopped would go on where it stopped,
    so a rehearsal begins a new event.
    """
    number = 1
    numbered_event = event
    while engines.log.event(numbered_event.name) is not None:
        if engines.follows(numbered_event.name):
            break
        number += 1
        name = f"{event.name[:NUMBERED_NAME_CHARS]} {number}"
        numbered_event = Event(name, f"{event.title} ({number})", event.day)
    return numbered_event


def _sound_source(
    engines: BackgroundEngines, source_kind: SourceKind, sound_input: SoundInput
) -> Source:
    """Return the source that transcribes an address, or a file of the administrator's folder.

    Raises: LecternError if the network is not allowed, or the file is outside the folder.
    """
    settings = engines.settings
    if "://" in sound_input.address:
        if not account.may_fetch():
            raise LecternError(STREAMS_NOT_ALLOWED)
        address = sound_input.address
    else:
        address = str(path_in_folder(settings.live_folder, sound_input.address))
    source_options = Namespace(
        home=str(settings.home),
        speech_model=settings.speech_model,
        allow_private=fetching.allowed_addresses() is not fetching.is_public,
        names=", ".join(sound_input.names),
    )
    return source_kind.make(address, source_options)


def _open_event(name: str) -> None:
    st.query_params["event"] = name  # what the briefing asks for stays: it is bound to its fields
    st.rerun()
