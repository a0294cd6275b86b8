"""The command line of the training scripts.

A parser with the options they share, those that a card repeats, and the
status that a script ends with.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from assistant.core.errors import LecternError


def parser(
    module: str, doc: str | None, *, work: str = "", out: str = "models"
) -> argparse.ArgumentParser:
    """Return a parser with ``--data``, ``--work`` and ``--seed``, and with ``--out`` unless ``out`` is empty.

    ``work``: the default folder for vectors, checkpoints and curves; without one ``--work`` must be given.
    """
    command_line = argparse.ArgumentParser(
        prog=f"python -m training.{module}", description=(doc or "").split("\n")[0]
    )
    command_line.add_argument(
        "--data", type=Path, required=True, metavar="DIR", help="the data folder"
    )
    about = "where vectors, checkpoints and curves are kept for the next run"
    command_line.add_argument(
        "--work", type=Path, required=not work, default=Path(work), metavar="DIR", help=about
    )
    if out:
        command_line.add_argument(
            "--out", type=Path, default=Path(out), metavar="DIR", help="where weights and card go"
        )
    command_line.add_argument(
        "--seed", type=int, default=17, help="everything random follows from it"
    )
    return command_line


def flags(options: argparse.Namespace, *names: str) -> str:
    """Return options as they are typed, for the command that a card names."""
    typed = []
    for name in names:
        value = getattr(options, name.replace("-", "_"))
        if value is True:
            typed.append(f"--{name}")
        elif value is not False:
            typed.append(f"--{name} {value}")
    return " ".join(typed)


def status(run: Callable[[argparse.Namespace], object], options: argparse.Namespace) -> int:
    """Run a script; return 0, or 1 after a ``LecternError``, which standard error gets in one line."""
    try:
        run(options)
    except LecternError as error:
        print(error, file=sys.stderr)
        return 1
    return 0
