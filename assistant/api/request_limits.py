"""Limits on the bodies of requests: their size, and the time that they may take to arrive."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import anyio
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.api.problems import ApiProblem, problem_response

MAX_BODY_BYTES = 200_000
BODY_PAUSE_S = 10.0  # longest pause between two pieces of a body
SLOWEST_BYTES_PER_S = 20_000  # a large body on average, after the first pause
MAX_LENGTH_DIGITS = 20  # a longer length is too large anyway
LimitOfPath = Callable[[str], int]


@dataclass(frozen=True)
class BodyLimits:
    """Middleware that ends a request whose body is too large, or too slow in coming.

    ``limit_of`` returns the most bytes for the path of a request.
    """

    app: ASGIApp
    limit_of: LimitOfPath = lambda path: MAX_BODY_BYTES
    pause_s: float = BODY_PAUSE_S

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse its body."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        max_bytes = self.limit_of(scope["path"])
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdecimal() and int(announced[:MAX_LENGTH_DIGITS]) > max_bytes:
            await problem_response(413, _too_large(max_bytes))(scope, receive, send)
            return
        body = _LimitedBody(receive, max_bytes, self.pause_s)
        await self.app(scope, body.receive, send)


@dataclass
class _LimitedBody:
    """The messages of a request, counted and timed until its body has ended."""

    receive_message: Receive
    max_bytes: int
    pause_s: float
    byte_count: int = 0
    has_ended: bool = False
    started_at: float = 0.0

    async def receive(self) -> Message:
        """Return the next message. Raises: ApiProblem."""
        if self.has_ended:
            return await self.receive_message()
        if not self.started_at:
            self.started_at = time.monotonic()
        try:
            with anyio.fail_after(self.pause_s):
                message = await self.receive_message()
        except TimeoutError as error:
            detail = f"The body stopped for {self.pause_s:.0f} seconds. Send the request again."
            raise ApiProblem(408, detail) from error
        self.byte_count += len(message.get("body", b""))
        self.has_ended = not message.get("more_body", False)
        if self.byte_count > self.max_bytes:
            raise ApiProblem(413, _too_large(self.max_bytes))
        # One pause isn't counted, so that a small body may come late.
        elapsed_s = time.monotonic() - self.started_at - self.pause_s
        min_byte_count = elapsed_s * SLOWEST_BYTES_PER_S
        if self.byte_count < min_byte_count:
            raise ApiProblem(
                408, "The request body is arriving too slowly. Send the request again."
            )
        return message


def _too_large(max_bytes: int) -> str:
    return f"The request body is larger than {max_bytes:,} bytes. Send less at a time."
