"""The linear pair ranker: its contributions are exact, and foreign weights are refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ranking.claim_ranker import ClaimRanker, Weights, fit_order, fit_weights

NAMES = ("near", "far", "body")


@pytest.fixture
def ranker() -> ClaimRanker:
    """Two kinds of pair; the second has no body."""
    rng = np.random.default_rng(1)
    values = rng.normal(2, 3, size=(200, 3))
    label = np.arange(200) % 2
    values[:, 0] += label * 3
    both = [
        fit_weights(values, label, np.ones(200), C=1.0, usable=np.array([1, 1, b])) for b in (1, 0)
    ]
    return ClaimRanker(NAMES, tuple(both))


def test_contributions_sum_to_the_score(ranker: ClaimRanker) -> None:
    """With the base, a row's parts are its score, for every kind."""
    values = np.random.default_rng(2).normal(size=(20, 3))
    kind = np.arange(20) % 2
    assert ranker.contributions(values, kind).sum(axis=1) == pytest.approx(
        ranker.score(values, kind)
    )


def test_what_tells_matches_apart_gets_the_weight(ranker: ClaimRanker) -> None:
    """Only the first input differs between matches and others."""
    assert ranker.kinds[0].coef[0] > 5 * np.abs(ranker.kinds[0].coef[1:]).max()


def test_an_input_that_a_kind_cannot_have_does_not_count(ranker: ClaimRanker) -> None:
    """Changing the body of a claim without one changes nothing."""
    values = np.array([[1.0, 2.0, 0.0], [1.0, 2.0, 9.0]])
    assert np.ptp(ranker.score(values, np.array([1, 1]))) == 0
    assert np.ptp(ranker.score(values, np.array([0, 0]))) > 0


def test_a_more_important_pair_counts_like_copies() -> None:
    """Weighting a pair threefold is the same as having it three times."""
    rng = np.random.default_rng(3)
    values = rng.normal(size=(30, 2))
    label = (np.arange(30) % 3 == 0).astype(float)
    times = np.where(label == 1, 3, 1)
    weighted = fit_weights(values, label, times.astype(float), C=0.5)
    copied = fit_weights(values.repeat(times, 0), label.repeat(times), np.ones(times.sum()), C=0.5)
    assert pytest.approx(copied.coef, abs=1e-3) == weighted.coef


def test_weights_survive_json(ranker: ClaimRanker) -> None:
    """What was written reads back with the same scores, bit for bit."""
    again = ClaimRanker.from_json(json.loads(json.dumps(ranker.to_json())), NAMES)
    values = np.random.default_rng(4).normal(size=(10, 3))
    kind = np.zeros(10, int)
    assert np.array_equal(again.score(values, kind), ranker.score(values, kind))


@pytest.mark.parametrize(
    "names", [("near", "far", "title"), ("far", "near", "body"), ("near", "far")]
)
def test_weights_for_other_inputs_are_refused(ranker: ClaimRanker, names: tuple[str, ...]) -> None:
    """Another name, another order or another number of inputs."""
    with pytest.raises(ValueError, match="other inputs"):
        ClaimRanker.from_json(ranker.to_json(), names)


def test_an_input_that_was_not_learnt_has_no_weight(ranker: ClaimRanker) -> None:
    """Wherever it stands among the others, the scores stay."""
    names = ("new", "near", "far", "newer", "body")
    again = ClaimRanker.from_json(ranker.to_json(), names)
    values = np.random.default_rng(4).normal(size=(10, 5))
    kind = np.arange(10) % 2
    assert again.names == names
    assert again.score(values, kind) == pytest.approx(ranker.score(values[:, [1, 2, 4]], kind))


def test_weights_of_another_length_are_refused(ranker: ClaimRanker) -> None:
    """A cut file does not load."""
    value = ranker.to_json()
    value["kinds"][1]["coef"] = [1.0]
    with pytest.raises(ValueError, match="3 numbers"):
        ClaimRanker.from_json(value, NAMES)


def test_a_constant_input_is_harmless() -> None:
    """Its scale is 1, so nothing is divided by zero."""
    weights = fit_weights(np.ones((4, 1)), np.array([0, 1, 0, 1]), np.ones(4), C=1.0)
    assert isinstance(weights, Weights) and weights.scale.tolist() == [1.0]


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
    assert free[0] > 1 and free[1] < -1
    assert bound[0] > 0.5 and bound[1] == 0


def test_agrees_with_scikit_learn_where_every_input_is_free() -> None:
    """The same problem has the same solution."""
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(6)
    values = rng.normal(size=(200, 4)) * [1, 5, 0.1, 2] + 3
    label = (values[:, 0] + rng.normal(size=200) > 3).astype(float)
    ours = fit_weights(values, label, np.ones(200), C=0.7)
    rows = (values - values.mean(axis=0)) / values.std(axis=0)
    oracle = LogisticRegression(C=0.7, tol=1e-10, max_iter=1000).fit(rows, label)
    assert pytest.approx(oracle.coef_[0], abs=1e-4) == ours.coef
    assert pytest.approx(oracle.intercept_[0], abs=1e-4) == ours.intercept


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
    assert weights.coef[0] > 1 and weights.coef[2] < -1 and abs(weights.coef[1]) < 1e-3
    bound = fit_order(
        values, right, group, np.ones(300), C=1.0, usable=every, signs=np.ones(3, int)
    )
    assert bound.coef[0] > 0.5 and bound.coef[2] == 0 and bound.intercept == 0


def test_an_input_is_learnt_beside_weights_that_stay() -> None:
    """It gets what the others leave to be told apart, on its own scale, and nothing where they tell all."""
    rng = np.random.default_rng(8)
    group = np.repeat(np.arange(80), 5)
    starts = np.arange(0, 400, 5)
    free = np.zeros(2, int)
    values = np.column_stack((rng.normal(size=400), rng.normal(3, 5, size=400)))
    first = np.array([True, False])
    second = np.array([False, True])

    def learnt(score: np.ndarray, beside: Weights | None) -> Weights:
        right = score == np.maximum.reduceat(score, starts)[group]
        usable = first if beside is None else second
        return fit_order(
            values, right, group, np.ones(400), C=1.0, usable=usable, signs=free, beside=beside
        )

    before = learnt(values[:, 0], None)
    after = learnt(values[:, 0] + values[:, 1] / 5, before)
    assert (after.mean[0], after.scale[0], after.coef[0]) == (
        before.mean[0],
        before.scale[0],
        before.coef[0],
    )
    assert after.coef[1] > 1 and (after.mean[1], after.scale[1]) == pytest.approx((3, 5), abs=0.6)
    assert abs(learnt(values[:, 0], before).coef[1]) < 0.2
