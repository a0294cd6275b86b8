"""The way of a browser's microphone into the app: pieces of sound are on the disk before they are answered.

Each needs a ticket that a page has given to its visitor, and which ends with the login. The browser asks which sample
comes next, also after a restart, and keeps what was not taken; one browser sends at a time.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass

import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from assistant.ground.errors import LecternError
from assistant.hearing.decoding import BYTES, RATE
from assistant.live.spool import Spool

PLACE = "/microphone/"  # then the ticket
MOST = 10_000  # tickets that are remembered
PIECE = 120 * RATE * BYTES  # of one request
WAITING_S = 3600  # of sound that has not been heard
QUIET_S = 5.0  # after which another browser may send
ENDED = "This page has been open too long: load it again. The sound waits in this tab until then."
TAKEN = "Another browser is sending its microphone for this event: stop it there first."
FULL = "Lectern has not heard the last hour yet: wait until it has caught up."


@dataclass
class _Ticket:
    spool: Spool
    first: int  # the sample at which the sound begins that is not there yet, if nothing is
    until: float


_tickets: dict[str, _Ticket] = {}  # the oldest first
_senders: dict[Spool, tuple[str, float]] = {}  # which ticket has sent last, and when


def to_send(spool: Spool, first: int, until: float | None) -> str:
    """Return a ticket with which a visitor may send sound, which begins at a sample if nothing is there."""
    name = secrets.token_urlsafe(24)
    _tickets[name] = _Ticket(spool, first, float("inf") if until is None else until)
    while len(_tickets) > MOST:
        _tickets.pop(next(iter(_tickets)), None)
    return name


@dataclass(frozen=True)
class MicrophoneRoute:
    """Middleware that takes sound and passes on everything else."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        _, is_ours, name = scope.get("path", "").rpartition(PLACE)
        if scope["type"] != "http" or not is_ours:
            await self.app(scope, receive, send)
            return
        ticket = _tickets.get(name)
        answer: Response = PlainTextResponse(ENDED, 403)
        if ticket is not None and ticket.until > time.time():
            answer = await _answer(Request(scope, receive), name, ticket)
        await answer(scope, receive, send)


async def _answer(request: Request, name: str, ticket: _Ticket) -> Response:
    sender, when = _senders.get(ticket.spool, (name, 0.0))
    if sender != name and time.monotonic() - when < QUIET_S:
        return PlainTextResponse(TAKEN, 423)
    _senders[ticket.spool] = name, time.monotonic()
    try:
        if request.method == "POST":
            return await anyio.to_thread.run_sync(_next, ticket)
        if request.method == "PATCH":
            return await _taken(request, ticket)
        if request.method == "DELETE":
            await anyio.to_thread.run_sync(ticket.spool.close)
            del _senders[ticket.spool]
            return JSONResponse({})
    except LecternError as error:
        return PlainTextResponse(str(error), 507)
    except ClientDisconnect:  # nothing of the piece is stored: it comes again
        return PlainTextResponse("", 400)
    except (ValueError, KeyError) as error:
        return PlainTextResponse(f"Not a piece of sound: {error}", 400)
    return PlainTextResponse("", 405)


def _next(ticket: _Ticket) -> Response:
    """Say which sample comes next."""
    return JSONResponse({"next": max(ticket.spool.end, ticket.first)})


async def _taken(request: Request, ticket: _Ticket) -> Response:
    """Store a piece, 16 bits a sample, if it is the next one."""
    first = int(request.headers["first-sample"])
    piece = bytearray()
    async for part in request.stream():
        piece += part
        if len(piece) > PIECE:
            return PlainTextResponse("That is too much at a time.", 413)
    if len(piece) % BYTES:
        raise ValueError("half a sample")
    return await anyio.to_thread.run_sync(_stored, ticket, first, bytes(piece))


def _stored(ticket: _Ticket, first: int, piece: bytes) -> Response:
    if first != max(ticket.spool.end, ticket.first):
        return PlainTextResponse("Another sample comes next.", 409)
    if ticket.spool.length > WAITING_S * RATE:
        return PlainTextResponse(FULL, 507)
    ticket.spool.add(first, piece)
    return JSONResponse({"next": first + len(piece) // BYTES})
