"""Writes to the terminal: messages and progress on standard error, data on standard output.

Control characters in names and texts are left out, because a terminal would obey them.
"""

from __future__ import annotations

import re
import sys
from time import monotonic
from typing import NoReturn, Self

# Control characters besides the tab and the line feed, and marks that turn the direction of text.
_TERMINAL_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Return a text without control characters; bytes that are not UTF-8 show as escapes."""
    return _TERMINAL_CONTROL.sub("", text).encode("utf-8", "backslashreplace").decode("utf-8")


def say(text: str) -> None:
    """Print a message for the person at the keyboard."""
    print(printable(text), file=sys.stderr)


def print_line(text: object) -> None:
    """Print one line of data, at once, also into a pipe."""
    print(printable(str(text).replace("\n", " ")), flush=True)


def print_cells(*cells: object) -> None:
    """Print one line of data, its cells separated by tabs and cleaned of line breaks."""
    print_line("\t".join(" ".join(str(cell).split()) for cell in cells))


def usage_error(text: str) -> NoReturn:
    """Print the error in the options and exit with status 2."""
    say(f"lectern: {text}")
    raise SystemExit(2)


class ProgressLine:
    """One line with the stage, n of m and the time left, rewritten in place.

    Nothing is printed if standard error isn't a terminal.
    """

    def __init__(self) -> None:
        self.stage = ""
        self.began = 0.0
        self.width = 0

    def __enter__(self) -> Self:
        return self

    def __call__(self, stage: str, done: int, total: int) -> None:
        if not sys.stderr.isatty():
            return
        if stage != self.stage:
            self.stage = stage
            self.began = monotonic()
        line = printable(f"{stage}: {done:,} of {total:,}")
        seconds_left = 0.0
        if done:
            seconds_left = (monotonic() - self.began) / done * (total - done)
        if seconds_left >= 1:
            line += f", {seconds_left:.0f} s left"
        self.width = max(self.width, len(line))
        sys.stderr.write("\r" + line.ljust(self.width))
        sys.stderr.flush()

    def __exit__(self, *_: object) -> None:
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
