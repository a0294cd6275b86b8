"""Limits on the connections of a uvicorn server: the time for a request, the number waiting.

uvicorn (0.54) waits for the head of a request without limit, and Streamlit offers no place for a
protocol with a limit; so uvicorn's own protocol is amended, for the app and the ingest API. It also
hides the real peer of a connection behind X-Forwarded-For; here each request gets the peer, and the
notes that all requests of its connection share.
"""

from __future__ import annotations

import functools
from asyncio import TimerHandle
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from assistant.web.request_filter import CONNECTION_NOTES_KEY, PEER_KEY

# Time for the head of a request, from the first byte or from the previous answer.
HEAD_TIMEOUT_S = 10.0
MAX_WAITING = 200  # connections without a request; one more replaces the oldest


@dataclass
class WaitingConnections:
    """The connections of a process that have sent no complete request yet, oldest first."""

    head_s: float = HEAD_TIMEOUT_S
    max_waiting: int = MAX_WAITING
    timers: dict[Any, TimerHandle] = field(default_factory=dict)

    def expect_request(self, connection: Any) -> None:
        """Begin to wait for the next request of a connection."""
        self.stop_waiting(connection)
        timeout_timer = connection.loop.call_later(self.head_s, self.give_up, connection)
        self.timers[connection] = timeout_timer
        while len(self.timers) > self.max_waiting:
            oldest_connection = next(iter(self.timers))  # a dict keeps the order of insertion
            self.give_up(oldest_connection)

    def stop_waiting(self, connection: Any) -> None:
        """Stop waiting for a connection."""
        timer = self.timers.pop(connection, None)
        if timer:
            timer.cancel()

    def give_up(self, connection: Any) -> None:
        """Abort a connection, unless it has sent its request and waits for the answer."""
        self.stop_waiting(connection)
        # uvicorn's cycle: the current request with its answer
        if connection.cycle is None or connection.cycle.response_complete:
            connection.transport.abort()


def limit_connections(protocol: Any = None, *, waiting: WaitingConnections | None = None) -> None:
    """Amend a protocol of uvicorn, by default the one that it chooses itself.

    A second call changes nothing.
    """
    if protocol is None:
        from uvicorn.protocols.http.auto import AutoHTTPProtocol as protocol
    is_limited_already = "lectern_waiting" in vars(protocol)
    if is_limited_already:
        return
    connections = waiting or WaitingConnections()
    protocol.lectern_waiting = connections

    def describe_and_wait(connection: Any) -> None:
        _describe_connection(connection)
        connections.expect_request(connection)

    # A connection is given up if no request arrives on it in time.
    _call_around(protocol, "connection_made", after=describe_and_wait)
    _call_around(protocol, "on_response_complete", before=connections.expect_request)
    _call_around(protocol, "handle_websocket_upgrade", before=connections.stop_waiting)
    _call_around(protocol, "connection_lost", before=connections.stop_waiting)


def _describe_connection(connection: Any) -> None:
    """Store the real peer, and empty notes, in the state of a connection's requests."""
    peer = connection.client[0] if connection.client else ""
    own_state: dict[str, Any] = {PEER_KEY: peer, CONNECTION_NOTES_KEY: {}}
    connection.app_state = {**connection.app_state, **own_state}


def _call_around(
    protocol: Any,
    method_name: str,
    *,
    before: Callable[[Any], object] = lambda connection: None,
    after: Callable[[Any], object] = lambda connection: None,
) -> None:
    """Make a method of a protocol call ``before`` and ``after`` with its connection."""
    original_method = getattr(protocol, method_name)

    @functools.wraps(original_method)
    def amended_method(connection: Any, *arguments: Any) -> None:
        before(connection)
        original_method(connection, *arguments)
        after(connection)

    setattr(protocol, method_name, amended_method)
