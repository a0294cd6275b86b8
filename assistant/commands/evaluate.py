"""The command ``eval``: scores a TREC run against qrels and prints MAP, MRR and Hit@k."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from assistant.commands.terminal import print_line
from assistant.core.errors import LecternError
from assistant.core.replacement import require_regular_file

Table = TypeVar("Table")


def add(subcommands: argparse._SubParsersAction, _: argparse.ArgumentParser) -> None:
    """Add the command."""
    evaluate = subcommands.add_parser("eval", help="score a TREC run against reference judgements")
    evaluate.add_argument("run_file", metavar="RUN", help="TREC run file to score")
    evaluate.add_argument("qrels", metavar="QRELS", help="TREC file with the reference judgements")
    evaluate.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print a line a metric."""
    from ranking import metrics, trec

    run_scores = _table(options.run_file, trec.read_run)
    relevance_judgements = _table(options.qrels, trec.read_qrels)
    print_line(f"MAP\t{metrics.mean_average_precision(run_scores, relevance_judgements):.4f}")
    for k in (1, 3, 5):
        map_at_k = metrics.mean_average_precision(run_scores, relevance_judgements, depth=k)
        print_line(f"MAP@{k}\t{map_at_k:.4f}")
    print_line(
        f"MRR\t{metrics.mean(metrics.reciprocal_rank, run_scores, relevance_judgements):.4f}"
    )
    for k in (1, 5):
        hit_at_k = partial(metrics.hit_at, k=k)
        print_line(f"Hit@{k}\t{metrics.mean(hit_at_k, run_scores, relevance_judgements):.4f}")


def _table(path: str, parse: Callable[..., Table]) -> Table:
    require_regular_file(Path(path), LecternError)
    try:
        with open(path, encoding="utf-8") as lines:
            return parse(lines)
    except OSError as error:
        raise LecternError(f"cannot be read ({error.strerror}).", where=path) from error
    except ValueError as error:
        raise LecternError(
            f"{error}.",
            where=path,
            remedy="Lectern expects TREC text, with fields separated by spaces.",
        ) from error
