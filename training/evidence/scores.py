"""Evidence scores: how well the sentences of each article are ranked, means over seeds, and intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from training.shared.significance import Interval, average_precision

Floats = NDArray[np.float64]
MEASURES = ("P@1", "Hit@3", "P@5", "R@5", "F1@5", "MAP")


def measures(scores: NDArray[np.floating], target: NDArray[np.floating]) -> Floats:
    """Return the MEASURES of one article. Sentences of unknown target (below 0) are passed over.

    Shapes: scores (n,), target (n,), of which one at least is above 0; equal scores in the order
    of the article.
    """
    known = target >= 0
    relevant = (target > 0)[known]
    placed = relevant[np.argsort(-scores[known], kind="stable")]
    precision = placed[:5].sum() / 5
    recall = placed[:5].sum() / relevant.sum()
    f1 = 2 * precision * recall / (precision + recall) if placed[:5].any() else 0.0
    ap = average_precision(scores[known], relevant)
    return np.array([placed[0], placed[:3].any(), precision, recall, f1, ap], float)


def table(
    ranked: Sequence[Sequence[NDArray[np.floating]]], targets: Sequence[NDArray[np.floating]]
) -> Floats:
    """Return the measures of each article, means over the runs.

    Runs of scores by article → (articles, measures).
    """
    runs = [
        [measures(scores, target) for scores, target in zip(run, targets, strict=True)]
        for run in ranked
    ]
    return np.mean(runs, axis=0)


def interval(
    values: Floats, *, rounds: int = 10_000, level: float = 0.95, seed: int = 17
) -> Interval:
    """Return the percentile interval of the mean when the articles are drawn again, (articles,) → low and high.

    Of differences of two systems on the same articles it is the paired interval.
    """
    rng = np.random.default_rng(seed)
    means = np.mean(values[rng.integers(0, len(values), (rounds, len(values)))], axis=1)
    tail = (1 - level) / 2
    return Interval(float(np.quantile(means, tail)), float(np.quantile(means, 1 - tail)))
