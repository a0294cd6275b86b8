"""Cosines with statements, titles and articles; the oracle is scikit-learn."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics.pairwise import cosine_similarity

from features.models.encoders import unit
from features.similarity import cosines
from features.similarity.cosines import body_cosines, pair_cosines, top_cosines

RNG = np.random.default_rng(1)


def _rows(number, width=8):
    return unit(RNG.normal(size=(number, width)).astype(np.float32))


def test_pair_cosines_equal_scikit_learn():
    """Each sentence is compared with its own candidates only."""
    sentences = _rows(5)
    claims = _rows(9)
    sentence_index = np.array([0, 0, 0, 1, 3, 3, 4])
    claim_row = RNG.integers(0, 9, len(sentence_index))
    expected = cosine_similarity(sentences, claims)[sentence_index, claim_row]
    actual = pair_cosines(sentences, claims, sentence_index, claim_row)
    np.testing.assert_allclose(actual, expected, atol=1e-6)


def test_body_cosines_equal_sorted_scikit_learn():
    """The four best sentences of each candidate's article, best first."""
    sentences = _rows(6)
    bodies = [_rows(5), _rows(7), _rows(30)]
    pairs = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 1), (2, 2), (2, 0), (4, 0), (4, 1), (5, 2)]
    sentence_index, claim_index = np.array(pairs).T
    actual = body_cosines(sentences, lambda i: bodies[i], sentence_index, claim_index)
    for values, (sentence, claim) in zip(actual, pairs, strict=True):
        best = np.sort(cosine_similarity(sentences[[sentence]], bodies[claim])[0])[::-1][:4]
        np.testing.assert_allclose(values, best, atol=1e-6)


def test_without_pairs_no_article_is_read():
    """No pair, no cosine."""
    nothing = np.zeros(0, int)
    actual = body_cosines(_rows(3), lambda i: pytest.fail("an article was read"), nothing, nothing)
    assert actual.shape == (0, 4)


def test_an_article_is_read_once():
    """An article that many sentences may match is fetched once."""
    articles_read = []
    sentence_index = np.repeat(np.arange(4), 2)
    body_cosines(
        _rows(4), lambda i: articles_read.append(i) or _rows(3), sentence_index, np.tile([1, 0], 4)
    )
    assert articles_read == [0, 1]


@given(st.integers(0, 6), st.integers(1, 5))
def test_short_articles_repeat_their_last_value(sentences, top):
    """The values fall; an article with fewer sentences repeats its last one, none gives 0."""
    article = _rows(6)[:sentences]
    cosines = top_cosines(_rows(3), article, top)
    assert (3, top) == cosines.shape
    assert (np.diff(cosines, axis=1) <= 0).all()
    assert (
        (cosines[:, min(sentences, top) - 1 :] == cosines[:, [min(sentences, top) - 1]]).all()
        if sentences
        else not cosines.any()
    )


@given(st.integers(1, 12), st.integers(1, 5))
def test_fewer_values_are_the_first_of_more(sentences, top):
    """The best k values are a prefix of the best k + 1."""
    texts = _rows(2)
    article = _rows(sentences)
    np.testing.assert_array_equal(
        top_cosines(texts, article, top), top_cosines(texts, article, top + 1)[:, :top]
    )


def test_half_precision_articles_are_near():
    """Vectors kept in half precision move a cosine by less than 0.001."""
    texts = _rows(4, 384)
    article = _rows(9, 384)
    np.testing.assert_allclose(
        top_cosines(texts, article.astype(np.float16)), top_cosines(texts, article), atol=1e-3
    )


@given(st.integers(1, 9), st.integers(1, 5), st.integers(1, 4))
def test_blocks_of_a_long_article_change_no_cosine(body_count, top, block):
    sentences = _rows(3)
    body = _rows(body_count)
    expected = top_cosines(sentences, body, top)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cosines, "BODY_BLOCK", block)
        actual = top_cosines(sentences, body, top)

    np.testing.assert_allclose(actual, expected, atol=1e-6)


@pytest.mark.threat("publisher")
def test_a_very_long_article_is_compared_in_bounded_memory():
    """All cosines of 500 sentences with 100,000 would take 200 MB, and their order as much."""
    sentences = _rows(500)
    body = np.repeat(_rows(10), 10_000, axis=0)
    tracemalloc.start()
    try:
        best = top_cosines(sentences, body)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert best.shape == (500, 4)
    assert peak_bytes < 40_000_000
