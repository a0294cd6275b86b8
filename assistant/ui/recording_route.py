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

RECORDINGS_PATH = "/recordings/"  # then the ticket
MAX_REQUEST_BYTES = 64 * BLOCK_BYTES  # of one request
RECORDING_TICKET_ENDED = "This page has been open too long: load it again."
SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox",
    "Cache-Control": "private",
}


@dataclass
class _RecordingUpload:
    """A recording that is sent; the next one takes its place."""

    home: Path
    who: str
    part: IncomingRecording | None = None
    writing: bool = False


_tickets: Tickets[_RecordingUpload | Path] = (
    Tickets()
)  # a path: of the recording that may be played


def upload_ticket(home: Path, sender: str, login_end: float | None) -> str:
    """Return a ticket with which a visitor may send one recording after the other into a home folder."""
    return _tickets.give(_RecordingUpload(home, sender), login_end)


def playback_ticket(path: Path, login_end: float | None) -> str:
    """Return a ticket with which a visitor may play a recording."""
    return _tickets.give(path, login_end)


def received_recording(ticket: str) -> IncomingRecording | None:
    """Return the recording that has been sent with a ticket, None while it is not whole."""
    allowed = _tickets.allowed(ticket)
    part = allowed.part if isinstance(allowed, _RecordingUpload) else None
    return part if part is not None and part.offset == part.size else None


def recording_route(app: ASGIApp) -> TicketRoute[_RecordingUpload | Path]:
    """Return middleware that answers requests for recordings and passes on everything else to an app."""
    return TicketRoute(app, RECORDINGS_PATH, _tickets, _answer, RECORDING_TICKET_ENDED)


async def _answer(request: Request, _ticket: str, allowed: _RecordingUpload | Path) -> Response:
    if isinstance(allowed, Path):
        return _play(allowed) if request.method in ("GET", "HEAD") else PlainTextResponse("", 405)
    try:
        if request.method == "POST":
            return await _begin_upload(request, allowed)
        if request.method == "PATCH" and allowed.part is not None and not allowed.writing:
            return await _continue_upload(request, allowed, allowed.part)
    except LecternError as error:
        return PlainTextResponse(str(error), 413)
    except (ValueError, KeyError, TypeError) as error:
        return PlainTextResponse(f"Not a piece of a recording: {error}", 409)
    return PlainTextResponse("Another piece is being written.", 409)


def _play(path: Path) -> Response:
    if not path.is_file():
        return PlainTextResponse("The recording is no longer there.", 404)
    kind = mimetypes.guess_type(path.name)[0] or ""
    media_type = kind if kind.startswith(("audio/", "video/")) else "application/octet-stream"
    return FileResponse(
        path, media_type=media_type, headers=SAFE_HEADERS
    )  # answers requests for parts, too


async def _begin_upload(request: Request, upload: _RecordingUpload) -> Response:
    """Say where a file goes on.

    Its name, its size and what tells it from others are the question.
    """
    answers = await request.json()
    part = IncomingRecording.for_file(
        upload.home,
        upload.who,
        str(answers["mark"]),
        str(answers["name"])[:200],
        int(answers["size"]),
    )
    await anyio.to_thread.run_sync(part.begin)
    upload.part = part
    return JSONResponse({"offset": part.offset})


async def _continue_upload(
    request: Request, upload: _RecordingUpload, recording_file: IncomingRecording
) -> Response:
    offset = int(request.headers["upload-offset"])
    upload.writing = True
    last_offset = offset + MAX_REQUEST_BYTES
    try:
        buffered = bytearray()
        async for piece in request.stream():
            buffered += piece
            if len(buffered) >= BLOCK_BYTES:
                offset = await anyio.to_thread.run_sync(recording_file.add, offset, bytes(buffered))
                buffered.clear()
            if offset > last_offset:
                break
        if buffered:
            offset = await anyio.to_thread.run_sync(recording_file.add, offset, bytes(buffered))
    except ClientDisconnect:  # what has arrived is on the disk
        pass
    finally:
        upload.writing = False
    return JSONResponse({"offset": offset})
