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
    """Return each feature's maximum over the first ``depth`` usable candidates, (n, f).

    Shapes: X (n, k, f) with the candidates of a sentence best first, usable (n, k). A sentence
    without usable candidates gets 0.
    """
    if depth is None:
        depth = usable.shape[1]
    # The number of usable candidates up to and including each one, (n, k).
    usable_rank = np.cumsum(usable, axis=1)
    is_pooled = usable & (usable_rank <= depth)
    pooled_values = np.where(is_pooled[:, :, None], X, -np.inf)  # (n, k, f)
    highest_values = pooled_values.max(axis=1, initial=-np.inf)  # (n, f)
    # A sentence without a usable candidate has 0.
    return np.where(np.isfinite(highest_values), highest_values, 0.0)


def largest(X: Floats, usable: Mask, depth: int) -> Floats:
    """Return the ``depth`` largest values of each feature in descending order, (n, f * depth).

    The values of one feature are next to each other. An unusable candidate counts as 0, and so
    does a missing one, as in the published code. Shapes: X (n, k, f), usable (n, k).
    """
    n, k, f = X.shape  # sentences, candidates, features
    # Unusable candidates have the value 0, and so have missing ones, up to the depth.
    usable_values = np.zeros((n, max(k, depth), f), dtype=X.dtype)
    usable_values[:, :k] = np.where(usable[:, :, None], X, 0.0)
    descending = -np.sort(-usable_values, axis=1)
    largest_values = descending[:, :depth]  # (n, depth, f)
    by_feature = largest_values.transpose(0, 2, 1)  # (n, f, depth)
    return by_feature.reshape(n, f * depth)


def side_by_side(X: Floats, usable: Mask, depth: int) -> Floats:
    """Return all features of the first ``depth`` candidates, one after the other, (n, depth * f).

    Unusable ones are 0.
    """
    n, k, f = X.shape  # sentences, candidates, features
    # With fewer candidates than the depth, the missing ones keep zeros, (n, depth, f).
    candidate_count = min(k, depth)
    candidate_values = np.zeros((n, depth, f), dtype=X.dtype)
    is_usable = usable[:, :candidate_count, None]
    candidate_values[:, :candidate_count] = np.where(is_usable, X[:, :candidate_count], 0.0)
    return candidate_values.reshape(n, depth * f)


def highest_of_groups(
    scores: Floats, group: NDArray[np.integer], n: int, *, empty: float = -np.inf
) -> Floats:
    """Return the largest of the scores (p,) of each group (p,), (n,).

    A group without scores gets ``empty``.
    """
    best = np.full(n, -np.inf)
    np.maximum.at(best, group, scores)
    return np.where(np.isneginf(best), empty, best)


def two_highest_of_groups(
    scores: Floats, group_of_row: NDArray[np.integer], group_count: int
) -> tuple[Floats, Floats]:
    """Return the largest and the second largest score of each group, (n,) each.

    -inf if there is none. The rows of a group stand together.
    """
    # The rows by group, the highest score of each first, (p,), and their ranks in their groups,
    # from 0, (p,). In lexsort the last key counts first.
    sorted_rows = np.lexsort((-scores, group_of_row))
    rank_in_group = position_in_group(group_of_row[sorted_rows])
    first_rows = sorted_rows[rank_in_group == 0]
    second_rows = sorted_rows[rank_in_group == 1]
    # One value for each of the n groups
    highest_scores = np.full(group_count, -np.inf, scores.dtype)
    highest_scores[group_of_row[first_rows]] = scores[first_rows]
    second_scores = np.full(group_count, -np.inf, scores.dtype)
    second_scores[group_of_row[second_rows]] = scores[second_rows]
    return highest_scores, second_scores


def sums_of_groups(values: Floats, group: NDArray[np.integer], n: int) -> Floats:
    """Return the sum of the values (p,) of each group, (n,). The rows of a group stand together."""
    # numpy adds the values of a row pairwise, in an order that depends on the row's length. All
    # groups are rows of one length, filled up with zeros, so that all are added alike.
    position = position_in_group(group)
    longest = int(position.max(initial=-1)) + 1
    rows = np.zeros((n, longest), values.dtype)
    rows[group, position] = values
    return rows.sum(axis=1)


def best_rows_of_groups(
    scores: Floats, group_of_row: NDArray[np.integer], is_preferred: Mask
) -> NDArray[np.intp]:
    """Return for each row (p,) the row with the highest score of its group.

    If the group has wanted rows, only those count. Of equal rows the first counts. Shapes: scores,
    group, wanted (p,).
    """
    # The rows by group, then preferred ones first, then by descending score, then in the order
    # given, (p,). In lexsort the last key counts first.
    sorted_rows = np.lexsort((np.arange(len(scores)), -scores, ~is_preferred, group_of_row))
    # Where each group starts in this order, (g,), and the number of each row's group, (p,)
    _, group_starts, group_of_sorted_row = np.unique(
        group_of_row[sorted_rows], return_index=True, return_inverse=True
    )
    # The first row of each group is its best; give it to every row of the group.
    best_row_of_group = sorted_rows[group_starts]
    best_rows = np.empty(len(scores), np.intp)
    best_rows[sorted_rows] = best_row_of_group[group_of_sorted_row]
    return best_rows


def position_in_group(group: NDArray[np.integer]) -> NDArray[np.intp]:
    """Return the position of each row in its group, from 0, (p,).

    The rows of a group must be next to each other.
    """
    # A group starts where the number of the group changes; the number before the first differs.
    starts = np.flatnonzero(np.diff(group, prepend=group[:1] - 1))
    sizes = np.diff(starts, append=len(group))
    return np.arange(len(group)) - np.repeat(starts, sizes)


def scale(rows: Floats, low: Floats, high: Floats) -> Floats:
    """Scale each column so that ``low`` becomes -1 and ``high`` 1.

    A column without spread is 0.
    """
    # 2 (x - low) / (high - low) - 1 per column; a spread of infinity keeps a constant column
    # finite.
    has_spread = high > low
    spread = np.where(has_spread, high - low, np.inf)
    return np.where(has_spread, 2 * (rows - low) / spread - 1, 0.0)
