"""The comparison of two re-rankers: average precision and its interval over redrawn debates."""

from __future__ import annotations

import numpy as np

from training.reranker.difference import compared, redrawn
from training.reranker.pairs import AsRead


def as_read(debate: str, label: int) -> AsRead:
    """Return a pair of a debate with a label."""
    return AsRead(debate, "s", "", "t", (), "", label)


def test_the_better_order_has_the_higher_precision_and_an_interval_above_zero() -> None:
    """In every debate the second re-ranker puts the settled pair first and the other one last."""
    pairs = [as_read(name, label) for name in "abcdef" for label in (2, 1, 0, 0)]
    new_scores = np.tile(np.array([[4.0, 4], [1, 3], [0, 0], [-1, -1]]), (6, 1))
    old_scores = -new_scores

    figures = compared(old_scores, new_scores, pairs)

    assert figures["settled"]["after"] == 1
    assert figures["settled or in part"]["after"] == 1
    assert figures["settled"]["before"] < 0.3
    assert figures["settled"]["difference"][0] > 0.5


def test_equal_re_rankers_differ_by_nothing() -> None:
    """Whatever debates are drawn."""
    scores = np.array([[3.0, 1, 2, 0], [3.0, 1, 2, 0]])
    relevant = np.array([True, False, True, False])

    assert redrawn(scores, relevant, ["a", "a", "b", "b"]) == (0, 0)


def test_debates_are_drawn_whole() -> None:
    """One re-ranker is better in one debate and worse in the other: the interval has both ends."""
    new_scores = [2.0, 1, 1, 2]
    old_scores = [1.0, 2, 2, 1]
    relevant = np.array([True, False, True, False])

    low, high = redrawn(np.array([new_scores, old_scores]), relevant, ["a", "a", "b", "b"])

    assert low == -0.5
    assert high == 0.5


def test_pairs_with_equal_log_odds_share_a_place() -> None:
    """The order in which they are given doesn't matter."""
    pairs = [as_read("a", label) for label in (2, 0, 0, 0)]
    level_scores = np.ones((4, 2))

    figures = compared(level_scores, level_scores[::-1], pairs)

    assert figures["settled"]["before"] == 0.25
