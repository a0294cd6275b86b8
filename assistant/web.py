"""What stands at an address that a person gave: never in a private network unless that is allowed, never too large.

The address is looked up once and that very machine is asked, at every redirect again, so that a name cannot point
elsewhere between the look and the visit. Proxies are not used: behind one nobody knows who is asked.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import httpx

from assistant.errors import NetworkError

LIMIT = 5_000_000  # bytes
TIMEOUT_S = 15.0
REDIRECTS = 5
NAT64 = ip_network("64:ff9b::/96")
VARIABLE = "LECTERN_PRIVATE_NETWORKS"
REMEDY = f"Set {VARIABLE}=1 if you trust it."
PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
PAGES = ("https", "http")
PAGE = "text/html, application/ld+json"
SHOWN = 200  # characters of an address in a message
Allowed = Callable[[str], bool]


def public(address: str) -> bool:
    """Return whether an IP address belongs to the public network, also behind an IPv6 form of an IPv4 address."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        inner = IPv4Address(int(found) & 0xFFFFFFFF) if found in NAT64 else inner
        if inner is not None:
            return public(str(inner))
    return found.is_global and not found.is_multicast


def allowed(environ: Mapping[str, str] | None = None) -> Allowed:
    """Return which addresses may be asked: the public ones, or all where ``LECTERN_PRIVATE_NETWORKS`` is 1."""
    environ = os.environ if environ is None else environ
    return (lambda address: True) if environ.get(VARIABLE) == "1" else public


def fetch(url: str, *, may: Allowed = public, limit: int = LIMIT) -> bytes:
    """Return what stands at a web address.

    Raises: NetworkError if it is no web address, lies in a network that ``may`` refuses, does not answer with a page,
    or is larger than ``limit`` bytes.
    """
    with Fetcher(may=may, limit=limit) as fetcher:
        return fetcher.get(url)[1]


def look_up(
    url: str | httpx.URL, *, schemes: tuple[str, ...] = PAGES, may: Allowed = public, remedy: str = REMEDY
) -> tuple[httpx.URL, str]:
    """Return an address and the machine that its name stands for, if every machine behind the name may be asked.

    Raises: NetworkError if it is no such address, is not known, or leads where ``may`` refuses to go.
    """
    where = str(url)[:SHOWN]
    try:
        target = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise NetworkError("is no web address.", where=where, remedy="Copy it from the address bar.") from error
    port = PORTS.get(target.scheme, 0) if target.port is None else target.port
    if target.scheme not in schemes or not target.host or not 0 < port < 65536:
        begin = " or ".join(f"{scheme}://" for scheme in schemes)
        raise NetworkError("is no web address.", where=where, remedy=f"It has to begin with {begin}.")
    try:
        found = socket.getaddrinfo(target.host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NetworkError("is not known on this network.", where=where) from error
    machines = [str(row[4][0]).partition("%")[0] for row in found]
    if not machines or not all(may(each) for each in machines):
        raise NetworkError("lies in a private network and is not followed.", where=where, remedy=remedy)
    return target, machines[0]


@dataclass(frozen=True)
class Fetcher:
    """Asks for one address after the other over connections that stay open; close it, or use it in a ``with``.

    ``may`` says which machines may be asked, ``remedy`` how a person allows others, ``limit`` the bytes of an answer.
    """

    may: Allowed = public
    remedy: str = REMEDY
    limit: int = LIMIT
    accept: str = PAGE
    client: httpx.Client = field(default_factory=lambda: httpx.Client(trust_env=False, timeout=TIMEOUT_S))

    def __enter__(self) -> Fetcher:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def get(self, url: str) -> tuple[str, bytes]:
        """Return the address that answered, redirects followed, and what it said. Raises: NetworkError."""
        target: str | httpx.URL = url.strip()
        try:
            for _ in range(REDIRECTS + 1):
                target, machine = look_up(target, may=self.may, remedy=self.remedy)
                found = self._visit(target, machine)
                if isinstance(found, bytes):
                    return str(target), found
                target = found
        except httpx.InvalidURL as error:
            raise NetworkError("leads on to what is no web address.", where=str(target)[:SHOWN]) from error
        except httpx.HTTPError as error:
            told = error or type(error).__name__
            raise NetworkError(f"does not answer ({told}).", where=str(target)[:SHOWN]) from error
        raise NetworkError(f"leads on more than {REDIRECTS} times.", where=url[:SHOWN])

    def _visit(self, target: httpx.URL, machine: str) -> bytes | httpx.URL:
        """Return what stands at an address, or the address that it leads on to."""
        where = str(target)[:SHOWN]
        headers = {"Host": target.netloc.decode(), "User-Agent": "Lectern", "Accept": self.accept}
        known_as = {"sni_hostname": target.host}
        request = self.client.build_request("GET", target.copy_with(host=machine), headers=headers, extensions=known_as)
        answer = self.client.send(request, stream=True)
        try:
            if answer.is_redirect:
                return target.join(answer.headers.get("location", ""))
            if answer.status_code != 200:
                raise NetworkError(f"answers {answer.status_code} {answer.reason_phrase}.", where=where)
            return _read(answer, where, self.limit)
        finally:
            answer.close()


def _read(answer: httpx.Response, where: str, limit: int) -> bytes:
    data = bytearray()
    for block in answer.iter_bytes():
        data += block
        if len(data) > limit:
            raise NetworkError(f"is larger than {limit:,} bytes.", where=where)
    return bytes(data)
