"""Follows standard input or any other pipe until it ends.

``ccextractor ... | python -m assistant live -``.

A pipe cannot be read again: after a restart its lines are new ones.
"""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event as Flag
from typing import BinaryIO

from assistant.live.live_lines import Arrival
from assistant.live.sources.caption_parser import Captions
from assistant.live.sources.line_splitter import TOO_LONG, LineSplitter

POLL_S = 0.05
CHUNK = 256 * 1024


@dataclass
class PipeSource:
    """Reads a pipe to its end."""

    stream: BinaryIO
    name: str = "standard input"

    def follow(self, cursor: str, stop: Flag) -> Iterator[Arrival]:
        """Yield units as they are completed.

        ``cursor`` is how often the pipe was opened before.
        """
        opening_number = int(cursor) + 1 if cursor.isdecimal() else 1
        captions = Captions(self.name)
        splitter = LineSplitter()
        yield Arrival(cursor=str(opening_number))
        while not stop.is_set():
            chunk = self._read()
            if chunk is None:
                continue
            has_ended = chunk == b""
            if has_ended:
                chunk = b"\n"  # the last line is complete
            lines = []
            captions.is_burst = True
            for offset, line in splitter.feed(chunk):
                if line is None:
                    yield Arrival(warning=TOO_LONG)
                else:
                    line_key = f"{opening_number}:{offset}"
                    lines += captions.feed(line_key, line.decode("utf-8", "replace"))
            lines += captions.catch_up()
            if has_ended:
                yield Arrival((*lines, *captions.flush()))
                return
            if lines:
                yield Arrival(tuple(lines))

    def _read(self) -> bytes | None:
        """Return what is there, b"" at the end, None if nothing came for a moment."""
        ready, _, _ = select.select([self.stream], [], [], POLL_S)
        return os.read(self.stream.fileno(), CHUNK) if ready else None
