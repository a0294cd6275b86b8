"""Ranking vectors of the paper's method as svmlight files.

What does another ranker make of the same rows?

``python -m bench.paper.vectors --learn FILE --rank FILE [--kernel rbf] [--C 1]`` learns a RankSVM on the vectors of one
file, ranks those of the other and prints their MAP. ``python -m bench.sentence_ranking --data DIR --table 5 --vectors
DIR`` writes such files, two for each debate; any tool that reads svmlight text with ``qid`` (SVMrank, LIBSVM's ranking
build, LightGBM) can learn from them, and files of such tools and of the LETOR collections can be ranked here. Expected:
over the pairs of files of the seven debates, the MAP of Table 5's row ``ranksvm-max-skip/text/linear/N=5``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from assistant.check.rankers import Pooling
from assistant.core.errors import LecternError
from bench.command import command, option
from bench.paper.method import Folds, Variant, rows
from ranking import svmlight
from ranking.pooling import scale
from ranking.ranksvm import KERNEL_NAMES, RankSVM
from training.shared.significance import average_precision

PUBLISHED = Variant(Pooling("text", 5, True))


def write(folds: Folds, folder: Path, variant: Variant = PUBLISHED) -> None:
    """Write ``NAME.test`` per debate with its rows and ``NAME.train`` with all others, one qid each."""
    folder.mkdir(parents=True, exist_ok=True)
    rows_by_debate = {name: rows(folds.whole[name, False], variant.pooling) for name in folds.names}
    for name in folds.names:
        other_names = [other_name for other_name in folds.names if other_name != name]
        for suffix, names in (("train", other_names), ("test", [name])):
            row_counts = [len(rows_by_debate[member]) for member in names]
            groups = np.repeat(np.arange(1, len(names) + 1), row_counts)
            labels = np.concatenate([folds.relevant[member, False] for member in names])
            values = np.concatenate([rows_by_debate[member] for member in names])
            svmlight.write(folder / f"{name}.{suffix}", values, labels.astype(float), groups)


def mean_average_precision(
    learn: Path, rank: Path, *, kernel: str = "linear", C: float = 1.0
) -> float:
    """Return the MAP over the groups of ``rank`` with a relevant row, by a RankSVM of ``learn``."""
    X, y, qid = svmlight.read(learn)
    ranked, labels, groups = svmlight.read(rank, X.shape[1])
    low = X.min(axis=0)
    high = X.max(axis=0)
    svm = RankSVM(C, kernel=kernel).fit(scale(X, low, high), y, qid)
    scores = svm.decision_function(scale(ranked, low, high))
    precisions = []
    for group in np.unique(groups):
        members = groups == group
        relevant = labels[members] > 0
        if relevant.any():
            precisions.append(average_precision(scores[members], relevant))
    return float(np.mean(precisions))


def measure(options: argparse.Namespace) -> dict[str, float]:
    """Print and return the MAP of one pair of files."""
    try:
        value = mean_average_precision(
            options.learn, options.rank, kernel=options.kernel, C=options.C
        )
    except (OSError, ValueError) as error:
        raise LecternError(str(error)) from error
    print(f"MAP\t{value:.4f}")
    return {"MAP": value}


main = command(
    measure,
    option("--learn", type=Path, required=True, metavar="FILE", help="vectors to learn from"),
    option("--rank", type=Path, required=True, metavar="FILE", help="vectors to rank"),
    option("--kernel", choices=KERNEL_NAMES, default="linear"),
    option("--C", type=float, default=1.0, help="weight of the loss"),
)

if __name__ == "__main__":
    sys.exit(main())
