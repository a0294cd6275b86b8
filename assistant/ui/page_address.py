"""Tells a page of the app the address of its server, which Streamlit's page would guess.

The guess for ``/archive`` is ``/archive/_stcore/…``: each cold load of such a page began with two
requests that failed, and with two errors in the console of the browser.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Every page is one level below the server's address, as the page's scripts expect it, too.
ADDRESS_SCRIPT = (
    'window.__streamlit = { BACKEND_BASE_URL: new URL(".", window.location.href).href };'
)
SCRIPT_TAG = b"<script"


@dataclass(frozen=True)
class PageAddress:
    """Middleware that writes the script with the server's address into pages."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, a page with the script."""
        if _asks_for_page(scope):
            await self.app(_without_compression(scope), receive, _PageSender(send).send)
        else:
            await self.app(scope, receive, send)


@dataclass
class _PageSender:
    """Sends the answer to one request: a page once it is whole, anything else as it comes."""

    send_on: Send
    page_start: Message | None = None
    body: bytearray = field(default_factory=bytearray)

    async def send(self, message: Message) -> None:
        """Send a part of the answer, or keep it until the page is whole."""
        if message["type"] == "http.response.start" and _is_page(message):
            self.page_start = message
            return
        if self.page_start is None or message["type"] != "http.response.body":
            await self.send_on(message)
            return
        self.body += message.get("body", b"")
        if message.get("more_body", False):
            return
        page = with_address(bytes(self.body))
        MutableHeaders(scope=self.page_start)["Content-Length"] = str(len(page))
        await self.send_on(self.page_start)
        await self.send_on({"type": "http.response.body", "body": page})


def with_address(page: bytes) -> bytes:
    """Return a page with the script before its first one."""
    before_script, script_tag, after_tag = page.partition(SCRIPT_TAG)
    own_script = f"<script>{ADDRESS_SCRIPT}</script>".encode() if script_tag else b""
    return before_script + own_script + script_tag + after_tag


def _asks_for_page(scope: Scope) -> bool:
    """Return whether a request is a browser's for a page: those for its parts accept no HTML."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    return "text/html" in Headers(scope=scope).get("accept", "")


def _without_compression(scope: Scope) -> Scope:
    """Return a request whose answer comes uncompressed, so that the script can be written into it."""
    headers = [header for header in scope["headers"] if header[0].lower() != b"accept-encoding"]
    return {**scope, "headers": headers}


def _is_page(message: Message) -> bool:
    """Return whether an answer is a whole page."""
    content_type = Headers(raw=message["headers"]).get("content-type", "")
    return message["status"] == 200 and content_type.startswith("text/html")
