"""Progress, tables and errors on a terminal, drawn by rich.

``commands.terminal`` imports this module on first use, and only if the stream is a terminal. The
colours follow ``NO_COLOR``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Table
from rich.text import Text

MINUTE_S = 60
HOUR_S = 3600
# Below this pace a decimal shows the difference between two rates.
SLOW_PER_S = 10


class CountColumn(ProgressColumn):
    """The count so far, the rate and the time left."""

    def render(self, task: Task) -> Text:
        """Return the figures of one task; unknown ones are left out."""
        done = int(task.completed)
        if not task.total:
            return Text(f"{done:,}" if done else "")
        figures = [f"{done:,} of {int(task.total):,}"]
        speed = task.finished_speed or task.speed
        if speed:
            figures.append(f"{speed:,.1f} per s" if speed < SLOW_PER_S else f"{speed:,.0f} per s")
        if task.time_remaining:
            figures.append(f"{duration_words(task.time_remaining)} left")
        return Text(" · ".join(figures))


def duration_words(seconds: float) -> str:
    """Return a time in its largest fitting unit, such as ``12 s`` or ``3 min``."""
    if seconds < MINUTE_S:
        return f"{seconds:.0f} s"
    if seconds < HOUR_S:
        return f"{seconds / MINUTE_S:.0f} min"
    return f"{seconds / HOUR_S:.1f} h"


def terminal_console(stream: TextIO) -> Console:
    """Return the console of a terminal; text is shown as it is, without markup or highlights."""
    return Console(file=stream, force_terminal=True, highlight=False, markup=False, emoji=False)


def progress_display(stream: TextIO, *, is_data_shown: bool) -> Progress:
    """Return the display of progress, which disappears when the work has ended.

    ``is_data_shown``: data goes to the same terminal, and is then printed above the display.
    """
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        CountColumn(),
        console=terminal_console(stream),
        transient=True,
        redirect_stdout=is_data_shown,
    )


def print_error(program: str, text: str, stream: TextIO) -> None:
    """Print an error, the name of the program in red."""
    line = Text.assemble((f"{program}:", "bold red"), " ", text)
    terminal_console(stream).print(line, soft_wrap=True)


def print_table(
    headings: Sequence[str], table_rows: Iterable[Sequence[str]], stream: TextIO
) -> None:
    """Print a table; a long cell continues on the next line, so that nothing is cut off."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for cells in table_rows:
        table.add_row(*map(Text, cells))
    terminal_console(stream).print(table)
