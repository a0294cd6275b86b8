"""The HTTP server of live events.

Takes lines by POST and WebSocket, and captions as encoders send them to YouTube.

A wrong request gets a 4xx with the reason, and nothing of it is stored. What a request may do is
what its token allows: from where it comes shows nothing, since a proxy on this computer may have
passed it on.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import anyio
from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from assistant.core.errors import StoreError
from assistant.live.access_tokens import AccessRight
from assistant.live.engine import Engine
from assistant.live.json_lines import InvalidLine, read_line, read_lines
from assistant.live.live_lines import Arrival, Line, LineCut
from assistant.web.open_sockets import MAX_SOCKETS_PER_HOLDER, OPEN_SOCKETS, SOCKET_HEADER

LARGEST_BODY_BYTES = 1_000_000
BODY_TIMEOUT_S = 10.0  # for the whole body of a request
# Many lines are stored in several transactions, so that other senders have their turn.
LINES_PER_TRANSACTION = 500
INGEST_LOGGER = logging.getLogger("lectern.live")
SOCKET_IDLE_S = 600.0  # a WebSocket may be silent; it is closed then, and its sender connects again
TOO_MANY_SOCKETS = f"this sender has {MAX_SOCKETS_PER_HOLDER} WebSockets open. Close some, or use one for all lines."
# why a WebSocket is closed
CLOSE_GOING_AWAY = 1001
CLOSE_POLICY_VIOLATION = 1008
CLOSE_TOO_BIG = 1009
_CAPTION_TIME_PATTERN = re.compile(
    r"^(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?)Z?(?:\s+region:\S*)?\s*$"
)
END_OF_CAPTIONS = "9999-01-01T00:00:00"  # a time that completes the last caption
MAX_CAPTION_CHARACTERS = 20_000


class Refusal(Exception):
    """A request that is refused, with its status and the reason in words."""

    def __init__(self, status: int, reason: str) -> None:
        self.status = status
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends to an event: the holder of a token, or "" for whoever runs the server."""

    engine: Engine
    holder: str

    async def store(self, lines: list[Line]) -> int:
        """Store lines in the sender's name; return how many sentences changed. Raises: Refusal."""
        changed_count = 0
        for start in range(0, len(lines), LINES_PER_TRANSACTION):
            lines_of_transaction = lines[start : start + LINES_PER_TRANSACTION]
            changed_count += await run_sync(self._store_at_once, lines_of_transaction)
        return changed_count

    def _store_at_once(self, lines: list[Line]) -> int:
        """Store lines in one transaction. Raises: Refusal."""
        sender = f"token {self.holder}" if self.holder else ""
        arrival = Arrival(tuple(lines))
        try:
            return self.engine.store_arrival(lines[0].source, arrival, sender=sender)
        except StoreError as error:
            raise _unavailable(error) from error


@dataclass(frozen=True)
class LiveApi:
    """The endpoints of some events, by name.

    ``right`` returns what a token, or "" for none, allows at an event, and
    ``holder`` to whom it was given.
    """

    engines: Mapping[str, Engine]
    right: Callable[[str, str], AccessRight]
    holder: Callable[[str, str], str] = lambda token, event: ""
    patience_s: float = BODY_TIMEOUT_S
    idle_s: float = SOCKET_IDLE_S

    def app(self) -> Starlette:
        """Return the ASGI application."""
        routes = [
            Route("/live/{event}/lines", self.lines, methods=["POST"]),
            Route("/live/{event}/health", self.health, methods=["GET"]),
            Route("/closedcaption", self.captions, methods=["POST"]),
            WebSocketRoute("/live/{event}/socket", self.socket),
        ]
        return Starlette(
            routes=routes,
            exception_handlers={Refusal: _refusal_response, InvalidLine: _refusal_response},
        )

    async def lines(self, request: Request) -> Response:
        """Take JSON lines: ``{"id", "speaker", "text", "start", "end", "final"}``, id and text at least."""
        sender = await self._authorised(request, request.path_params["event"])
        lines = read_lines(await self._body(request), "http")
        return JSONResponse({"lines": len(lines), "changed": await sender.store(lines)})

    async def captions(self, request: Request) -> Response:
        """Take captions in YouTube's form: a time, the text below it, and so on."""
        query = request.query_params
        event_name = query.get("event", "")
        if not event_name and len(self.engines) == 1:
            [event_name] = self.engines
        # YouTube's form names the token ``cid`` and numbers the requests by ``seq``.
        sender = await self._authorised(request, event_name, token=query.get("cid", ""))
        body = await self._body(request)
        lines = read_captions(body, query.get("seq", ""))
        if lines:
            await sender.store(lines)
        # The answer is the time of the server, from microseconds shortened to milliseconds.
        server_time = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3]
        return PlainTextResponse(f"{server_time}\n")

    async def health(self, request: Request) -> Response:
        """Answer with the health of an event."""
        event = request.path_params["event"]
        sender = await self._authorised(request, event, AccessRight.READ)
        engine = sender.engine
        now = engine.clock()
        health = await run_sync(lambda: engine.log.health(engine.event.name, now=now))
        latency_s = None
        if health.latency:
            latency_s = [round(seconds, 3) for seconds in health.latency]
        answer = {
            "event": engine.event.name,
            "now": now,
            "last": health.last_line_at,
            "waiting": health.waiting_count,
            "lag": round(health.lag_s, 3),
            "behind": health.behind,
            "latency": latency_s,
        }
        return JSONResponse(answer)

    async def socket(self, socket: WebSocket) -> None:
        """Take one JSON line per message.

        Answer each with what it changed, or with what is wrong with it.
        """
        event = socket.path_params["event"]
        try:
            sender = await self._authorised(socket, event)
            if not OPEN_SOCKETS.admit(socket.headers.get(SOCKET_HEADER, ""), sender.holder):
                raise Refusal(503, TOO_MANY_SOCKETS)
        except Refusal as refusal:
            await socket.send_denial_response(await _refusal_response(socket, refusal))
            return
        await socket.accept()
        try:
            while True:
                with anyio.fail_after(self.idle_s):
                    message = await socket.receive_text()
                if len(message) > LARGEST_BODY_BYTES:
                    await socket.close(CLOSE_TOO_BIG, "more than a megabyte")
                    return
                # Asked again, because the token may have been revoked
                sender = await self._authorised(socket, event)
                await self._message(socket, sender, message)
        except TimeoutError:
            await socket.close(
                CLOSE_GOING_AWAY, f"no line for {self.idle_s:.0f} seconds; connect again"
            )
        except Refusal as refusal:
            await socket.close(CLOSE_POLICY_VIOLATION, refusal.reason)
        except (WebSocketDisconnect, KeyError):  # KeyError: bytes, where text was expected
            return

    async def _message(self, socket: WebSocket, sender: Sender, message: str) -> None:
        try:
            changed = await sender.store([read_line(message, "socket")])
        except (InvalidLine, Refusal) as error:
            await socket.send_json({"error": _reason(error)})
        else:
            await socket.send_json({"lines": 1, "changed": changed})

    async def _authorised(
        self,
        request: HTTPConnection,
        event: str,
        needed_right: AccessRight = AccessRight.WRITE,
        *,
        token: str = "",
    ) -> Sender:
        """Return the sender to an event whose token allows what is needed. Raises: Refusal.

        ``token``: of the URL, for encoders of captions, which can send it nowhere else.
        """
        # Authorization: Bearer TOKEN
        scheme, _, bearer_token = request.headers.get("authorization", "").partition(" ")
        if scheme.casefold() == "bearer":
            token = bearer_token.strip()
        token_holder = ""
        try:
            right = await run_sync(self.right, token, event)
            if token and right is not AccessRight.NONE:
                token_holder = await run_sync(self.holder, token, event)
        except StoreError as error:
            raise _unavailable(error) from error
        if right is AccessRight.NONE:
            raise Refusal(
                401,
                "the token is wrong or missing. Send the token as `Authorization: Bearer TOKEN`.",
            )
        if right < needed_right:
            raise Refusal(403, "this token is read-only.")
        if event not in self.engines:
            raise Refusal(
                404,
                f"the event {event[:80]!r} isn't open. "
                "Open the event with `python -m assistant serve --event NAME`.",
            )
        return Sender(self.engines[event], token_holder)

    async def _body(self, request: Request) -> bytes:
        """Return the body. Raises: Refusal if it is too large, or too slow in coming."""
        chunks = []
        size = 0
        try:
            with anyio.fail_after(self.patience_s):
                async for chunk in request.stream():
                    size += len(chunk)
                    if size > LARGEST_BODY_BYTES:
                        raise Refusal(
                            413,
                            f"the request body is larger than {LARGEST_BODY_BYTES:,} bytes. Send fewer lines at a time.",
                        )
                    chunks.append(chunk)
        except TimeoutError as error:
            raise Refusal(
                408, f"the request body didn't arrive within {self.patience_s:.0f} seconds."
            ) from error
        return b"".join(chunks)


def _unavailable(error: StoreError) -> Refusal:
    """Return the refusal for a database that fails.

    The log says which database and why; a sender has no need to know its address.
    """
    INGEST_LOGGER.error("%s", error)
    return Refusal(503, "the lines cannot be stored at the moment. Send them again.")


def read_captions(body: bytes, sequence: str) -> list[Line]:
    """Return the captions of a body: a line with a time, then lines of text.

    ``sequence`` names text before the first time.

    Raises: InvalidLine.
    """
    try:
        text_lines = body.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise InvalidLine(f"the request body isn't valid UTF-8 (byte {error.start})") from error
    lines: list[Line] = []
    # The time of a caption is the key of its unit.
    caption_time = ""
    caption_texts: list[str] = []
    for text_line in [*text_lines, END_OF_CAPTIONS]:
        time_line = _CAPTION_TIME_PATTERN.match(text_line)
        if time_line is None:
            if text_line.strip():
                caption_texts.append(text_line.strip())
            continue
        # A time ends the caption above it and begins the next one.
        if caption_texts:
            caption = " ".join(caption_texts)
            unit = caption_time or f"seq {sequence} {caption[:100]}"
            lines.append(Line("closedcaption", unit, caption, cut=LineCut.ANYWHERE))
        caption_time = time_line["time"]
        caption_texts = []
    if any(len(line.text) > MAX_CAPTION_CHARACTERS for line in lines):
        raise InvalidLine(f"a caption has more than {MAX_CAPTION_CHARACTERS:,} characters")
    return lines


async def _refusal_response(_: HTTPConnection, error: Exception) -> Response:
    """Return the status and the reason of a refusal; an invalid line is a bad request."""
    status = error.status if isinstance(error, Refusal) else 400
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return JSONResponse({"error": _reason(error)}, status, headers)


def _reason(error: Exception) -> str:
    return error.reason if isinstance(error, Refusal) else f"{error}. Nothing was stored."
