"""The way of recordings into the app and out of it.

Pieces are written to disk as they come, and played in parts.

Both need a ticket (``tickets.py``). A recording that was cut short goes on at the byte that comes
next: the browser asks which, also after a restart. Streamlit's own upload is in memory.
"""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from pathlib import Path

import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp

from assistant.core.errors import LecternError
from assistant.jobs.recordings import BLOCK_BYTES, IncomingRecording
from assistant.ui.sound_tickets import TicketRoute, Tickets

PLACE = "/recordings/"  # then the ticket
PIECE = 64 * BLOCK_BYTES  # of one request
ENDED = "This page has been open too long: load it again."
SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox",
    "Cache-Control": "private",
}


@dataclass
class _Sending:
    """A recording that is sent; the next one takes its place."""

    home: Path
    who: str
    part: IncomingRecording | None = None
    writing: bool = False


_tickets: Tickets[_Sending | Path] = Tickets()  # a path: of the recording that may be played


def to_send(home: Path, who: str, until: float | None) -> str:
    """Return a ticket with which a visitor may send one recording after the other into a home folder."""
    return _tickets.give(_Sending(home, who), until)


def to_play(path: Path, until: float | None) -> str:
    """Return a ticket with which a visitor may play a recording."""
    return _tickets.give(path, until)


def arrived(ticket: str) -> IncomingRecording | None:
    """Return the recording that has been sent with a ticket, None while it is not whole."""
    allowed = _tickets.allowed(ticket)
    part = allowed.part if isinstance(allowed, _Sending) else None
    return part if part is not None and part.offset == part.size else None


def recording_route(app: ASGIApp) -> TicketRoute[_Sending | Path]:
    """Return middleware that answers requests for recordings and passes on everything else to an app."""
    return TicketRoute(app, PLACE, _tickets, _answer, ENDED)


async def _answer(request: Request, _ticket: str, allowed: _Sending | Path) -> Response:
    if isinstance(allowed, Path):
        return _played(allowed) if request.method in ("GET", "HEAD") else PlainTextResponse("", 405)
    try:
        if request.method == "POST":
            return await _begun(request, allowed)
        if request.method == "PATCH" and allowed.part is not None and not allowed.writing:
            return await _continued(request, allowed, allowed.part)
    except LecternError as error:
        return PlainTextResponse(str(error), 413)
    except (ValueError, KeyError, TypeError) as error:
        return PlainTextResponse(f"Not a piece of a recording: {error}", 409)
    return PlainTextResponse("Another piece is being written.", 409)


def _played(path: Path) -> Response:
    if not path.is_file():
        return PlainTextResponse("The recording is no longer there.", 404)
    kind = mimetypes.guess_type(path.name)[0] or ""
    media_type = kind if kind.startswith(("audio/", "video/")) else "application/octet-stream"
    return FileResponse(
        path, media_type=media_type, headers=SAFE
    )  # answers requests for parts, too


async def _begun(request: Request, sending: _Sending) -> Response:
    """Say where a file goes on.

    Its name, its size and what tells it from others are the question.
    """
    asked = await request.json()
    part = IncomingRecording.for_file(
        sending.home, sending.who, str(asked["mark"]), str(asked["name"])[:200], int(asked["size"])
    )
    await anyio.to_thread.run_sync(part.begin)
    sending.part = part
    return JSONResponse({"offset": part.offset})


async def _continued(request: Request, sending: _Sending, part: IncomingRecording) -> Response:
    offset = int(request.headers["upload-offset"])
    sending.writing = True
    last = offset + PIECE
    try:
        waiting = bytearray()
        async for piece in request.stream():
            waiting += piece
            if len(waiting) >= BLOCK_BYTES:
                offset = await anyio.to_thread.run_sync(part.add, offset, bytes(waiting))
                waiting.clear()
            if offset > last:
                break
        if waiting:
            offset = await anyio.to_thread.run_sync(part.add, offset, bytes(waiting))
    except ClientDisconnect:  # what has arrived is on the disk
        pass
    finally:
        sending.writing = False
    return JSONResponse({"offset": offset})
