"""The way of recordings into the app and out of it: pieces are written to disk as they come, and played in parts.

Both need a ticket that a page has given to its visitor, and which ends with the login. A recording that was cut short
goes on at the byte that comes next: the browser asks which, also after a restart. Streamlit's own upload is in memory.
"""

from __future__ import annotations

import mimetypes
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from assistant.desk.recordings import BLOCK, Part
from assistant.ground.errors import LecternError

PLACE = "/recordings/"  # then the ticket
MOST = 10_000  # tickets that are remembered
PIECE = 64 * BLOCK  # of one request
ENDED = "This page has been open too long: load it again."
SAFE = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox", "Cache-Control": "private"}


@dataclass
class _Ticket:
    until: float
    plays: Path | None = None  # the recording that may be played; else one may be sent
    home: Path = Path()
    who: str = ""
    part: Part | None = None
    writing: bool = False


_tickets: dict[str, _Ticket] = {}  # the oldest first


def to_send(home: Path, who: str, until: float | None) -> str:
    """Return a ticket with which a visitor may send one recording after the other into a home folder."""
    return _given(_Ticket(float("inf") if until is None else until, home=home, who=who))


def to_play(path: Path, until: float | None) -> str:
    """Return a ticket with which a visitor may play a recording."""
    return _given(_Ticket(float("inf") if until is None else until, plays=path))


def arrived(ticket: str) -> Part | None:
    """Return the recording that has been sent with a ticket, None while it is not whole."""
    found = _tickets.get(ticket)
    part = found.part if found else None
    return part if part is not None and part.offset == part.size else None


def _given(ticket: _Ticket) -> str:
    name = secrets.token_urlsafe(24)
    _tickets[name] = ticket
    while len(_tickets) > MOST:
        _tickets.pop(next(iter(_tickets)), None)
    return name


@dataclass(frozen=True)
class RecordingRoute:
    """Middleware that answers requests for recordings and passes on everything else."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        _, is_ours, name = scope.get("path", "").rpartition(PLACE)
        if scope["type"] != "http" or not is_ours:
            await self.app(scope, receive, send)
            return
        ticket = _tickets.get(name)
        answer = PlainTextResponse(ENDED, 403)
        if ticket is not None and ticket.until > time.time():
            answer = await _answer(Request(scope, receive), ticket)
        await answer(scope, receive, send)


async def _answer(request: Request, ticket: _Ticket) -> Response:
    if ticket.plays is not None:
        return _played(ticket.plays) if request.method in ("GET", "HEAD") else PlainTextResponse("", 405)
    try:
        if request.method == "POST":
            return await _begun(request, ticket)
        if request.method == "PATCH" and ticket.part is not None and not ticket.writing:
            return await _continued(request, ticket, ticket.part)
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
    return FileResponse(path, media_type=media_type, headers=SAFE)  # answers requests for parts, too


async def _begun(request: Request, ticket: _Ticket) -> Response:
    """Say where a file goes on; its name, its size and what tells it from others are the question."""
    asked = await request.json()
    part = Part.of(ticket.home, ticket.who, str(asked["mark"]), str(asked["name"])[:200], int(asked["size"]))
    await anyio.to_thread.run_sync(part.begin)
    ticket.part = part
    return JSONResponse({"offset": part.offset})


async def _continued(request: Request, ticket: _Ticket, part: Part) -> Response:
    offset, ticket.writing = int(request.headers["upload-offset"]), True
    last = offset + PIECE
    try:
        waiting = bytearray()
        async for piece in request.stream():
            waiting += piece
            if len(waiting) >= BLOCK:
                offset = await anyio.to_thread.run_sync(part.add, offset, bytes(waiting))
                waiting.clear()
            if offset > last:
                break
        if waiting:
            offset = await anyio.to_thread.run_sync(part.add, offset, bytes(waiting))
    except ClientDisconnect:  # what has arrived is on the disk
        pass
    finally:
        ticket.writing = False
    return JSONResponse({"offset": offset})
