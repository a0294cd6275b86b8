"""The command line that all benches share.

Options, a user's error in one line, one table, and the rows as JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.core.errors import LecternError

Measure = Callable[[argparse.Namespace], object]
Options = Callable[[argparse.ArgumentParser], object]
Main = Callable[[Sequence[str] | None], int]


def command(measure: Measure, *options: Options) -> Main:
    """Return the ``main`` of a bench's module: status 0, or 1 after a ``LecternError``.

    ``measure(options)`` prints its table and returns what ``--json`` writes, None for nothing. A combination of options
    that makes no sense it raises as ``argparse.ArgumentError``, which ends in the usage and status 2. Name and help are
    those of its module.
    """
    module = sys.modules[measure.__module__]
    name = module.__spec__.name if module.__spec__ else module.__name__

    def main(arguments: Sequence[str] | None = None) -> int:
        parser = argparse.ArgumentParser(
            prog=f"python -m {name}", description=(module.__doc__ or "").split("\n")[0]
        )
        for add in (
            *options,
            option("--json", type=Path, metavar="FILE", help="write what is printed as JSON"),
        ):
            add(parser)
        options_given = parser.parse_args(arguments)
        try:
            report = measure(options_given)
        except argparse.ArgumentError as error:
            parser.error(str(error))
        except LecternError as error:
            print(error, file=sys.stderr)
            return 1
        if options_given.json and report is not None:
            write_json(options_given.json, report)
        return 0

    return main


def option(*names: str, **settings: Any) -> Options:
    """Return what adds one option to a parser.

    The arguments of ``ArgumentParser.add_argument``.
    """
    return lambda parser: parser.add_argument(*names, **settings)


data_option = option("--data", type=Path, required=True, metavar="DIR", help="the data folder")


def write_json(path: Path, report: object) -> None:
    """Write a report; values that are not JSON's, as ``Share``, write what their ``plain()`` returns."""
    text = json.dumps(report, indent=1, ensure_ascii=False, default=lambda value: value.plain())
    path.write_text(text + "\n", encoding="utf-8")


def table(rows: Iterable[Mapping[str, object]], *, digits: int = 3) -> str:
    """Return rows as an aligned table with a head.

    The first column to the left, numbers with so many digits.
    """
    listed = list(rows)
    heads = list(dict.fromkeys(head for table_row in listed for head in table_row))
    lines = [heads]
    for table_row in listed:
        lines.append([_cell(table_row.get(head, ""), digits) for head in heads])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    aligned_lines = []
    for line in lines:
        aligned = []
        for column, (cell, width) in enumerate(zip(line, widths, strict=True)):
            aligned.append(cell.rjust(width) if column else cell.ljust(width))
        aligned_lines.append("  ".join(aligned))
    return "\n".join(aligned_lines)


def printed(shares: dict[str, Any]) -> dict[str, Any]:
    """Print shares by name, one a line, and return them."""
    for name, share in shares.items():
        print(f"{name:42}{share}  of {share.of}" if hasattr(share, "of") else f"{name:42}{share}")
    return shares


def _cell(value: object, digits: int) -> str:
    if isinstance(value, float):
        return f"{value:.{digits}f}"
    if isinstance(value, (list, tuple)):
        return " to ".join(_cell(member, digits) for member in value)
    return str(value)
