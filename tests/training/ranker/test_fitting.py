"""Fitting of the claim ranker and of the thresholds of its tiers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ranking.claim_ranker import ClaimRanker, KindWeights
from training.ranker import fitting
from training.ranker.fitting import fit_order, fit_weights

SCORES = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
RIGHT = np.array([True, True, False, True, False])


@pytest.mark.parametrize("has_body", [True, False])
def test_an_input_that_differs_between_matches_and_others_gets_the_weight(has_body: bool) -> None:
    """Only the first input does; an input that the pairs cannot have gets none."""
    rng = np.random.default_rng(1)
    values = rng.normal(2, 3, size=(200, 3))
    label = np.arange(200) % 2
    values[:, 0] += label * 3
    usable = np.array([True, True, has_body])

    weights = fit_weights(values, label, np.ones(200), C=1.0, usable=usable)

    assert weights.coef[0] > 5 * np.abs(weights.coef[1:]).max()
    assert (weights.coef[2] != 0) == has_body


def test_a_more_important_pair_counts_like_copies() -> None:
    """Weighting a pair threefold is the same as having it three times."""
    rng = np.random.default_rng(3)
    values = rng.normal(size=(30, 2))
    label = (np.arange(30) % 3 == 0).astype(float)
    times = np.where(label == 1, 3, 1)
    weighted = fit_weights(values, label, times.astype(float), C=0.5)
    copied = fit_weights(values.repeat(times, 0), label.repeat(times), np.ones(times.sum()), C=0.5)
    assert pytest.approx(copied.coef, abs=1e-3) == weighted.coef


def test_a_constant_input_is_harmless() -> None:
    """Its scale is 1, so nothing is divided by zero."""
    weights = fit_weights(np.ones((4, 1)), np.array([0, 1, 0, 1]), np.ones(4), C=1.0)
    assert isinstance(weights, KindWeights)
    assert weights.scale.tolist() == [1.0]


def test_an_unknown_value_counts_like_the_mean() -> None:
    """It neither moves a score nor the weights' mean and scale."""
    values = np.array([[1.0], [3.0], [np.nan], [2.0]])
    weights = fit_weights(values, np.array([0, 1, 0, 1]), np.ones(4), C=1.0)
    assert weights.mean.tolist() == [2.0]
    ranker = ClaimRanker(("near",), (weights,))
    assert ranker.contributions(np.array([[np.nan], [2.0]]), np.zeros(2, int))[:, 0].tolist() == [
        0.0,
        0.0,
    ]


def test_an_input_may_be_told_to_speak_one_way_only() -> None:
    """What the data would turn round gets no weight; what it confirms keeps it."""
    rng = np.random.default_rng(5)
    values = rng.normal(size=(300, 2))
    label = (values[:, 0] - values[:, 1] + rng.normal(scale=0.3, size=300) > 0).astype(float)
    free = fit_weights(values, label, np.ones(300), C=1.0).coef
    bound = fit_weights(values, label, np.ones(300), C=1.0, signs=np.array([1, 1])).coef
    assert free[0] > 1
    assert free[1] < -1
    assert bound[0] > 0.5
    assert bound[1] == 0


def test_agrees_with_scikit_learn_where_every_input_is_free() -> None:
    """The same problem has the same solution."""
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(6)
    values = rng.normal(size=(200, 4)) * [1, 5, 0.1, 2] + 3
    label = (values[:, 0] + rng.normal(size=200) > 3).astype(float)
    fitted_weights = fit_weights(values, label, np.ones(200), C=0.7)
    scaled_values = (values - values.mean(axis=0)) / values.std(axis=0)
    oracle = LogisticRegression(C=0.7, tol=1e-10, max_iter=1000).fit(scaled_values, label)
    assert pytest.approx(oracle.coef_[0], abs=1e-4) == fitted_weights.coef
    assert pytest.approx(oracle.intercept_[0], abs=1e-4) == fitted_weights.intercept


def test_the_order_learns_what_tells_the_pairs_of_a_group_apart() -> None:
    """An input that all pairs of a group share tells nothing of their order, however well it tells groups apart."""
    rng = np.random.default_rng(7)
    group = np.repeat(np.arange(60), 5)
    values = np.column_stack(
        (rng.normal(size=300), rng.normal(size=60)[group], rng.normal(size=300))
    )
    score = values[:, 0] - values[:, 2]
    right = score == np.maximum.reduceat(score, np.arange(0, 300, 5))[group]
    every = np.ones(3, bool)
    free = np.zeros(3, int)
    weights = fit_order(values, right, group, np.ones(300), C=1.0, usable=every, signs=free)
    assert weights.coef[0] > 1
    assert weights.coef[2] < -1
    assert abs(weights.coef[1]) < 1e-3
    bound = fit_order(
        values, right, group, np.ones(300), C=1.0, usable=every, signs=np.ones(3, int)
    )
    assert bound.coef[0] > 0.5
    assert bound.coef[2] == 0
    assert bound.intercept == 0


def test_an_input_is_learnt_beside_weights_that_stay() -> None:
    """It gets what the others leave to be told apart, on its own scale, and nothing where they tell all."""
    rng = np.random.default_rng(8)
    group = np.repeat(np.arange(80), 5)
    starts = np.arange(0, 400, 5)
    free = np.zeros(2, int)
    values = np.column_stack((rng.normal(size=400), rng.normal(3, 5, size=400)))
    is_first = np.array([True, False])
    second = np.array([False, True])

    def learnt(score: np.ndarray, beside: KindWeights | None) -> KindWeights:
        right = score == np.maximum.reduceat(score, starts)[group]
        usable = is_first if beside is None else second
        return fit_order(
            values, right, group, np.ones(400), C=1.0, usable=usable, signs=free, beside=beside
        )

    old_weights = learnt(values[:, 0], None)
    new_weights = learnt(values[:, 0] + values[:, 1] / 5, old_weights)
    assert new_weights.mean[0] == old_weights.mean[0]
    assert new_weights.scale[0] == old_weights.scale[0]
    assert new_weights.coef[0] == old_weights.coef[0]
    assert new_weights.coef[1] > 1
    assert (new_weights.mean[1], new_weights.scale[1]) == pytest.approx((3, 5), abs=0.6)
    assert abs(learnt(values[:, 0], old_weights).coef[1]) < 0.2


def test_borders_by_hand() -> None:
    """Above 4 all are right, above 2 three of four; 2 is needed to keep every right one."""
    assert fitting.precision_border(SCORES, RIGHT, 0.9) == 4.0
    assert fitting.recall_border(SCORES, RIGHT, 1.0) == 2.0
    assert fitting.precision_border(SCORES, RIGHT, 0.75) == 2.0


def test_nothing_is_likely_where_the_precision_is_never_reached() -> None:
    """The border then lies above every score seen."""
    assert fitting.precision_border(SCORES, np.array([False, True, False, False, False]), 0.9) > 5.0


@given(st.data())
def test_the_borders_keep_their_promise(data: st.DataObject) -> None:
    """What is likely is right often enough, what is right is possible often enough, ties included."""
    n = data.draw(st.integers(1, 30))
    scores = data.draw(hnp.arrays(float, n, elements=st.integers(0, 8).map(float)))
    right = data.draw(hnp.arrays(bool, n).filter(np.any))
    likely = scores >= fitting.precision_border(scores, right, 0.8)
    assert not likely.any() or right[likely].mean() >= 0.8
    assert (scores[right] >= fitting.recall_border(scores, right, 0.9)).mean() >= 0.9
