"""RankSVM finds the optimum of its problem, keeps to groups, and survives saving."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import LinearSVC

from ranking.ranksvm import RankSVM, label_blocks, pivoted_cholesky


@pytest.fixture
def rows() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sixty rows in three groups.

    The labels lean on the first two columns, each group has an offset of its own.
    """
    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 5))
    qid = np.repeat([1, 2, 3], 20)
    y = (X[:, 0] - X[:, 1] + rng.normal(scale=0.5, size=60) > 0.6).astype(float)
    return X + qid[:, None], y, qid


def listed(y: np.ndarray, qid: np.ndarray) -> list[tuple[int, int]]:
    """The pairs that the blocks hold: the better row first."""
    return [
        (int(i), int(j)) for better, worse in label_blocks(y, qid) for i in better for j in worse
    ]


def test_pairs_stay_within_a_group() -> None:
    """Every pair has a higher label first, none joins two groups, and each stands once, three labels or two."""
    pairs = listed(np.array([1.0, 0.0, 0.0, 2.0]), np.array([1, 1, 2, 1]))
    assert sorted(pairs) == [(0, 1), (3, 0), (3, 1)]


@pytest.mark.parametrize("C", [0.01, 1.0])
def test_equals_a_linear_svm_on_pairwise_differences(rows: tuple, C: float) -> None:
    """The same problem given to liblinear as differences, every second one turned round, has the same solution."""
    X, y, qid = rows
    better, worse = np.array(listed(y, qid)).T
    sign = np.where(np.arange(len(better)) % 2, 1, -1)
    oracle = LinearSVC(
        C=C, loss="squared_hinge", dual=False, fit_intercept=False, tol=1e-10, max_iter=10000
    )
    oracle.fit((X[better] - X[worse]) * sign[:, None], sign)
    assert RankSVM(C).fit(X, y, qid).coef_ == pytest.approx(oracle.coef_[0], abs=1e-5)


def test_the_kernel_form_agrees_with_the_linear_one_where_the_kernel_is_almost_linear(
    rows: tuple,
) -> None:
    """A very wide rbf kernel is 1 - gamma * |a - b|^2, so the orders within a group agree closely."""
    X, y, qid = rows
    gamma = 1e-4
    wide = RankSVM(1.0 / (2 * gamma), kernel="rbf", gamma=gamma).fit(X, y, qid).decision_function(X)
    straight = RankSVM(1.0).fit(X, y, qid).decision_function(X)
    for group in np.unique(qid):
        in_group = qid == group
        assert np.corrcoef(wide[in_group], straight[in_group])[0, 1] > 0.999


def test_enough_pivots_give_the_kernel_matrix_itself() -> None:
    """With every row a pivot the factor's product is the matrix.

    With few, no diagonal entry exceeds the residue.
    """
    X = np.random.default_rng(1).normal(size=(40, 3))
    kernel = rbf_kernel(X, gamma=0.7)
    pivots, factor = pivoted_cholesky(X, 0.7, max_residue=0.0)
    assert pytest.approx(kernel, abs=1e-9) == factor @ factor.T
    assert np.triu(factor[pivots], 1) == pytest.approx(0, abs=1e-9)
    pivots, factor = pivoted_cholesky(X, 0.7, max_residue=0.1)
    assert 1 < len(pivots) < 40
    assert np.abs(kernel - factor @ factor.T).max() <= 0.1


def test_rows_that_stand_twice_do_no_harm() -> None:
    """The kernel matrix of equal rows is singular; their scores are equal."""
    X = np.array([[0.0], [0.0], [1.0], [1.0], [2.0]])
    y = np.array([0, 0, 1, 1, 0])
    scores = RankSVM(kernel="rbf").fit(X, y).decision_function(X)
    assert scores[0] == pytest.approx(scores[1])
    assert scores[2] == pytest.approx(scores[3])
    assert scores[2] > scores[0]


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_no_small_change_makes_the_objective_smaller(rows: tuple, kernel: str) -> None:
    """The objective, written out over all pairs, is at its minimum."""
    X, y, qid = rows
    ranker = RankSVM(0.3, kernel=kernel).fit(X, y, qid)
    better, worse = np.array(listed(y, qid)).T
    if kernel == "linear":
        gram = np.eye(5)
        weights = ranker.coef_
        design = X
    else:
        gram, design = (
            rbf_kernel(side, ranker.rows_, gamma=ranker.gamma_) for side in (ranker.rows_, X)
        )
        weights = ranker.dual_

    def objective(w: np.ndarray) -> float:
        margins = (design @ w)[better] - (design @ w)[worse]
        return w @ gram @ w / 2 + 0.3 * (np.maximum(0, 1 - margins) ** 2).sum()

    minimum = objective(weights)
    rng = np.random.default_rng(0)
    assert all(
        objective(weights + 1e-3 * rng.normal(size=len(weights))) > minimum for _ in range(20)
    )


def test_the_rbf_kernel_learns_what_no_line_can() -> None:
    """Rows near the centre are relevant: an rbf ranker puts them first, a linear one cannot."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(80, 2))
    y = (np.hypot(*X.T) < 0.5).astype(float)

    def ordered_pairs(ranker: RankSVM) -> float:
        scores = ranker.fit(X, y).decision_function(X)
        return float(np.mean(scores[y == 1][:, None] > scores[y == 0][None, :]))

    assert ordered_pairs(RankSVM(10.0, kernel="rbf", gamma=2.0)) > 0.99
    assert ordered_pairs(RankSVM(10.0)) < 0.8


def test_fitting_twice_gives_the_same_bits(rows: tuple) -> None:
    """Nothing is random."""
    assert np.array_equal(RankSVM().fit(*rows).coef_, RankSVM().fit(*rows).coef_)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_a_saved_ranker_scores_as_before(rows: tuple, kernel: str, tmp_path: Path) -> None:
    """Saving needs no pickle and loses nothing."""
    ranker = RankSVM(0.5, kernel=kernel).fit(*rows)
    ranker.save(tmp_path / "ranker.npz")
    again = RankSVM.load(tmp_path / "ranker.npz")
    assert again.decision_function(rows[0]) == pytest.approx(
        ranker.decision_function(rows[0]), abs=1e-12
    )


def test_foreign_arrays_are_refused(tmp_path: Path) -> None:
    """A file without the weights of a RankSVM is named as such."""
    np.savez(tmp_path / "other.npz", weights=np.zeros(3))
    with pytest.raises(ValueError, match="not the weights of a RankSVM"):
        RankSVM.load(tmp_path / "other.npz")


def test_scikit_learn_contract(rows: tuple) -> None:
    """Clones keep parameters and forget what was learnt.

    An unfitted ranker and a wrong width are refused.
    """
    ranker = RankSVM(0.3, kernel="rbf").fit(*rows)
    fresh = clone(ranker)
    assert fresh.get_params() == ranker.get_params()
    with pytest.raises(NotFittedError):
        fresh.decision_function(rows[0])
    with pytest.raises(ValueError, match="features"):
        ranker.decision_function(rows[0][:, :3])


def test_labels_that_never_differ_are_refused() -> None:
    """Without a pair there is nothing to learn."""
    with pytest.raises(ValueError, match="no group"):
        RankSVM().fit(np.eye(3), [1, 0, 0], [1, 2, 3])
