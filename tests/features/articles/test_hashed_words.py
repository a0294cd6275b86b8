"""Hashed words: how words and their pairs are counted, and what their learnt weights add up to."""

from __future__ import annotations

import numpy as np
import pytest

from features.articles.hashed_words import HASH_BUCKETS, word_buckets, word_scores


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
    rarity = np.zeros(HASH_BUCKETS, np.float32)
    both = np.zeros((2, HASH_BUCKETS), np.float32)
    (red,) = word_buckets("red")
    (blue,) = word_buckets("blue")
    rarity[red] = 1
    rarity[blue] = 2
    both[0, red] = 3
    both[1, blue] = 5

    scores = word_scores(["red, blue and red", "", "green"], rarity, both)

    value_of_two = 1 + np.log(2)
    length = np.hypot(value_of_two, 2)
    red_share = value_of_two / length
    blue_share = 2 / length
    assert scores[0].tolist() == pytest.approx([3 * red_share, 0, 0])
    assert scores[1].tolist() == pytest.approx([5 * blue_share, 0, 0])
