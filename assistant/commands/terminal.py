"""Writes to the terminal: messages and progress on standard error, data on standard output.

Control characters in names and texts are left out, because a terminal would obey them. A person
at a terminal gets tables, colours and progress. A pipe or a file gets plain lines.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, Self

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PROGRAM = "lectern"

# Control characters besides the tab and the line feed, and marks that turn the direction of text.
_TERMINAL_CONTROL_PATTERN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Return a text without control characters; bytes that are not UTF-8 show as escapes."""
    without_controls = _TERMINAL_CONTROL_PATTERN.sub("", text)
    return without_controls.encode("utf-8", "backslashreplace").decode("utf-8")


def say(text: str) -> None:
    """Print a message for the person at the keyboard."""
    print(printable(text), file=sys.stderr)


def print_line(text: object) -> None:
    """Print one line of data, at once, also into a pipe."""
    print(printable(str(text).replace("\n", " ")), flush=True)


def print_cells(*cells: object) -> None:
    """Print one line of data, its cells separated by tabs and cleaned of line breaks."""
    print_line("\t".join(map(_in_one_line, cells)))


def _in_one_line(cell: object) -> str:
    """Return a cell as text without line breaks and tabs."""
    return " ".join(str(cell).split())


class DataTable:
    """Rows of data: a table with headings on a terminal, else one line per row."""

    def __init__(self) -> None:
        self.terminal_rows: list[list[str]] = []

    def add(self, *cells: object) -> None:
        """Add a row, cleaned of line breaks and control characters."""
        if sys.stdout.isatty():
            self.terminal_rows.append([printable(_in_one_line(cell)) for cell in cells])
        else:
            print_cells(*cells)


@contextmanager
def data_table(*headings: str) -> Iterator[DataTable]:
    """Yield a table of data, which a terminal shows once all rows are there."""
    table = DataTable()
    try:
        yield table
    finally:
        if table.terminal_rows:
            from assistant.commands import rich_output

            rich_output.print_table(headings, table.terminal_rows, sys.stdout)


def say_error(text: str) -> None:
    """Print an error for the person at the keyboard."""
    if not sys.stderr.isatty():
        say(f"{PROGRAM}: {text}")
        return
    from assistant.commands import rich_output

    rich_output.print_error(PROGRAM, printable(text), sys.stderr)


def usage_error(text: str) -> NoReturn:
    """Print the error in the options and exit with status 2."""
    say_error(text)
    raise SystemExit(2)


class ProgressLine:
    """One line with the stage, a bar, n of m, the rate and the time left, rewritten in place.

    Nothing is printed if standard error isn't a terminal.
    """

    def __init__(self) -> None:
        self.stage = ""
        self.display: Progress | None = None
        self.task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __call__(self, stage: str, done: int, total: int) -> None:
        if not sys.stderr.isatty():
            return
        from assistant.commands import rich_output

        if self.display is None:
            self.display = rich_output.progress_display(
                sys.stderr, is_data_shown=sys.stdout.isatty()
            )
            self.display.start()
        if self.task is None or stage != self.stage:
            if self.task is not None:
                self.display.remove_task(self.task)
            self.stage = stage
            self.task = self.display.add_task(printable(stage), total=total or None)
        self.display.update(self.task, completed=done, total=total or None)

    def __exit__(self, *_: object) -> None:
        if self.display is not None:
            self.display.stop()
