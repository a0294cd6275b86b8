"""Compare two re-rankers on the pairs that neither has learnt from.

python -m training.reranker.difference --data DIR [--before WEIGHTS] [--after WEIGHTS]

Each is a weights file or the re-ranker of a profile, by default ``embedded`` and ``large``.
Prints AP of *settled* and of *settled or in part* for both, and the 95 % interval of the difference
when the debates are drawn again. That interval holds what would change on other debates, so it is
wider than one over pairs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.core.settings import RERANKERS
from features.models import reranker
from features.models.reranker import LABELS
from training.reranker.pairs import AsRead, taught
from training.shared.command import status
from training.shared.significance import Interval

DRAWS = 2000
MEASURES = ("settled", "settled or in part")


def read(name: str, pairs: Sequence[AsRead]) -> NDArray[np.floating]:
    """Return the log-odds of both measures that a re-ranker gives the pairs, (n, 2).

    ``name``: the re-ranker of a profile, or the path of a weights file.
    """
    if name in RERANKERS:
        used = reranker.load(name)
    else:
        used = reranker.load_single(str(Path(name).resolve()))
    texts = [pair.pair() for pair in pairs]
    return used.read([text.premise for text in texts], [text.hypothesis for text in texts])


def redrawn(
    scores: NDArray[np.floating],
    relevant: NDArray[np.bool_],
    debates: Sequence[str],
    *,
    seed: int = 17,
) -> Interval:
    """Return the interval of the difference in AP between the two rows of scores (2, n).

    Whole debates are drawn again, each as often as chance has it.
    """
    # Ties share a place, because log-odds are cut at both ends: many pairs have the highest.
    from sklearn.metrics import average_precision_score

    rng = np.random.default_rng(seed)
    names = sorted(set(debates))
    debate_of_pair = np.array(debates)
    pairs_by_debate = [np.flatnonzero(debate_of_pair == name) for name in names]
    differences = []
    for _ in range(DRAWS):
        drawn = np.concatenate(
            [pairs_by_debate[i] for i in rng.integers(0, len(names), len(names)).tolist()]
        )
        after, before = (average_precision_score(relevant[drawn], row[drawn]) for row in scores)
        differences.append(after - before)
    low, high = np.quantile(differences, (0.025, 0.975)).tolist()
    return Interval(low, high)


def compared(
    before: NDArray[np.floating], after: NDArray[np.floating], pairs: Sequence[AsRead]
) -> dict[str, dict[str, object]]:
    """Return AP of both log-odds (n, 2) and the interval of their difference, by measure."""
    from sklearn.metrics import average_precision_score

    label = np.array([pair.label for pair in pairs])
    debates = [pair.debate for pair in pairs]
    figures: dict[str, dict[str, object]] = {}
    for column, name in enumerate(MEASURES):
        relevant = label == LABELS.index("settled") if column == 0 else label > 0
        scores = np.stack([after[:, column], before[:, column]])
        interval = redrawn(scores, relevant, debates)
        figures[name] = {
            "before": round(float(average_precision_score(relevant, scores[1])), 4),
            "after": round(float(average_precision_score(relevant, scores[0])), 4),
            "difference": [round(bound, 4) for bound in interval],
        }
    return figures


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the comparison."""
    parser = argparse.ArgumentParser(
        prog="python -m training.reranker.difference",
        description=(__doc__ or "").split("\n")[0],
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the data folder")
    parser.add_argument("--before", default="embedded", help="the one re-ranker")
    parser.add_argument("--after", default="large", help="the other")
    return status(_printed, parser.parse_args(arguments))


def _printed(options: argparse.Namespace) -> None:
    _, held_out = taught(options.data)
    before = read(options.before, held_out)
    after = read(options.after, held_out)
    figures = compared(before, after, held_out)
    print(json.dumps({"pairs": len(held_out), **figures}, indent=1))


if __name__ == "__main__":
    sys.exit(main())
