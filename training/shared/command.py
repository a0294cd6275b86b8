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
    made = argparse.ArgumentParser(
        prog=f"python -m training.{module}", description=(doc or "").split("\n")[0]
    )
    made.add_argument("--data", type=Path, required=True, metavar="DIR", help="the data folder")
    about = "where vectors, checkpoints and curves are kept for the next run"
    made.add_argument(
        "--work", type=Path, required=not work, default=Path(work), metavar="DIR", help=about
    )
    if out:
        made.add_argument(
            "--out", type=Path, default=Path(out), metavar="DIR", help="where weights and card go"
        )
    made.add_argument("--seed", type=int, default=17, help="everything random follows from it")
    return made


def flags(options: argparse.Namespace, *names: str) -> str:
    """Return options as they are typed, for the command that a card names.

    A switch that is off is left out.
    """
    given = {name: getattr(options, name.replace("-", "_")) for name in names}
    typed = {
        name: "" if value is True else f" {value}"
        for name, value in given.items()
        if value is not False
    }
    return " ".join(f"--{name}{value}" for name, value in typed.items())


def status(run: Callable[[argparse.Namespace], object], options: argparse.Namespace) -> int:
    """Run a script; return 0, or 1 after a ``LecternError``, which standard error gets in one line."""
    try:
        run(options)
    except LecternError as error:
        print(error, file=sys.stderr)
        return 1
    return 0
