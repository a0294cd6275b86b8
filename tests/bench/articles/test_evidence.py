"""The bench of evidence sentences: its baselines by hand, and what it prints."""

from __future__ import annotations

import numpy as np
import pytest

from bench.articles import evidence
from features.articles.evidence import EvidenceScorer
from training.evidence.articles import Article
from training.evidence.lists import make_list
from training.evidence.scores import MEASURES


def made(target: list[float]) -> tuple[Article, object]:
    """Return an article whose first sentence is the claim's vector and whose others are nearer the later they stand."""
    n = len(target)
    d = EvidenceScorer.load().width
    claim = np.eye(1, d, dtype=np.float32)[0]
    vectors = np.zeros((n, d), np.float32)
    vectors[:, 0] = np.linspace(0.1, 0.9, n)
    vectors[0, 0] = 1
    vectors[:, 1] = np.sqrt(1 - vectors[:, 0] ** 2)
    article = Article(
        "A claim.", tuple(f"Sentence {i} says this." for i in range(n)), np.float32(target), "made"
    )
    return article, make_list(article, claim, vectors)


def test_baselines_by_hand() -> None:
    """The nearest sentence is the first.

    Of four sentences with one that decides, chance finds it first in a fourth.
    """
    baseline_scores = evidence.baselines([made([0, 0, 0, 1])[1]])

    assert pytest.approx([0, 1, 0.2, 1, 1 / 3, 0.5]) == baseline_scores["SBERT-nearest"][0]
    assert pytest.approx(0.25, abs=0.1) == baseline_scores["chance"][0, 0]


def test_the_shipped_scorer_is_read_as_the_product_reads_it() -> None:
    """The same measures as from the product's own scores."""
    article, article_list = made([0, 1, 0, 0, 1])
    scores = EvidenceScorer.load().scores(article_list.claim, article_list.rows, article.texts)

    shipped_scores = evidence.shipped([article], [article_list])

    assert (1, len(MEASURES)) == shipped_scores.shape
    assert article_list.target[np.argmax(scores)] == shipped_scores[0, 0]


def test_every_row_and_every_difference_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A line a system, one for each pair with the sign of the difference.

    The means are those of the statements.
    """
    rng = np.random.default_rng(0)
    measures = {name: rng.random((9, len(MEASURES))) for name in evidence.ROWS}
    report = evidence.show(measures)

    assert 1 + len(evidence.ROWS) + len(evidence.LEXICON.pairs) == capsys.readouterr().out.count(
        "\n"
    )
    assert pytest.approx(measures["triplet"][:, -1].mean(), abs=1e-4) == report["triplet"]["MAP"]
    assert report["evidence-aware − pointwise"]["P@1"][0] in "+-"


def test_the_pairs_are_rows() -> None:
    """What is compared differs in the loss alone."""
    for first_name, second in evidence.LEXICON.pairs:
        first_loss = evidence.ROWS[first_name]
        other_loss = evidence.ROWS[second]
        assert first_loss.loss == "evidence-aware"
        assert other_loss.loss == "pointwise"
        assert first_loss.first == other_loss.first
        assert first_loss.negatives == other_loss.negatives
        assert first_loss.most == other_loss.most
