"""Follows a speech recogniser over WebSocket.

Listens, sends it sound if there is some, and reconnects.

Each connection has units of its own, so that nothing that was said is overwritten.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import sys
import threading
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from threading import Event as Flag
from typing import TYPE_CHECKING, BinaryIO

from assistant.core.errors import NetworkError, SettingsError
from assistant.live.live_lines import Arrival
from assistant.live.sources.network_rules import recogniser
from assistant.live.sources.recogniser_messages import Messages, Unreadable
from assistant.web.fetching import BYTE_TIMEOUT_S

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

RETRY_S = (1.0, 2.0, 5.0, 10.0)
POLL_S = 0.5
MAX_MESSAGE_BYTES = 1_000_000
AUDIO_PIECE_BYTES = 3200  # sent at a time: a tenth of a second
WHISPERLIVE = "whisperlive"


@dataclass
class WebSocketSource:
    """Follows a recogniser at an address.

    ``audio`` holds signed 16-bit mono samples at 16 kHz, or nothing.

    ``service``: "whisperlive" greets as that server expects, and sends it samples as 32-bit floats.
    """

    url: str
    service: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    private: bool = False
    audio: BinaryIO | None = None
    name: str = "recogniser"
    retry_s: tuple[float, ...] = RETRY_S

    def follow(self, cursor: str, stop: Flag) -> Iterator[Arrival]:
        """Yield what is recognised, session after session.

        ``cursor`` counts the sessions so far.
        """
        session = int(cursor) if cursor.isdecimal() else 0
        failure_count = 0
        # A wrong address raises its error here, before the first session.
        recogniser(self.url, self.private)
        while not stop.is_set():
            session += 1
            try:
                for arrival in self._session(session, stop):
                    failure_count = 0
                    yield arrival
            except (OSError, NetworkError, _errors()) as error:
                reason = str(error) or type(error).__name__
                yield Arrival(warning=f"the connection was lost ({reason[:200]}); trying again.")
            else:
                if not stop.is_set():
                    yield Arrival(warning="the recogniser ended the session; connecting again.")
            # The pauses get longer; the last one is repeated.
            pause_index = min(failure_count, len(self.retry_s) - 1)
            stop.wait(self.retry_s[pause_index])
            failure_count += 1

    def _session(self, session: int, stop: Flag) -> Iterator[Arrival]:
        from websockets.sync.client import connect

        tcp_socket = socket.create_connection(
            recogniser(self.url, self.private), timeout=BYTE_TIMEOUT_S
        )
        tcp_socket.settimeout(None)
        with connect(
            self.url,
            sock=tcp_socket,
            additional_headers=dict(self.headers),
            max_size=MAX_MESSAGE_BYTES,
        ) as live:
            yield Arrival(cursor=str(session))
            if self.service == WHISPERLIVE:
                live.send(json.dumps({"uid": f"lectern-{session}", "language": "en", "task": "transcribe",
                                      "model": "small", "use_vad": True}))  # fmt: skip
            elif self.audio:
                self._speak(live, stop)
            yield from self._listen(live, Messages(self.name, session), stop)

    def _listen(self, live: ClientConnection, messages: Messages, stop: Flag) -> Iterator[Arrival]:
        from websockets.exceptions import ConnectionClosedOK

        while not stop.is_set():
            try:
                message = live.recv(timeout=POLL_S)
            except TimeoutError:
                continue
            except ConnectionClosedOK:
                return
            if self.service == WHISPERLIVE and self.audio and "SERVER_READY" in str(message)[:500]:
                self._speak(live, stop)
            try:
                lines = messages.read(message)
            except Unreadable as error:
                yield Arrival(warning=f"a message was left out ({error}).")
                continue
            if lines:
                yield Arrival(tuple(lines))

    def _speak(self, live: ClientConnection, stop: Flag) -> None:
        threading.Thread(target=self._send_audio, args=(live, stop), daemon=True).start()

    def _send_audio(self, live: ClientConnection, stop: Flag) -> None:
        wants_floats = self.service == WHISPERLIVE
        try:
            while self.audio and not stop.is_set():
                samples = os.read(self.audio.fileno(), AUDIO_PIECE_BYTES)
                if not samples:
                    break
                live.send(as_floats(samples) if wants_floats else samples)
            if wants_floats:
                live.send(b"END_OF_AUDIO")
        except (OSError, _errors()):
            return  # the listener reports the lost connection


def make(url: str, options: argparse.Namespace) -> WebSocketSource:
    """Return the recogniser at an address.

    Raises: SettingsError if the sound for it cannot be read.
    """
    pairs = [header.partition(":") for header in options.header]
    headers = {name.strip(): value.strip() for name, _, value in pairs}
    return WebSocketSource(
        url, options.service, headers, options.allow_private, _sound(options.audio)
    )


def _sound(path: str | None) -> BinaryIO | None:
    if not path:
        return None
    try:
        return sys.stdin.buffer if path == "-" else open(path, "rb")
    except OSError as error:
        raise SettingsError(f"cannot be read ({error.strerror}).", where=path) from error


def as_floats(samples: bytes) -> bytes:
    """Return signed 16-bit samples as 32-bit floats from -1 to 1.

    Half a sample at the end is left out.
    """
    whole_samples_size = len(samples) // 2 * 2
    integers = array("h", samples[:whole_samples_size])
    return array("f", (value / 32768 for value in integers)).tobytes()


def _errors() -> type[Exception]:
    from websockets.exceptions import WebSocketException

    return WebSocketException
