"""Residuals in the static space: weighted means of word vectors, whatever the lengths of the texts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.articles.mtm.embedding import StaticSpace

RNG = np.random.default_rng(5)
SPACE = StaticSpace(RNG.normal(size=(9, 4)).astype(np.float32), RNG.uniform(0.1, 2, 9).astype(np.float32))
PIECES = st.lists(st.lists(st.integers(0, 8), max_size=6), min_size=1, max_size=6)


@given(PIECES)
def test_means_are_numpys_weighted_averages(pieces):
    """Each row is np.average of its word vectors; a text without word pieces, wherever it stands, is zero."""
    found = SPACE.means(pieces)

    for row, mean in zip(pieces, found, strict=True):
        expected = np.average(SPACE.vectors[row], axis=0, weights=SPACE.weights[row]) if row else np.zeros(4)
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
    assert (0, 4) == SPACE.residuals([1, 2], []).shape


def test_a_weight_is_wanted_for_every_word():
    """Fewer weights than word vectors: the error names both numbers."""
    with pytest.raises(ValueError, match="9 word vectors but 3 weights"):
        StaticSpace(SPACE.vectors, SPACE.weights[:3])
