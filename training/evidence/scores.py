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
    is_known = target >= 0
    known_scores = scores[is_known]
    relevant = (target > 0)[is_known]
    ranked = relevant[np.argsort(-known_scores, kind="stable")]
    hits = ranked[:5].sum()
    precision = hits / 5
    recall = hits / relevant.sum()
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    ap = average_precision(known_scores, relevant)
    return np.array([ranked[0], ranked[:3].any(), precision, recall, f1, ap], float)


def table(
    ranked: Sequence[Sequence[NDArray[np.floating]]], targets: Sequence[NDArray[np.floating]]
) -> Floats:
    """Return the measures of each article, means over the runs.

    Runs of scores by article → (articles, measures).
    """
    runs = []
    for run in ranked:
        pairs = zip(run, targets, strict=True)
        runs.append([measures(scores, target) for scores, target in pairs])
    return np.mean(runs, axis=0)


def interval(
    values: Floats, *, rounds: int = 10_000, level: float = 0.95, seed: int = 17
) -> Interval:
    """Return the percentile interval of the mean when the articles are drawn again, (articles,) → low and high.

    Of differences of two systems on the same articles it is the paired interval.
    """
    rng = np.random.default_rng(seed)
    samples = values[rng.integers(0, len(values), (rounds, len(values)))]
    means = np.mean(samples, axis=1)
    tail = (1 - level) / 2
    return Interval(float(np.quantile(means, tail)), float(np.quantile(means, 1 - tail)))
