"""The search for candidates, against each search made by hand."""

import numpy as np

from assistant.check.candidates import CONTEXT_DEPTHS, Depths, search, search_context
from features.similarity.bm25 import BM25
from features.similarity.context_window import FINISHED
from tests.assistant.check.conftest import TEXTS
from tests.assistant.claims.indexed import claims


def test_candidates_are_the_union_of_the_searches(encoders, index):
    """Each search gives its best, in any order.

    The union is sorted by falling cosine with the statement.
    """
    depths = Depths(statement_cosine=2, title_cosine=1, body=2, statement=1, title=1)
    text = "More percent for schools, crime and rivers?"
    vector = encoders.sbert.encode([text])
    cosines = (vector @ np.asarray(index.statement_vectors).T)[0]
    expected = set(np.argsort(-cosines, kind="stable")[:2])
    expected.add(np.argmax(np.asarray(index.vectors("sbert", "title")) @ vector[0]))
    for field, depth in {"body": 2, "statement": 1, "title": 1}.items():
        scores = BM25.of([getattr(c, field) for c in claims()]).scores([text])[0]
        expected |= set(np.argsort(-scores, kind="stable")[:depth])
    candidates = search([text], vector, index, depths=depths).claim_index.tolist()
    assert set(candidates) == expected
    assert sorted(candidates, key=lambda i: -cosines[i]) == candidates


def test_what_only_the_window_finds_follows_the_candidates(encoders, index):
    """In the order of the window's own search; a blank sentence has none, whatever its context."""
    vectors = encoders.sbert.encode(TEXTS)
    sentence_pairs = search(TEXTS, vectors, index, depths=Depths(1, 0, 0, 0, 0))
    windows = [FINISHED.of(TEXTS, sentence_index) for sentence_index in range(len(TEXTS))]
    joined = [" ".join(window) for window in windows]
    of_windows = encoders.sbert.encode(joined)
    by_window = claims_of(search(joined, of_windows, index, depths=CONTEXT_DEPTHS))

    further = claims_of(search_context(sentence_pairs, windows, of_windows, index))
    for text, sentence_claims, window_claims, further_claims in zip(
        TEXTS, claims_of(sentence_pairs), by_window, further, strict=True
    ):
        expected = (
            [claim for claim in window_claims if claim not in sentence_claims] if text else []
        )
        assert further_claims == expected


def test_what_only_the_window_finds_is_not_found_alone(encoders, index):
    """Further pairs are marked, and follow the candidates of their sentence once joined."""
    vectors = encoders.sbert.encode(TEXTS)
    sentence_pairs = search(TEXTS, vectors, index, depths=Depths(1, 0, 0, 0, 0))
    windows = [FINISHED.of(TEXTS, sentence_index) for sentence_index in range(len(TEXTS))]

    joined = sentence_pairs.joined(search_context(sentence_pairs, windows, vectors, index))

    is_best = joined.position_in_sentence == 0
    assert joined.found_without_context.tolist() == is_best.tolist()
    assert np.diff(joined.sentence_index).min() >= 0
    assert claims_of(joined.only(is_best)) == claims_of(sentence_pairs)


def test_a_search_of_depth_zero_is_left_out(encoders, index):
    """With the cosine of statements alone, as many candidates as asked for, by falling cosine."""
    vectors = encoders.sbert.encode(TEXTS)
    pairs = search(TEXTS, vectors, index, depths=Depths(3, 0, 0, 0, 0))
    expected = np.argsort(
        -(vectors @ np.asarray(index.statement_vectors).T), axis=1, kind="stable"
    )[:, :3]
    is_spoken = vectors.any(axis=1)
    claims = claims_of(pairs)
    for sentence in np.flatnonzero(is_spoken).tolist():
        assert claims[sentence] == expected[sentence].tolist()


def test_only_allowed_claims_are_candidates(encoders, index):
    """With a mask, as for checks published before the event, the search is made among what it allows."""
    allowed = np.arange(len(index)) % 2 == 0
    vectors = encoders.sbert.encode(TEXTS)
    claims = claims_of(search(TEXTS, vectors, index, allowed=allowed))
    nothing_allowed = np.zeros(len(index), bool)
    assert set(claims[0]) == set(np.flatnonzero(allowed))
    assert len(search(TEXTS, vectors, index, allowed=nothing_allowed)) == 0


def test_a_blank_sentence_has_no_candidate(found):
    """There is nothing to search for."""
    assert claims_of(found)[2] == []


def claims_of(pairs):
    """The claims of each sentence, in the order of the pairs."""
    return [pairs.claim_index[run].tolist() for run in pairs.slices()]
