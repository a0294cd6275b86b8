"""BM25: the oracle is rank_bm25, for Lucene's formula hand arithmetic."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from features.similarity.bm25 import (
    BM25,
    LUCENE,
    OKAPI,
    count_terms,
    merge_counts,
    select_documents,
    tokenize,
)

WORDS = "said people tax cut wall border jobs city rate crime percent 3000 law vote bill".split()


def _texts(number, longest, seed):
    rng = random.Random(seed)
    weights = [
        1 / rank for rank in range(1, len(WORDS) + 1)
    ]  # "said" stands in most texts: a negative idf
    return [" ".join(rng.choices(WORDS, weights, k=rng.randint(0, longest))) for _ in range(number)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Crime's UNDER control.", ["crime", "control"]),
        ("We don’t spend $3,000, or 1.5%!", ["spend", "3000", "1.5", "percent"]),
        ("O'Neill's state-of-the-art e-mail", ["oneill", "state", "art", "e", "mail"]),
        ("In the 1990's, COVID-19", ["1990s", "covid", "19"]),
        ("They're not what they were.", []),
        ("ﬁfty ２０ Straße", ["fifty", "20", "strasse"]),
        ("", []),
        ("“...”", []),
    ],
)
def test_tokenize(text, expected):
    """The tokenizer follows the rules in the module's docstring."""
    assert tokenize(text) == expected


@pytest.mark.parametrize("longest", [3, 40])
def test_okapi_equals_rank_bm25(longest):
    """Scores of all texts at once equal rank_bm25's one by one, negative idf and repeated words included."""
    documents = _texts(200, longest, 1)
    texts = _texts(40, 30, 2)
    oracle = BM25Okapi([tokenize(d) for d in documents])
    assert (
        longest == 3 or max(_document_frequencies(documents)) > 100
    )  # a negative idf is among them
    expected = np.array([oracle.get_scores(tokenize(t)) for t in texts])
    np.testing.assert_allclose(BM25.of(documents).scores(texts), expected, atol=1e-6)


def _document_frequencies(documents):
    return [
        sum(word in d.split() for d in documents)
        for word in WORDS
        if any(word in d.split() for d in documents)
    ]


@given(
    st.lists(st.text("ab c", max_size=12), min_size=1, max_size=6), st.text("ab cd", max_size=12)
)
def test_okapi_equals_rank_bm25_on_any_text(documents, text):
    """Whatever the documents, the scores are rank_bm25's."""
    if not any(tokenize(d) for d in documents):
        assert not BM25.of(documents).scores([text]).any()  # rank_bm25 divides by zero here
        return
    expected = BM25Okapi([tokenize(d) for d in documents]).get_scores(tokenize(text))
    np.testing.assert_allclose(BM25.of(documents).scores([text])[0], expected, atol=1e-6)


def test_lucene_by_hand():
    """Lucene's formula has no k1 + 1 and an idf that is never negative."""
    documents = ["tax cut", "tax", "wall wall border"]
    mean = 2.0
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 3 / mean))
    assert pytest.approx(BM25.of(documents, LUCENE).scores(["wall"])[0, 2]) == expected
    assert (BM25.of(documents, LUCENE).scores(["tax"]) >= 0).all()


def test_pairs_are_cells_of_scores():
    """Only the scores of the pairs are computed."""
    documents = _texts(50, 20, 3)
    texts = _texts(300, 20, 4)
    rng = np.random.default_rng(5)
    text_index = np.sort(rng.integers(0, 300, 2000))
    document = rng.integers(0, 50, 2000)
    expected = BM25.of(documents).scores(texts)[text_index, document]
    actual = BM25.of(documents).pairs(texts, text_index, document)
    np.testing.assert_allclose(actual, expected, atol=1e-12)


@pytest.mark.parametrize("variant", [OKAPI, LUCENE])
def test_merged_counts_score_as_if_counted_together(variant):
    """An index that grew in parts, and lost some documents, scores as one made at once."""
    first_texts = _texts(30, 20, 6)
    second = _texts(20, 20, 7)
    text_indices = np.array([0, 3, 5, 19])
    merged = select_documents(
        merge_counts([count_terms(first_texts), count_terms(second)]),
        np.concatenate([np.arange(30), 30 + text_indices]),
    )
    whole_counts = count_terms(first_texts + [second[text_index] for text_index in text_indices])
    texts = _texts(10, 20, 8)
    np.testing.assert_allclose(
        BM25(merged, variant).scores(texts), BM25(whole_counts, variant).scores(texts), atol=1e-12
    )


def test_a_term_of_deleted_documents_only_is_no_term():
    """What is deleted does not move the mean idf that the floor is made of."""
    merged = select_documents(
        count_terms(["tax cut", "tax wall", "tax tax", "zebra"]), np.arange(3)
    )
    expected = BM25Okapi([["tax", "cut"], ["tax", "wall"], ["tax", "tax"]]).get_scores(["tax"])
    np.testing.assert_allclose(BM25(merged).scores(["tax zebra"])[0], expected, atol=1e-6)


def test_no_document_gives_no_column():
    """An empty database is no error."""
    assert BM25.of([]).scores(["tax", ""]).shape == (2, 0)
