"""ListMLE against drawing one text after another.

Equations 2 and 3 of Allein et al., masks and ties included.
"""

from __future__ import annotations

from itertools import permutations
from math import exp, log

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from training.time.model import listmle


def loss(scores: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Return the loss of one list, or of each of several, in double precision."""
    losses = listmle(
        torch.from_numpy(np.atleast_2d(scores)).double(), torch.from_numpy(np.atleast_2d(ranks))
    ).numpy()
    return losses if scores.ndim == 2 else losses[0]


def drawn(scores: list[float], order: list[int]) -> float:
    """Return -log of the probability to draw the texts one after another in this order."""
    remaining = set(order)
    total = 0.0
    for i in order:
        total -= log(exp(scores[i]) / sum(exp(scores[j]) for j in remaining))
        remaining.remove(i)
    return total


numbers = st.floats(-5, 5, allow_nan=False)


@given(st.lists(numbers, min_size=1, max_size=6), st.randoms())
def test_listmle_is_drawing_one_text_after_another(scores: list[float], random) -> None:
    """Some texts masked, no ties: against the product of the draws."""
    ranks = list(range(len(scores)))  # the one with 0 is masked
    random.shuffle(ranks)
    order = [i for i in sorted(range(len(scores)), key=lambda i: -ranks[i]) if ranks[i]]
    assert loss(np.array(scores), np.array(ranks)) == pytest.approx(drawn(scores, order), abs=1e-6)


def test_without_a_rank_nothing_is_lost() -> None:
    """All texts masked: the loss is 0."""
    assert loss(np.array([3.0, 1.0]), np.array([0, 0])) == 0.0


@given(st.lists(numbers, min_size=2, max_size=4))
def test_the_probabilities_of_all_orders_sum_to_one(scores: list[float]) -> None:
    """ListMLE is a probability over permutations."""
    total = sum(
        np.exp(-loss(np.array(scores), np.array(order)))
        for order in permutations(range(1, len(scores) + 1))
    )
    assert pytest.approx(1.0, abs=1e-6) == total


def test_equal_texts_are_drawn_from_the_same_set() -> None:
    """Two equal texts above a third: both draws are from all three, then the last has no rival."""
    scores = [0.3, -1.0, 2.0]
    log_sum = log(sum(exp(s) for s in scores))
    assert loss(np.array(scores), np.array([2, 2, 1])) == pytest.approx(
        2 * log_sum - scores[0] - scores[1], abs=1e-6
    )


@given(
    st.lists(st.tuples(numbers, st.integers(0, 3)), min_size=1, max_size=8), st.randoms(), numbers
)
def test_listmle_knows_neither_the_listing_nor_a_shift(
    texts: list[tuple[float, int]], random, shift: float
) -> None:
    """Texts in another order, or all scores moved alike: the same loss; and never below 0."""
    mixed = random.sample(texts, len(texts))
    losses = [
        loss(np.array([s for s, _ in texts_used]), np.array([r for _, r in texts_used]))
        for texts_used in (texts, mixed)
    ]
    moved = loss(np.array([s + shift for s, _ in texts]), np.array([r for _, r in texts]))
    assert losses[0] >= -1e-12
    assert pytest.approx([losses[0]] * 2, abs=1e-6) == [losses[1], moved]


def test_listmle_of_many_lists_at_once() -> None:
    """One loss a list; scores far apart neither overflow nor vanish."""
    scores = np.array([[0.0, 1.0, 5.0], [900.0, -900.0, 0.0]])
    ranks = np.array([[1, 2, 0], [1, 2, 3]])
    list_losses = loss(scores, ranks)
    assert (
        pytest.approx([float(loss(s, r)) for s, r in zip(scores, ranks, strict=True)])
        == list_losses
    )
    assert pytest.approx(900.0 + 1800.0) == list_losses[1]
