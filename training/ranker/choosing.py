"""The command line of scripts that choose a value of the ranker on the debates for training."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from training.shared.command import status
from training.shared.opening import add_models_option, add_options
from training.shared.readings import TEACH, TEST


def choose(
    script: str,
    doc: str | None,
    measure: Callable[[argparse.Namespace], object],
    arguments: Sequence[str] | None,
    *,
    value: str,
) -> int:
    """Measure on one part of the debates with the options of a script, and return its status.

    ``script`` is its module in ``training.ranker``, and ``doc`` the docstring of that module.
    ``value`` names what is chosen: "threshold". With the debates that test, ``--write`` is an
    error, because nothing may be chosen on them.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m training.ranker.{script}", description=(doc or "").split("\n")[0]
    )
    add_options(parser)
    parser.add_argument(
        "--half", choices=(TEACH, TEST), default=TEACH, help="debates to measure (default: teach)"
    )
    add_models_option(parser)
    parser.add_argument("--write", action="store_true", help=f"ship the chosen {value}")
    options = parser.parse_args(arguments)
    if options.write and options.half == TEST:
        parser.error(f"a {value} is chosen on the half that teaches: leave out --half {TEST}")
    return status(measure, options)
