"""Significance of a mean or a difference: bootstrap intervals and paired randomisation tests.

The unit is a topic, here a transcript; within it, items, here sentences. Everything is seeded.
Source: Smucker, Allan and Carterette, A comparison of statistical significance tests, CIKM 2007
(randomisation test); Efron and Tibshirani, An Introduction to the Bootstrap, 1993 (percentile
interval).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Mask = NDArray[np.bool_]
EXACT = 16  # up to so many topics every assignment of signs is tried


class Interval(NamedTuple):
    """A percentile interval of a statistic."""

    low: float
    high: float


def average_precision(scores: Floats, relevant: Mask) -> float:
    """Return AP of one topic's items, 0 where none is relevant; equal scores in the order given.

    An item with a score of -inf is not in the ranking: if it is relevant, it counts as not found.
    """
    places = np.flatnonzero((relevant & (scores > -np.inf))[np.argsort(-scores, kind="stable")]) + 1
    return float((np.arange(1, len(places) + 1) / places).sum() / max(relevant.sum(), 1))


def average_precision_h(scores: Floats, relevant: Mask) -> float:
    """Return AP_H of one topic's items.

    Scores (2, n) are theirs and, above 0, which come with a right claim.

    Source: as ``ranking.metrics.average_precision_h``.
    """
    hit = (relevant & (scores[1] > 0) & (scores[0] > -np.inf))[
        np.argsort(-scores[0], kind="stable")
    ]
    places = np.flatnonzero(hit) + 1
    return float((np.arange(1, len(places) + 1) / places).sum() / max(relevant.sum(), 1))


def bootstrap(
    topics: Sequence[tuple[Floats, Mask]],
    statistic: Callable[[Floats, Mask], float] = average_precision,
    *,
    rounds: int = 2000,
    level: float = 0.95,
    seed: int = 17,
) -> Interval:
    """Return the interval of the mean of ``statistic`` over topics, items drawn again within each topic.

    A topic is its items' scores (n,) or (s, n) and which are relevant (n,). Relevant and other
    items are drawn apart, so that each round has as many relevant ones as the topic. The topics
    stay as they are: what would change on other transcripts is not in the interval.
    """
    rng = np.random.default_rng(seed)
    means = np.zeros(rounds)
    for i in range(rounds):
        means[i] = np.mean(
            [statistic(*_drawn(scores, relevant, rng)) for scores, relevant in topics]
        )
    tail = (1 - level) / 2
    return Interval(float(np.quantile(means, tail)), float(np.quantile(means, 1 - tail)))


def _drawn(scores: Floats, relevant: Mask, rng: np.random.Generator) -> tuple[Floats, Mask]:
    parts = [np.flatnonzero(relevant), np.flatnonzero(~relevant)]
    rows = np.sort(np.concatenate([rng.choice(part, len(part)) for part in parts if len(part)]))
    return scores[..., rows], relevant[rows]


def difference(scores: Floats, relevant: Mask) -> float:
    """Return the AP of the first row of scores (2, n) less that of the second.

    A statistic for ``bootstrap``.
    """
    return average_precision(scores[0], relevant) - average_precision(scores[1], relevant)


def randomisation_test(differences: Floats, *, rounds: int = 100_000, seed: int = 17) -> float:
    """Return the two-sided p of a mean of paired differences (t,) at least as far from 0, were signs chance.

    Exact over all assignments of signs for up to ``EXACT`` topics (seven transcripts: p is 1/64 at the least), else
    ``rounds`` random ones, the observed one counted.
    """
    differences = np.asarray(differences, float)
    t = len(differences)
    if not t:
        return 1.0
    observed = abs(differences.sum())
    if t <= EXACT:
        signs = 1 - 2 * ((np.arange(1 << t)[:, None] >> np.arange(t)) & 1)
        return float((np.abs(signs @ differences) >= observed - 1e-12).mean())
    rng = np.random.default_rng(seed)
    sums = np.array([(differences * rng.choice((-1, 1), t)).sum() for _ in range(rounds)])
    return float(((np.abs(sums) >= observed - 1e-12).sum() + 1) / (rounds + 1))


def swap_test(
    topics: Sequence[tuple[Floats, Mask]], *, rounds: int = 2000, seed: int = 17
) -> float:
    """Return the two-sided p of the difference of MAP of two systems when each sentence's ranks may be exchanged.

    A topic is the scores of both systems (2, n) and which items are relevant (n,). Scores become
    ranks within the topic; a round exchanges the two ranks of each item or not, by chance. Finer
    than ``randomisation_test``, which knows only as many signs as there are topics.
    """
    rng = np.random.default_rng(seed)
    ranked = [(_ranks(scores), relevant) for scores, relevant in topics]
    observed = abs(np.mean([difference(scores, relevant) for scores, relevant in ranked]))
    extreme = 0
    for _ in range(rounds):
        differences = [difference(_exchanged(scores, rng), relevant) for scores, relevant in ranked]
        extreme += abs(np.mean(differences)) >= observed - 1e-12
    return (extreme + 1) / (rounds + 1)


def _ranks(scores: Floats) -> Floats:
    return -np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1, kind="stable").astype(
        float
    )


def _exchanged(scores: Floats, rng: np.random.Generator) -> Floats:
    return np.where(rng.random(scores.shape[1]) < 0.5, scores, scores[::-1])
