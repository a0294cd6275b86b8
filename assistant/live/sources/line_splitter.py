"""Splits incoming bytes into lines, and leaves out lines that are too long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

LONGEST_LINE = 64 * 1024
TOO_LONG = f"a line of more than {LONGEST_LINE // 1024} kB was left out."


@dataclass
class LineSplitter:
    """Keeps the unfinished line, ``unfinished_line``, which begins at ``offset`` in the stream.

    ``is_skipping``: the stream is inside a line that is too long.
    """

    offset: int = 0
    unfinished_line: bytes = b""
    is_skipping: bool = False

    def feed(self, chunk: bytes) -> Iterator[tuple[int, bytes | None]]:
        """Yield the lines that a chunk completes and where each begins.

        None, once, for one that is too long.
        """
        # A line is yielded with its position, or None in its place if it is too long.
        split_lines = (self.unfinished_line + chunk).split(b"\n")
        self.unfinished_line = split_lines.pop()
        for line in split_lines:
            line_start = self.offset
            was_skipping = self.is_skipping
            self.offset = line_start + len(line) + len(b"\n")
            self.is_skipping = False
            if not was_skipping:
                yield line_start, line if len(line) <= LONGEST_LINE else None
        # The beginning of a line that is too long already is forgotten, and so is the rest of it.
        if len(self.unfinished_line) > LONGEST_LINE:
            line_start = self.offset
            was_skipping = self.is_skipping
            self.offset = line_start + len(self.unfinished_line)
            self.unfinished_line = b""
            self.is_skipping = True
            if not was_skipping:
                yield line_start, None
