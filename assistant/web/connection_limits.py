"""Limits on the connections of a uvicorn server.

How long one may take to send a request, how many may wait.

uvicorn (0.54) waits for the head of a request for ever, and Streamlit offers no place to give it a
protocol that does not; so uvicorn's own protocol is amended, for the app and the live door alike.
It also hides the real peer of a connection behind what X-Forwarded-For says; here the peer is told
with each request.
"""

from __future__ import annotations

import functools
from asyncio import TimerHandle
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from assistant.web.request_filter import PEER_KEY

HEAD_TIMEOUT_S = 10.0  # for the head of a request, from the first byte or from the answer before it
MAX_WAITING = 200  # connections without a request; one more takes the place of the oldest


@dataclass
class WaitingConnections:
    """The connections of a process that have sent no whole request yet, the oldest first."""

    head_s: float = HEAD_TIMEOUT_S
    most: int = MAX_WAITING
    timers: dict[Any, TimerHandle] = field(default_factory=dict)

    def expect(self, connection: Any) -> None:
        """Begin to wait for the next request of a connection."""
        self.forget(connection)
        self.timers[connection] = connection.loop.call_later(self.head_s, self.give_up, connection)
        while len(self.timers) > self.most:
            self.give_up(next(iter(self.timers)))

    def forget(self, connection: Any) -> None:
        """Wait no longer."""
        if timer := self.timers.pop(connection, None):
            timer.cancel()

    def give_up(self, connection: Any) -> None:
        """Cut a connection, unless it has sent its request meanwhile and waits for the answer."""
        self.forget(connection)
        if connection.cycle is None or connection.cycle.response_complete:
            connection.transport.abort()


def limit_connections(protocol: Any = None, *, waiting: WaitingConnections | None = None) -> None:
    """Amend a protocol of uvicorn, by default the one that it chooses itself.

    A second call changes nothing.
    """
    if protocol is None:
        from uvicorn.protocols.http.auto import AutoHTTPProtocol as protocol
    if "lectern_waiting" in vars(protocol):
        return
    protocol.lectern_waiting = kept = waiting or WaitingConnections()

    def begin(connection: Any) -> None:
        _tell_peer(connection)
        kept.expect(connection)

    _amend(protocol, "connection_made", after=begin)
    _amend(protocol, "on_response_complete", before=kept.expect)
    _amend(protocol, "handle_websocket_upgrade", before=kept.forget)
    _amend(protocol, "connection_lost", before=kept.forget)


def _tell_peer(connection: Any) -> None:
    connection.app_state = {
        **connection.app_state,
        PEER_KEY: connection.client[0] if connection.client else "",
    }


def _amend(
    protocol: Any,
    name: str,
    *,
    before: Callable[[Any], object] = id,
    after: Callable[[Any], object] = id,
) -> None:
    """Have a method of a protocol call ``before`` and ``after`` with its connection."""
    own = getattr(protocol, name)

    @functools.wraps(own)
    def amended(connection: Any, *arguments: Any) -> None:
        before(connection)
        own(connection, *arguments)
        after(connection)

    setattr(protocol, name, amended)
