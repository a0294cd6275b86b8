"""The open WebSockets of a process: who holds them, and which of them closes if there are too many.

A socket is anonymous until the app has let its visitor in. Anonymous sockets never keep anybody
out: one more closes the oldest of the visitor who has the most.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from starlette.types import Message, Receive, Send

SOCKET_HEADER = "x-lectern-socket"  # the key of a socket; the request filter sets it
MAX_ANONYMOUS_SOCKETS = 500
MAX_ANONYMOUS_PER_VISITOR = 50
MAX_SOCKETS_PER_HOLDER = 100
CLOSE_TRY_AGAIN = 1013
CLOSE_REASON = "too many connections that are not logged in"


@dataclass(eq=False)
class OpenSocket:
    """An open WebSocket; ``holder`` is the person whom the app has let in, None before that."""

    visitor: str
    key: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    holder: str | None = None
    evicted: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(eq=False)
class OpenSockets:
    """The open WebSockets by key, the oldest first."""

    max_anonymous: int = MAX_ANONYMOUS_SOCKETS
    max_per_visitor: int = MAX_ANONYMOUS_PER_VISITOR
    max_per_holder: int = MAX_SOCKETS_PER_HOLDER
    _sockets: dict[str, OpenSocket] = field(default_factory=dict)
    # the event loop adds and removes sockets, and the threads of pages admit them
    _lock: Any = field(default_factory=Lock)

    def add(self, visitor: str) -> OpenSocket:
        """Count a new socket of a visitor, and close older anonymous ones beyond the limits."""
        socket = OpenSocket(visitor)
        with self._lock:
            self._sockets[socket.key] = socket
            self._evict_anonymous()
        return socket

    def remove(self, socket: OpenSocket) -> None:
        """Stop counting a socket."""
        with self._lock:
            self._sockets.pop(socket.key, None)

    def admit(self, key: str, holder: str) -> bool:
        """Give a socket to a person who was let in; False if that person has too many already.

        Without a name the visitor's address stands for the person. A key that is not counted
        here, for example in a test without a server, is admitted.
        """
        with self._lock:
            socket = self._sockets.get(key)
            if socket is None:
                return True
            person = holder or socket.visitor
            if socket.holder == person:  # a page admits its visitor again and again
                return True
            if self._count_of(person) >= self.max_per_holder:
                return False
            socket.holder = person
            return True

    def _count_of(self, holder: str) -> int:
        return sum(socket.holder == holder for socket in self._sockets.values())

    def _evict_anonymous(self) -> None:
        """Close the oldest anonymous sockets of the visitors who have the most of them."""
        anonymous_sockets = [
            socket
            for socket in self._sockets.values()
            if socket.holder is None and not socket.evicted.is_set()
        ]
        count_by_visitor = Counter(socket.visitor for socket in anonymous_sockets)
        while anonymous_sockets:
            [(visitor, highest_count)] = count_by_visitor.most_common(1)
            is_within_limits = highest_count <= self.max_per_visitor
            if is_within_limits and len(anonymous_sockets) <= self.max_anonymous:
                return
            # the sockets stand in the order in which they were opened
            oldest_socket = next(
                socket for socket in anonymous_sockets if socket.visitor == visitor
            )
            oldest_socket.evicted.set()
            anonymous_sockets.remove(oldest_socket)
            count_by_visitor[visitor] -= 1


OPEN_SOCKETS = OpenSockets()


@dataclass(eq=False)
class EvictableChannel:
    """The messages of a WebSocket, which end if its socket is evicted."""

    socket: OpenSocket
    receive_message: Receive
    send_message: Send
    is_closed: bool = False

    async def receive(self) -> Message:
        """Return the next message, or the end of the connection if the socket was evicted."""
        # Wait for whichever comes first: a message of the browser, or the eviction.
        incoming = asyncio.ensure_future(self.receive_message())
        eviction = asyncio.ensure_future(self.socket.evicted.wait())
        try:
            await asyncio.wait({incoming, eviction}, return_when=asyncio.FIRST_COMPLETED)
            if incoming.done() and not eviction.done():
                return incoming.result()
        finally:
            incoming.cancel()
            eviction.cancel()
        await self.send(
            {"type": "websocket.close", "code": CLOSE_TRY_AGAIN, "reason": CLOSE_REASON}
        )
        self.is_closed = True
        return {"type": "websocket.disconnect", "code": CLOSE_TRY_AGAIN}

    async def send(self, message: Message) -> None:
        """Send a message, unless the connection has been closed."""
        if not self.is_closed:
            await self.send_message(message)
