"""Pooling: from the measures of a sentence's candidates to one row for the sentence.

There are two readings of one published method (Shaar et al., Assisting the Human Fact-Checkers).
The paper's text: the maximum of each measure over the candidates (``maximum``). The published
code: for each measure by itself the N largest values (``largest``); for N = 1 the two agree but
for how a claim is skipped: left out, or set to 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Mask = NDArray[np.bool_]


def maximum(X: Floats, usable: Mask, depth: int | None = None) -> Floats:
    """Return (n, f): each measure's maximum over the first ``depth`` usable candidates, 0 where there is none.

    Shapes: X (n, k, f) with the candidates of a sentence best first, usable (n, k).
    """
    taken = usable & (np.cumsum(usable, axis=1) <= (depth or usable.shape[1]))
    values = np.where(taken[:, :, None], X, -np.inf).max(axis=1, initial=-np.inf)
    return np.where(np.isfinite(values), values, 0.0)


def largest(X: Floats, usable: Mask, depth: int) -> Floats:
    """Return (n, f * depth): the ``depth`` largest values of each measure, falling.

    Those of one measure side by side.

    An unusable candidate counts as 0, and so does a place that no candidate fills, as in the
    published code. Shapes: X (n, k, f), usable (n, k).
    """
    n, k, f = X.shape
    values = np.zeros((n, max(k, depth), f), dtype=X.dtype)
    values[:, :k] = np.where(usable[:, :, None], X, 0.0)
    top = -np.sort(-values, axis=1)[:, :depth]
    return top.transpose(0, 2, 1).reshape(n, f * depth)


def side_by_side(X: Floats, usable: Mask, depth: int) -> Floats:
    """Return (n, depth * f): all measures of the first ``depth`` candidates, one after the other.

    Unusable ones 0.
    """
    n, k, f = X.shape
    values = np.zeros((n, depth, f), dtype=X.dtype)
    values[:, : min(k, depth)] = np.where(usable[:, :depth, None], X[:, :depth], 0.0)
    return values.reshape(n, depth * f)


def best_of_groups(
    scores: Floats, group: NDArray[np.integer], n: int, *, empty: float = -np.inf
) -> Floats:
    """Return (n,): the largest of the scores (p,) that belong to each group (p,), ``empty`` for a group without any."""
    best = np.full(n, -np.inf)
    np.maximum.at(best, group, scores)
    return np.where(np.isneginf(best), empty, best)


def two_best_of_groups(scores: Floats, group: NDArray[np.integer], n: int) -> tuple[Floats, Floats]:
    """Return the largest and the second largest score of each group, (n,) each.

    -inf if there is none. The rows of a group stand together.
    """
    order = np.lexsort((-scores, group))
    place = place_in_group(group[order])
    two_best = []
    for wanted in (0, 1):
        rows = order[place == wanted]
        best = np.full(n, -np.inf, scores.dtype)
        best[group[rows]] = scores[rows]
        two_best.append(best)
    return two_best[0], two_best[1]


def sums_of_groups(values: Floats, group: NDArray[np.integer], n: int) -> Floats:
    """Return the sum of the values (p,) of each group, (n,). The rows of a group stand together."""
    # numpy adds the values of a row pairwise, in an order that depends on the row's length. All
    # groups are rows of one length, filled up with zeros, so that all are added alike.
    place = place_in_group(group)
    rows = np.zeros((n, int(place.max(initial=-1)) + 1), values.dtype)
    rows[group, place] = values
    return rows.sum(axis=1)


def first_of_groups(scores: Floats, group: NDArray[np.integer], wanted: Mask) -> NDArray[np.intp]:
    """Return for each row (p,) the row with the highest score of its group.

    Of the wanted ones, where there are any.

    Shapes: scores, group, wanted (p,). Of equal rows the first counts.
    """
    order = np.lexsort((np.arange(len(scores)), -scores, ~wanted, group))
    different, start, back = np.unique(group[order], return_index=True, return_inverse=True)
    first = np.empty(len(scores), np.intp)
    first[order] = order[start][back]
    return first


def place_in_group(group: NDArray[np.integer]) -> NDArray[np.intp]:
    """Return the place of each row in its group, from 0, (p,).

    The rows of a group stand together.
    """
    starts = np.flatnonzero(np.diff(group, prepend=group[:1] - 1))
    return np.arange(len(group)) - np.repeat(starts, np.diff(starts, append=len(group)))


def scale(rows: Floats, low: Floats, high: Floats) -> Floats:
    """Return rows with each column's ``low`` at -1 and ``high`` at 1.

    A column without spread is 0.
    """
    spread = np.where(high > low, high - low, np.inf)
    return np.where(high > low, 2 * (rows - low) / spread - 1, 0.0)
