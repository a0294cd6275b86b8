"""The route for sound from a browser's microphone.

A piece of sound is written to disk before it is acknowledged. Each request needs a ticket
(``sound_tickets.py``). The browser asks which sample comes next, also after a restart, and keeps
the sound that was not accepted. One browser sends at a time.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp

from assistant.core.errors import LecternError
from assistant.live.sound_buffer import SoundBuffer
from assistant.transcription.decoding import BYTES_PER_SAMPLE, SAMPLE_RATE_HZ
from assistant.ui.sound_tickets import TicketRoute, Tickets

MICROPHONE_PATH = "/microphone/"  # then the ticket
MAX_PIECE_BYTES = 120 * SAMPLE_RATE_HZ * BYTES_PER_SAMPLE
MAX_BUFFERED_S = 3600  # of sound that is not transcribed yet
SENDER_TIMEOUT_S = 5.0  # after this silence another browser may send
MICROPHONE_TICKET_ENDED = (
    "This page has been open too long: load it again. The sound waits in this tab until then."
)
OTHER_SENDER = "Another browser is sending its microphone for this event: stop it there first."
BUFFER_FULL = "Lectern has not heard the last hour yet: wait until it has caught up."


@dataclass(frozen=True)
class _SoundUpload:
    """The upload that a ticket allows: sound for a buffer.

    ``first_sample`` is where the sound begins if the buffer is empty.
    """

    sound_buffer: SoundBuffer
    first_sample: int

    @property
    def next_sample(self) -> int:
        """Return the number of the sample that comes next."""
        return max(self.sound_buffer.end, self.first_sample)


class _Sender(NamedTuple):
    """The ticket that sent last for a buffer, and when (seconds of the monotonic clock)."""

    ticket: str
    sent_at: float


_tickets: Tickets[_SoundUpload] = Tickets()
_senders: dict[SoundBuffer, _Sender] = {}


def upload_ticket(sound_buffer: SoundBuffer, first_sample: int, login_end: float | None) -> str:
    """Return a ticket with which a visitor may send sound."""
    return _tickets.give(_SoundUpload(sound_buffer, first_sample), login_end)


def microphone_route(app: ASGIApp) -> TicketRoute[_SoundUpload]:
    """Return middleware that takes sound and passes on everything else to an app."""
    return TicketRoute(app, MICROPHONE_PATH, _tickets, _answer, MICROPHONE_TICKET_ENDED)


async def _answer(request: Request, ticket: str, upload: _SoundUpload) -> Response:
    now = time.monotonic()
    sender = _senders.get(upload.sound_buffer)
    has_other_sender = sender is not None and sender.ticket != ticket
    if sender and has_other_sender and now - sender.sent_at < SENDER_TIMEOUT_S:
        return PlainTextResponse(OTHER_SENDER, 423)
    _senders[upload.sound_buffer] = _Sender(ticket, now)
    try:
        if request.method == "POST":
            return await anyio.to_thread.run_sync(_next_sample, upload)
        if request.method == "PATCH":
            return await _store_piece(request, upload)
        if request.method == "DELETE":
            await anyio.to_thread.run_sync(upload.sound_buffer.close)
            del _senders[upload.sound_buffer]
            return JSONResponse({})
    except LecternError as error:
        return PlainTextResponse(str(error), 507)
    except ClientDisconnect:  # nothing of the piece is stored: the browser sends it again
        return PlainTextResponse("", 400)
    except (ValueError, KeyError) as error:
        return PlainTextResponse(f"Not a piece of sound: {error}", 400)
    return PlainTextResponse("", 405)


def _next_sample(upload: _SoundUpload) -> Response:
    """Answer with the number of the sample that comes next."""
    return JSONResponse({"next": upload.next_sample})


async def _store_piece(request: Request, upload: _SoundUpload) -> Response:
    """Store a piece of sound, 16 bits per sample, if it is the next one."""
    first_sample = int(request.headers["first-sample"])
    piece = bytearray()
    async for chunk in request.stream():
        piece += chunk
        if len(piece) > MAX_PIECE_BYTES:
            return PlainTextResponse("That is too much at a time.", 413)
    if len(piece) % BYTES_PER_SAMPLE != 0:
        raise ValueError("the audio ends in the middle of a sample")
    return await anyio.to_thread.run_sync(_append_piece, upload, first_sample, bytes(piece))


def _append_piece(upload: _SoundUpload, first_sample: int, piece: bytes) -> Response:
    if first_sample != upload.next_sample:
        return PlainTextResponse("Another sample comes next.", 409)  # the browser asks which
    if upload.sound_buffer.length > MAX_BUFFERED_S * SAMPLE_RATE_HZ:
        return PlainTextResponse(BUFFER_FULL, 507)
    upload.sound_buffer.add(first_sample, piece)
    return JSONResponse({"next": first_sample + len(piece) // BYTES_PER_SAMPLE})
