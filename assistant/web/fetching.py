"""Fetches a user's URL safely from the web: limited in size and time, no private networks.

Private networks can be allowed by an environment variable. A host name is resolved once, and again
at every redirect, and the request goes to that very IP address, so that a name cannot point
elsewhere between the check and the request. Proxies are not used: they would hide the machine that
answers.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any
from weakref import WeakSet

import httpx

from assistant.core.errors import NetworkError, TooLarge, TooSlow, Unanswered

USER_AGENT = "Lectern"
MAX_ANSWER_BYTES = 5_000_000  # unpacked
BYTE_TIMEOUT_S = 15.0  # longest pause between two bytes
LATER_REMEDY = "Try again later."
ANSWER_TIMEOUT_S = 60.0  # the whole answer
MAX_REDIRECTS = 5
MAX_OPEN_HOSTS = 8  # more hosts at once are rare, and the connections to the oldest are closed
MAX_PORT = 65_535
# IPv6 addresses that hold an IPv4 address in their last 32 bits (RFC 6052)
NAT64_NETWORK = ip_network("64:ff9b::/96")
LAST_32_BITS = 0xFFFFFFFF
# All addresses that are routed on the internet; local, mapped and reserved forms are outside.
GLOBAL_UNICAST_NETWORK = ip_network("2000::/3")
PRIVATE_NETWORKS_VARIABLE = "LECTERN_PRIVATE_NETWORKS"
PRIVATE_NETWORKS_REMEDY = f"Set {PRIVATE_NETWORKS_VARIABLE}=1 if you trust this network."
DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "rtmp": 1935, "rtmps": 443}
PAGE_SCHEMES = ("https", "http")
PAGE_TYPES = "text/html, application/ld+json"
MAX_SHOWN_CHARACTERS = 200  # a longer URL is cut in messages
_GZIP_WINDOW_BITS = 31  # the largest window, with gzip's header
AddressTest = Callable[[str], bool]
UrlCheck = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class WebAnswer:
    """The answer of a URL.

    The last URL after redirects, the status, the Content-Type, and the bytes if the status is 200.
    """

    url: str
    status: int
    kind: str
    data: bytes


def is_public(address: str) -> bool:
    """Return whether an IP address is public; an embedded IPv4 address decides."""
    without_zone, _, _ = address.partition("%")  # "fe80::1%eth0"
    ip = ip_address(without_zone)
    if isinstance(ip, IPv6Address):
        embedded_ipv4 = _embedded_ipv4(ip)
        if embedded_ipv4 is not None:
            return is_public(str(embedded_ipv4))
        if ip not in GLOBAL_UNICAST_NETWORK:
            return False
    return ip.is_global and not ip.is_multicast


def _embedded_ipv4(ip: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address in an IPv6 address, None if it has none."""
    if ip in NAT64_NETWORK:
        return IPv4Address(int(ip) & LAST_32_BITS)
    return ip.ipv4_mapped or ip.sixtofour


def allowed_addresses(environ: Mapping[str, str] | None = None) -> AddressTest:
    """Return a test of IP addresses that may be fetched from.

    Public ones, or all if ``LECTERN_PRIVATE_NETWORKS`` is 1.
    """
    environ = os.environ if environ is None else environ
    if environ.get(PRIVATE_NETWORKS_VARIABLE) == "1":
        return lambda address: True
    return is_public


def fetch(url: str, *, is_allowed: AddressTest = is_public, limit: int = MAX_ANSWER_BYTES) -> bytes:
    """Return the bytes at a URL.

    Raises: NetworkError if it is not a web address, is in a network that ``is_allowed`` refuses, does not
    answer with a page, or is larger than ``limit`` bytes.
    """
    with Fetcher(is_allowed=is_allowed, limit=limit) as fetcher:
        _, data = fetcher.get(url)
    return data


def resolve_host(
    url: str | httpx.URL,
    *,
    schemes: tuple[str, ...] = PAGE_SCHEMES,
    is_allowed: AddressTest = is_public,
    remedy: str = PRIVATE_NETWORKS_REMEDY,
) -> tuple[httpx.URL, str]:
    """Return a URL and the IP address of its host, if all its IP addresses are allowed.

    Raises: NetworkError if it is not such a URL, the host is unknown, or ``is_allowed`` refuses one of its
    addresses.
    """
    shown_url = str(url)[:MAX_SHOWN_CHARACTERS]
    try:
        parsed_url = httpx.URL(url)
    except httpx.InvalidURL as error:
        copy_remedy = "Copy the address from your browser."
        raise NetworkError(
            "isn't a valid web address.", where=shown_url, remedy=copy_remedy
        ) from error
    port = parsed_url.port  # None if the URL names none
    if port is None:
        port = DEFAULT_PORTS.get(parsed_url.scheme, 0)
    is_valid_port = 0 < port <= MAX_PORT
    if parsed_url.scheme not in schemes or not parsed_url.host or not is_valid_port:
        beginnings = " or ".join(f"{scheme}://" for scheme in schemes)
        scheme_remedy = f"The address must begin with {beginnings}."
        raise NetworkError("isn't a valid web address.", where=shown_url, remedy=scheme_remedy)
    addresses = _look_up_host(parsed_url.host, port, shown_url)
    if not addresses or not all(is_allowed(address) for address in addresses):
        message = "is in a private network, so Lectern doesn't open it."
        raise NetworkError(message, where=shown_url, remedy=remedy)
    return parsed_url, addresses[0]


def _look_up_host(host: str, port: int, shown_url: str) -> list[str]:
    """Return the IP addresses of a host. Raises: NetworkError if there is none."""
    try:
        host_addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NetworkError("couldn't be found (DNS lookup failed).", where=shown_url) from error
    addresses = []
    for *_, socket_address in host_addresses:
        ip_address_with_zone, *_ = socket_address  # (IP address, port, ...)
        address, _, _ = str(ip_address_with_zone).partition("%")
        addresses.append(address)
    return addresses


class OpenAnswer:
    """An answer that is read as it arrives, like a file; ``name`` is its URL."""

    def __init__(self, name: str, answer: httpx.Response) -> None:
        self.name = name
        self._answer = answer
        self._blocks = answer.iter_raw()
        self._unread = b""  # the end of the current block

    def read(self, size: int) -> bytes:
        """Return the next bytes, at most ``size``; none at the end.

        Raises: OSError if it breaks off.
        """
        try:
            while not self._unread:
                self._unread = next(self._blocks)
        except StopIteration:
            return b""
        except httpx.HTTPError as error:
            raise OSError(
                f"the server closed the connection before the end ({type(error).__name__})"
            ) from error
        data = self._unread[:size]
        self._unread = self._unread[size:]
        return data

    def close(self) -> None:
        """Close the connection."""
        self._answer.close()


def _new_client() -> httpx.Client:
    return httpx.Client(trust_env=False, timeout=BYTE_TIMEOUT_S)


@dataclass(frozen=True)
class Fetcher:
    """Fetches one URL after the other over connections that stay open.

    Close it, or use it in a ``with``. ``is_allowed`` tests the IP addresses, ``remedy`` explains how to
    allow others, ``limit`` is the largest answer in bytes, ``accept`` the types to ask for.

    Each host name has a client of its own, which ``make_client`` builds. A client knows a connection
    by its IP address alone, and the certificate of a connection was verified for one name.
    """

    is_allowed: AddressTest = is_public
    remedy: str = PRIVATE_NETWORKS_REMEDY
    limit: int = MAX_ANSWER_BYTES
    accept: str = PAGE_TYPES
    make_client: Callable[[], httpx.Client] = _new_client
    _client_by_host: dict[str, httpx.Client] = field(default_factory=dict)
    # Connections that were made and may still be open.
    _streams: WeakSet[Any] = field(default_factory=WeakSet)

    def __enter__(self) -> Fetcher:
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._client_by_host.values():
            client.close()
        self._client_by_host.clear()

    def _client_of(self, host: str) -> httpx.Client:
        """Return the client whose connections were all made for this host name."""
        if host not in self._client_by_host:
            if len(self._client_by_host) >= MAX_OPEN_HOSTS:
                oldest_host = next(iter(self._client_by_host))
                self._client_by_host.pop(oldest_host).close()
            self._client_by_host[host] = self.make_client()
        return self._client_by_host[host]

    def get(self, url: str) -> tuple[str, bytes]:
        """Return the URL that answered, after redirects, and its bytes. Raises: NetworkError."""
        web_answer = self.answer(url)
        if web_answer.status != httpx.codes.OK:
            # An unusual status has no reason phrase.
            reason_phrase = httpx.codes.get_reason_phrase(web_answer.status)
            message = f"the server answered with status {web_answer.status} {reason_phrase}".strip()
            raise NetworkError(f"{message}.", where=_shown(web_answer.url))
        return web_answer.url, web_answer.data

    def answer(
        self, url: str, *, check_url: UrlCheck = lambda url: None, seconds: float = ANSWER_TIMEOUT_S
    ) -> WebAnswer:
        """Return the answer of a URL after redirects, whatever its status.

        ``check_url`` gets every URL before its request, and may refuse it. ``seconds`` limits the whole
        visit.

        Raises: NetworkError, also as TooLarge or TooSlow; any error that ``check_url`` raises.
        """
        target: str | httpx.URL = url.strip()
        deadline = time.monotonic() + seconds
        # The alarm also works while headers arrive one byte at a time. It shuts the connection down.
        alarm = threading.Timer(seconds, self._break_off)
        alarm.daemon = True
        alarm.start()
        try:
            for _ in range(MAX_REDIRECTS + 1):
                target, address = resolve_host(
                    target, is_allowed=self.is_allowed, remedy=self.remedy
                )
                check_url(str(target))
                answer_or_redirect = self._visit(target, address, deadline)
                if isinstance(answer_or_redirect, WebAnswer):
                    return answer_or_redirect
                target = answer_or_redirect
        except httpx.InvalidURL as error:
            message = "redirects to an invalid web address."
            raise NetworkError(message, where=_shown(target)) from error
        except httpx.TimeoutException as error:
            message = f"the server didn't answer within {BYTE_TIMEOUT_S:.0f} seconds."
            raise TooSlow(message, where=_shown(target)) from error
        except (httpx.HTTPError, zlib.error) as error:
            if time.monotonic() >= deadline:
                message = "the server took too long to answer."
                raise TooSlow(message, where=_shown(target), remedy=LATER_REMEDY) from error
            reason = error or type(error).__name__
            raise NetworkError(
                f"the server isn't responding ({reason}).", where=_shown(target)
            ) from error
        finally:
            alarm.cancel()
        raise NetworkError(f"redirects more than {MAX_REDIRECTS} times.", where=_shown(url))

    def opened(self, url: str) -> OpenAnswer:
        """Open a URL as a file to read from, without a time limit.

        The host of every redirect is resolved and tested.

        Raises: Unanswered if it does not answer, or with another status than 200; NetworkError if
        it may not be fetched.
        """
        target: str | httpx.URL = url.strip()
        try:
            for _ in range(MAX_REDIRECTS + 1):
                target, address = resolve_host(
                    target, is_allowed=self.is_allowed, remedy=self.remedy
                )
                # to the tested IP address, with the name for the server and its certificate
                client = self._client_of(target.host)
                request = client.build_request(
                    "GET",
                    target.copy_with(host=address),
                    headers={
                        "Host": target.netloc.decode(),
                        "User-Agent": USER_AGENT,
                        "Accept-Encoding": "identity",
                    },
                    extensions={"sni_hostname": target.host},
                )
                answer = client.send(request, stream=True)
                if answer.status_code == httpx.codes.OK:
                    return OpenAnswer(str(target), answer)
                answer.close()
                if not answer.is_redirect:
                    raise Unanswered(
                        f"the server answered with status {answer.status_code}.",
                        where=_shown(target),
                    )
                target = target.join(answer.headers.get("location", ""))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            message = f"the server isn't responding ({type(error).__name__})."
            raise Unanswered(message, where=_shown(target)) from error
        raise NetworkError(f"redirects more than {MAX_REDIRECTS} times.", where=_shown(url))

    def _break_off(self) -> None:
        """Shut all connections down, so that a read that waits for one ends."""
        for stream in list(self._streams):
            with suppress(OSError):
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def _note_connection(self, event: str, info: Mapping[str, Any]) -> None:
        """Add a connection to the open ones as it is made."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._streams.add(info["return_value"])

    def _visit(self, target: httpx.URL, address: str, deadline: float) -> WebAnswer | httpx.URL:
        """Return the answer of a URL, or the URL that it redirects to."""
        # to the tested IP address, with the name for the server and its certificate
        client = self._client_of(target.host)
        request = client.build_request(
            "GET",
            target.copy_with(host=address),
            headers={
                "Host": target.netloc.decode(),
                "User-Agent": USER_AGENT,
                "Accept": self.accept,
                # Unpacked by _read_body, never beyond the limit.
                "Accept-Encoding": "gzip",
            },
            extensions={"sni_hostname": target.host, "trace": self._note_connection},
        )
        response = client.send(request, stream=True)
        try:
            if response.is_redirect:
                return target.join(response.headers.get("location", ""))
            body = b""
            if response.status_code == httpx.codes.OK:
                body = _read_body(response, _shown(target), self.limit, deadline)
            content_type = response.headers.get("content-type", "")
            return WebAnswer(str(target), response.status_code, content_type, body)
        finally:
            response.close()


def _shown(url: str | httpx.URL) -> str:
    """Return the beginning of a URL for a message."""
    return str(url)[:MAX_SHOWN_CHARACTERS]


def _read_body(response: httpx.Response, shown_url: str, limit: int, deadline: float) -> bytes:
    """Return the bytes of an answer, unpacked block by block.

    A small answer may unpack to gigabytes.
    """
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise NetworkError(
            f"is compressed in an unsupported way ({encoding[:20]}).", where=shown_url
        )
    unpacker = zlib.decompressobj(_GZIP_WINDOW_BITS) if "gzip" in encoding else None
    body = bytearray()
    for block in response.iter_raw():
        if unpacker:
            # One byte more than the limit is enough to see that it is exceeded.
            max_unpacked_bytes = limit + 1 - len(body)
            body += unpacker.decompress(block, max_unpacked_bytes)
        else:
            body += block
        if len(body) > limit:
            raise TooLarge(f"the page is larger than {limit:,} bytes.", where=shown_url)
        if time.monotonic() > deadline:
            raise TooSlow(
                "the server took too long to answer.", where=shown_url, remedy=LATER_REMEDY
            )
    # At the deadline the connection is shut down, which looks like the end of the answer.
    if time.monotonic() >= deadline:
        raise TooSlow("the server took too long to answer.", where=shown_url, remedy=LATER_REMEDY)
    return bytes(body)
