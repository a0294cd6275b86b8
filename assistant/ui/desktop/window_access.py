"""The access check of the app behind a window: a key once, then the cookie of that browser."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.websockets import WebSocketClose

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

COOKIE_NAME = "lectern_window"
REFUSAL = "This port belongs to the Lectern window that opened it.\n"
POLICY_VIOLATION = 1008  # RFC 6455, 7.4.1: the endpoint refuses by its own rules


class WindowAccess:
    """ASGI middleware that refuses every request without the key or the cookie of the window.

    The key is read from ``/?key=`` and ends with its first use, so that a copy of the address
    opens nothing. WebSockets are refused, too.
    """

    def __init__(self, app: ASGIApp, key: str) -> None:
        self.app = app
        self.key = key
        self.cookie = secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on permitted requests, and answer the others."""
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        connection = HTTPConnection(scope)
        if _is_equal(connection.cookies.get(COOKIE_NAME, ""), self.cookie):
            return await self.app(scope, receive, send)
        if scope["type"] == "websocket":
            return await WebSocketClose(POLICY_VIOLATION)(scope, receive, send)
        response: Response = PlainTextResponse(REFUSAL, 403)
        # the window's first request: from then on its browser has the cookie
        if self.key and _is_equal(connection.query_params.get("key", ""), self.key):
            self.key = ""
            response = RedirectResponse("/", 303)
            response.set_cookie(COOKIE_NAME, self.cookie, httponly=True, samesite="strict")
        return await response(scope, receive, send)


def _is_equal(text: str, secret: str) -> bool:
    """Compare in constant time."""
    return secrets.compare_digest(text.encode(), secret.encode())
