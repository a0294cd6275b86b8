"""The request filter of the app and the ingest API.

It refuses requests by host, origin and peer, and limits WebSockets. It is ASGI middleware. Headers
of proxies about a visitor count only if the settings name the proxy.
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

from assistant.core.access import Access, ascii_lower

# Key of a request's state: `connection_limits` stores the real peer there.
PEER_KEY = "lectern.peer"
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")
# Headers that proxies add to a request; a visitor may send them too.
FORWARDED_HEADERS = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
)
MAX_SOCKETS = 100  # open WebSockets of one visitor
MAX_SHOWN_HOST_CHARACTERS = 80


class AllowedPeers(StrEnum):
    """The peers whose requests are allowed."""

    ANYWHERE = "anywhere"
    HERE = "this computer"
    PROXIES = "named proxies"


@dataclass(frozen=True)
class RequestFilter:
    """Passes the requests that ``access`` allows to ``app``, with the visitor as their client."""

    app: ASGIApp
    access: Access
    let_in: AllowedPeers = AllowedPeers.ANYWHERE
    max_sockets: int = MAX_SOCKETS
    _open_sockets: Counter[str] = field(default_factory=Counter)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        peer = peer_of(scope)
        forwarded_for = ", ".join(headers.getlist("x-forwarded-for"))
        visitor = visitor_address(self.access, peer, forwarded_for)
        is_socket = scope["type"] == "websocket"
        refusal = self.refusal(peer, headers)
        if refusal is None and is_socket and self._open_sockets[visitor] >= self.max_sockets:
            message = f"{visitor} has {self.max_sockets} WebSockets open already."
            refusal = PlainTextResponse(message, 503)
        if refusal is not None:
            await _refuse(refusal, scope, receive, send)
            return
        _, port = scope.get("client") or ("", 0)
        scope["client"] = (visitor, port)
        if is_socket:
            with self._counted(visitor):
                await self.app(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def refusal(self, peer: str, headers: Headers) -> Response | None:
        """Return the answer to a refused request, with the reason in one line.

        None if the request is allowed.
        """
        host = headers.get("host", "")
        origin = headers.get("origin")
        if not host_is_ours(self.access, host):
            name = json.dumps(host[:MAX_SHOWN_HOST_CHARACTERS])
            message = f"This server is not {name}: add that name to access.hosts in lectern.toml."
            return PlainTextResponse(message, 421)
        if origin is not None and not origin_is_ours(self.access, origin, host):
            return PlainTextResponse("A page of another site may not do this.", 403)
        if self.let_in is AllowedPeers.HERE and not _is_direct_from_here(peer, headers):
            message = (
                "Only this computer may use Lectern without a login: set one up, "
                "or set LECTERN_OPEN=1."
            )
            return PlainTextResponse(message, 403)
        if self.let_in is AllowedPeers.PROXIES and not is_named_proxy(self.access, peer):
            return PlainTextResponse("Only through the proxy that the settings name.", 403)
        return None

    @contextmanager
    def _counted(self, visitor: str) -> Iterator[None]:
        """Count an open WebSocket of a visitor."""
        self._open_sockets[visitor] += 1
        try:
            yield
        finally:
            self._open_sockets[visitor] -= 1
            if not self._open_sockets[visitor]:
                del self._open_sockets[visitor]


def _is_direct_from_here(peer: str, headers: Headers) -> bool:
    """Return whether a request comes from this computer, without a proxy in between."""
    is_forwarded = any(name in headers for name in FORWARDED_HEADERS)
    return is_loopback(peer) and not is_forwarded


def peer_of(scope: Scope) -> str:
    """Return the address at the other end of a connection, whatever the headers say."""
    host, _ = scope.get("client") or ("", 0)
    return str(scope.get("state", {}).get(PEER_KEY) or host)


def is_named_proxy(access: Access, address: str) -> bool:
    """Return whether an IP address belongs to a named proxy."""
    ip = _ip_address(address)
    return ip is not None and any(ip in network for network in access.networks)


def visitor_address(access: Access, peer: str, forwarded_for: str) -> str:
    """Return the address of a visitor.

    The peer's address, or for a named proxy the nearest address in ``X-Forwarded-For``.
    """
    path = [address.strip() for address in forwarded_for.split(",") if address.strip()]
    while path and is_named_proxy(access, peer):
        peer = path.pop()
    return peer


def host_is_ours(access: Access, host: str) -> bool:
    """Return whether a Host header names this server.

    It must be a listed name, this computer, or an IP address. A page that points its own name here
    (DNS rebinding) sends that name; an IP address cannot be redirected in this way.
    """
    name = _split(f"//{host}").hostname or ""
    return name in (*LOOPBACK_HOSTS, *_names(access)) or _ip_address(name) is not None


def origin_is_ours(access: Access, origin: str, host: str) -> bool:
    """Return whether an Origin header is that of our own page.

    It must be the Host header or a listed name. ``null``, from a page in a sandbox or in a file,
    is refused.
    """
    address = _split(origin)
    if address.scheme not in ("http", "https") or not address.netloc:
        return False
    is_host = ascii_lower(address.netloc) == ascii_lower(host)
    return is_host or address.hostname in _names(access)


def is_loopback(address: str) -> bool:
    """Return whether an address or name is that of this computer."""
    if address in LOOPBACK_HOSTS:
        return True
    ip = _ip_address(address)
    return ip is not None and ip.is_loopback


def _names(access: Access) -> list[str]:
    """Return the listed names of this server in lower case."""
    return [ascii_lower(name) for name in access.hosts]


def _ip_address(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an IP address, unwrapping IPv4-mapped IPv6; None if invalid."""
    try:
        ip = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip


def _split(url: str) -> SplitResult:
    """Split an address; an invalid one is split as an empty one."""
    try:
        address = urlsplit(url)
        address.port  # noqa: B018, raises ValueError for an invalid port
    except ValueError:
        return urlsplit("")
    return address


async def _refuse(answer: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a refused request; a WebSocket before it is opened."""
    can_answer = "websocket.http.response" in scope.get("extensions", {})
    if scope["type"] == "websocket" and not can_answer:
        await send({"type": "websocket.close", "code": 1008})
    else:
        await answer(scope, receive, send)
