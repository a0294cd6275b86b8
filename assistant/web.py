"""One page from an address that a person gave: never from a private network unless that is allowed, never too large.

The address is looked up once and that very machine is asked, at every redirect again, so that a name cannot point
elsewhere between the look and the visit. Proxies are not used: behind one nobody knows who is asked.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import httpx

from assistant.errors import NetworkError

LIMIT = 5_000_000  # bytes
TIMEOUT_S = 15.0
REDIRECTS = 5
NAT64 = ip_network("64:ff9b::/96")
VARIABLE = "LECTERN_PRIVATE_NETWORKS"
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
    try:
        target = httpx.URL(url.strip())
        with httpx.Client(trust_env=False, timeout=TIMEOUT_S, follow_redirects=False) as client:
            for _ in range(REDIRECTS + 1):
                found = _visit(client, target, may, limit)
                if isinstance(found, bytes):
                    return found
                target = found
    except httpx.InvalidURL as error:
        raise NetworkError(f"{url!r} is no web address.", remedy="Copy it from the address bar.") from error
    except httpx.HTTPError as error:
        raise NetworkError(f"does not answer ({error or type(error).__name__}).", where=url) from error
    raise NetworkError(f"leads on more than {REDIRECTS} times.", where=url)


def _visit(client: httpx.Client, target: httpx.URL, may: Allowed, limit: int) -> bytes | httpx.URL:
    """Return the page at an address, or the address that it leads on to."""
    where = str(target)
    if target.scheme not in ("http", "https") or not target.host:
        raise NetworkError("is no web address.", where=where, remedy="It has to begin with https:// or http://.")
    machine = _look_up(target, may)
    headers = {"Host": target.netloc.decode(), "User-Agent": "Lectern", "Accept": "text/html, application/ld+json"}
    request = client.build_request(
        "GET", target.copy_with(host=machine), headers=headers, extensions={"sni_hostname": target.host}
    )
    answer = client.send(request, stream=True)
    try:
        if answer.is_redirect:
            return target.join(answer.headers.get("location", ""))
        if answer.status_code != 200:
            raise NetworkError(f"answers {answer.status_code} {answer.reason_phrase}.", where=where)
        return _read(answer, where, limit)
    finally:
        answer.close()


def _read(answer: httpx.Response, where: str, limit: int) -> bytes:
    data = bytearray()
    for block in answer.iter_bytes():
        data += block
        if len(data) > limit:
            raise NetworkError(f"is larger than {limit:,} bytes.", where=where)
    return bytes(data)


def _look_up(target: httpx.URL, may: Allowed) -> str:
    """Return the machine behind a name, if every machine behind it may be asked."""
    port = target.port or (443 if target.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(target.host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NetworkError("is not known on this network.", where=str(target)) from error
    machines = [str(row[4][0]).partition("%")[0] for row in found]
    if not machines or not all(may(machine) for machine in machines):
        remedy = f"Set {VARIABLE}=1 if you trust it."
        raise NetworkError("lies in a private network and is not followed.", where=str(target), remedy=remedy)
    return machines[0]
