"""Limits on connections, over real sockets.

Slow headers, sockets that say nothing, and the real peer.
"""

from __future__ import annotations

import socket
from contextlib import ExitStack, closing
from http.client import HTTPConnection

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute

from assistant.core.access import Access
from assistant.web import connection_limits, local_accounts
from assistant.web.connection_limits import WaitingConnections
from assistant.web.request_filter import AllowedPeers, RequestFilter, peer_of
from tests.assistant.live.serving import PATIENCE_S, served, until

h11_impl = pytest.importorskip("uvicorn.protocols.http.h11_impl")
ASK = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 203.0.113.9\r\n"


async def told(request):
    return PlainTextResponse(f"{peer_of(request.scope)} {request.client.host}")


async def echo(socket):
    await socket.accept()
    while True:
        await socket.send_text(await socket.receive_text())


APP = Starlette(routes=[Route("/", told), WebSocketRoute("/echo", echo)])


def amended(**limits):
    """Return a protocol of uvicorn with limits, and what waits in it."""
    protocol = type("Protocol", (h11_impl.H11Protocol,), {})
    waiting = WaitingConnections(**limits)
    connection_limits.limit_connections(protocol, waiting=waiting)
    return protocol, waiting


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)


def asked(port, **headers):
    """Return a connection on which a request was answered, and the answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    connection.request("GET", "/", headers=headers)
    return closing(connection), connection.getresponse().read().decode()


def closed(sock) -> bool:
    """Wait until the other side ends a connection."""
    try:
        return sock.recv(1) == b""
    except ConnectionError:
        return True


@pytest.mark.threat("visitor")
@pytest.mark.parametrize("sent", [b"", b"GET / HT", ASK])
def test_half_a_head_is_not_waited_for(sent):
    """Neither a first request that never ends nor one that never begins."""
    protocol, waiting = amended(head_s=0.3)
    with served(APP, http=protocol) as port, connect(port) as slow:
        slow.sendall(sent)

        assert closed(slow)
        until(lambda: not waiting.timers)


@pytest.mark.threat("visitor")
def test_half_a_second_request_is_not_waited_for():
    """After a good one, on the same connection."""
    protocol, _ = amended(head_s=0.5)
    with served(APP, http=protocol) as port, asked(port)[0] as connection:
        connection.sock.sendall(ASK)

        assert closed(connection.sock)


@pytest.mark.threat("visitor")
def test_of_a_thousand_idle_sockets_few_are_held_and_others_are_served():
    """The oldest that says nothing makes room; somebody with a request is answered meanwhile."""
    protocol, waiting = amended(max_waiting=20)
    with served(APP, http=protocol) as port, ExitStack() as opened:
        for _ in range(50):
            for _ in range(20):
                opened.enter_context(connect(port))
            honest, answer = asked(port)
            with honest:
                assert answer == "127.0.0.1 127.0.0.1"

        assert len(waiting.timers) <= 20


def test_a_websocket_is_not_cut_for_want_of_a_request():
    """Once it is open, it no longer waits for one."""
    sync = pytest.importorskip("websockets.sync.client")
    protocol, waiting = amended(head_s=0.3, max_waiting=1)
    with served(APP, http=protocol) as port, sync.connect(f"ws://127.0.0.1:{port}/echo") as live:
        for _ in range(3):
            with connect(port) as slow:
                assert closed(slow)
        live.send("still here")

        assert live.recv(PATIENCE_S) == "still here"
        assert waiting.timers == {}


@pytest.mark.threat("visitor")
def test_the_real_peer_is_told_whatever_headers_say():
    """uvicorn believes X-Forwarded-For of this computer and shows another client."""
    protocol, _ = amended()
    with served(APP, http=protocol) as port:
        connection, answer = asked(port, **{"X-Forwarded-For": "203.0.113.9"})
        with connection:
            assert answer == "127.0.0.1 203.0.113.9"


@pytest.mark.threat("local account")
def test_another_connection_never_takes_over_the_account_of_an_earlier_one(monkeypatch):
    """The system is asked once for each connection, not once for each request."""
    connections = []

    def note_connection(client, server):
        connections.append(client)
        return len(connections) > 1

    monkeypatch.setattr(local_accounts, "is_other_account", note_connection)
    protocol, _ = amended()
    filtered = RequestFilter(APP, Access(), AllowedPeers.HERE)
    with served(filtered, http=protocol) as port:
        statuses = []
        for request_count in (3, 2):
            connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
            with closing(connection):
                for _ in range(request_count):
                    connection.request("GET", "/")
                    answer = connection.getresponse()
                    answer.read()
                    statuses.append(answer.status)

    assert statuses == [200, 200, 200, 403, 403]
    assert len(set(connections)) == len(connections) == 2


@pytest.mark.threat("local account")
def test_a_forged_client_never_opens_a_connection_for_its_next_request(monkeypatch):
    """uvicorn shows the client of a header; the real one is asked about when it comes."""
    monkeypatch.setattr(
        local_accounts, "is_other_account", lambda client, server: client[0] == "127.0.0.1"
    )
    protocol, _ = amended()
    filtered = RequestFilter(APP, Access(), AllowedPeers.HERE)
    with served(filtered, http=protocol) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        with closing(connection):
            statuses = []
            for headers in ({"X-Forwarded-For": "203.0.113.9"}, {}):
                connection.request("GET", "/", headers=headers)
                answer = connection.getresponse()
                answer.read()
                statuses.append(answer.status)

    assert statuses == [403, 403]
