"""RankSVM: weights that put the relevant rows of a group before the others; knows arrays and groups only.

Minimises |w|^2 / 2 + C * sum over pairs of max(0, 1 - (score of the better - score of the worse))^2, the pairs being
all rows of one group (``qid``) with different labels. Solved in the primal by Newton steps; the kernel form is the same
problem over the rows of the Cholesky factor of the kernel matrix. Nothing is random.

Source: Joachims 2002 (pairs); Chapelle and Keerthi 2010 (Newton in the primal); the squared loss and C = 1 are the
defaults of LIBSVM's ranking build, which Shaar et al. used.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import cholesky, solve_triangular
from scipy.sparse.linalg import LinearOperator, cg
from sklearn.base import BaseEstimator
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, check_X_y, validate_data

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
KERNELS = ("linear", "rbf")
_JITTER = 1e-8  # keeps the Cholesky factor of a kernel matrix with equal rows alive


class RankSVM(BaseEstimator):
    """A pairwise ranker with scikit-learn's contract and ``qid``.

    ``C``: weight of the loss. ``kernel``: linear or rbf. ``gamma``: width of the rbf kernel; None is 1 / features.
    After ``fit``: ``coef_`` (f,) for the linear kernel, else ``rows_`` (r, f) and ``dual_`` (r,).
    """

    def __init__(self, C: float = 1.0, *, kernel: str = "linear", gamma: float | None = None, tol: float = 1e-6):
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.tol = tol

    def fit(self, X: ArrayLike, y: ArrayLike, qid: ArrayLike | None = None) -> RankSVM:
        """Learn from rows X (n, f), labels y (n,), larger is better, and groups qid (n,); without qid all are one.

        Raises: ValueError if no group holds two different labels, or a parameter is out of range.
        """
        if self.kernel not in KERNELS or not self.C > 0:
            raise ValueError(f"kernel {self.kernel!r}, C {self.C}; expected one of {KERNELS} and C above 0")
        X, y = check_X_y(X, y, dtype=np.float64, y_numeric=True)
        groups = np.zeros(len(y), np.int64) if qid is None else np.asarray(qid)
        check_consistent_length(X, groups)
        better, worse = label_pairs(y, groups)
        if not len(better):
            raise ValueError("no group holds rows with different labels")
        self.n_features_in_ = X.shape[1]
        if self.kernel == "linear":
            self.coef_ = _solve(X, better, worse, self.C, self.tol)
        else:
            self._fit_kernel(X, better, worse)
        return self

    def _fit_kernel(self, X: Floats, better: Ints, worse: Ints) -> None:
        self.gamma_ = 1.0 / X.shape[1] if self.gamma is None else self.gamma
        gram = rbf_kernel(X, gamma=self.gamma_)
        gram[np.diag_indices_from(gram)] += _JITTER
        factor = cholesky(gram, lower=True, overwrite_a=True)
        weights = _solve(factor, better, worse, self.C, self.tol)
        self.rows_, self.dual_ = X, solve_triangular(factor, weights, lower=True, trans="T")

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return a score for each row, higher is better; only differences within a group mean something."""
        check_is_fitted(self, "n_features_in_")
        X = validate_data(self, X, dtype=np.float64, reset=False)
        if self.kernel == "linear":
            return X @ self.coef_
        return rbf_kernel(X, self.rows_, gamma=self.gamma_) @ self.dual_

    predict = decision_function

    def to_arrays(self) -> dict[str, NDArray]:
        """Return parameters and what was learnt as arrays that ``from_arrays`` reads."""
        check_is_fitted(self, "n_features_in_")
        kept = {"kernel": np.array(self.kernel), "C": np.array(self.C, np.float64)}
        if self.kernel == "linear":
            return {**kept, "coef": self.coef_}
        return {**kept, "rows": self.rows_, "dual": self.dual_, "gamma": np.array(self.gamma_, np.float64)}

    def save(self, path: Path) -> None:
        """Write ``to_arrays`` to a file, without pickle."""
        np.savez(path, **self.to_arrays())

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
                ranker.rows_, ranker.dual_ = check_array(arrays["rows"]), arrays["dual"]
                ranker.gamma_, ranker.n_features_in_ = float(arrays["gamma"]), ranker.rows_.shape[1]
        except KeyError as missing:
            raise ValueError(f"these are not the weights of a RankSVM: {missing} is missing") from missing
        return ranker


def label_pairs(y: Floats, qid: NDArray) -> tuple[Ints, Ints]:
    """Return the positions of the better and of the worse row of every pair with different labels in one group."""
    better, worse = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for group in np.unique(qid):
        rows = np.flatnonzero(qid == group)
        high, low = np.nonzero(y[rows][:, None] > y[rows][None, :])
        better.append(rows[high])
        worse.append(rows[low])
    return np.concatenate(better), np.concatenate(worse)


def _solve(X: Floats, better: Ints, worse: Ints, C: float, tol: float) -> Floats:
    """Newton's method; the loss is piecewise quadratic, so it ends after some tens of steps."""
    n, f = X.shape
    w, first = np.zeros(f), 0.0
    for _ in range(100):
        slack = 1.0 - _margins(X @ w, better, worse)
        active = slack > 0
        i, j = better[active], worse[active]
        pull = np.bincount(i, slack[active], n) - np.bincount(j, slack[active], n)
        gradient = w - 2 * C * (X.T @ pull)
        first = first or float(np.linalg.norm(gradient))
        if np.linalg.norm(gradient) <= tol * max(first, 1.0):
            break
        step = _newton_step(X, i, j, C, gradient)
        w = w + _step_length(X, (better, worse), C, (w, step), gradient) * step
    return w


def _newton_step(X: Floats, i: Ints, j: Ints, C: float, gradient: Floats) -> Floats:
    n, f = X.shape

    def hessian_times(v: Floats) -> Floats:
        moved = _margins(X @ v.ravel(), i, j)
        return v.ravel() + 2 * C * (X.T @ (np.bincount(i, moved, n) - np.bincount(j, moved, n)))

    step, _ = cg(LinearOperator((f, f), matvec=hessian_times), -gradient, rtol=1e-4, maxiter=400)
    return step


def _step_length(X: Floats, pairs: tuple[Ints, Ints], C: float, line: tuple[Floats, Floats], gradient: Floats) -> float:
    """Halve the step until the objective falls enough (Armijo)."""
    w, step = line
    here, there = _margins(X @ w, *pairs), _margins(X @ step, *pairs)

    def objective(t: float) -> float:
        moved = w + t * step
        return float(moved @ moved / 2 + C * (np.maximum(0, 1 - here - t * there) ** 2).sum())

    start, slope, t = objective(0.0), float(gradient @ step), 1.0
    while t > 1e-8 and objective(t) > start + 1e-4 * t * slope:
        t /= 2
    return t


def _margins(scores: Floats, better: Ints, worse: Ints) -> Floats:
    return scores[better] - scores[worse]
