"""Fetches a user's URL safely from the web.

No private networks unless allowed, bounded in size and time.

A host name is resolved once, at every redirect again, and that very IP address is asked, so that a
name cannot point elsewhere between the check and the request. Proxies are not used: they would
hide which machine is asked.
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
MAX_ANSWER_BYTES = 5_000_000  # bytes, unpacked
BYTE_TIMEOUT_S = 15.0  # between two bytes
ANSWER_TIMEOUT_S = 60.0  # for a whole answer
MAX_REDIRECTS = 5
NAT64 = ip_network("64:ff9b::/96")
UNICAST = ip_network(
    "2000::/3"
)  # all that is routed on the internet; local, mapped and reserved forms are outside
PRIVATE_NETWORKS_VARIABLE = "LECTERN_PRIVATE_NETWORKS"
PRIVATE_NETWORKS_REMEDY = f"Set {PRIVATE_NETWORKS_VARIABLE}=1 if you trust it."
DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "rtmp": 1935, "rtmps": 443}
PAGE_SCHEMES = ("https", "http")
PAGE_TYPES = "text/html, application/ld+json"
MAX_SHOWN_CHARACTERS = 200  # characters of a URL in a message
AddressTest = Callable[[str], bool]
RedirectCheck = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class WebAnswer:
    """The answer of a URL: the last URL after redirects, the status, the Content-Type, and the bytes if it is 200."""

    url: str
    status: int
    kind: str
    data: bytes


def is_public(address: str) -> bool:
    """Return whether an IP address is public.

    Of an IPv6 form of an IPv4 address, whether that is.
    """
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour
        inner = IPv4Address(int(ip) & 0xFFFFFFFF) if ip in NAT64 else inner
        if inner is not None:
            return is_public(str(inner))
        if ip not in UNICAST:
            return False
    return ip.is_global and not ip.is_multicast


def allowed_addresses(environ: Mapping[str, str] | None = None) -> AddressTest:
    """Return a test of IP addresses that may be asked.

    Public ones, or all if ``LECTERN_PRIVATE_NETWORKS`` is 1.
    """
    environ = os.environ if environ is None else environ
    return (lambda address: True) if environ.get(PRIVATE_NETWORKS_VARIABLE) == "1" else is_public


def fetch(url: str, *, may: AddressTest = is_public, limit: int = MAX_ANSWER_BYTES) -> bytes:
    """Return the bytes at a URL.

    Raises: NetworkError if it is no web address, is in a network that ``may`` refuses, does not
    answer with a page, or is larger than ``limit`` bytes.
    """
    with Fetcher(may=may, limit=limit) as fetcher:
        return fetcher.get(url)[1]


def resolve_host(
    url: str | httpx.URL,
    *,
    schemes: tuple[str, ...] = PAGE_SCHEMES,
    may: AddressTest = is_public,
    remedy: str = PRIVATE_NETWORKS_REMEDY,
) -> tuple[httpx.URL, str]:
    """Return a URL and the IP address of its host, if every IP address of that host may be asked.

    Raises: NetworkError if it is no such URL, the host is unknown, or ``may`` refuses one of its
    addresses.
    """
    where = str(url)[:MAX_SHOWN_CHARACTERS]
    try:
        target = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise NetworkError(
            "is no web address.", where=where, remedy="Copy it from the address bar."
        ) from error
    port = DEFAULT_PORTS.get(target.scheme, 0) if target.port is None else target.port
    if target.scheme not in schemes or not target.host or not 0 < port < 65536:
        begin = " or ".join(f"{scheme}://" for scheme in schemes)
        raise NetworkError(
            "is no web address.", where=where, remedy=f"It has to begin with {begin}."
        )
    try:
        rows = socket.getaddrinfo(target.host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NetworkError("is not known on this network.", where=where) from error
    addresses = [str(row[4][0]).partition("%")[0] for row in rows]
    if not addresses or not all(may(each) for each in addresses):
        raise NetworkError(
            "is in a private network and is not followed.", where=where, remedy=remedy
        )
    return target, addresses[0]


class OpenAnswer:
    """An answer that is read as it comes, like a file; ``name`` is its URL."""

    def __init__(self, name: str, answer: httpx.Response) -> None:
        self.name = name
        self._answer = answer
        self._blocks = answer.iter_raw()
        self._rest = b""

    def read(self, size: int) -> bytes:
        """Return some of the next bytes, at most ``size``; none at the end.

        Raises: OSError if it breaks off.
        """
        try:
            while not self._rest:
                self._rest = next(self._blocks)
        except StopIteration:
            return b""
        except httpx.HTTPError as error:
            raise OSError(f"broke off ({type(error).__name__})") from error
        given = self._rest[:size]
        self._rest = self._rest[size:]
        return given

    def close(self) -> None:
        """Hang up."""
        self._answer.close()


@dataclass(frozen=True)
class Fetcher:
    """Fetches one URL after the other over connections that stay open.

    Close it, or use it in a ``with``.

    ``may`` says which IP addresses may be asked, ``remedy`` how to allow others, ``limit`` is the bytes of an answer.
    """

    may: AddressTest = is_public
    remedy: str = PRIVATE_NETWORKS_REMEDY
    limit: int = MAX_ANSWER_BYTES
    accept: str = PAGE_TYPES
    client: httpx.Client = field(
        default_factory=lambda: httpx.Client(trust_env=False, timeout=BYTE_TIMEOUT_S)
    )
    _streams: WeakSet[Any] = field(
        default_factory=WeakSet
    )  # connections that were made and may still be open

    def __enter__(self) -> Fetcher:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def get(self, url: str) -> tuple[str, bytes]:
        """Return the URL that answered, after redirects, and its bytes. Raises: NetworkError."""
        answer = self.answer(url)
        if answer.status != httpx.codes.OK:
            what = f"answers {answer.status} {httpx.codes.get_reason_phrase(answer.status)}".strip()
            raise NetworkError(f"{what}.", where=answer.url[:MAX_SHOWN_CHARACTERS])
        return answer.url, answer.data

    def answer(
        self, url: str, *, step: RedirectCheck = lambda url: None, seconds: float = ANSWER_TIMEOUT_S
    ) -> WebAnswer:
        """Return the answer of a URL after redirects, whatever its status.

        ``step`` gets every URL before it is asked, and may refuse it. ``seconds`` limits the whole visit.

        Raises: NetworkError, TooLarge or TooSlow among them; whatever ``step`` raises.
        """
        target: str | httpx.URL = url.strip()
        deadline = time.monotonic() + seconds
        alarm = threading.Timer(
            seconds, self._hang_up
        )  # also while headers come one byte at a time
        alarm.daemon = True
        alarm.start()
        try:
            for _ in range(MAX_REDIRECTS + 1):
                target, address = resolve_host(target, may=self.may, remedy=self.remedy)
                step(str(target))
                answer = self._visit(target, address, deadline)
                if isinstance(answer, WebAnswer):
                    return answer
                target = answer
        except httpx.InvalidURL as error:
            raise NetworkError(
                "redirects to what is no web address.", where=str(target)[:MAX_SHOWN_CHARACTERS]
            ) from error
        except httpx.TimeoutException as error:
            raise TooSlow(
                f"does not answer within {BYTE_TIMEOUT_S:.0f} seconds.",
                where=str(target)[:MAX_SHOWN_CHARACTERS],
            ) from error
        except (httpx.HTTPError, zlib.error) as error:
            if time.monotonic() >= deadline:
                raise TooSlow("is too slow.", where=str(target)[:MAX_SHOWN_CHARACTERS]) from error
            reason = error or type(error).__name__
            raise NetworkError(
                f"does not answer ({reason}).", where=str(target)[:MAX_SHOWN_CHARACTERS]
            ) from error
        finally:
            alarm.cancel()
        raise NetworkError(
            f"redirects more than {MAX_REDIRECTS} times.", where=url[:MAX_SHOWN_CHARACTERS]
        )

    def opened(self, url: str) -> OpenAnswer:
        """Return a URL as a file to read from, however long it goes on.

        Every redirect is looked up again.

        Raises: Unanswered if it does not answer, or with something else than 200; NetworkError if
        it may not be asked.
        """
        target: str | httpx.URL = url.strip()
        try:
            for _ in range(MAX_REDIRECTS + 1):
                target, address = resolve_host(target, may=self.may, remedy=self.remedy)
                headers = {
                    "Host": target.netloc.decode(),
                    "User-Agent": USER_AGENT,
                    "Accept-Encoding": "identity",
                }
                asked = {"sni_hostname": target.host}
                request = self.client.build_request(
                    "GET", target.copy_with(host=address), headers=headers, extensions=asked
                )
                answer = self.client.send(request, stream=True)
                if answer.status_code == httpx.codes.OK:
                    return OpenAnswer(str(target), answer)
                answer.close()
                if not answer.is_redirect:
                    raise Unanswered(
                        f"answers {answer.status_code}.", where=str(target)[:MAX_SHOWN_CHARACTERS]
                    )
                target = target.join(answer.headers.get("location", ""))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Unanswered(
                f"does not answer ({type(error).__name__}).",
                where=str(target)[:MAX_SHOWN_CHARACTERS],
            ) from error
        raise NetworkError(
            f"redirects more than {MAX_REDIRECTS} times.", where=url[:MAX_SHOWN_CHARACTERS]
        )

    def _hang_up(self) -> None:
        """Break off what is being received, so that a read that waits for it ends."""
        for stream in list(self._streams):
            with suppress(OSError):
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def _note(self, event: str, given: Mapping[str, Any]) -> None:
        """Take note of a connection as it is made."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._streams.add(given["return_value"])

    def _visit(self, target: httpx.URL, address: str, deadline: float) -> WebAnswer | httpx.URL:
        """Return the answer of a URL, or the URL that it redirects to."""
        headers = {"Host": target.netloc.decode(), "User-Agent": USER_AGENT, "Accept": self.accept}
        headers["Accept-Encoding"] = "gzip"  # unpacked by _read, never beyond the limit
        asked = {"sni_hostname": target.host, "trace": self._note}
        request = self.client.build_request(
            "GET", target.copy_with(host=address), headers=headers, extensions=asked
        )
        answer = self.client.send(request, stream=True)
        try:
            if answer.is_redirect:
                return target.join(answer.headers.get("location", ""))
            is_ok = answer.status_code == httpx.codes.OK
            data = (
                _read(answer, str(target)[:MAX_SHOWN_CHARACTERS], self.limit, deadline)
                if is_ok
                else b""
            )
            return WebAnswer(
                str(target), answer.status_code, answer.headers.get("content-type", ""), data
            )
        finally:
            answer.close()


def _read(answer: httpx.Response, where: str, limit: int, deadline: float) -> bytes:
    """Return the bytes of an answer, unpacked block by block.

    A small one may unpack to gigabytes.
    """
    packing = answer.headers.get("content-encoding", "").strip().lower()
    if packing not in ("", "identity", "gzip", "x-gzip"):
        raise NetworkError(f"is compressed in an unsupported way ({packing[:20]}).", where=where)
    unpacker = (
        zlib.decompressobj(31) if "gzip" in packing else None
    )  # 31: the largest window, with gzip's header
    data = bytearray()
    for block in answer.iter_raw():
        data += unpacker.decompress(block, limit + 1 - len(data)) if unpacker else block
        if len(data) > limit:
            raise TooLarge(f"is larger than {limit:,} bytes.", where=where)
        if time.monotonic() > deadline:
            raise TooSlow("is too slow.", where=where)
    if time.monotonic() >= deadline:  # it was broken off, which looks like its end
        raise TooSlow("is too slow.", where=where)
    return bytes(data)
