"""Intervals and tests against scipy, hand arithmetic and what must hold for equal systems."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ranking import metrics
from training.shared import significance as s


def topic(seed: int, *, n: int = 40, lift: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Scores of two systems, of which the first puts relevant items higher by ``lift``.

    Every eighth is relevant.
    """
    rng = np.random.default_rng(seed)
    relevant = np.arange(n) % 8 == 0
    return rng.normal(size=(2, n)) + np.outer([lift, 0.0], relevant), relevant


@given(st.lists(st.integers(-999, 999), min_size=2, max_size=8))
def test_the_exact_test_agrees_with_scipy(differences: list[int]) -> None:
    """scipy's permutation test over all signs of paired samples gives the same two-sided p.

    Whole numbers: their sums are exact, so that both see the same ties.
    """
    pairs = np.array(differences, float)
    expected = stats.permutation_test(
        (pairs,), np.sum, permutation_type="samples", n_resamples=np.inf
    )
    assert s.randomisation_test(pairs) == pytest.approx(expected.pvalue)


def test_many_topics_are_sampled() -> None:
    """Thirty topics have too many signs to try all.

    The sampled p is near scipy's, and the seed fixes it.
    """
    differences = np.random.default_rng(2).normal(0.3, 1.0, size=30)
    expected = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=20_000, rng=1
    )
    p_value = s.randomisation_test(differences, rounds=20_000)
    assert pytest.approx(expected.pvalue, abs=0.02) == p_value
    assert s.randomisation_test(differences, rounds=20_000) == p_value


def test_seven_transcripts_cannot_give_less_than_one_in_sixty_four() -> None:
    """All differences of one sign: two of 128 assignments are as far from 0."""
    assert s.randomisation_test(np.full(7, 0.1)) == pytest.approx(2 / 128)


def test_equal_systems_do_not_differ() -> None:
    """Nothing to tell apart: p is 1 either way, and the interval of the difference is 0."""
    topics = [
        (np.repeat(scores[:1], 2, axis=0), relevant) for scores, relevant in map(topic, range(3))
    ]
    assert s.randomisation_test(np.zeros(7)) == 1.0
    assert s.swap_test(topics, rounds=50) == 1.0
    assert s.bootstrap(topics, s.difference, rounds=50) == (0.0, 0.0)


def test_a_clear_difference_is_found() -> None:
    """Three standard deviations apart on the relevant items.

    P is the least that the rounds allow.
    """
    topics = [topic(seed, lift=4.0) for seed in range(4)]
    assert s.swap_test(topics, rounds=200) == pytest.approx(1 / 201)
    assert s.bootstrap(topics, s.difference, rounds=200).low > 0


def test_chance_is_seldom_called_significant() -> None:
    """Of forty pairs of equally good systems few have p below .1."""
    p_values = [
        s.swap_test([topic(100 * i + j, lift=0.0) for j in range(3)], rounds=100) for i in range(40)
    ]
    assert sum(p < 0.1 for p in p_values) <= 10


def test_the_interval_holds_the_mean_and_narrows_with_more_items() -> None:
    """Of a topic ten times as long the interval is narrower."""
    small = topic(1)
    large = topic(1, n=400)
    intervals = []
    for scores, relevant in (small, large):
        interval = s.bootstrap([(scores[0], relevant)], rounds=400)
        assert interval.low <= s.average_precision(scores[0], relevant) <= interval.high
        intervals.append(interval.high - interval.low)
    assert intervals[1] < intervals[0]


def test_average_precision_is_that_of_the_metrics() -> None:
    """Array and run give one value, ties in reading order."""
    scores = np.array([1.0, 3.0, 1.0, 0.5])
    relevant = np.array([False, False, True, True])
    run = {str(i): float(score) for i, score in enumerate(scores)}
    qrels = {str(i): int(yes) for i, yes in enumerate(relevant)}
    assert s.average_precision(scores, relevant) == pytest.approx(
        metrics.average_precision(run, qrels)
    )
    assert s.average_precision(scores, np.zeros(4, bool)) == 0.0


@given(
    st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.booleans()), min_size=1, max_size=12)
)
def test_average_precision_h_is_that_of_the_metrics(items: list[tuple[int, bool, bool]]) -> None:
    """Only relevant items with a right claim are hits; ties in reading order."""
    scores, relevant, right = (np.array(column) for column in zip(*items, strict=True))
    run = {str(i): float(score) for i, score in enumerate(scores)}
    qrels = {str(i): int(yes) for i, yes in enumerate(relevant)}
    relevant_ids = {str(i) for i, yes in enumerate(right) if yes}
    expected = metrics.average_precision_h(run, qrels, relevant_ids)
    assert s.average_precision_h(
        np.stack((scores.astype(float), right)), relevant
    ) == pytest.approx(expected)
