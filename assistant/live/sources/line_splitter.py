"""Splits incoming bytes into lines, and leaves out lines that are too long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

LONGEST_LINE = 64 * 1024
TOO_LONG = f"a line of more than {LONGEST_LINE // 1024} kB was left out."


@dataclass
class LineSplitter:
    """Keeps the unfinished line, ``rest``, which begins at ``offset`` in the stream.

    ``skipping``: the stream is inside a line that is too long.
    """

    offset: int = 0
    rest: bytes = b""
    skipping: bool = False

    def feed(self, chunk: bytes) -> Iterator[tuple[int, bytes | None]]:
        """Yield the lines that a chunk completes and where each begins.

        None, once, for one that is too long.
        """
        split_lines = (self.rest + chunk).split(b"\n")
        self.rest = split_lines.pop()
        for line in split_lines:
            begin = self.offset
            skipped = self.skipping
            self.offset = begin + len(line) + 1
            self.skipping = False
            if not skipped:
                yield begin, line if len(line) <= LONGEST_LINE else None
        if len(self.rest) > LONGEST_LINE:
            begin = self.offset
            skipped = self.skipping
            self.offset = begin + len(self.rest)
            self.rest = b""
            self.skipping = True
            if not skipped:
                yield begin, None
