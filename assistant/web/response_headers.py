"""Security headers of every answer: no framing, nothing from outside, no guessing of types."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# For an answer that is data: nothing in it may run, load or be framed.
NO_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_HEADERS = {
    "X-Frame-Options": "DENY",  # for browsers that do not know frame-ancestors
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
POLICY_HEADER = "Content-Security-Policy"


@dataclass(frozen=True)
class SecurityHeaders:
    """Middleware that adds the headers to answers; one that has a policy of its own keeps it."""

    app: ASGIApp
    policy: str = NO_PAGE_POLICY

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with the headers."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault(POLICY_HEADER, self.policy)
            await send(message)

        await self.app(scope, receive, send_with_headers)
