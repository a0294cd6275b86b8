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
from assistant.live.sound_buffer import SoundBuffer
from assistant.transcription.decoding import BYTES_PER_SAMPLE, SAMPLE_RATE_HZ
from assistant.ui.sound_tickets import TicketRoute, Tickets

MICROPHONE_PATH = "/microphone/"  # then the ticket
MAX_PIECE_BYTES = 120 * SAMPLE_RATE_HZ * BYTES_PER_SAMPLE  # of one request
MAX_BUFFERED_S = 3600  # of sound that has not been heard
SENDER_TIMEOUT_S = 5.0  # after which another browser may send
MICROPHONE_TICKET_ENDED = (
    "This page has been open too long: load it again. The sound waits in this tab until then."
)
OTHER_SENDER = "Another browser is sending its microphone for this event: stop it there first."
BUFFER_FULL = "Lectern has not heard the last hour yet: wait until it has caught up."


@dataclass(frozen=True)
class _SoundUpload:
    spool: SoundBuffer
    first: int  # the sample at which the sound begins that is not there yet, if nothing is


_tickets: Tickets[_SoundUpload] = Tickets()
_senders: dict[SoundBuffer, tuple[str, float]] = {}  # which ticket has sent last, and when


def upload_ticket(spool: SoundBuffer, first_sample: int, login_end: float | None) -> str:
    """Return a ticket with which a visitor may send sound, which begins at a sample if nothing is there."""
    return _tickets.give(_SoundUpload(spool, first_sample), login_end)


def microphone_route(app: ASGIApp) -> TicketRoute[_SoundUpload]:
    """Return middleware that takes sound and passes on everything else to an app."""
    return TicketRoute(app, MICROPHONE_PATH, _tickets, _answer, MICROPHONE_TICKET_ENDED)


async def _answer(request: Request, ticket: str, upload: _SoundUpload) -> Response:
    sender, sent_at = _senders.get(upload.spool, (ticket, 0.0))
    if sender != ticket and time.monotonic() - sent_at < SENDER_TIMEOUT_S:
        return PlainTextResponse(OTHER_SENDER, 423)
    _senders[upload.spool] = ticket, time.monotonic()
    try:
        if request.method == "POST":
            return await anyio.to_thread.run_sync(_next_sample, upload)
        if request.method == "PATCH":
            return await _store_piece(request, upload)
        if request.method == "DELETE":
            await anyio.to_thread.run_sync(upload.spool.close)
            del _senders[upload.spool]
            return JSONResponse({})
    except LecternError as error:
        return PlainTextResponse(str(error), 507)
    except ClientDisconnect:  # nothing of the piece is stored: it comes again
        return PlainTextResponse("", 400)
    except (ValueError, KeyError) as error:
        return PlainTextResponse(f"Not a piece of sound: {error}", 400)
    return PlainTextResponse("", 405)


def _next_sample(upload: _SoundUpload) -> Response:
    """Say which sample comes next."""
    return JSONResponse({"next": max(upload.spool.end, upload.first)})


async def _store_piece(request: Request, upload: _SoundUpload) -> Response:
    """Store a piece, 16 bits a sample, if it is the next one."""
    first_sample = int(request.headers["first-sample"])
    piece = bytearray()
    async for chunk in request.stream():
        piece += chunk
        if len(piece) > MAX_PIECE_BYTES:
            return PlainTextResponse("That is too much at a time.", 413)
    if len(piece) % BYTES_PER_SAMPLE:
        raise ValueError("half a sample")
    return await anyio.to_thread.run_sync(_append_piece, upload, first_sample, bytes(piece))


def _append_piece(upload: _SoundUpload, first_sample: int, piece: bytes) -> Response:
    if first_sample != max(upload.spool.end, upload.first):
        return PlainTextResponse("Another sample comes next.", 409)
    if upload.spool.length > MAX_BUFFERED_S * SAMPLE_RATE_HZ:
        return PlainTextResponse(BUFFER_FULL, 507)
    upload.spool.add(first_sample, piece)
    return JSONResponse({"next": first_sample + len(piece) // BYTES_PER_SAMPLE})
