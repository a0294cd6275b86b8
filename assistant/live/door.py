"""The HTTP door: lines by POST and WebSocket, captions as encoders send them to YouTube. Each fault is a clear 4xx.

Nothing is stored of a request that is refused. Without a token only this computer may knock, and no page of another
site: a browser names the page that sends a request, and the address that it was typed for.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

import anyio
from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from assistant.ground.errors import StoreError
from assistant.live.engine import Engine
from assistant.live.line import Arrival, Cut, Line
from assistant.live.shapes import Refused, read_line, read_lines

MOST_BYTES = 1_000_000
PATIENCE_S = 10.0  # for the whole body of a request
LOCAL = ("127.0.0.1", "localhost", "::1")
POLICY, TOO_BIG, AGAIN = 1008, 1009, 1013  # why a WebSocket is closed
_STAMP = re.compile(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?)Z?(?:\s+region:\S*)?\s*$")


class Turned(Exception):
    """A request that is refused, with its status and the reason in words."""

    def __init__(self, status: int, why: str) -> None:
        self.status, self.why = status, why
        super().__init__(why)


@dataclass(frozen=True)
class Door:
    """The door of some events, by name. ``token`` opens it; "" where only this computer may knock."""

    engines: Mapping[str, Engine]
    token: str = ""
    patience_s: float = PATIENCE_S

    def app(self) -> Starlette:
        """Return the ASGI application."""
        return Starlette(routes=self.routes())

    def routes(self) -> list[BaseRoute]:
        """Return the routes, for this application or another one that carries them."""
        return [
            Route("/live/{event}/lines", self._told(self.lines), methods=["POST"]),
            Route("/live/{event}/health", self._told(self.health), methods=["GET"]),
            Route("/closedcaption", self._told(self.captions), methods=["POST"]),
            WebSocketRoute("/live/{event}/socket", self.socket),
        ]

    async def lines(self, request: Request) -> Response:
        """Take JSON lines: ``{"id", "speaker", "text", "start", "end", "final"}``, id and text at least."""
        engine = self._enter(request, request.path_params["event"])
        try:
            came = read_lines(await self._body(request), "http")
        except Refused as error:
            raise Turned(400, f"{error}. Nothing was stored.") from error
        return JSONResponse({"lines": len(came), "changed": await _take(engine, came)})

    async def captions(self, request: Request) -> Response:
        """Take captions in the form that YouTube takes: a time, the text below it, as often as there are captions."""
        name = request.query_params.get("event") or (next(iter(self.engines)) if len(self.engines) == 1 else "")
        engine = self._enter(request, name)
        try:
            came = read_captions(await self._body(request), request.query_params.get("seq", ""))
        except Refused as error:
            raise Turned(400, f"{error}. Nothing was stored.") from error
        if came:
            await _take(engine, came)
        return PlainTextResponse(datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "\n")

    async def health(self, request: Request) -> Response:
        """Tell how an event is followed."""
        engine = self._enter(request, request.path_params["event"])
        now = engine.clock()
        health = await run_sync(lambda: engine.log.health(engine.event.name, now=now))
        took = health.latency and [round(value, 3) for value in health.latency]
        told = {"last": health.last, "waiting": health.waiting, "lag": round(health.lag, 3), "behind": health.behind}
        return JSONResponse({"event": engine.event.name, "now": now, **told, "latency": took})

    async def socket(self, socket: WebSocket) -> None:
        """Take a JSON line a message; answer each with what it changed, or with what was wrong with it."""
        try:
            engine = self._enter(socket, socket.path_params["event"])
        except Turned as turned:
            await socket.send_denial_response(_answer(turned))
            return
        await socket.accept()
        try:
            while True:
                message = await socket.receive_text()
                if len(message) > MOST_BYTES:
                    await socket.close(TOO_BIG, "more than a megabyte")
                    return
                await self._message(socket, engine, message)
        except (WebSocketDisconnect, KeyError):  # KeyError: bytes, where text was expected
            return

    async def _message(self, socket: WebSocket, engine: Engine, message: str) -> None:
        try:
            changed = await _take(engine, [read_line(message, "socket")])
        except Refused as error:
            await socket.send_json({"error": f"{error}. Nothing was stored."})
        except Turned as turned:
            await socket.send_json({"error": turned.why})
        else:
            await socket.send_json({"lines": 1, "changed": changed})

    def _enter(self, asked: HTTPConnection, event: str) -> Engine:
        """Return the engine of an event to whoever may knock. Raises: Turned."""
        origin = urlsplit(asked.headers.get("origin", "")).netloc
        if origin and origin != asked.headers.get("host", ""):
            raise Turned(403, "a page of another site may not send lines.")
        if self.token:
            bearer = asked.headers.get("authorization", "").removeprefix("Bearer ").strip()
            given = bearer or asked.query_params.get("token") or asked.query_params.get("cid") or ""
            if not hmac.compare_digest(given.encode(), self.token.encode()):
                raise Turned(401, "wrong or missing token. Send it as `Authorization: Bearer TOKEN` or ?token=TOKEN.")
        elif (asked.url.hostname or "") not in LOCAL:
            raise Turned(403, "without a token only this computer may send lines.")
        if event not in self.engines:
            raise Turned(404, f"no event {event[:80]!r} is open. Open it: python -m assistant serve --event NAME.")
        return self.engines[event]

    async def _body(self, request: Request) -> bytes:
        """Return the body. Raises: Turned if it is too large, or too slow in coming."""
        parts, size = [], 0
        try:
            with anyio.fail_after(self.patience_s):
                async for part in request.stream():
                    size += len(part)
                    if size > MOST_BYTES:
                        raise Turned(413, f"a body of more than {MOST_BYTES:,} bytes. Send fewer lines at a time.")
                    parts.append(part)
        except TimeoutError as error:
            raise Turned(408, f"the body did not come within {self.patience_s:.0f} seconds.") from error
        return b"".join(parts)

    @staticmethod
    def _told(
        handle: Callable[[Request], Awaitable[Response]],
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answered(request: Request) -> Response:
            try:
                return await handle(request)
            except Turned as turned:
                return _answer(turned)

        return answered


def read_captions(body: bytes, seq: str) -> list[Line]:
    """Return the captions of a body: a line with a time, then lines of text. ``seq`` names what has no time.

    Raises: Refused.
    """
    try:
        rows = body.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise Refused(f"not UTF-8 (byte {error.start})") from error
    found: list[Line] = []
    unit, texts = "", list[str]()
    for row in [*rows, "9999-01-01T00:00:00"]:
        stamp = _STAMP.match(row)
        if stamp is None:
            texts += [row.strip()] if row.strip() else []
            continue
        if texts:
            name = unit or f"seq {seq} {' '.join(texts)[:100]}"
            found.append(Line("closedcaption", name, " ".join(texts), cut=Cut.ANYWHERE))
        unit, texts = stamp[1], []
    if any(len(line.text) > MOST_BYTES // 50 for line in found):
        raise Refused("a caption of more than 20,000 characters")
    return found


async def _take(engine: Engine, came: list[Line]) -> int:
    try:
        return await run_sync(lambda: engine.take(came[0].source, Arrival(tuple(came))))
    except StoreError as error:
        raise Turned(503, f"{error} Send it again.") from error


def _answer(turned: Turned) -> Response:
    headers = {"WWW-Authenticate": "Bearer"} if turned.status == 401 else {}
    return JSONResponse({"error": turned.why}, turned.status, headers)
