"""Both readings of the pooling, by hand and by law."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ranking import pooling

X = np.array([[[0.2, 5.0], [0.9, 1.0], [0.4, 9.0]]])  # one sentence, three candidates, two measures
USABLE = np.array([[True, False, True]])


def test_maximum_leaves_skipped_claims_out() -> None:
    """The second candidate is half-true: its .9 does not count."""
    assert pooling.maximum(X, USABLE).tolist() == [[0.4, 9.0]]


def test_maximum_counts_only_usable_candidates_towards_the_depth() -> None:
    """The first two usable candidates are the first and the third."""
    assert pooling.maximum(X, USABLE, 2).tolist() == [[0.4, 9.0]]
    assert pooling.maximum(X, USABLE, 1).tolist() == [[0.2, 5.0]]


def test_maximum_may_be_negative_but_is_zero_without_a_candidate() -> None:
    """A skipped claim is left out, not set to 0."""
    negative = np.array([[[-0.5], [0.3]], [[0.1], [0.2]]])
    usable = np.array([[True, False], [False, False]])
    assert pooling.maximum(negative, usable).tolist() == [[-0.5], [0.0]]


def test_largest_sorts_each_measure_by_itself_and_skips_with_zero() -> None:
    """The two largest of each measure, from different claims; the skipped claim's values are 0."""
    assert pooling.largest(X, USABLE, 2).tolist() == [[0.4, 0.2, 9.0, 5.0]]
    assert pooling.largest(X, USABLE, 4).tolist() == [[0.4, 0.2, 0.0, 0.0, 9.0, 5.0, 0.0, 0.0]]


def test_side_by_side_keeps_the_candidates_in_order() -> None:
    """All measures of the first, then all of the second, then zeros."""
    assert pooling.side_by_side(X, np.ones((1, 3), bool), 2).tolist() == [[0.2, 5.0, 0.9, 1.0]]
    assert pooling.side_by_side(X, USABLE, 4).tolist() == [[0.2, 5.0, 0.0, 0.0, 0.4, 9.0, 0.0, 0.0]]


def test_best_of_groups() -> None:
    """The best pair of each sentence; a sentence without pairs gets the value for empty."""
    best = pooling.highest_of_groups(np.array([0.1, 0.7, -2.0]), np.array([0, 0, 2]), 3, empty=-9.0)
    assert best.tolist() == [0.7, -9.0, -2.0]


measures = hnp.arrays(
    float,
    st.tuples(st.integers(1, 3), st.integers(1, 5), st.integers(1, 3)),
    elements=st.floats(0, 1),
)


@given(measures, st.integers(1, 6))
def test_more_depth_only_appends(X: np.ndarray, depth: int) -> None:
    """The N largest are the beginning of the N + 1 largest, measure by measure."""
    n, k, f = X.shape
    usable = np.ones((n, k), bool)
    shallow = pooling.largest(X, usable, depth).reshape(n, f, depth)
    deeper = pooling.largest(X, usable, depth + 1).reshape(n, f, depth + 1)
    assert np.array_equal(deeper[:, :, :depth], shallow)


@given(measures)
def test_the_readings_agree_on_the_single_largest(X: np.ndarray) -> None:
    """With measures that are never negative, N = 1 of the code is the maximum of the text."""
    usable = np.ones(X.shape[:2], bool)
    assert pooling.largest(X, usable, 1) == pytest.approx(pooling.maximum(X, usable))


@given(measures, st.randoms())
def test_the_order_of_the_candidates_does_not_matter(X: np.ndarray, random) -> None:
    """Maximum and largest are the same for any order of the candidates."""
    order = list(range(X.shape[1]))
    random.shuffle(order)
    usable = np.ones(X.shape[:2], bool)
    assert np.array_equal(pooling.maximum(X[:, order], usable), pooling.maximum(X, usable))
    assert np.array_equal(pooling.largest(X[:, order], usable, 3), pooling.largest(X, usable, 3))


def test_the_first_of_a_group_is_the_best_of_the_wanted_ones() -> None:
    """Where none is wanted, the best of all; of equals the first.

    Every row of a group gets the same.
    """
    scores = np.array([1.0, 5.0, 2.0, 2.0, 7.0, 9.0])
    group = np.array([0, 0, 0, 0, 4, 4])
    is_wanted = np.array([True, False, True, True, False, False])
    assert pooling.best_rows_of_groups(scores, group, is_wanted).tolist() == [2, 2, 2, 2, 5, 5]
    assert pooling.best_rows_of_groups(scores[:0], group[:0], is_wanted[:0]).tolist() == []


def test_places_in_groups_begin_at_nought() -> None:
    """The rows of a group stand together."""
    assert pooling.position_in_group(np.array([3, 3, 0, 5, 5, 5])).tolist() == [0, 1, 0, 0, 1, 2]
    assert pooling.position_in_group(np.array([], int)).tolist() == []


def test_sums_of_groups() -> None:
    """Every group is added by itself; one without values has 0."""
    values = np.array([1.0, 2.0, 4.0])
    assert pooling.sums_of_groups(values, np.array([0, 0, 2]), 3).tolist() == [3, 0, 4]


def test_the_two_best_of_groups() -> None:
    """Equal values count twice; a group of one has no second."""
    scores = np.array([1.0, 3.0, 3.0, 5.0])
    best, second = pooling.two_highest_of_groups(scores, np.array([0, 0, 0, 2]), 3)
    assert best.tolist() == [3, -np.inf, 5]
    assert second.tolist() == [3, -np.inf, -np.inf]
