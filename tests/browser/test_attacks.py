"""Attacks on the app and the live door.

Each is refused, and honest requests are answered meanwhile.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import ExitStack
from http.client import HTTPConnection

import pytest

from assistant.live.event_log import EventLog
from assistant.web.connection_limits import MAX_WAITING
from tests.browser.conftest import PATIENCE_S, ROOT, App, furnish, serve, wait_for
from tests.free_ports import free_port

pytestmark = pytest.mark.long
TOKEN = {"Authorization": "Bearer open sesame"}
UPGRADE = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg=="}  # fmt: skip
STREAM = "/_stcore/stream"
LINES = "/live/city/lines"
GOOD = b'{"id": 1, "text": "Good."}'
LIES = b'{"id": 2, "text": "Lies."}'


@pytest.fixture(scope="module")
def desk(tmp_path_factory, vclaims):
    """The app as `streamlit run app.py` starts it, and the door beside it.

    The app, and the door's port.
    """
    home = tmp_path_factory.mktemp("attacked")
    furnish(home, vclaims)
    served = App(home, free_port())
    door = free_port()
    served.start()
    server = serve(
        home, "assistant", "serve", "--event", "city", "--port", str(door), "--token", "open sesame"
    )
    try:
        wait_for(f"http://127.0.0.1:{door}/", server)
        yield served, door
    finally:
        served.stop()
        server.terminate()
        server.wait(PATIENCE_S)


def ask(port, method, path, headers, body=None) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    connection.request(method, path, body, headers)
    status = connection.getresponse().status
    connection.close()
    return status


ATTACKS = {
    "null origin": ({"Origin": "null"}, 403),
    "another site": ({"Origin": "https://elsewhere.example"}, 403),
    "rebinding": ({"Host": "rebound.example", "Origin": "http://rebound.example"}, 421),
}
BY_PROXY = {"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "127.0.0.1"}


@pytest.mark.threat("visitor")
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_page_of_another_site_reaches_neither(desk, attack):
    """Whatever it calls itself; the same request without it is answered."""
    (served, door), (headers, status) = desk, ATTACKS[attack]

    assert ask(served.port, "GET", STREAM, {**UPGRADE, **headers}) == status
    assert ask(door, "POST", LINES, {**TOKEN, **headers}, LIES) == status
    assert ask(served.port, "GET", STREAM, UPGRADE) == 101
    assert ask(door, "POST", LINES, TOKEN, GOOD) == 200


@pytest.mark.threat("visitor")
def test_a_visitor_whom_a_proxy_brings_does_not_pass_for_this_computer(desk):
    """Neither by headers nor, at the door, by looking as if it came from here."""
    served, door = desk

    assert ask(served.port, "GET", "/", BY_PROXY) == 403
    assert ask(served.port, "GET", STREAM, {**UPGRADE, **BY_PROXY}) == 403
    assert ask(door, "POST", LINES, {"Host": "127.0.0.1", **BY_PROXY}, LIES) == 401


@pytest.mark.threat("visitor")
def test_no_lie_was_stored(desk):
    """After all of these attacks the event has the honest line alone."""
    with EventLog.open(f"sqlite:///{desk[0].home / 'lectern.db'}") as log:
        assert [sentence.text for sentence in log.sentences("city")] == ["Good."]


@pytest.mark.threat("visitor")
@pytest.mark.parametrize("place", ["app", "door"])
def test_a_thousand_idle_sockets_hold_nobody_up(desk, place):
    """Half of them with half a request; the oldest are cut, and an honest request is answered."""
    served, door = desk
    port = served.port if place == "app" else door
    with ExitStack() as opened:
        idle = []
        for number in range(1000):
            idle.append(
                opened.enter_context(
                    socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
                )
            )
            if number % 2:
                idle[-1].sendall(b"GET / HTTP/1.1\r\nHost: 127")

        assert ask(served.port, "GET", "/", {}) == 200
        assert ask(door, "GET", "/live/city/health", TOKEN) == 200
        assert all(_cut(each) for each in idle[: 1000 - MAX_WAITING - 10])
        assert all(_cut(each) for each in idle)  # the rest, once they have taken too long


def _cut(connection) -> bool:
    """Wait until the other side ends a connection."""
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


@pytest.mark.threat("visitor")
@pytest.mark.parametrize("command", [["--server.address", "0.0.0.0"], ["--server.address", "::"]])
def test_without_a_login_the_app_refuses_another_address(tmp_path, command):
    """A plain `streamlit run app.py --server.address ...` ends with one line that says what to do."""
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("LECTERN_", "STREAMLIT_"))}
    ran = subprocess.run(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true",
         "--browser.serverAddress", "localhost", "--server.port", str(free_port()), *command],
        cwd=ROOT, env={**environ, "LECTERN_HOME": str(tmp_path)}, capture_output=True, text=True, timeout=PATIENCE_S,
    )  # fmt: skip

    lines = [line for line in ran.stderr.splitlines() if line.strip()]
    assert (ran.returncode, len(lines)) == (1, 1), ran.stderr
    assert lines[0].startswith("lectern: refuses to listen on")
    assert "LECTERN_OPEN=1" in lines[0]
