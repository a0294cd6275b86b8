"""The linear pair ranker: its contributions are exact, and foreign weights are refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ranking.claim_ranker import ClaimRanker, KindWeights

NAMES = ("near", "far", "body")


@pytest.fixture
def ranker() -> ClaimRanker:
    """Two kinds of pair; the second has no body."""
    mean = np.array([2.0, 2.5, 3.0])
    scale = np.array([3.0, 0.5, 1.0])
    with_body = KindWeights(mean, scale, np.array([2.0, -0.1, 0.7]), -1.5)
    without_body = KindWeights(mean, scale, np.array([1.5, 0.2, 0.0]), -1.0)
    return ClaimRanker(NAMES, (with_body, without_body))


def test_contributions_sum_to_the_score(ranker: ClaimRanker) -> None:
    """With the base, a row's parts are its score, for every kind."""
    values = np.random.default_rng(2).normal(size=(20, 3))
    kind = np.arange(20) % 2
    assert ranker.contributions(values, kind).sum(axis=1) == pytest.approx(
        ranker.score(values, kind)
    )


def test_an_input_that_a_kind_cannot_have_does_not_count(ranker: ClaimRanker) -> None:
    """Changing the body of a claim without one changes nothing."""
    values = np.array([[1.0, 2.0, 0.0], [1.0, 2.0, 9.0]])
    assert np.ptp(ranker.score(values, np.array([1, 1]))) == 0
    assert np.ptp(ranker.score(values, np.array([0, 0]))) > 0


def test_an_unknown_input_scores_as_the_value_that_was_chosen_for_it(ranker: ClaimRanker) -> None:
    """Pairs with a value keep their scores; contributions still sum to the score."""
    values = np.random.default_rng(3).normal(size=(20, 3))
    kind = np.arange(20) % 2
    as_chosen = values.copy()
    as_chosen[:, 1] = 0.75
    unknown = values.copy()
    unknown[:, 1] = np.nan

    moved = ranker.counting_unknown_as("far", 0.75)

    assert moved.score(values, kind) == pytest.approx(ranker.score(values, kind))
    assert moved.score(unknown, kind) == pytest.approx(ranker.score(as_chosen, kind))
    assert moved.contributions(unknown, kind).sum(axis=1) == pytest.approx(
        moved.score(unknown, kind)
    )
    assert moved.score(unknown, kind) != pytest.approx(ranker.score(unknown, kind))


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
    with pytest.raises(ValueError, match="different features"):
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
