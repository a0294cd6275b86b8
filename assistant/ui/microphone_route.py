"""The way of a browser's microphone into the app.

Pieces of sound are on the disk before they are answered.

Each needs a ticket (``tickets.py``). The browser asks which sample comes next, also after a
restart, and keeps what was not taken; one browser sends at a time.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp

from assistant.core.errors import LecternError
from assistant.live.sound_buffer import Spool
from assistant.transcription.decoding import BYTES_PER_SAMPLE, SAMPLE_RATE_HZ
from assistant.ui.sound_tickets import TicketRoute, Tickets

PLACE = "/microphone/"  # then the ticket
PIECE = 120 * SAMPLE_RATE_HZ * BYTES_PER_SAMPLE  # of one request
WAITING_S = 3600  # of sound that has not been heard
QUIET_S = 5.0  # after which another browser may send
ENDED = "This page has been open too long: load it again. The sound waits in this tab until then."
TAKEN = "Another browser is sending its microphone for this event: stop it there first."
FULL = "Lectern has not heard the last hour yet: wait until it has caught up."


@dataclass(frozen=True)
class _Sending:
    spool: Spool
    first: int  # the sample at which the sound begins that is not there yet, if nothing is


_tickets: Tickets[_Sending] = Tickets()
_senders: dict[Spool, tuple[str, float]] = {}  # which ticket has sent last, and when


def to_send(spool: Spool, first: int, until: float | None) -> str:
    """Return a ticket with which a visitor may send sound, which begins at a sample if nothing is there."""
    return _tickets.give(_Sending(spool, first), until)


def microphone_route(app: ASGIApp) -> TicketRoute[_Sending]:
    """Return middleware that takes sound and passes on everything else to an app."""
    return TicketRoute(app, PLACE, _tickets, _answer, ENDED)


async def _answer(request: Request, ticket: str, sending: _Sending) -> Response:
    sender, when = _senders.get(sending.spool, (ticket, 0.0))
    if sender != ticket and time.monotonic() - when < QUIET_S:
        return PlainTextResponse(TAKEN, 423)
    _senders[sending.spool] = ticket, time.monotonic()
    try:
        if request.method == "POST":
            return await anyio.to_thread.run_sync(_next, sending)
        if request.method == "PATCH":
            return await _taken(request, sending)
        if request.method == "DELETE":
            await anyio.to_thread.run_sync(sending.spool.close)
            del _senders[sending.spool]
            return JSONResponse({})
    except LecternError as error:
        return PlainTextResponse(str(error), 507)
    except ClientDisconnect:  # nothing of the piece is stored: it comes again
        return PlainTextResponse("", 400)
    except (ValueError, KeyError) as error:
        return PlainTextResponse(f"Not a piece of sound: {error}", 400)
    return PlainTextResponse("", 405)


def _next(sending: _Sending) -> Response:
    """Say which sample comes next."""
    return JSONResponse({"next": max(sending.spool.end, sending.first)})


async def _taken(request: Request, sending: _Sending) -> Response:
    """Store a piece, 16 bits a sample, if it is the next one."""
    first = int(request.headers["first-sample"])
    piece = bytearray()
    async for part in request.stream():
        piece += part
        if len(piece) > PIECE:
            return PlainTextResponse("That is too much at a time.", 413)
    if len(piece) % BYTES_PER_SAMPLE:
        raise ValueError("half a sample")
    return await anyio.to_thread.run_sync(_stored, sending, first, bytes(piece))


def _stored(sending: _Sending, first: int, piece: bytes) -> Response:
    if first != max(sending.spool.end, sending.first):
        return PlainTextResponse("Another sample comes next.", 409)
    if sending.spool.length > WAITING_S * SAMPLE_RATE_HZ:
        return PlainTextResponse(FULL, 507)
    sending.spool.add(first, piece)
    return JSONResponse({"next": first + len(piece) // BYTES_PER_SAMPLE})
