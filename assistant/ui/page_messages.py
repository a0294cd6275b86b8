"""The messages of a browser that reach Streamlit: those that a page of Lectern sends, and no others.

Streamlit obeys every open page, that of the login included. It would clear the caches that
everybody shares, read the folder of the program, or install files for programming tools.
"""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.message import DecodeError  # type: ignore[import-untyped, unused-ignore]
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

PASSED_KINDS = ("rerun_script", "stop_script", "file_urls_request", "app_heartbeat")
OPERATION_KIND = "backend_operation_request"
PASSED_OPERATIONS = ("deferred_file", "dataframe_chunk")


@dataclass(frozen=True)
class PageMessages:
    """Middleware that ignores messages of a WebSocket that no page of Lectern sends."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, a WebSocket without the messages that are ignored."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return

        async def receive_passed() -> Message:
            message = await receive()
            while not _is_passed(message):
                message = await receive()
            return message

        await self.app(scope, receive_passed, send)


def _is_passed(message: Message) -> bool:
    """Return whether Streamlit gets a message; it refuses one that it cannot parse itself."""
    content = message.get("bytes")
    if content is None:
        return True
    try:
        browser_message = BackMsg.FromString(content)
    except DecodeError:
        return True
    kind = browser_message.WhichOneof("type")
    if kind == OPERATION_KIND:
        operation = browser_message.backend_operation_request.WhichOneof("payload")
        return operation in PASSED_OPERATIONS
    return kind in PASSED_KINDS
