"""The gate before the app and the live door.

Refuses requests by host, origin and peer, and limits WebSockets.

It is ASGI middleware. What proxies say about a visitor counts only from those that the settings
name.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from assistant.core.access import Access

PEER_KEY = (
    "lectern.peer"  # the key of a request's state under which `connections` tells the real peer
)
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")
# What proxies add to a request; a visitor may send them too.
FORWARDED_HEADERS = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
)
MAX_SOCKETS = 100  # of one visitor at a time


class AllowedPeers(StrEnum):
    """Whose requests are let in."""

    ANYWHERE = "anywhere"
    HERE = "this computer"
    PROXIES = "named proxies"


@dataclass(frozen=True)
class RequestFilter:
    """Lets requests through to ``app`` that ``access`` allows, with the visitor's address as their client."""

    app: ASGIApp
    access: Access
    let_in: AllowedPeers = AllowedPeers.ANYWHERE
    most_sockets: int = MAX_SOCKETS
    _sockets: Counter[str] = field(default_factory=Counter)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        peer = peer_of(scope)
        refusal = self.refusal(peer, headers)
        came_from = visitor_address(
            self.access, peer, ", ".join(headers.getlist("x-forwarded-for"))
        )
        if (
            refusal is None
            and scope["type"] == "websocket"
            and self._sockets[came_from] >= self.most_sockets
        ):
            refusal = PlainTextResponse(
                f"{came_from} has {self.most_sockets} WebSockets open already.", 503
            )
        if refusal is not None:
            await _refuse(refusal, scope, receive, send)
            return
        scope["client"] = (came_from, (scope.get("client") or ("", 0))[1])
        with self._counted(came_from, scope["type"] == "websocket"):
            await self.app(scope, receive, send)

    def refusal(self, peer: str, headers: Headers) -> Response | None:
        """Return the answer to a request that may not come in, with the reason in one line.

        None if it may.
        """
        host = headers.get("host", "")
        origin = headers.get("origin")
        if not host_is_ours(self.access, host):
            name = json.dumps(host[:80])
            return PlainTextResponse(
                f"This server is not {name}: add that name to access.hosts in lectern.toml.", 421
            )
        if origin is not None and not origin_is_ours(self.access, origin, host):
            return PlainTextResponse("A page of another site may not do this.", 403)
        if self.let_in is AllowedPeers.HERE and not (
            is_loopback(peer) and not any(name in headers for name in FORWARDED_HEADERS)
        ):
            what = "Only this computer may use Lectern without a login: set one up, or set LECTERN_OPEN=1."
            return PlainTextResponse(what, 403)
        if self.let_in is AllowedPeers.PROXIES and not is_named_proxy(self.access, peer):
            return PlainTextResponse("Only through the proxy that the settings name.", 403)
        return None

    @contextmanager
    def _counted(self, came_from: str, counts: bool) -> Iterator[None]:
        self._sockets[came_from] += counts
        try:
            yield
        finally:
            self._sockets[came_from] -= counts
            if not self._sockets[came_from]:
                del self._sockets[came_from]


def peer_of(scope: Scope) -> str:
    """Return the address at the other end of a connection, whatever the headers say about it."""
    client = scope.get("client") or ("", 0)
    return str(scope.get("state", {}).get(PEER_KEY) or client[0])


def is_named_proxy(access: Access, address: str) -> bool:
    """Return whether an IP address is that of a named proxy."""
    ip = _address(address)
    return ip is not None and any(ip in network for network in access.networks)


def visitor_address(access: Access, peer: str, forwarded_for: str) -> str:
    """Return the address of a visitor.

    The peer's, or for a named proxy the nearest one of ``X-Forwarded-For``.
    """
    path = [part.strip() for part in forwarded_for.split(",") if part.strip()]
    while path and is_named_proxy(access, peer):
        peer = path.pop()
    return peer


def host_is_ours(access: Access, host: str) -> bool:
    """Return whether a Host header names this server.

    A listed name, this computer, or an IP address.

    A page that points its own name here (DNS rebinding) sends that name; nobody can point an IP
    address.
    """
    name = _split(f"//{host}").hostname or ""
    return name in (*LOOPBACK_HOSTS, *_names(access)) or _address(name) is not None


def origin_is_ours(access: Access, origin: str, host: str) -> bool:
    """Return whether an Origin header is that of our own page.

    The host that was asked, or a listed name.

    ``null``, which a page in a sandbox or in a file sends, is nobody's.
    """
    asked = _split(origin)
    if asked.scheme not in ("http", "https") or not asked.netloc:
        return False
    return asked.netloc.casefold() == host.casefold() or asked.hostname in _names(access)


def is_loopback(address: str) -> bool:
    """Return whether an address or name is that of this computer."""
    ip = _address(address)
    return address in LOOPBACK_HOSTS or ip is not None and ip.is_loopback


def _names(access: Access) -> list[str]:
    return [name.casefold() for name in access.hosts]


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Return an IP address, an IPv4 one also where IPv6 wraps it; None for what is none."""
    try:
        ip = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip


def _split(url: str) -> SplitResult:
    """Return the parts of an address; of one that has no sense, none."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018, raises for a port that is none
    except ValueError:
        return urlsplit("")
    return parts


async def _refuse(answer: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request; a WebSocket, before it is opened."""
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get(
        "extensions", {}
    ):
        await send({"type": "websocket.close", "code": 1008})
    else:
        await answer(scope, receive, send)
