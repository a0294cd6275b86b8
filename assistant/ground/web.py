"""What stands at an address that a person gave: never in a private network unless that is allowed, never too large.

The address is looked up once and that very machine is asked, at every redirect again, so that a name cannot point
elsewhere between the look and the visit. Proxies are not used: behind one nobody knows who is asked.
"""

from __future__ import annotations

import os
import socket
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import httpx

from assistant.ground.errors import NetworkError, TooLarge, TooSlow

AGENT = "Lectern"
LIMIT = 5_000_000  # bytes, unpacked
TIMEOUT_S = 15.0  # without a sign of life
PATIENCE_S = 60.0  # for all of an answer
REDIRECTS = 5
NAT64 = ip_network("64:ff9b::/96")
VARIABLE = "LECTERN_PRIVATE_NETWORKS"
REMEDY = f"Set {VARIABLE}=1 if you trust it."
PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
PAGES = ("https", "http")
PAGE = "text/html, application/ld+json"
SHOWN = 200  # characters of an address in a message
Allowed = Callable[[str], bool]
Step = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """What an address answers: where it stood in the end, the status, the Content-Type; the bytes if that is 200."""

    url: str
    status: int
    kind: str
    data: bytes


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
        found = self.answer(url)
        if found.status != httpx.codes.OK:
            what = f"answers {found.status} {httpx.codes.get_reason_phrase(found.status)}".strip()
            raise NetworkError(f"{what}.", where=found.url[:SHOWN])
        return found.url, found.data

    def answer(self, url: str, *, step: Step = lambda url: None, seconds: float = PATIENCE_S) -> Answer:
        """Return what an address answers, redirects followed, whatever the status.

        ``step`` is told every address before it is asked, and may refuse it. ``seconds`` are for all of it.

        Raises: NetworkError, TooLarge or TooSlow among them; whatever ``step`` raises.
        """
        target: str | httpx.URL = url.strip()
        deadline = time.monotonic() + seconds
        try:
            for _ in range(REDIRECTS + 1):
                target, machine = look_up(target, may=self.may, remedy=self.remedy)
                step(str(target))
                found = self._visit(target, machine, deadline)
                if isinstance(found, Answer):
                    return found
                target = found
        except httpx.InvalidURL as error:
            raise NetworkError("leads on to what is no web address.", where=str(target)[:SHOWN]) from error
        except httpx.TimeoutException as error:
            raise TooSlow(f"does not answer within {TIMEOUT_S:.0f} seconds.", where=str(target)[:SHOWN]) from error
        except (httpx.HTTPError, zlib.error) as error:
            told = error or type(error).__name__
            raise NetworkError(f"does not answer ({told}).", where=str(target)[:SHOWN]) from error
        raise NetworkError(f"leads on more than {REDIRECTS} times.", where=url[:SHOWN])

    def _visit(self, target: httpx.URL, machine: str, deadline: float) -> Answer | httpx.URL:
        """Return what stands at an address, or the address that it leads on to."""
        headers = {"Host": target.netloc.decode(), "User-Agent": AGENT, "Accept": self.accept}
        headers["Accept-Encoding"] = "gzip"  # what is unpacked below, never further than the limit
        known_as = {"sni_hostname": target.host}
        request = self.client.build_request("GET", target.copy_with(host=machine), headers=headers, extensions=known_as)
        answer = self.client.send(request, stream=True)
        try:
            if answer.is_redirect:
                return target.join(answer.headers.get("location", ""))
            is_there = answer.status_code == httpx.codes.OK
            data = _read(answer, str(target)[:SHOWN], self.limit, deadline) if is_there else b""
            return Answer(str(target), answer.status_code, answer.headers.get("content-type", ""), data)
        finally:
            answer.close()


def _read(answer: httpx.Response, where: str, limit: int, deadline: float) -> bytes:
    """Return the bytes of an answer, unpacked block by block: a small one may hold gigabytes."""
    packing = answer.headers.get("content-encoding", "").strip().lower()
    if packing not in ("", "identity", "gzip", "x-gzip"):
        raise NetworkError(f"is packed as nobody asked for ({packing[:20]}).", where=where)
    unpacker = zlib.decompressobj(31) if "gzip" in packing else None  # 31: the largest window, with gzip's header
    data = bytearray()
    for block in answer.iter_raw():
        data += unpacker.decompress(block, limit + 1 - len(data)) if unpacker else block
        if len(data) > limit:
            raise TooLarge(f"is larger than {limit:,} bytes.", where=where)
        if time.monotonic() > deadline:
            raise TooSlow("is too slow.", where=where)
    return bytes(data)
