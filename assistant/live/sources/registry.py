"""The table of live sources.

For each its options on the command line, words for people, and the module that makes it.

A new source is one module with ``make(address, options)`` and one row here: the command ``live``,
its messages and the page Live read this table.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.live.live_lines import Source


class Ask(StrEnum):
    """What the page Live asks for before it starts a source."""

    PATH = "a path on this computer"
    UPLOAD = "a file to upload"
    SAMPLE = "nothing: the first sample debate"
    SOUND = "an address, or a recording on this computer"
    BROWSER = "nothing: the microphone of the browser"


@dataclass(frozen=True, slots=True)
class SourceKind:
    """A row: the option that chooses the source and names its address (``metavar``), with its help.

    The module that makes it has the name of the option, and is imported when the source is used.
    ``extra``: further options with what argparse takes for them; ``page``: how the page Live
    offers it, and what it asks for then.
    """

    option: str
    metavar: str
    help: str
    network: bool = False
    extra: Mapping[str, Mapping[str, Any]] | None = None
    page: Mapping[str, Ask] | None = None

    @property
    def name(self) -> str:
        """Return the name of the parsed option and of the module."""
        return self.option.removeprefix("--")

    def make(self, address: Any, options: argparse.Namespace) -> Source:
        """Return the source at an address. Raises: LecternError if it cannot be used."""
        return import_module(f"{__package__}.{self.name}").make(address, options)


def speed(text: str) -> float:
    """Return the speed of a replay; argparse turns a wrong one into a usage error."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e6:
        raise argparse.ArgumentTypeError(
            f"{text!r} isn't a valid speed. Give a number, such as 4 for four times normal speed"
        )
    return value


SPEED: Mapping[str, Mapping[str, object]] = {
    "--speed": {
        "type": speed,
        "default": 1.0,
        "help": "speed of the replay, or 0 to send everything at once (default: 1)",
    },
}
LANGUAGE = {
    "--language": {
        "default": "",
        "metavar": "CODE",
        "help": "language of the subtitles (default: the first)",
    }
}
RECOGNISER: Mapping[str, Mapping[str, object]] = {
    "--service": {
        "choices": ("whisperlive",),
        "default": "",
        "help": "type of server, if it needs a setup message before the audio",
    },
    "--audio": {
        "metavar": "FILE",
        "help": "audio file to send (16-bit mono samples at 16 kHz), or - for a pipe",
    },
    "--header": {
        "action": "append",
        "default": [],
        "metavar": "NAME: VALUE",
        "help": "HTTP header to send, for example one with an API key (repeatable)",
    },
}
HEARD: Mapping[str, Mapping[str, object]] = {
    "--speech-model": {
        "metavar": "NAME|DIR",
        "help": "Whisper model, by name or folder (default: tiny.en, included)",
    },
    "--names": {
        "default": "",
        "metavar": "NAME,NAME",
        "help": "names and terms to use as vocabulary hints",
    },
    "--names-of-claims": {
        "action": "store_true",
        "help": "also use the most frequent names in the fact-checks as vocabulary hints",
    },
}
GROWING = {"A file that grows": Ask.PATH}
REPLAYED = {"A recorded transcript, replayed": Ask.UPLOAD, "A sample debate, replayed": Ask.SAMPLE}
HEARD_ON_PAGE = {
    "A stream or recording, listened to": Ask.SOUND,
    "The microphone of this browser": Ask.BROWSER,
}
SOURCES = (
    SourceKind(
        "file",
        "FILE",
        "text or caption file to which another program adds lines, or - for a pipe",
        page=GROWING,
    ),
    SourceKind("--replay", "FILE", "replay a recorded transcript", extra=SPEED, page=REPLAYED),
    SourceKind(
        "--listen",
        "SOURCE",
        "transcribe a recording, a microphone or a stream (HLS, Icecast, RTMP, SRT)",
        extra=HEARD,
        page=HEARD_ON_PAGE,
    ),
    SourceKind(
        "--hls", "URL", "follow the subtitles of an HLS stream", network=True, extra=LANGUAGE
    ),
    SourceKind(
        "--streamtext", "EVENT", "follow the captions of an event at streamtext.net", network=True
    ),
    SourceKind(
        "--websocket",
        "URL",
        "follow a speech recogniser: WhisperLive, WhisperLiveKit or Deepgram",
        network=True,
        extra=RECOGNISER,
    ),
)
