"""The gate: which requests come in, by host, origin and peer, and how many WebSockets one visitor may open."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute

from assistant.core.access import Access
from assistant.web import request_filter
from assistant.web.request_filter import AllowedPeers, RequestFilter

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
    let_in=AllowedPeers.ANYWHERE,
    client=HERE,
    host="http://127.0.0.1:8501",
):
    asking = testclient.TestClient(RequestFilter(APP, access, let_in), base_url=host, client=client)
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
    ],
)
def test_without_a_login_only_this_computer_comes_in(client, headers, status):
    """And nobody whom a proxy on this computer brings, whatever it says about them."""
    answer = ask(headers, let_in=AllowedPeers.HERE, client=client)

    assert status == answer.status_code
    assert status == 200 or "LECTERN_OPEN" in answer.text


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(("client", "status"), [(NEAR, 200), (HERE, 403), (FAR, 403)])
def test_where_a_proxy_names_people_nobody_comes_past_it(client, status):
    """Its headers would otherwise be anybody's to write."""
    headers = {"X-Forwarded-User": "ada@example.org", "X-Forwarded-For": "10.0.0.7"}

    assert ask(headers, let_in=AllowedPeers.PROXIES, client=client).status_code == status


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


@pytest.mark.threat("visitor")
def test_a_visitor_has_only_so_many_sockets():
    """One more is refused before it is opened.

    Another visitor still comes in, and so does who closes one.
    """
    app = RequestFilter(APP, Access(), max_sockets=2)
    one, other = (testclient.TestClient(app, client=client) for client in (HERE, NEAR))

    with one.websocket_connect(TALK):
        with (
            one.websocket_connect(TALK),
            other.websocket_connect(TALK),
            pytest.raises(testclient.WebSocketDenialResponse) as refused,
            one.websocket_connect(TALK),
        ):
            pass
        with one.websocket_connect(TALK):
            pass

    assert refused.value.status_code == 503
