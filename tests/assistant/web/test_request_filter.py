"""The gate: which requests come in, by host, origin and peer, and how many WebSockets one visitor may open."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from assistant.core.access import Access
from assistant.web import local_accounts, request_filter
from assistant.web.open_sockets import (
    CLOSE_REASON,
    CLOSE_TRY_AGAIN,
    SOCKET_HEADER,
    OpenSockets,
)
from assistant.web.request_filter import PEER_HEADER, AllowedPeers, RequestFilter

testclient = pytest.importorskip("starlette.testclient")
HERE = ("127.0.0.1", 5)
NEAR = ("10.0.0.7", 5)
FAR = ("203.0.113.9", 5)
TALK = "ws://127.0.0.1/talk"
BEHIND = Access(proxies=("10.0.0.0/8",), hosts=("lectern.example",))


async def told(request):
    return PlainTextResponse(request.client.host)


async def talk(socket):
    await socket.accept()
    await socket.receive()


APP = Starlette(routes=[Route("/", told, methods=["GET", "POST"]), WebSocketRoute("/talk", talk)])


def ask(
    headers=None,
    *,
    access=BEHIND,
    allowed_peers=AllowedPeers.ANYWHERE,
    client=HERE,
    host="http://127.0.0.1:8501",
):
    asking = testclient.TestClient(
        RequestFilter(APP, access, allowed_peers), base_url=host, client=client
    )
    return asking.post("/", headers=headers or {})


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8501", 200),
        ("localhost:8501", 200),
        ("[::1]:8501", 200),
        ("192.168.1.20:8501", 200),
        ("lectern.example", 200),
        ("LECTERN.example:443", 200),
        ("rebound.example:8501", 421),
        ("localhost.rebound.example", 421),
        ("127.0.0.1.rebound.example", 421),
        ("127.0.0.1@rebound.example", 421),
        ("localhost:port", 421),
        ("", 421),
    ],
)
def test_a_name_that_points_here_does_not_open_the_gate(host, status):
    """DNS rebinding: a page gives its own name this computer's address, and its requests carry that name."""
    assert ask({"Host": host}).status_code == status


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:8501", 200),
        ("https://lectern.example", 200),
        ("null", 403),
        ("", 403),
        ("http://127.0.0.1:9999", 403),
        ("https://elsewhere.example", 403),
        ("https://lectern.example.elsewhere.example", 403),
        ("file://127.0.0.1:8501", 403),
    ],
)
def test_a_page_of_another_site_may_not_ask(origin, status):
    """Nor one without a site, in a sandbox or a file."""
    assert ask({"Origin": origin}).status_code == status


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    ("client", "headers", "status"),
    [
        (HERE, {}, 200),
        (("::1", 5), {}, 200),
        (NEAR, {}, 403),
        (HERE, {"X-Forwarded-For": "203.0.113.9"}, 403),
        (HERE, {"X-Forwarded-For": "127.0.0.1"}, 403),
        (HERE, {"Forwarded": "for=203.0.113.9"}, 403),
        (HERE, {"X-Real-IP": "203.0.113.9"}, 403),
        (HERE, {"Via": "1.1 proxy"}, 403),
        (HERE, {"X-Forwarded-Server": "proxy"}, 403),
        (HERE, {"X-Original-Forwarded-For": "203.0.113.9"}, 403),
        (HERE, {"CF-Connecting-IP": "203.0.113.9"}, 403),
        (HERE, {"CF-Ray": "1"}, 403),
        (HERE, {"CDN-Loop": "cloudflare"}, 403),
        (HERE, {"X-Client-IP": "203.0.113.9"}, 403),
        (HERE, {"True-Client-IP": "203.0.113.9"}, 403),
        (HERE, {"X-Azure-ClientIP": "203.0.113.9"}, 403),
        (HERE, {"X_Real_IP": "203.0.113.9"}, 403),
        (HERE, {"Accept-Language": "en", "User-Agent": "browser", "Cookie": "via=1"}, 200),
    ],
)
def test_without_a_login_only_this_computer_comes_in(client, headers, status):
    """And nobody whom a proxy on this computer brings, whatever it says about them."""
    answer = ask(headers, allowed_peers=AllowedPeers.HERE, client=client)

    assert status == answer.status_code
    assert status == 200 or "LECTERN_OPEN" in answer.text


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(("client", "status"), [(NEAR, 200), (HERE, 403), (FAR, 403)])
def test_where_a_proxy_names_people_nobody_comes_past_it(client, status):
    """Its headers would otherwise be anybody's to write."""
    headers = {"X-Forwarded-User": "ada@example.org", "X-Forwarded-For": "10.0.0.7"}

    assert ask(headers, allowed_peers=AllowedPeers.PROXIES, client=client).status_code == status


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    ("peer", "forwarded", "visitor"),
    [
        ("10.0.0.7", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.7", "127.0.0.1, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.7", "203.0.113.9, 10.0.0.8", "203.0.113.9"),
        ("::ffff:10.0.0.7", "203.0.113.9", "203.0.113.9"),
        ("203.0.113.9", "127.0.0.1", "203.0.113.9"),
        ("127.0.0.1", "203.0.113.9", "127.0.0.1"),
        ("10.0.0.7", "", "10.0.0.7"),
        ("10.0.0.7", "nonsense", "nonsense"),
    ],
)
def test_forwarded_for_counts_from_named_proxies_only(peer, forwarded, visitor):
    """The nearest address that is no proxy.

    What stands before it, the visitor may have written.
    """
    assert request_filter.visitor_address(BEHIND, peer, forwarded) == visitor
    assert ask({"X-Forwarded-For": forwarded}, client=(peer, 5)).text == visitor


@pytest.fixture
def sockets():
    """Two anonymous sockets a visitor, three in all, one a person."""
    return OpenSockets(max_anonymous=3, max_per_visitor=2, max_per_holder=1)


def visit(sockets, client, **headers):
    """Return the client of a visitor whose sockets are counted."""
    app = RequestFilter(APP, Access(), sockets=sockets)
    return testclient.TestClient(app, client=client, headers=headers)


def is_closed(websocket):
    """Wait until the server closes a socket, and return whether it says why."""
    with pytest.raises(WebSocketDisconnect) as closed:
        websocket.receive_text()
    return (closed.value.code, closed.value.reason) == (CLOSE_TRY_AGAIN, CLOSE_REASON)


@pytest.mark.threat("visitor")
def test_open_sockets_before_a_login_never_keep_another_visitor_out(sockets):
    """One more closes the oldest of the visitor who has the most."""
    flood = visit(sockets, FAR)
    with flood.websocket_connect(TALK) as oldest, flood.websocket_connect(TALK) as second:
        with visit(sockets, HERE).websocket_connect(TALK):
            assert len(sockets._sockets) == 3
            with visit(sockets, NEAR).websocket_connect(TALK) as talking:
                assert is_closed(oldest)
                talking.send_text("hello")
        with flood.websocket_connect(TALK), flood.websocket_connect(TALK):
            assert is_closed(second)
    assert sockets._sockets == {}


@pytest.mark.threat("visitor")
def test_visitors_of_a_proxy_without_a_name_never_share_one_limit(sockets):
    """Behind Caddy on this computer everybody comes from 127.0.0.1; the address that it adds is counted."""
    flood = visit(sockets, HERE, **{"X-Forwarded-For": "198.51.100.1, 203.0.113.9"})
    honest = visit(sockets, HERE, **{"X-Forwarded-For": "203.0.113.10"})
    with (
        honest.websocket_connect(TALK),
        flood.websocket_connect(TALK) as oldest,
        flood.websocket_connect(TALK),
        flood.websocket_connect(TALK),
    ):
        assert is_closed(oldest)
        visitors = [socket.visitor for socket in sockets._sockets.values()]

    assert sorted(visitors) == ["203.0.113.10", "203.0.113.9", "203.0.113.9"]


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:1", "2001:db8::/64"),
        ("[2001:db8::2]:443", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("203.0.113.9:4711", "203.0.113.9"),
        ("::1", "::1"),
        ("unknown", "unknown"),
    ],
)
def test_a_visitor_never_counts_as_many_by_taking_other_addresses(sockets, address, counted):
    """An IPv6 visitor has a network of its own, and a proxy may add the port."""
    with visit(sockets, HERE, **{"X-Forwarded-For": address}).websocket_connect(TALK):
        assert [socket.visitor for socket in sockets._sockets.values()] == [counted]


@pytest.mark.threat("visitor")
def test_addresses_of_one_ipv6_network_never_close_the_socket_of_another(sockets):
    with visit(sockets, FAR).websocket_connect(TALK) as honest, ExitStack() as flood:
        for number in range(9):
            client = (f"2001:db8::{number:x}", 5)
            flood.enter_context(visit(sockets, client).websocket_connect(TALK))
        (oldest, *_) = sockets._sockets.values()
        assert oldest.visitor == FAR[0]
        assert not oldest.evicted.is_set()
        honest.send_text("still here")


@pytest.mark.threat("visitor")
def test_sockets_before_a_login_never_close_those_of_people_who_logged_in(sockets):
    with visit(sockets, FAR).websocket_connect(TALK) as ada:
        (key,) = sockets._sockets
        assert sockets.admit(key, "ada")
        with ExitStack() as flood:
            for _ in range(9):
                flood.enter_context(visit(sockets, FAR).websocket_connect(TALK))
            assert not sockets._sockets[key].evicted.is_set()
            ada.send_text("still here")


@pytest.mark.threat("reader")
def test_a_person_never_holds_more_than_a_number_of_sockets(sockets):
    first = sockets.add("203.0.113.9")
    second = sockets.add("203.0.113.9")

    assert sockets.admit(first.key, "ada")
    assert not sockets.admit(second.key, "ada")
    assert sockets.admit(first.key, "ada")
    assert sockets.admit(second.key, "ben")
    sockets.remove(first)
    assert sockets.admit(sockets.add("203.0.113.9").key, "ada")


@pytest.mark.threat("visitor")
def test_a_visitor_never_chooses_the_key_of_a_socket(sockets):
    """It would be admitted together with the socket of a person who logs in."""
    keys = []

    async def note_key(scope, receive, send):
        keys.extend(Headers(scope=scope).getlist(SOCKET_HEADER))
        await APP(scope, receive, send)

    client = testclient.TestClient(
        RequestFilter(note_key, Access(), sockets=sockets), headers={SOCKET_HEADER: "mine"}
    )
    with client.websocket_connect(TALK):
        assert keys == list(sockets._sockets)
    assert keys != ["mine"]


@pytest.mark.threat("visitor")
@pytest.mark.parametrize("client", [NEAR, FAR])
def test_a_visitor_never_chooses_the_peer_of_a_socket(client):
    """The peer decides whether a header names the account."""
    peers = []

    async def note_peer(scope, receive, send):
        peers.extend(Headers(scope=scope).getlist(PEER_HEADER))
        await APP(scope, receive, send)

    headers = {
        PEER_HEADER: "10.0.0.1",
        PEER_HEADER.upper(): "10.0.0.2",
        "X-Forwarded-For": "10.0.0.3",
    }
    filtered = RequestFilter(note_peer, BEHIND, sockets=OpenSockets())
    visitor = testclient.TestClient(filtered, client=client)
    with visitor.websocket_connect(TALK, headers=headers):
        assert peers == [client[0]]


@pytest.mark.threat("local account")
@pytest.mark.parametrize(
    ("allowed_peers", "status"), [(AllowedPeers.HERE, 403), (AllowedPeers.ANYWHERE, 200)]
)
def test_another_account_of_this_computer_never_comes_in_without_a_login(
    monkeypatch, allowed_peers, status
):
    """Its connections come from this computer, too."""
    monkeypatch.setattr(
        local_accounts, "is_other_account", lambda client, server: client[1] == HERE[1]
    )

    assert ask(allowed_peers=allowed_peers).status_code == status
    assert ask(allowed_peers=allowed_peers, client=("127.0.0.1", 6)).status_code == 200
