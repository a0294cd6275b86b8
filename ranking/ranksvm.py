"""RankSVM: a pairwise ranker whose weights put the relevant rows of a group before the others.

Minimises |w|^2 / 2 + C * sum over pairs of max(0, 1 - (score of the better - score of the worse))^2, the pairs being
all rows of one group (``qid``) with different labels. Solved in the primal by Newton steps with the exact Hessian;
pairs are never listed: a group with p better and q worse rows is a p x q matrix. The kernel form is the same problem
over columns of a pivoted Cholesky factor of the kernel matrix, as many as leave no row's square norm short by more than
``RESIDUE``, ``RANK`` at most: an approximation where the limit is reached. Nothing is random, no pair is left out.

Source: Joachims 2002 (pairs); Chapelle and Keerthi 2010 (Newton in the primal); Fine and
Scheinberg 2001 (the factor); the squared loss, C = 1 and gamma = 1 / inputs are the defaults of
LIBSVM's ranking build, which Shaar et al. used.
"""

from __future__ import annotations

from collections.abc import Sequence
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
KERNELS = ("linear", "rbf")
RESIDUE = 1e-4
RANK = 300
Block = tuple[
    Ints, Ints
]  # better rows (p,) and worse rows (q,): every one of the first beats every one of the second


class RankSVM(BaseEstimator):
    """A pairwise ranker with scikit-learn's contract and ``qid``.

    ``C``: weight of the loss. ``kernel``: linear or rbf. ``gamma``: width of the rbf kernel; None is 1 / features.
    After ``fit``: ``coef_`` (f,) for the linear kernel, else ``rows_`` (r, f) and ``dual_`` (r,).
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
        if self.kernel not in KERNELS or not self.C > 0:
            raise ValueError(
                f"kernel {self.kernel!r}, C {self.C}; expected one of {KERNELS} and C above 0"
            )
        checked: tuple[Floats, Floats] = check_X_y(X, y, dtype=np.float64, y_numeric=True)
        rows, labels = checked
        groups = np.zeros(len(labels), np.int64) if qid is None else np.asarray(qid)
        check_consistent_length(rows, groups)
        blocks = label_blocks(labels, groups)
        if not blocks:
            raise ValueError("no group holds rows with different labels")
        self.n_features_in_ = rows.shape[1]
        if self.kernel == "linear":
            self.coef_ = _solve(rows, blocks, self.C, self.tol)
        else:
            self._fit_kernel(rows, blocks)
        return self

    def _fit_kernel(self, X: Floats, blocks: Sequence[Block]) -> None:
        self.gamma_ = 1.0 / X.shape[1] if self.gamma is None else self.gamma
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
        scores: Floats = rbf_kernel(rows, self.rows_, gamma=self.gamma_) @ self.dual_
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


def label_blocks(y: Floats, qid: NDArray) -> list[Block]:
    """Return blocks that together hold every pair of rows with different labels in one group, each pair once."""
    blocks = []
    for group in np.unique(qid):
        rows = np.flatnonzero(qid == group)
        for label in np.unique(y[rows])[1:]:
            blocks.append((rows[y[rows] == label], rows[y[rows] < label]))
    return blocks


def pivoted_cholesky(
    X: Floats, gamma: float, *, residue: float = RESIDUE, rank: int = RANK
) -> tuple[Ints, Floats]:
    """Return pivot rows (r,) and the factor L (n, r).

    L @ L.T is the rbf kernel matrix of X, all but ``residue``.

    The pivots' own rows of L are lower triangular. The next pivot is the row that is least
    explained so far.
    """
    n = len(X)
    left = np.ones(n)
    factor = np.zeros((n, min(n, rank)))
    pivots: list[int] = []
    while len(pivots) < factor.shape[1] and left.max() > residue:
        pivot = int(left.argmax())
        done = len(pivots)
        column = (
            rbf_kernel(X, X[pivot : pivot + 1], gamma=gamma)[:, 0]
            - factor[:, :done] @ factor[pivot, :done]
        )
        column[pivots] = 0.0
        factor[:, done] = column / np.sqrt(left[pivot])
        left = np.maximum(left - factor[:, done] ** 2, 0.0)
        pivots.append(pivot)
        left[pivots] = 0.0
    return np.array(pivots, np.int64), factor[:, : len(pivots)]


def _solve(X: Floats, blocks: Sequence[Block], C: float, tol: float) -> Floats:
    """Newton's method; the loss is piecewise quadratic, so it ends after some tens of steps."""
    w = np.zeros(X.shape[1])
    first = 0.0
    for _ in range(100):
        scores = X @ w
        slack = [np.maximum(0.0, 1 - _margins(scores, block)) for block in blocks]
        gradient = w - 2 * C * (X.T @ _pull(len(X), blocks, slack))
        first = first or float(np.linalg.norm(gradient))
        if np.linalg.norm(gradient) <= tol * max(first, 1.0):
            break
        step = -cho_solve(cho_factor(_hessian(X, blocks, slack, C)), gradient)
        w = w + _step_length(X, blocks, C, (w, step), gradient) * step
    return w


def _margins(scores: Floats, block: Block) -> Floats:
    better, worse = block
    return scores[better][:, None] - scores[worse]  # (p, q)


def _pull(n: int, blocks: Sequence[Block], slack: Sequence[Floats]) -> Floats:
    """How much the pairs that are not yet well apart pull each row up, (n,)."""
    pull = np.zeros(n)
    for (better, worse), short in zip(blocks, slack, strict=True):
        pull[better] += short.sum(axis=1)
        pull[worse] -= short.sum(axis=0)
    return pull


def _hessian(X: Floats, blocks: Sequence[Block], slack: Sequence[Floats], C: float) -> Floats:
    """Return I + 2 C times the sum of the outer products of the differences of all active pairs, (f, f)."""
    weight = np.zeros(len(X))
    cross = np.zeros((X.shape[1],) * 2)
    for (better, worse), short in zip(blocks, slack, strict=True):
        active = (short > 0).astype(np.float64)
        weight[better] += active.sum(axis=1)
        weight[worse] += active.sum(axis=0)
        cross += X[better].T @ (active @ X[worse])
    used = weight > 0
    rows = X[used] * np.sqrt(weight[used])[:, None]
    return np.eye(X.shape[1]) + 2 * C * (rows.T @ rows - cross - cross.T)


def _step_length(
    X: Floats, blocks: Sequence[Block], C: float, line: tuple[Floats, Floats], gradient: Floats
) -> float:
    """Halve the step until the objective falls enough (Armijo)."""
    w, step = line
    here, there = ([_margins(X @ side, block) for block in blocks] for side in line)

    def objective(t: float) -> float:
        moved = w + t * step
        loss = sum(
            float((np.maximum(0, 1 - h - t * s) ** 2).sum())
            for h, s in zip(here, there, strict=True)
        )
        return float(moved @ moved) / 2 + C * loss

    start = objective(0.0)
    slope = float(gradient @ step)
    t = 1.0
    while t > 1e-8 and objective(t) > start + 1e-4 * t * slope:
        t /= 2
    return t
