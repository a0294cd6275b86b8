"""The request filter of the app and the ingest API.

It refuses requests by host, origin and peer, and counts WebSockets. It is ASGI middleware. Headers
of proxies about a visitor count only if the settings name the proxy.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from assistant.core.access import Access, ascii_lower
from assistant.web import local_accounts
from assistant.web.open_sockets import OPEN_SOCKETS, SOCKET_HEADER, EvictableChannel, OpenSockets

# Keys of a request's state, which `connection_limits` fills.
PEER_KEY = "lectern.peer"  # the real peer
CONNECTION_NOTES_KEY = "lectern.connection"  # a dict that all requests of a connection share
OTHER_ACCOUNT_NOTE = "is of another account"
PEER_HEADER = "x-lectern-peer"  # the real peer of a WebSocket; the request filter sets it
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")
# Names of headers that proxies, tunnels and content networks add; no browser sends them itself.
FORWARDING_HEADER_PATTERN = re.compile(
    r"""
    forwarded  # Forwarded, X-Forwarded-For
    | ^via$
    | ^cdn-loop$
    | ^cf-  # Cloudflare's
    | (?:client|connecting|real|remote|user)-?(?:ip|addr)$  # X-Real-IP, True-Client-IP
    """,
    re.VERBOSE,
)
IPV6_VISITOR_BITS = 64  # one visitor has a whole network of that length
MAX_SHOWN_HOST_CHARACTERS = 80
MAX_ADDRESS_CHARACTERS = 60


class AllowedPeers(StrEnum):
    """The peers whose requests are allowed."""

    ANYWHERE = "anywhere"
    HERE = "this computer"
    PROXIES = "named proxies"


@dataclass(frozen=True)
class RequestFilter:
    """Passes the requests that ``access`` allows to ``app``, with the visitor as their client.

    ``allowed_origins``: further sites whose pages may ask.
    """

    app: ASGIApp
    access: Access
    allowed_peers: AllowedPeers = AllowedPeers.ANYWHERE
    sockets: OpenSockets = OPEN_SOCKETS
    allowed_origins: tuple[str, ...] = ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        peer = peer_of(scope)
        forwarded_for = ", ".join(headers.getlist("x-forwarded-for"))
        refusal = self.refusal(peer, headers) or self._other_account_refusal(scope)
        if refusal is not None:
            await _refuse(refusal, scope, receive, send)
            return
        # From here on the client of the request is the visitor, not the proxy.
        visitor = visitor_address(self.access, peer, forwarded_for)
        _, port = scope.get("client") or ("", 0)
        scope["client"] = (visitor, port)
        if scope["type"] == "websocket":
            scope["headers"] = list(scope["headers"])  # a list that can be changed
            MutableHeaders(scope=scope)[PEER_HEADER] = peer
            counted_address = _counted_address(visitor, forwarded_for)
            await self._serve_socket(counted_address, scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _serve_socket(self, visitor: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a WebSocket until it ends, or closes because its visitor has too many."""
        socket = self.sockets.add(visitor)
        MutableHeaders(scope=scope)[SOCKET_HEADER] = socket.key
        channel = EvictableChannel(socket, receive, send)
        try:
            await self.app(scope, channel.receive, channel.send)
        finally:
            self.sockets.remove(socket)

    def _other_account_refusal(self, scope: Scope) -> Response | None:
        """Return the refusal of a request by another account of this computer without a login."""
        client_endpoint = scope.get("client")
        server_endpoint = scope.get("server")
        if (
            self.allowed_peers is not AllowedPeers.HERE
            or not client_endpoint
            or not server_endpoint
        ):
            return None
        _, server_port = server_endpoint
        # A Unix socket has no port; its file says which accounts may use it.
        if not server_port:
            return None
        # Whose a connection is never changes, and the system's list of connections is long. The
        # answer holds for these two ends alone: headers may have made uvicorn show another client.
        notes = scope.get("state", {}).get(CONNECTION_NOTES_KEY, {})
        ends = (OTHER_ACCOUNT_NOTE, tuple(client_endpoint), tuple(server_endpoint))
        if ends not in notes:
            notes[ends] = local_accounts.is_other_account(
                tuple(client_endpoint), tuple(server_endpoint)
            )
        if not notes[ends]:
            return None
        message = (
            "Without a login, only the account that runs Lectern may use it. This request comes "
            "from another account of this computer. Set up a login, or set LECTERN_OPEN=1."
        )
        return PlainTextResponse(message, 403)

    def refusal(self, peer: str, headers: Headers) -> Response | None:
        """Return the answer to a refused request, with the reason in one line.

        None if the request is allowed.
        """
        host = headers.get("host", "")
        origin = headers.get("origin")
        if not host_is_ours(self.access, host):
            shown_host = json.dumps(host[:MAX_SHOWN_HOST_CHARACTERS])
            message = (
                f"This server is not known as {shown_host}. Add that name to access.hosts in "
                "lectern.toml."
            )
            return PlainTextResponse(message, 421)
        if origin is not None and not self._may_ask(origin, host):
            return PlainTextResponse("A page of another site may not do this.", 403)
        if self.allowed_peers is AllowedPeers.HERE and not _is_direct_from_here(peer, headers):
            message = (
                "Without a login, only this computer may use Lectern. Set up a login, "
                "or set LECTERN_OPEN=1."
            )
            return PlainTextResponse(message, 403)
        if self.allowed_peers is AllowedPeers.PROXIES and not is_named_proxy(self.access, peer):
            return PlainTextResponse("Only through the proxy that the settings name.", 403)
        return None

    def _may_ask(self, origin: str, host: str) -> bool:
        return origin in self.allowed_origins or origin_is_ours(self.access, origin, host)


def _is_direct_from_here(peer: str, headers: Headers) -> bool:
    """Return whether a request comes from this computer, without a proxy in between."""
    header_names = [name.lower().replace("_", "-") for name in headers]
    is_forwarded = any(FORWARDING_HEADER_PATTERN.search(name) for name in header_names)
    return is_loopback(peer) and not is_forwarded


def peer_of(scope: Scope) -> str:
    """Return the address at the other end of a connection, whatever the headers say."""
    host, _ = scope.get("client") or ("", 0)
    # The server may have put an address from a header there; the state has the real one.
    stored_peer = scope.get("state", {}).get(PEER_KEY)
    return str(stored_peer or host)


def is_named_proxy(access: Access, address: str) -> bool:
    """Return whether an IP address belongs to a named proxy."""
    ip = _ip_address(address)
    return ip is not None and any(ip in network for network in access.networks)


def visitor_address(access: Access, peer: str, forwarded_for: str) -> str:
    """Return the address of a visitor.

    The peer's address, or for a named proxy the nearest address in ``X-Forwarded-For``.
    """
    # Each proxy has added the address of its peer at the end.
    forwarded = [address.strip() for address in forwarded_for.split(",") if address.strip()]
    address = peer
    while forwarded and is_named_proxy(access, address):
        address = forwarded.pop()
    return address


def _counted_address(visitor_address: str, forwarded_for: str) -> str:
    """Return the address for which a WebSocket is counted.

    Behind a proxy on this computer that the settings do not name, everybody seems to come from
    here. For the count, and for nothing else, the address that the proxy adds is believed. An
    address of IPv6 counts as its network, within which a visitor may take any address.
    """
    # A proxy on this computer adds the visitor's address at the end of the header.
    if is_loopback(visitor_address) and forwarded_for:
        _, _, nearest_address = forwarded_for.rpartition(",")
        visitor_address = nearest_address.strip()
    visitor_ip = _ip_address(visitor_address)
    if visitor_ip is None:  # perhaps an address with a port
        host = _split(f"//{visitor_address}").hostname
        visitor_ip = _ip_address(host or "")
    if visitor_ip is None:
        return visitor_address[:MAX_ADDRESS_CHARACTERS]
    if visitor_ip.version == 4 or visitor_ip.is_loopback:
        return str(visitor_ip)
    # A visitor has a whole network of IPv6 addresses, which counts as one.
    return str(ip_network(f"{visitor_ip}/{IPV6_VISITOR_BITS}", strict=False))


def host_is_ours(access: Access, host: str) -> bool:
    """Return whether a Host header names this server.

    It must be a listed name, this computer, or an IP address. A page that points its own name here
    (DNS rebinding) sends that name; an IP address cannot be redirected in this way.
    """
    name = _split(f"//{host}").hostname or ""
    return name in (*LOOPBACK_HOSTS, *_names(access)) or _ip_address(name) is not None


def origin_is_ours(access: Access, origin: str, host: str) -> bool:
    """Return whether an Origin header names our own page.

    It must be the Host header or a listed name. ``null``, from a page in a sandbox or in a file,
    is refused.
    """
    address = _split(origin)
    if address.scheme not in ("http", "https") or not address.netloc:
        return False
    is_host = ascii_lower(address.netloc) == ascii_lower(host)
    return is_host or address.hostname in _names(access)


def is_loopback(address: str) -> bool:
    """Return whether an address or name means this computer."""
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
        without_zone, _, _ = text.partition("%")
        ip = ip_address(without_zone)
    except ValueError:
        return None
    # Only an IPv6 address has this attribute.
    mapped_ip = getattr(ip, "ipv4_mapped", None)
    return mapped_ip or ip


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
