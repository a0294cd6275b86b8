"""RankSVM: a pairwise ranker whose weights put the relevant rows of a group before the others.

Minimises |w|^2 / 2 + C * sum over pairs of max(0, 1 - (score of the better - score of the
worse))^2. The pairs are all rows of one group (``qid``) with different labels. The problem is
solved in the primal by Newton steps with the exact Hessian; pairs are never listed: a group with p
better and q worse rows is a p x q matrix. The kernel form is the same problem over the columns of
a pivoted Cholesky factor of the kernel matrix. It has as many columns as leave no row's square
norm short by more than ``MAX_UNEXPLAINED_NORM``, ``MAX_FACTOR_COLUMNS`` at most, so it is an approximation if that limit is
reached. Nothing is random, and no pair is left out.

Source: Joachims 2002 (pairs); Chapelle and Keerthi 2010 (Newton in the primal); Fine and
Scheinberg 2001 (the factor); the squared loss, C = 1 and gamma = 1 / inputs are the defaults of
LIBSVM's ranking build, which Shaar et al. used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from sklearn.base import BaseEstimator
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    check_is_fitted,
    check_X_y,
    validate_data,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
KERNEL_NAMES = ("linear", "rbf")
MAX_UNEXPLAINED_NORM = 1e-4
MAX_FACTOR_COLUMNS = 300
MAX_STEPS = 100  # of Newton's method
# Better rows (p,) and worse rows (q,): each of the first is better than each of the second.
Block = tuple[Ints, Ints]


class RankSVM(BaseEstimator):
    """A pairwise ranker with scikit-learn's contract and ``qid``.

    ``C``: weight of the loss. ``kernel``: linear or rbf. ``gamma``: width of the rbf kernel, None
    for 1 / features. After ``fit``: ``coef_`` (f,) for the linear kernel, else ``rows_`` (r, f) and
    ``dual_`` (r,).
    """

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: str = "linear",
        gamma: float | None = None,
        tol: float = 1e-6,
    ):
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.tol = tol

    def fit(self, X: ArrayLike, y: ArrayLike, qid: ArrayLike | None = None) -> RankSVM:
        """Learn from rows X (n, f), labels y (n,), larger is better, and groups qid (n,).

        Without qid all are one.

        Raises: ValueError if no group holds two different labels, or a parameter is out of range.
        """
        if self.kernel not in KERNEL_NAMES or not self.C > 0:
            raise ValueError(
                f"the kernel {self.kernel!r} with C={self.C} isn't supported. "
                f"Use one of the kernels {KERNEL_NAMES}, and a C above 0"
            )
        checked_inputs: tuple[Floats, Floats] = check_X_y(X, y, dtype=np.float64, y_numeric=True)
        rows, labels = checked_inputs
        query_of_row = np.zeros(len(labels), np.int64) if qid is None else np.asarray(qid)
        check_consistent_length(rows, query_of_row)
        blocks = label_blocks(labels, query_of_row)
        if not blocks:
            raise ValueError("no group contains rows with different labels")
        self.n_features_in_ = rows.shape[1]
        if self.kernel == "linear":
            self.coef_ = _solve(rows, blocks, self.C, self.tol)
        else:
            self._fit_kernel(rows, blocks)
        return self

    def _fit_kernel(self, X: Floats, blocks: Sequence[Block]) -> None:
        self.gamma_ = self.gamma
        if self.gamma_ is None:
            self.gamma_ = 1.0 / X.shape[1]
        # A linear ranker of the factor's rows is a kernel ranker of the pivots.
        pivots, factor = pivoted_cholesky(X, self.gamma_)
        weights = _solve(factor, blocks, self.C, self.tol)
        self.rows_ = X[pivots]
        self.dual_ = solve_triangular(factor[pivots], weights, lower=True, trans="T")

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return a score for each row, higher is better.

        Only differences within a group mean something.
        """
        check_is_fitted(self, "n_features_in_")
        rows: Floats = validate_data(self, X, dtype=np.float64, reset=False)
        if self.kernel == "linear":
            return rows @ self.coef_
        # The kernel of each row (n,) with each training row that has a weight (r,)
        kernel_matrix = rbf_kernel(rows, self.rows_, gamma=self.gamma_)
        scores: Floats = kernel_matrix @ self.dual_
        return scores

    predict = decision_function

    def to_arrays(self) -> dict[str, NDArray]:
        """Return parameters and what was learnt as arrays that ``from_arrays`` reads."""
        check_is_fitted(self, "n_features_in_")
        parameters = {"kernel": np.array(self.kernel), "C": np.array(self.C, np.float64)}
        if self.kernel == "linear":
            return {**parameters, "coef": self.coef_}
        return {
            **parameters,
            "rows": self.rows_,
            "dual": self.dual_,
            "gamma": np.array(self.gamma_, np.float64),
        }

    def save(self, path: Path) -> None:
        """Write ``to_arrays`` to a file, without pickle."""
        np.savez(path, allow_pickle=False, **self.to_arrays())

    @classmethod
    def load(cls, path: Path) -> RankSVM:
        """Return a fitted ranker from ``save``.

        Raises: ValueError if the arrays are not those of a RankSVM.
        """
        with np.load(path, allow_pickle=False) as arrays:
            return cls.from_arrays({name: arrays[name] for name in arrays.files})

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray]) -> RankSVM:
        """Return a fitted ranker from the arrays that ``save`` writes."""
        try:
            ranker = cls(float(arrays["C"]), kernel=str(arrays["kernel"]))
            if ranker.kernel == "linear":
                ranker.coef_ = check_array(arrays["coef"], ensure_2d=False)
                ranker.n_features_in_ = len(ranker.coef_)
            else:
                ranker.rows_ = check_array(arrays["rows"])
                ranker.dual_ = arrays["dual"]
                ranker.gamma_ = float(arrays["gamma"])
                ranker.n_features_in_ = ranker.rows_.shape[1]
        except KeyError as missing:
            raise ValueError(
                f"these are not the weights of a RankSVM: {missing} is missing"
            ) from missing
        return ranker


def label_blocks(row_labels: Floats, query_of_row: NDArray) -> list[Block]:
    """Return blocks that contain every pair of rows with different labels in one group, once."""
    blocks = []
    for query in np.unique(query_of_row):
        query_rows = np.flatnonzero(query_of_row == query)
        query_labels = row_labels[query_rows]
        # Each label but the lowest against all lower ones. A block is the better rows and the
        # worse rows, each of which is a pair with each of the others.
        rising_labels = np.unique(query_labels)
        for label in rising_labels[1:]:
            better_rows = query_rows[query_labels == label]
            worse_rows = query_rows[query_labels < label]
            blocks.append((better_rows, worse_rows))
    return blocks


def pivoted_cholesky(
    X: Floats,
    gamma: float,
    *,
    max_residue: float = MAX_UNEXPLAINED_NORM,
    max_columns: int = MAX_FACTOR_COLUMNS,
) -> tuple[Ints, Floats]:
    """Return pivot rows (r,) and the factor L (n, r) of the rbf kernel matrix of X.

    L @ L.T is that matrix, except for ``max_residue``. The pivots' own rows of L are lower triangular.
    The next pivot is the row that is explained least so far.
    """
    row_count = len(X)
    # The square norm of each row that the factor does not explain yet, (n,).
    unexplained_norm = np.ones(row_count)
    factor = np.zeros((row_count, min(row_count, max_columns)))
    pivots: list[int] = []
    while len(pivots) < factor.shape[1] and unexplained_norm.max() > max_residue:
        pivot = int(unexplained_norm.argmax())
        column_count = len(pivots)
        # The kernel of every row with the pivot, (n,), less the part that is explained already.
        kernel_column = rbf_kernel(X, X[pivot : pivot + 1], gamma=gamma)[:, 0]
        column = kernel_column - factor[:, :column_count] @ factor[pivot, :column_count]
        column[pivots] = 0.0
        factor[:, column_count] = column / np.sqrt(unexplained_norm[pivot])
        # The new column explains more of each row; rounding must not make the rest negative.
        unexplained_norm = np.maximum(unexplained_norm - factor[:, column_count] ** 2, 0.0)
        pivots.append(pivot)
        unexplained_norm[pivots] = 0.0
    return np.array(pivots, np.int64), factor[:, : len(pivots)]


def _solve(X: Floats, blocks: Sequence[Block], C: float, tolerance: float) -> Floats:
    """Find the weights (f,) by Newton's method.

    The loss is piecewise quadratic, so it ends after some tens of steps.
    """
    weights = np.zeros(X.shape[1])
    first_gradient_norm = 0.0
    for step_number in range(MAX_STEPS):
        # How much the margin of each pair falls short of 1: (p, q) per block.
        scores = X @ weights
        margin_shortfalls = [np.maximum(0.0, 1 - _margins(scores, block)) for block in blocks]
        gradient = weights - 2 * C * (X.T @ _pull_on_rows(len(X), blocks, margin_shortfalls))
        gradient_norm = float(np.linalg.norm(gradient))
        if step_number == 0:
            first_gradient_norm = gradient_norm
        has_converged = gradient_norm <= tolerance * max(first_gradient_norm, 1.0)
        if has_converged:
            break
        # Newton's step solves hessian @ step = -gradient; a line search says how far to take it.
        hessian = _hessian(X, blocks, margin_shortfalls, C)
        step = -cho_solve(cho_factor(hessian), gradient)
        objective = _objective_along(X, blocks, C, weights, step)
        weights = weights + _step_length(objective, slope=float(gradient @ step)) * step
    return weights


def _margins(scores: Floats, block: Block) -> Floats:
    """Return the score of each better row less that of each worse row, (p, q)."""
    better_rows, worse_rows = block
    return scores[better_rows][:, None] - scores[worse_rows]


def _pull_on_rows(
    row_count: int, blocks: Sequence[Block], margin_shortfalls: Sequence[Floats]
) -> Floats:
    """Return how much the pairs with too small a margin pull each row up, (n,)."""
    pull_of_row = np.zeros(row_count)
    for (better_rows, worse_rows), block_shortfalls in zip(blocks, margin_shortfalls, strict=True):
        pull_of_row[better_rows] += block_shortfalls.sum(axis=1)
        pull_of_row[worse_rows] -= block_shortfalls.sum(axis=0)
    return pull_of_row


def _hessian(
    X: Floats, blocks: Sequence[Block], margin_shortfalls: Sequence[Floats], C: float
) -> Floats:
    """Return I + 2 C times the sum of the outer products of all active pairs' differences, (f, f).

    A pair is active if its margin is too small. For x better than y, (x - y)(x - y)' is
    xx' + yy' - xy' - yx': the first two are summed by row, the others by block.
    """
    # (x - y)(x - y)' = xx' + yy' - xy' - yx' is summed over the active pairs, term by term.
    # A block has the rows of p better and q worse items, each of which is a pair.
    feature_count = X.shape[1]
    pair_counts = np.zeros(len(X))  # active pairs of each row, (n,)
    mixed_products = np.zeros((feature_count, feature_count))  # the sum of xy'
    for (better_rows, worse_rows), block_shortfalls in zip(blocks, margin_shortfalls, strict=True):
        is_active = (block_shortfalls > 0).astype(np.float64)  # (p, q)
        pair_counts[better_rows] += is_active.sum(axis=1)
        pair_counts[worse_rows] += is_active.sum(axis=0)
        mixed_products += X[better_rows].T @ (is_active @ X[worse_rows])
    # The sum of xx' and yy': a row scaled by the root of its count counts that often.
    has_pairs = pair_counts > 0
    scaled_rows = X[has_pairs] * np.sqrt(pair_counts[has_pairs])[:, None]
    products_of_same_row = scaled_rows.T @ scaled_rows
    all_products = products_of_same_row - mixed_products - mixed_products.T
    return np.eye(feature_count) + 2 * C * all_products


def _objective_along(
    X: Floats, blocks: Sequence[Block], C: float, weights: Floats, step: Floats
) -> Callable[[float], float]:
    """Return the objective as a function of the fraction of a step that is taken."""
    # Margins are linear in the weights: along the step, margin + fraction * change, (p, q) per
    # block.
    margins = [_margins(X @ weights, block) for block in blocks]
    margin_changes = [_margins(X @ step, block) for block in blocks]

    def objective(fraction: float) -> float:
        moved_weights = weights + fraction * step
        loss = 0.0
        for block_margins, block_changes in zip(margins, margin_changes, strict=True):
            # By how much the margin of each pair falls short of 1
            margin_shortfalls = np.maximum(0, 1 - block_margins - fraction * block_changes)
            loss += float((margin_shortfalls**2).sum())
        return float(moved_weights @ moved_weights) / 2 + C * loss

    return objective


def _step_length(objective: Callable[[float], float], slope: float) -> float:
    """Halve the step until the objective falls enough (Armijo)."""
    start = objective(0.0)
    fraction = 1.0
    while fraction > 1e-8 and objective(fraction) > start + 1e-4 * fraction * slope:
        fraction /= 2
    return fraction
