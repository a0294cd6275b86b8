"""Tickets for the routes of sound.

A page gives one to its visitor, whose browser shows it with every request.

A ticket ends with the login. Tickets are in memory: after a restart a page that is drawn again
gives another one.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from assistant.ui import login_settings

MAX_TICKETS = 10_000  # tickets that are remembered

T = TypeVar("T")


class Tickets(Generic[T]):
    """What each ticket allows; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._given: dict[str, tuple[T, float]] = {}  # and until when

    def give(self, allowed: T, ends_at: float | None) -> str:
        """Return a new ticket, which ends at a time (seconds since 1970), or never."""
        ticket = secrets.token_urlsafe(24)
        self._given[ticket] = allowed, float("inf") if ends_at is None else ends_at
        while len(self._given) > MAX_TICKETS:
            self._given.pop(next(iter(self._given)), None)
        return ticket

    def allowed(self, ticket: str) -> T | None:
        """Return what a ticket allows, None if it has ended or nobody gave it."""
        allowed, ends_at = self._given.get(ticket, (None, 0.0))
        return allowed if ends_at > time.time() else None


@dataclass(frozen=True)
class TicketRoute(Generic[T]):
    """Middleware that answers requests for ``place``, then a ticket, and passes on everything else.

    ``answer`` gets the request, its ticket and what that allows; without one the request is refused, saying ``ended``.
    """

    app: ASGIApp
    place: str
    tickets: Tickets[T]
    answer: Callable[[Request, str, T], Awaitable[Response]]
    ended: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        _, is_ours, ticket = scope.get("path", "").rpartition(self.place)
        if scope["type"] != "http" or not is_ours:
            await self.app(scope, receive, send)
            return
        allowed = self.tickets.allowed(ticket)
        response: Response = PlainTextResponse(self.ended, 403)
        if login_settings.are_lost():
            response = PlainTextResponse(login_settings.UNREADABLE, 503)
        elif allowed is not None:
            response = await self.answer(Request(scope, receive), ticket, allowed)
        await response(scope, receive, send)
