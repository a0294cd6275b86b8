"""The search for candidates, against each search made by hand."""

import numpy as np

from assistant.check.candidates import BY_WINDOW, Depths, search, widen
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
    (row,) = search([text], vector, index, depths=depths)
    assert set(row) == expected
    assert sorted(row, key=lambda i: -cosines[i]) == row.tolist()


def test_what_only_the_window_finds_follows_the_candidates(encoders, index):
    """In the order of the window's own search; a blank sentence has none, whatever its context."""
    vectors = encoders.sbert.encode(TEXTS)
    own = search(TEXTS, vectors, index, depths=Depths(1, 0, 0, 0, 0))
    windows = [FINISHED.of(TEXTS, place) for place in range(len(TEXTS))]
    joined = [" ".join(window) for window in windows]
    of_windows = encoders.sbert.encode(joined)
    further = search(joined, of_windows, index, depths=BY_WINDOW)

    for text, row, first, more in zip(
        TEXTS, widen(own, windows, of_windows, index), own[:, 0], further, strict=True
    ):
        expected = [first, *(i for i in more if i not in (first, -1))] if text else []
        assert [i for i in row if i >= 0] == expected


def test_a_search_of_depth_zero_is_left_out(encoders, index):
    """With the cosine of statements alone, as many candidates as asked for, by falling cosine."""
    vectors = encoders.sbert.encode(TEXTS)
    found = search(TEXTS, vectors, index, depths=Depths(3, 0, 0, 0, 0))
    expected = np.argsort(
        -(vectors @ np.asarray(index.statement_vectors).T), axis=1, kind="stable"
    )[:, :3]
    said = vectors.any(axis=1)
    assert found[said].tolist() == expected[said].tolist()


def test_only_allowed_claims_are_candidates(encoders, index):
    """With a mask, as for checks published before the event, the search is made among what it allows."""
    allowed = np.arange(len(index)) % 2 == 0
    rows = search(TEXTS, encoders.sbert.encode(TEXTS), index, allowed=allowed)
    assert set(np.flatnonzero(allowed)) == set(rows[0])
    assert not (
        search(TEXTS, encoders.sbert.encode(TEXTS), index, allowed=allowed & False) >= 0
    ).any()


def test_a_blank_sentence_has_no_candidate(found):
    """There is nothing to search for."""
    assert set(found[2]) == {-1}
