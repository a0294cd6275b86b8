"""The routes that upload recordings and play them.

Pieces are written to disk as they arrive, and players request ranges. Both need a ticket
(``sound_tickets.py``). An interrupted upload resumes at the next byte, also after a restart.
Streamlit's own upload would hold the recording in memory.
"""

from __future__ import annotations

import json
import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp

from assistant.core.errors import LecternError
from assistant.jobs.recordings import BLOCK_BYTES, IncomingRecording
from assistant.ui.sound_tickets import TicketRoute, Tickets

RECORDINGS_PATH = "/recordings/"  # then the ticket
MAX_REQUEST_BYTES = 64 * BLOCK_BYTES
MAX_RECORDING_NAME_CHARACTERS = 200
MAX_DESCRIPTION_BYTES = 10_000
RECORDING_TICKET_ENDED = "This page has been open too long: load it again."
SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox",
    "Cache-Control": "private",
}


@dataclass
class _RecordingUpload:
    """The upload that a ticket allows; a further recording replaces the one before it."""

    home: Path
    sender: str
    incoming: IncomingRecording | None = None
    is_writing: bool = False


# A ticket allows an upload, or to play the recording at a path.
_tickets: Tickets[_RecordingUpload | Path] = Tickets()


def upload_ticket(home: Path, sender: str, login_end: float | None) -> str:
    """Return a ticket with which a visitor may send one recording after the other into a home folder."""
    return _tickets.give(_RecordingUpload(home, sender), login_end)


def playback_ticket(path: Path, login_end: float | None) -> str:
    """Return a ticket with which a visitor may play a recording."""
    return _tickets.give(path, login_end)


def received_recording(ticket: str) -> IncomingRecording | None:
    """Return the recording that was uploaded with a ticket, None until it is complete."""
    allowed_upload = _tickets.allowed(ticket)
    if not isinstance(allowed_upload, _RecordingUpload):
        return None
    incoming = allowed_upload.incoming
    if incoming is None or incoming.offset != incoming.size:
        return None
    return incoming


def recording_route(app: ASGIApp) -> TicketRoute[_RecordingUpload | Path]:
    """Return middleware that answers requests for recordings and passes on everything else to an app."""
    return TicketRoute(app, RECORDINGS_PATH, _tickets, _answer, RECORDING_TICKET_ENDED)


async def _answer(request: Request, _ticket: str, allowed: _RecordingUpload | Path) -> Response:
    if isinstance(allowed, Path):
        if request.method in ("GET", "HEAD"):
            return _play(allowed)
        return PlainTextResponse("", 405)
    try:
        if request.method == "POST":
            return await _begin_upload(request, allowed)
        if request.method == "PATCH" and allowed.incoming is not None and not allowed.is_writing:
            return await _continue_upload(request, allowed, allowed.incoming)
    except LecternError as error:
        return PlainTextResponse(str(error), 413)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        return PlainTextResponse(f"Not a piece of a recording: {error}", 409)
    return PlainTextResponse("Another piece is being written.", 409)  # ask again later


def _play(path: Path) -> Response:
    if not path.is_file():
        return PlainTextResponse("The recording no longer exists.", 404)
    media_type = mimetypes.guess_type(path.name)[0] or ""
    if not media_type.startswith(("audio/", "video/")):
        media_type = "application/octet-stream"
    # a FileResponse also answers requests for a range of the file
    return FileResponse(path, media_type=media_type, headers=SAFE_HEADERS)


async def _begin_upload(request: Request, upload: _RecordingUpload) -> Response:
    """Answer with the offset from which to send a file.

    The request has the file's name, size and mark, by which an earlier upload is found.
    """
    description = await _read_description(request)
    size = description["size"]
    is_number = isinstance(size, int) and not isinstance(size, bool)  # True is an int, too
    if not is_number or size < 1:
        raise ValueError("the size of the recording must be 1 byte or more")
    incoming = IncomingRecording.for_file(
        upload.home,
        upload.sender,
        str(description["mark"]),
        str(description["name"])[:MAX_RECORDING_NAME_CHARACTERS],
        size,
    )
    await anyio.to_thread.run_sync(incoming.begin)
    upload.incoming = incoming
    return JSONResponse({"offset": incoming.offset})


async def _read_description(request: Request) -> dict[str, Any]:
    """Return the description of a file. Raises: ValueError if it is too long or not an object."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > MAX_DESCRIPTION_BYTES:
            raise ValueError("the description of the file is too long")
    description = json.loads(content)
    if not isinstance(description, dict):
        raise ValueError("the description of the file isn't a JSON object")
    return description


async def _continue_upload(
    request: Request, upload: _RecordingUpload, incoming: IncomingRecording
) -> Response:
    """Write the sent bytes in blocks, and answer with the offset that comes next."""
    offset = int(request.headers["upload-offset"])  # where the sent bytes belong in the file
    upload.is_writing = True
    max_offset = offset + MAX_REQUEST_BYTES
    try:
        buffered = bytearray()
        async for chunk in request.stream():
            buffered += chunk
            if len(buffered) >= BLOCK_BYTES:
                offset = await anyio.to_thread.run_sync(incoming.add, offset, bytes(buffered))
                buffered.clear()
            if offset > max_offset:
                break
        if buffered:
            offset = await anyio.to_thread.run_sync(incoming.add, offset, bytes(buffered))
    except ClientDisconnect:  # the bytes that arrived are on the disk
        pass
    finally:
        upload.is_writing = False
    return JSONResponse({"offset": offset})
