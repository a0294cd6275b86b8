"""Addresses that a user gives: http, https, ws and wss only, and no private network unless that is allowed.

A name is resolved once, and the connection is made to the address that was looked at: a name that points somewhere else
a moment later leads nowhere.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urljoin, urlsplit

import httpx

from assistant import web
from assistant.errors import NetworkError

PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
MOST_BYTES = 2_000_000
REDIRECTS = 3
PATIENCE_S = 15.0


def resolved(url: str, *, schemes: tuple[str, ...], private: bool) -> tuple[SplitResult, str]:
    """Return the parts of an address and the machine it leads to. Raises: NetworkError if we do not go there."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError as error:
        raise NetworkError("is no address.", where=url[:200]) from error
    if parts.scheme not in schemes or not parts.hostname:
        known = " or ".join(schemes)
        raise NetworkError("is no address that can be followed.", where=url[:200], remedy=f"Use {known}.")
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NetworkError(f"{parts.hostname} is not known here.", where=url[:200]) from error
    addresses = [str(entry[4][0]) for entry in found]
    closed = [a for a in addresses if not web.public(a)]
    if closed and not private:
        remedy = "Add --allow-private if you mean it."
        raise NetworkError(f"{parts.hostname} is {closed[0]}, in a private network.", where=url[:200], remedy=remedy)
    return parts, addresses[0]


@dataclass
class Fetcher:
    """Fetches small files over HTTP."""

    private: bool = False
    client: httpx.Client = field(default_factory=lambda: httpx.Client(timeout=PATIENCE_S, trust_env=False))

    def get(self, url: str) -> tuple[str, bytes]:
        """Return the address that answered, redirects followed, and what it said. Raises: NetworkError."""
        for _ in range(REDIRECTS + 1):
            moved, data = self._ask(url)
            if not moved:
                return url, data
            url = urljoin(url, moved)
        raise NetworkError(f"more than {REDIRECTS} redirects.", where=url[:200])

    def _ask(self, url: str) -> tuple[str, bytes]:
        """Return where a redirect leads to, else "", and the content."""
        parts, address = resolved(url, schemes=("http", "https"), private=self.private)
        host = f"[{address}]" if ":" in address else address
        port = f":{parts.port}" if parts.port else ""
        aim = httpx.URL(parts._replace(netloc=host + port, fragment="").geturl())
        named = {"Host": parts.netloc.rpartition("@")[2]}
        try:
            with self.client.stream("GET", aim, headers=named, extensions={"sni_hostname": parts.hostname}) as answer:
                if answer.is_redirect:
                    return answer.headers.get("location", ""), b""
                answer.raise_for_status()
                return "", _limited(answer, url)
        except httpx.HTTPStatusError as error:
            raise NetworkError(f"the server says {error.response.status_code}.", where=url[:200]) from error
        except httpx.HTTPError as error:
            raise NetworkError(f"cannot be reached ({type(error).__name__}).", where=url[:200]) from error


def _limited(answer: httpx.Response, url: str) -> bytes:
    data = b""
    for part in answer.iter_bytes():
        data += part
        if len(data) > MOST_BYTES:
            raise NetworkError(f"more than {MOST_BYTES:,} bytes.", where=url[:200])
    return data
