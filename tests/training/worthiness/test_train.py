"""How the thresholds of check-worthiness are chosen, by hand-made scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.worthiness.train import best_threshold, dropping_threshold, f1


def test_f1_by_hand() -> None:
    """Two of three called right, one of three missed: 2·2 / (3 + 3)."""
    worthy = np.array([True, True, True, False, False])
    assert f1(worthy, np.array([0.9, 0.8, 0.1, 0.7, 0.2]), 0.5) == pytest.approx(2 / 3)


def test_the_best_threshold_lies_between_the_two_kinds() -> None:
    """Where the scores part the kinds, the middle of the gap is taken."""
    worthy = np.array([False, False, True, True])
    assert best_threshold(worthy, np.array([0.1, 0.3, 0.7, 0.9])) == pytest.approx(0.5, abs=0.011)


@given(st.lists(st.floats(0, 0.99), min_size=5, max_size=60), st.floats(0.05, 0.95))
def test_the_dropping_threshold_drops_at_least_its_share(scores: list[float], share: float) -> None:
    """The share of sentences below the threshold is never less than asked for."""
    heard = np.array(scores)
    assert (heard < dropping_threshold(heard, share)).mean() >= share - 1e-9


def test_the_dropping_threshold_drops_no_more_than_it_must() -> None:
    """With ten distinct scores, 56 % means six."""
    heard = np.arange(10) / 10 + 0.05
    assert (heard < dropping_threshold(heard, 0.56)).sum() == 6
