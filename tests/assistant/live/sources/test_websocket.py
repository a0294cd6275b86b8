"""A WebSocket client against a real server.

It listens, sends audio, and comes back when the server goes.
"""

from __future__ import annotations

import io
import json
import threading
from array import array

import pytest

from assistant.core.errors import NetworkError
from assistant.live.sources.websocket import WebSocketSource, as_floats
from tests.assistant.live.following import finals

serve = pytest.importorskip("websockets.sync.server").serve


@pytest.fixture
def server():
    """Return a function that serves some behaviours, one a session, and gives the address."""
    running = []

    def start(*sessions):
        remaining = list(sessions)

        def handle(live):
            if remaining:
                remaining.pop(0)(live)

        websocket_server = serve(handle, "127.0.0.1", 0)
        running.append(websocket_server)
        threading.Thread(target=websocket_server.serve_forever, daemon=True).start()
        return f"ws://127.0.0.1:{websocket_server.socket.getsockname()[1]}"

    yield start
    for websocket_server in running:
        websocket_server.shutdown()


def says(*texts):
    def session(live):
        for text in texts:
            live.send(
                json.dumps({"type": "fullSentence", "text": text}) if text[0] != "!" else text
            )

    return session


def followed(source, lines):
    """Return what comes until there are so many final lines."""
    stop = threading.Event()
    came = []
    for arrival in source.follow("", stop):
        came.append(arrival)
        if len(finals(came)) >= lines:
            stop.set()
    return came


def test_a_lost_connection_is_found_again(server):
    """When the server goes away, the next session has other units; earlier text stays."""
    url = server(says("We built schools."), says("And roads."))

    came = followed(WebSocketSource(url, private=True, retry_s=(0.01,)), 2)

    assert [line.unit for line in finals(came)] == ["1:0", "2:0"]
    assert any("connecting again" in arrival.warning for arrival in came)
    assert [arrival.cursor for arrival in came if arrival.cursor] == ["1", "2"]


def test_a_message_that_cannot_be_read_is_left_out(server):
    """With a warning; the next one is taken."""
    came = followed(WebSocketSource(server(says("!no json", "And roads.")), private=True), 1)

    assert [line.text for line in finals(came)] == ["And roads."]
    assert any("left out" in arrival.warning for arrival in came)


def test_a_server_that_is_not_there_is_waited_for(server):
    """The warning says so, and the source goes on trying."""
    stop = threading.Event()
    warnings = []
    for arrival in WebSocketSource("ws://127.0.0.1:9", private=True, retry_s=(0.01,)).follow(
        "", stop
    ):
        warnings.append(arrival.warning)
        if len(warnings) == 3:
            stop.set()

    assert all("trying again" in text for text in warnings)


def test_a_private_address_is_not_followed_unasked():
    """The address is refused before anything is sent."""
    with pytest.raises(NetworkError, match="private network"):
        next(WebSocketSource("ws://127.0.0.1:9").follow("", threading.Event()))


def test_whisperlive_is_greeted_and_gets_audio(server, tmp_path):
    """The greeting first; samples as floats once the server is ready.

    Then the end of the sound.
    """
    heard = []

    def session(live):
        heard.append(json.loads(live.recv())["task"])
        live.send(json.dumps({"uid": "x", "message": "SERVER_READY"}))
        while (data := live.recv()) != b"END_OF_AUDIO":
            heard.append(array("f", data).tolist())
        segment = {"start": "0.000", "end": "1.000", "text": " Hello.", "completed": True}
        live.send(json.dumps({"uid": "x", "segments": [segment]}))

    path = tmp_path / "audio"
    path.write_bytes(array("h", [0, 16384, -32768]).tobytes())
    with path.open("rb") as audio:
        source = WebSocketSource(server(session), service="whisperlive", private=True, audio=audio)
        came = followed(source, 1)

    assert heard == ["transcribe", [0.0, 0.5, -1.0]]
    assert [line.text for line in finals(came)] == ["Hello."]


def test_half_a_sample_is_no_sound():
    """An odd byte at the end of a piece is left out."""
    assert as_floats(b"\x00\x40\x01") == array("f", [0.5]).tobytes()
    assert as_floats(io.BytesIO().read()) == b""
