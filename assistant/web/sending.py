"""Sends a request to an address that a person has given, as safely as pages are fetched.

The host is resolved once and tested, the request goes to that very IP address, redirects are not
followed, and proxies are not used. Nothing logs the address, because it may hold a secret.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx

from assistant.core.errors import NetworkError, TooSlow
from assistant.web.fetching import USER_AGENT, AddressTest, is_public, resolve_host

SEND_TIMEOUT_S = 20.0  # the whole request, from the connection to the status
STEP_TIMEOUT_S = 10.0
MAX_RETRY_AFTER_S = 86_400
MAX_RETRY_AFTER_DIGITS = 5


@dataclass(frozen=True, slots=True)
class OutgoingRequest:
    """A request with a body."""

    method: str
    address: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class SendingAnswer:
    """The status of an answer, and how many seconds the server asks to wait, 0 if it doesn't."""

    status: int
    retry_after_s: int = 0

    @property
    def is_success(self) -> bool:
        """Return whether the request was accepted."""
        return 200 <= self.status < 300


def send(
    request: OutgoingRequest,
    *,
    is_allowed: AddressTest = is_public,
    seconds: float = SEND_TIMEOUT_S,
    verify: Any = True,
) -> SendingAnswer:
    """Send a request, and return the answer, of which only the head is read.

    ``is_allowed`` tests the IP addresses. ``verify``: the TLS context, True for the usual authorities.

    Raises: NetworkError without the address if it may not be asked or does not answer.
    """
    target, ip_address = resolve_host(request.address, is_allowed=is_allowed)
    connections: list[Any] = []  # shut down if the whole request takes too long

    def note_connection(event: str, info: Mapping[str, Any]) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            connections.append(info["return_value"])

    outgoing = httpx.Request(
        request.method,
        target.copy_with(host=ip_address),
        headers={**request.headers, "Host": target.netloc.decode(), "User-Agent": USER_AGENT},
        content=request.body,
        extensions={
            "sni_hostname": target.host,
            "timeout": httpx.Timeout(STEP_TIMEOUT_S).as_dict(),
            "trace": note_connection,
        },
    )
    # A transport, unlike a client, does not log addresses.
    with (
        _Alarm(seconds, lambda: _shut_down(connections)) as alarm,
        httpx.HTTPTransport(verify=verify, trust_env=False) as transport,
    ):
        try:
            # the body of the answer is not read
            answer = transport.handle_request(outgoing)
            answer.close()
        except httpx.HTTPError as error:
            if alarm.has_rung or isinstance(error, httpx.TimeoutException):
                raise TooSlow(f"the server didn't answer within {seconds:.0f} seconds.") from None
            raise NetworkError(f"the server isn't responding ({type(error).__name__}).") from None
    return SendingAnswer(answer.status_code, _retry_after_s(answer.headers))


class _Alarm:
    """A timer that calls a function unless the ``with`` ends earlier."""

    def __init__(self, seconds: float, on_alarm: Callable[[], None]) -> None:
        self.has_rung = False
        self._on_alarm = on_alarm
        self._timer = threading.Timer(seconds, self._ring)
        self._timer.daemon = True

    def __enter__(self) -> _Alarm:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def _ring(self) -> None:
        self.has_rung = True
        self._on_alarm()


def _shut_down(connections: list[Any]) -> None:
    """Shut connections down, so that a read that waits for one ends."""
    for stream in list(connections):
        with suppress(OSError):
            stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


def _retry_after_s(headers: httpx.Headers) -> int:
    """Return the seconds of the header Retry-After, 0 if it has none or names a date."""
    value = headers.get("retry-after", "").strip()
    is_number = value.isascii() and value.isdigit()
    if not is_number or len(value) > MAX_RETRY_AFTER_DIGITS:
        return 0
    return min(int(value), MAX_RETRY_AFTER_S)
