"""A visitor of the app without a browser.

A WebSocket session that sends what a browser was seen to send.

Twenty browsers on the app's own two cores measure the browsers. A newsroom's run on other
machines, and what the app does for each of them is the same over a bare session.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

LARGEST = 64 << 20  # bytes of one message from the app


@dataclass
class Model:
    """What a browser sent; somebody clicked on a sentence in it."""

    sent: list[bytes] = field(default_factory=list)

    def watch(self, page: Any) -> None:
        """Keep what a page of Playwright's sends."""
        page.on(
            "websocket", lambda socket: socket.on("framesent", lambda sent: self.sent.append(sent))
        )

    def coming(self) -> bytes:
        """Return what a browser sends when it opens the page."""
        return self.sent[0]

    def choosing(self, number: int) -> bytes:
        """Return what a browser sends when somebody clicks on a sentence."""
        message, event = next(
            message_and_widget
            for sent in reversed(self.sent)
            if (message_and_widget := _event(BackMsg.FromString(sent)))
        )
        event.json_trigger_value = json.dumps(
            [{"event": "selected", "value": number}], separators=(",", ":")
        )
        del message.rerun_script.cached_message_hashes[:]  # a bare session keeps none
        return message.SerializeToString()


def _event(message: BackMsg) -> tuple[BackMsg, Any] | None:
    """Return a message with the widget in it that tells of a click on a sentence."""
    widgets = message.rerun_script.widget_states.widgets
    return next(
        ((message, widget) for widget in widgets if "selected" in widget.json_trigger_value), None
    )


@dataclass
class Visitor:
    """A session with the app in which a report is read."""

    model: Model
    connection: ClientConnection

    async def come(self) -> None:
        """Open the page and wait until all of it is here."""
        await self.connection.send(self.model.coming())
        await self._until(lambda message: message.WhichOneof("type") == "script_finished")

    async def choose(self, number: int) -> float:
        """Click on a sentence, and return the seconds until its card is here."""
        card = f'data-sentence="{number}"'.encode()
        began = time.perf_counter()
        await self.connection.send(self.model.choosing(number))
        await self._until(
            lambda message: message.HasField("delta") and card in message.SerializeToString()
        )
        return time.perf_counter() - began

    async def _until(self, arrived: Callable[[ForwardMsg], bool]) -> None:
        while not arrived(message := ForwardMsg.FromString(await self.connection.recv())):
            if message.HasField("delta") and message.delta.new_element.HasField("exception"):
                raise RuntimeError("an exception is shown")


@asynccontextmanager
async def visitor(address: str, model: Model) -> AsyncIterator[Visitor]:
    """Yield a session with the app at an address."""
    url = f"ws{address.removeprefix('http')}/_stcore/stream"
    async with connect(url, subprotocols=["streamlit"], max_size=LARGEST) as connection:
        yield Visitor(model, connection)
