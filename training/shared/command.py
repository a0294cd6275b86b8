"""The command line of the training scripts: a parser with the options they share, and those that a card repeats."""

from __future__ import annotations

import argparse
from pathlib import Path


def parser(module: str, doc: str | None, *, work: str = "", out: str = "models") -> argparse.ArgumentParser:
    """Return a parser with ``--data``, ``--work`` and ``--seed``, and with ``--out`` unless ``out`` is empty.

    ``work``: the default folder for vectors, checkpoints and curves; without one ``--work`` must be given.
    """
    made = argparse.ArgumentParser(prog=f"python -m training.{module}", description=(doc or "").split("\n")[0])
    made.add_argument("--data", type=Path, required=True, metavar="DIR", help="the data folder")
    about = "where vectors, checkpoints and curves are kept for the next run"
    made.add_argument("--work", type=Path, required=not work, default=Path(work), metavar="DIR", help=about)
    if out:
        made.add_argument("--out", type=Path, default=Path(out), metavar="DIR", help="where weights and card go")
    made.add_argument("--seed", type=int, default=17, help="everything random follows from it")
    return made


def flags(options: argparse.Namespace, *names: str) -> str:
    """Return options as they are typed, for the command that a card names; a switch that is off is left out."""
    given = {name: getattr(options, name.replace("-", "_")) for name in names}
    typed = {name: "" if value is True else f" {value}" for name, value in given.items() if value is not False}
    return " ".join(f"--{name}{value}" for name, value in typed.items())
