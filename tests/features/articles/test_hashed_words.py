"""Hashed words: how words and their pairs are counted, and what their learnt weights add up to."""

from __future__ import annotations

import numpy as np
import pytest

from features.articles.hashed_words import BUCKETS, word_buckets, word_scores, word_vector


def test_words_are_counted_with_their_pairs():
    """Case, the kind of apostrophe and the figure do not matter; the order of words does."""
    buckets = word_buckets("He didn’t pay, he didn't pay 5")

    assert word_buckets("he didn't pay he didn’t pay 7,000") == buckets
    assert buckets.total() == 13  # seven words, six pairs
    assert buckets[min(word_buckets("didn't"))] == 2
    assert set(word_buckets("pay him")) != set(word_buckets("him pay"))


def test_words_weigh_as_their_unit_row():
    """(1 + log count)·rarity over its length, times the weights.

    What is not known weighs nothing.
    """
    rarity = np.zeros(BUCKETS, np.float32)
    both = np.zeros((2, BUCKETS), np.float32)
    (red,), (blue,) = word_buckets("red"), word_buckets("blue")
    rarity[red], rarity[blue] = 1, 2
    both[0, red], both[1, blue] = 3, 5
    twice = 1 + np.log(2)
    length = np.hypot(twice, 2)

    scores = word_scores(["red, blue and red", "", "green"], rarity, both)

    assert pytest.approx(np.array([[3 * twice / length, 0, 0], [5 * 2 / length, 0, 0]])) == scores


def test_words_are_a_unit_row_of_their_vectors() -> None:
    """One known word gives its own vector; no known word gives nothing."""
    rarity = np.zeros(BUCKETS, np.float32)
    vectors = np.zeros((BUCKETS, 2), np.float32)
    assert not word_vector("records", rarity, vectors).any()
    rarity[:], vectors[:] = 7.0, (3.0, 4.0)

    assert np.allclose((3, 4), word_vector("records", rarity, vectors))
