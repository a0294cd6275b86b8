"""The open claim index: positions, fields, articles, vectors, BM25."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from assistant.claims import index_segment
from assistant.claims.claim_index import ClaimIndex
from features.similarity.bm25 import BM25
from tests.assistant.claims.indexed import Store, claims


@pytest.fixture(scope="module")
def index(encoders):
    return ClaimIndex.in_memory(reversed(claims()), encoders)


@pytest.fixture(scope="module")
def opened(encoders, tmp_path_factory):
    return ClaimIndex.build(Store(claims()), tmp_path_factory.mktemp("index"), encoders)


def test_positions_follow_the_ids(index):
    """Positions do not depend on the order of the claims."""
    assert tuple(c.id for c in claims()) == index.ids


def test_very_long_articles_are_counted(encoders):
    """An article at the limit of compared sentences counts; an empty index has none."""
    limit = index_segment.MAX_ARTICLE_SENTENCES
    first, second, *_ = claims()
    long_claim = replace(first, body="He said 5.\n" * limit)
    short_claim = replace(second, body="He said 5.\n" * (limit - 1))

    long_index = ClaimIndex.in_memory([long_claim, short_claim], encoders)

    assert long_index.long_article_count() == 1
    assert ClaimIndex.in_memory([], encoders).long_article_count() == 0


def test_a_claim_comes_back_whole(opened):
    """Every field, the body included, is what was indexed, also when read from disk."""
    assert claims() == [opened.claim(i) for i in range(len(opened))]


def test_fields_are_by_position(index):
    """Columns of fields, days as ordinals, 0 where a day is unknown."""
    assert index.statements[1] == "The state spends 3 percent more on crime than last year."
    assert index.titles[3] == ""
    assert date(2018, 2, 2).toordinal() == index.review_days[1]
    assert index.claim_days[5] == 0
    assert index.review_days[5] == 0
    assert set(index.claimants) == {"A senator"}


def test_spans_are_verbatim_sentences_of_the_body(index):
    """Each span is a sentence of the article, and together they cover every word of it."""
    body = index.claim(7).body
    sentences = [body[start:end] for start, end in index.body_spans(7)]
    assert body.split() == " ".join(sentences).split()
    assert sentences[0] == "Sentence 0 is about prisons."


def test_article_vectors_are_those_of_its_sentences(opened, encoders):
    """The stored vectors of an article, half precision, are the encoder's."""
    body = opened.claim(6).body
    expected = encoders.sbert.encode([body[start:end] for start, end in opened.body_spans(6)])
    assert (opened.body_vectors(6) * expected).sum(axis=1).min() > 0.999


def test_a_claim_without_body_or_title_has_zero_vectors(opened):
    """A missing text is similar to nothing, and is ready."""
    assert not opened.vectors("sbert", "title")[3].any()
    assert opened.body_vectors(4).shape == (0, 384)
    assert opened.bodies_ready.all()


def test_simcse_is_lifted_from_the_stored_vectors(index, encoders):
    """Where SimCSE is a head on SBERT, the head computes the vectors.

    Of statements when used, of articles once.
    """
    np.testing.assert_allclose(
        index.vectors("simcse", "statement"),
        encoders.simcse.encode(list(index.statements)),
        atol=1e-5,
    )
    np.testing.assert_allclose(
        index.body_vectors(6, "simcse"), encoders.lift(index.body_vectors(6)), atol=1e-3
    )
    np.testing.assert_array_equal(index.body_vectors(6, "simcse"), index.body_vectors(6, "simcse"))


def test_an_article_is_lifted_alike_in_any_block_and_when_it_is_used(encoders, tmp_path):
    """Not a bit differs, whatever stands beside it in its block, stored or computed when it is used."""
    together = ClaimIndex.build(Store(claims()), tmp_path, encoders)
    (head,) = {path.name.split("-")[1] for path in tmp_path.rglob("articles-simcse*")}
    for claim in claims():
        alone = ClaimIndex.in_memory([claim], encoders)
        i = together.position(claim.id)
        stored = together.body_vectors(i, "simcse")
        np.testing.assert_array_equal(alone.body_vectors(0, "simcse"), stored)
        alone._segments[0].articles.pop((head, 0), None)
        np.testing.assert_array_equal(alone.body_vectors(0, "simcse"), stored)


def test_an_index_from_before_the_head_gets_its_vectors_without_a_second_encoding(
    encoders, tmp_path, monkeypatch
):
    """What is missing is lifted from the stored SBERT vectors, and nothing else is written."""
    complete_index = ClaimIndex.build(Store(claims()), tmp_path, encoders)
    expected_vectors = [
        complete_index.body_vectors(i, "simcse") for i in range(len(complete_index))
    ]
    for path in tmp_path.rglob("articles-simcse*"):
        path.unlink()
    file_times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("articles-sbert*")}
    monkeypatch.setattr(
        type(encoders.sbert), "encode", lambda *_, **__: pytest.fail("encoded again")
    )
    rebuilt_index = ClaimIndex.build(Store(claims()), tmp_path, encoders)

    assert list(tmp_path.rglob("articles-simcse*"))
    assert {
        path: path.stat().st_mtime_ns for path in tmp_path.rglob("articles-sbert*")
    } == file_times
    for i, vectors in enumerate(expected_vectors):
        np.testing.assert_array_equal(rebuilt_index.body_vectors(i, "simcse"), vectors)


def test_a_simcse_of_its_own_is_stored(tiny_encoders, tmp_path):
    """A SimCSE model that is no head has stored vectors, articles included."""
    built = ClaimIndex.build(Store(claims()), tmp_path, tiny_encoders)
    expected = tiny_encoders.simcse.encode(list(built.titles))
    np.testing.assert_allclose(built.vectors("simcse", "title"), expected, atol=1e-3)
    body = built.claim(2).body
    sentences = [body[start:end] for start, end in built.body_spans(2)]
    np.testing.assert_allclose(
        built.body_vectors(2, "simcse"), tiny_encoders.simcse.encode(sentences), atol=1e-3
    )


def test_token_states_are_stored_per_statement(opened, encoders):
    """BERTScore's states of a statement, half precision."""
    np.testing.assert_allclose(
        opened.statement_states(2),
        encoders.bertscore.token_states([opened.statements[2]])[0],
        atol=1e-3,
    )


@pytest.mark.parametrize("field", ["statement", "title", "body"])
def test_bm25_is_that_of_the_texts(opened, field):
    """Each field's BM25 equals one made of the texts in their order."""
    texts = [getattr(claim, field) for claim in claims()]
    words = ["We spend more on schools and on crime", "percent"]
    np.testing.assert_allclose(
        opened.bm25(field).scores(words), BM25.of(texts).scores(words), atol=1e-12
    )


def test_memory_and_disk_are_the_same_index(index, opened):
    """An index in memory and one on disk have the same digest and the same vectors."""
    assert index.digest == opened.digest
    np.testing.assert_allclose(index.statement_vectors, opened.statement_vectors, atol=1e-5)


def test_two_claims_with_one_id_are_one(encoders):
    """Of two claims with one id the later counts."""
    first_claim = claims()[0]
    second = claims()[1]
    twice = ClaimIndex.in_memory([first_claim, replace(second, id=first_claim.id)], encoders)
    assert (second.statement,) == twice.statements


def test_no_claims_are_no_error(encoders, tmp_path):
    """An empty database makes an empty index."""
    for empty in (
        ClaimIndex.in_memory([], encoders),
        ClaimIndex.build(Store([]), tmp_path, encoders),
    ):
        assert len(empty) == 0
        assert empty.statement_vectors.shape == (0, 384)
        assert empty.bm25("body").scores(["tax"]).shape == (1, 0)
