"""Cosines with statements, titles and articles; the oracle is scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics.pairwise import cosine_similarity

from features.models.encoders import unit
from features.similarity.cosines import body_cosines, pair_cosines, top_cosines

RNG = np.random.default_rng(1)


def _rows(number, width=8):
    return unit(RNG.normal(size=(number, width)).astype(np.float32))


def test_pair_cosines_equal_scikit_learn():
    """Each sentence meets its own candidates only, padding is 0."""
    sentences = _rows(5)
    claims = _rows(9)
    candidates = RNG.integers(-1, 9, (5, 4)).astype(np.int32)
    expected = np.take_along_axis(
        cosine_similarity(sentences, claims), np.maximum(candidates, 0), 1
    )
    np.testing.assert_allclose(
        pair_cosines(sentences, claims, candidates), expected * (candidates >= 0), atol=1e-6
    )


def test_body_cosines_equal_sorted_scikit_learn():
    """The four best sentences of each candidate's article, best first."""
    sentences = _rows(6)
    bodies = [_rows(5), _rows(7), _rows(30)]
    candidates = np.array(
        [[0, 1, 2], [2, -1, -1], [1, 2, 0], [-1, -1, -1], [0, -1, 1], [2, 1, -1]], np.int32
    )
    found = body_cosines(sentences, lambda i: bodies[i], candidates)
    for row, chosen in enumerate(candidates):
        for slot, claim in enumerate(chosen):
            best = np.sort(cosine_similarity(sentences[[row]], bodies[claim])[0])[::-1][:4]
            np.testing.assert_allclose(
                found[row, slot], best if claim >= 0 else np.zeros(4), atol=1e-6
            )


def test_sentences_without_a_candidate_have_no_cosines():
    """Padding alone gives zeros: nobody's article is read."""
    nobody = np.full((3, 2), -1, np.int32)

    assert not body_cosines(_rows(3), lambda i: pytest.fail("an article was read"), nobody).any()


def test_an_article_is_read_once():
    """An article that many sentences may match is fetched once."""
    read = []
    body_cosines(_rows(4), lambda i: read.append(i) or _rows(3), np.array([[1, 0]] * 4, np.int32))
    assert read == [0, 1]


@given(st.integers(0, 6), st.integers(1, 5))
def test_short_articles_repeat_their_last_value(sentences, top):
    """The values fall; an article with fewer sentences repeats its last one, none gives 0."""
    article = _rows(6)[:sentences]
    found = top_cosines(_rows(3), article, top)
    assert (3, top) == found.shape
    assert (np.diff(found, axis=1) <= 0).all()
    assert (
        (found[:, min(sentences, top) - 1 :] == found[:, [min(sentences, top) - 1]]).all()
        if sentences
        else not found.any()
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
