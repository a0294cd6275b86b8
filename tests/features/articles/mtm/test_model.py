"""What MTM says of articles.

Shapes, order, what it does without sentences, and that articles stand alone.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from features.articles.mtm.network import padded_pairs, pair_means

ARTICLES = [
    ["taxes rose last year", "the senator said jobs", "we rate this claim false"],
    [],
    ["the wall", "taxes rose"],
    ["jobs"],
]


def test_scores_stand_for_the_sentences_of_each_article(mtm):
    """Every article gets a score, a nearness to the query and a pattern for each of its sentences."""
    explanations = mtm.explain("taxes rose last year", ARTICLES)

    for article, explained in zip(ARTICLES, explanations, strict=True):
        assert {len(article)} == {
            len(values)
            for values in (explained.scores, explained.repeats, explained.pattern_scores, explained.patterns)
        }  # fmt: skip
        assert min(2, len(article)) == len(explained.key)


def test_the_sentence_that_says_the_same_is_nearest(mtm):
    """The query itself among the sentences has the highest nearness, 1."""
    explanation = mtm.explain("taxes rose last year", ARTICLES[:1])[0]

    assert int(explanation.repeats.argmax()) == 0
    assert explanation.repeats[0] == 1


def test_key_sentences_come_best_first(mtm):
    """The places of the key sentences are those of the highest scores, in falling order."""
    for article, explained in zip(ARTICLES, mtm.explain("taxes", ARTICLES), strict=True):
        best = sorted(range(len(article)), key=lambda i: (-explained.scores[i], i))[:2]

        assert tuple(best) == explained.key


def test_an_article_without_sentences_is_irrelevant(mtm):
    """No sentence, no evidence.

    Relevance 0, and a query to nothing but such articles gives the same.
    """
    assert mtm.explain("taxes", ARTICLES)[1].relevance == 0
    assert [explained.relevance for explained in mtm.explain("taxes", [[], []])] == [0.0, 0.0]
    assert mtm.explain("taxes", []) == []


def test_an_article_does_not_depend_on_its_neighbours(mtm):
    """What is said of an article is the same alone and among others, whatever their lengths."""
    together = mtm.explain("taxes rose", ARTICLES)

    for article, among in zip(ARTICLES, together, strict=True):
        alone = mtm.explain("taxes rose", [article])[0]
        assert among.key == alone.key
        assert pytest.approx(alone.relevance, abs=1e-5) == among.relevance
        np.testing.assert_allclose(among.scores, alone.scores, atol=1e-6)


def test_without_relevance_no_network_is_made(mtm):
    """Key sentences alone ask for no transformer, and say so with nan; the rest is the same."""
    whole_explanations = mtm.explain("taxes rose", ARTICLES)
    mtm._network = None
    mtm._make = None

    for quick, slow in zip(
        mtm.explain("taxes rose", ARTICLES, relevance=False), whole_explanations, strict=True
    ):
        assert math.isnan(quick.relevance)
        assert slow.key == quick.key


def test_relevance_is_the_papers_sum(mtm, network):
    """ŷ of one article equals equations (11) to (14) written out for its key sentences, one at a time."""
    query = "taxes rose"
    article = ARTICLES[0]
    explained = mtm.explain(query, [article])[0]
    rot, relevance = network
    query_piece, *pieces = mtm.pieces([query, *article])

    total = 0
    weights = explained.scores[list(explained.key)]
    for sentence_index, weight in zip(explained.key, weights / weights.sum(), strict=True):
        tokens = padded_pairs(
            [query_piece], [pieces[sentence_index]], cls_id=2, sep_id=3, max_pair_tokens=96
        )
        means = pair_means(relevance(rot(tokens), tokens.mask), tokens)
        pattern = torch.from_numpy(mtm.memory[[explained.patterns[sentence_index]]])
        total = total + float(weight) * torch.cat((means, pattern), 1)
    expected = torch.sigmoid(relevance.mlp(total)).item()

    assert pytest.approx(explained.relevance, abs=1e-5) == expected


def test_broken_text_is_read(mtm):
    """Half a surrogate pair and a blank text are no errors."""
    explanation = mtm.explain("taxes \ud83d", [["\ud83d", "", "jobs"]])[0]

    assert len(explanation.scores) == 3
    assert not math.isnan(explanation.relevance)


def test_scores_of_some_sentences_stand_at_their_positions(mtm):
    article = ["taxes rose last year", "the senator said jobs", "we rate this claim false"]
    (explained,) = mtm.explain("taxes rose last year", [article], relevance=False)

    spread = explained.for_whole_article(np.array([1, 4, 6]), 8)

    assert spread.scores[[1, 4, 6]].tolist() == explained.scores.tolist()
    assert spread.repeats[[0, 2, 3, 5, 7]].tolist() == [0.0] * 5
    assert spread.patterns[[0, 2, 3, 5, 7]].tolist() == [-1] * 5
    assert spread.key == tuple([1, 4, 6][index] for index in explained.key)
