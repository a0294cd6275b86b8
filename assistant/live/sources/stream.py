"""Standard input or any pipe, line by line until it ends: ``ccextractor ... | python -m assistant live -``.

A pipe cannot be read again: after a restart its lines are new ones.
"""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event as Flag
from typing import BinaryIO

from assistant.live.line import Arrival
from assistant.live.sources.captions import Captions
from assistant.live.sources.file import CHUNK, LONGEST_LINE, POLL_S, TOO_LONG


@dataclass
class StreamSource:
    """Reads a pipe to its end."""

    stream: BinaryIO
    name: str = "standard input"

    def follow(self, cursor: str, stop: Flag) -> Iterator[Arrival]:
        """Yield units as they are completed. ``cursor`` is how often the pipe was opened before."""
        opened = int(cursor) + 1 if cursor.isdecimal() else 1
        captions, rest, place, skipping = Captions(self.name), b"", 0, False
        yield Arrival(cursor=str(opened))
        while not stop.is_set():
            data = self._read()
            if data is None:
                continue
            rows = (rest + data).split(b"\n") if data else [rest, b""]
            rest = rows.pop()
            came = []
            for row in rows:
                if not skipping and len(row) > LONGEST_LINE:
                    yield TOO_LONG
                elif not skipping:
                    came += captions.feed(f"{opened}:{place}", row.decode("utf-8", "replace"))
                skipping, place = False, place + 1
            if not data:
                yield Arrival(tuple(came + captions.flush()))
                return
            if came:
                yield Arrival(tuple(came))
            if len(rest) > LONGEST_LINE:
                if not skipping:
                    yield TOO_LONG
                rest, skipping = b"", True

    def _read(self) -> bytes | None:
        """Return what is there, b"" at the end, None if nothing came for a moment."""
        ready, _, _ = select.select([self.stream], [], [], POLL_S)
        return os.read(self.stream.fileno(), CHUNK) if ready else None
