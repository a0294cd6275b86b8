"""The door of the app behind a window.

Opened once by a key, then by the cookie of the browser that brought it.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.websockets import WebSocketClose

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

COOKIE = "lectern_window"
REFUSAL = "This port belongs to the window of Lectern that opened it.\n"
POLICY = 1008  # RFC 6455, 7.4.1: the endpoint refuses by its own rules


class WindowAccess:
    """ASGI middleware: refuses every request, also of a WebSocket, that has neither the key nor the cookie for it.

    The key is asked for as ``/?key=``. Its first use ends it, so that a copy of the address opens
    nothing.
    """

    def __init__(self, app: ASGIApp, key: str) -> None:
        self.app = app
        self.key = key
        self.cookie = secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may come in, and answer the rest."""
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        connection = HTTPConnection(scope)
        if secrets.compare_digest(
            connection.cookies.get(COOKIE, "").encode(), self.cookie.encode()
        ):
            return await self.app(scope, receive, send)
        if scope["type"] == "websocket":
            return await WebSocketClose(POLICY)(scope, receive, send)
        response: Response = PlainTextResponse(REFUSAL, 403)
        if self.key and secrets.compare_digest(
            connection.query_params.get("key", "").encode(), self.key.encode()
        ):
            self.key = ""
            response = RedirectResponse("/", 303)
            response.set_cookie(COOKIE, self.cookie, httponly=True, samesite="strict")
        return await response(scope, receive, send)
