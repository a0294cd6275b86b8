"""Key sentences of MTM: residuals of weighted mean word vectors, and scores by equations (8) to (10) and (13)."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from features.articles.mtm import key_sentences
from features.articles.mtm.key_sentences import StaticSpace

DISTANCES = arrays(np.float32, st.integers(1, 12), elements=st.floats(0, 50, width=32))
RESIDUALS = arrays(
    np.float32, st.tuples(st.integers(1, 8), st.just(3)), elements=st.floats(-4, 4, width=32)
)
MEMORY = np.array([[1, 0, 0], [0, 2, 0], [0, 0, -1]], np.float32)

RNG = np.random.default_rng(5)
SPACE = StaticSpace(
    RNG.normal(size=(9, 4)).astype(np.float32), RNG.uniform(0.1, 2, 9).astype(np.float32)
)
PIECES = st.lists(st.lists(st.integers(0, 8), max_size=6), min_size=1, max_size=6)


@given(DISTANCES)
def test_scale_keeps_the_order_turned_round_within_0_and_1(distances):
    """The nearest gets 1, the farthest 0 unless all are equally far, and the order is kept."""
    scaled = key_sentences.nearness(distances)

    assert scaled[distances.argmin()] == 1
    assert scaled.min() >= 0
    assert scaled.max() <= 1
    assert (np.diff(scaled[np.argsort(distances, kind="stable")]) <= 0).all()
    assert (0 if distances.min() < distances.max() else 1) == scaled[distances.argmax()]


def test_scale_of_equal_distances_is_1():
    """One sentence, or several equally far: each is as near as can be."""
    assert key_sentences.nearness(np.array([7], np.float32)).tolist() == [1.0]
    assert key_sentences.nearness(np.array([3, 3], np.float32)).tolist() == [1.0, 1.0]
    assert key_sentences.nearness(np.zeros(0, np.float32)).tolist() == []


@given(RESIDUALS)
def test_the_nearest_pattern_is_the_nearest(residuals):
    """Written out pair by pair, no other pattern is nearer."""
    pattern_indices, distances = key_sentences.nearest_patterns(residuals, MEMORY)

    for residual, pattern_index, distance in zip(
        residuals, pattern_indices, distances, strict=True
    ):
        every = [float(np.linalg.norm(pattern - residual)) for pattern in MEMORY]
        assert np.isclose(distance, every[pattern_index], atol=1e-4)
        assert np.isclose(distance, min(every), atol=1e-3)


@given(RESIDUALS)
def test_the_score_is_the_weighted_sum(residuals):
    """scr = .6 scr_Q + .4 scr_P, scr_Q from the lengths of the residuals."""
    scores = key_sentences.score(residuals, MEMORY)

    np.testing.assert_allclose(
        scores.combined, 0.6 * scores.repeats + 0.4 * scores.pattern, atol=1e-6
    )
    np.testing.assert_allclose(
        scores.repeats, key_sentences.nearness(np.linalg.norm(residuals, axis=1)), atol=1e-6
    )


def test_without_patterns_nearness_alone_counts():
    """An empty memory: the score is scr_Q, and no sentence has a pattern."""
    scores = key_sentences.score(np.eye(3, dtype=np.float32) * [[1], [2], [3]], MEMORY[:0])

    assert scores.repeats.tolist() == scores.combined.tolist()
    assert set(scores.patterns.tolist()) == {-1}


@given(
    arrays(np.float32, st.integers(1, 9), elements=st.sampled_from([0.0, 0.25, 0.5, 1.0])),
    st.integers(1, 5),
)
def test_key_sentences_are_the_best_and_of_equals_the_first(scores, k):
    """The k places of the highest scores, ties by place."""
    expected = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:k]

    assert key_sentences.best_sentences(scores, k) == tuple(expected)


def test_shares_sum_to_1():
    """Scores become shares; where all are 0 each gets the same."""
    np.testing.assert_allclose([0.75, 0.25], key_sentences.shares(np.array([0.6, 0.2], np.float32)))
    np.testing.assert_allclose([0.5, 0.5], key_sentences.shares(np.zeros(2, np.float32)))


@given(PIECES)
def test_means_are_numpys_weighted_averages(pieces):
    """Each row is np.average of its word vectors.

    A text without word pieces, wherever it stands, is zero.
    """
    means = SPACE.means(pieces)

    for piece_vectors, mean in zip(pieces, means, strict=True):
        expected = (
            np.average(SPACE.vectors[piece_vectors], axis=0, weights=SPACE.weights[piece_vectors])
            if piece_vectors
            else np.zeros(4)
        )
        np.testing.assert_allclose(mean, expected, atol=1e-5)


@given(PIECES)
def test_a_sentence_like_the_query_has_no_residual(pieces):
    """r is zero where sentence and query hold the same words, in any order."""
    query = pieces[0]

    residuals = SPACE.residuals(query, [query[::-1], *pieces])

    np.testing.assert_allclose(residuals[0], 0, atol=1e-5)
    np.testing.assert_allclose(residuals[1], 0, atol=1e-5)


def test_no_sentences_no_residuals():
    """An article without sentences has none."""
    assert SPACE.residuals([1, 2], []).shape == (0, 4)


def test_a_weight_is_wanted_for_every_word():
    """Fewer weights than word vectors: the error names both numbers."""
    with pytest.raises(ValueError, match="9 word vectors and 3 weights"):
        StaticSpace(SPACE.vectors, SPACE.weights[:3])


@given(PIECES, st.integers(1, 3))
def test_blocks_change_no_bit_of_the_residuals(pieces, block_sentences):
    expected = SPACE.residuals([1, 2], pieces)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(key_sentences, "BLOCK_SENTENCES", block_sentences)
        actual = SPACE.residuals([1, 2], pieces)

    assert actual.tobytes() == expected.tobytes()


@given(RESIDUALS, st.integers(1, 3))
def test_blocks_change_no_score(residuals, block_sentences):
    expected = key_sentences.score(residuals, MEMORY)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(key_sentences, "BLOCK_SENTENCES", block_sentences)
        actual = key_sentences.score(residuals, MEMORY)

    np.testing.assert_allclose(actual.combined, expected.combined, atol=1e-6)


@pytest.mark.threat("publisher")
def test_a_very_long_article_takes_little_more_memory_than_its_residuals():
    """Its word vectors and its distances to all patterns would take ten times as much."""
    sentence_count = 30_000
    width = 64
    space = StaticSpace(np.ones((9, width), np.float32), np.ones(9, np.float32))
    memory = np.ones((256, width), np.float32)
    pieces = [[1, 2, 3, 4, 5, 6, 7, 8]] * sentence_count
    tracemalloc.start()
    try:
        key_sentences.score(space.residuals([1], pieces), memory)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak_bytes < 4 * sentence_count * width * 4
