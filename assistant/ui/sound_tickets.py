"""Tickets for the routes of sound.

A page gives a ticket to its visitor, whose browser sends it with every request. It ends with the
login. Tickets are in memory: after a restart a redrawn page gives another one.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from assistant.ui import login_settings

MAX_TICKETS = 10_000

Permission = TypeVar("Permission")


@dataclass(frozen=True)
class Ticket(Generic[Permission]):
    """A permission, and when it ends (seconds since 1970)."""

    permission: Permission
    ends_at: float


class Tickets(Generic[Permission]):
    """The permission of each ticket; the oldest tickets are forgotten first."""

    def __init__(self) -> None:
        self._tickets: dict[str, Ticket[Permission]] = {}  # the oldest first

    def give(self, permission: Permission, ends_at: float | None) -> str:
        """Return a new ticket, which ends at a time (seconds since 1970), or never."""
        name = secrets.token_urlsafe(24)
        self._tickets[name] = Ticket(permission, math.inf if ends_at is None else ends_at)
        while len(self._tickets) > MAX_TICKETS:
            oldest_name = next(iter(self._tickets))
            self._tickets.pop(oldest_name, None)
        return name

    def allowed(self, ticket: str) -> Permission | None:
        """Return the permission of a ticket, None if it has ended or is unknown."""
        issued = self._tickets.get(ticket)
        if issued is None or issued.ends_at <= time.time():
            return None
        return issued.permission


@dataclass(frozen=True)
class TicketRoute(Generic[Permission]):
    """Middleware that answers requests for a path with a ticket, and passes on everything else.

    ``answer`` gets the request, its ticket and the permission. A request whose ticket is unknown
    or has ended is refused with the text ``refusal``.
    """

    app: ASGIApp
    path_prefix: str
    tickets: Tickets[Permission]
    answer: Callable[[Request, str, Permission], Awaitable[Response]]
    refusal: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        _, path_prefix, ticket = scope.get("path", "").rpartition(self.path_prefix)
        if scope["type"] != "http" or not path_prefix:
            await self.app(scope, receive, send)
            return
        permission = self.tickets.allowed(ticket)
        if login_settings.are_unreadable():
            response: Response = PlainTextResponse(login_settings.UNREADABLE, 503)
        elif permission is None:
            response = PlainTextResponse(self.refusal, 403)
        else:
            response = await self.answer(Request(scope, receive), ticket, permission)
        await response(scope, receive, send)
