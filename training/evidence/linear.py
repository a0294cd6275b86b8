"""The linear first reading of an article's sentences.

A logistic regression on each sentence and its neighbours.

It reads words and word pairs of the sentence and of the ones before and after, its vector and its
product with the claim's vector, its cues and relations. The network adds to this logit. Where the
network learns, the logit comes from weights learnt without the sentence's own article, as it does
in use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from features.articles.hashed_words import BUCKETS
from training.evidence.lists import List

Floats = NDArray[np.float32]
SEEN = 3  # sentences that must contain a word for it to count
STRENGTH = 0.4  # inverse of the penalty on squared weights
# What a block of inputs is multiplied with before all weights are penalised alike; chosen on
# PolitiHop train.
OWN = 0.7
BESIDE = 0.35
MEANING = 1.0
SHARED = 10.0
PARTS = 5


@dataclass(frozen=True, eq=False)
class Linear:
    """Weights by block: words (3, BUCKETS) of the sentence and for the next and the last one, meaning (2, d)."""

    words: Floats
    rarity: Floats
    meaning: Floats
    about: Floats
    bias: Floats

    def logits(self, article: List) -> Floats:
        """Return the first reading of an article's sentences, (n,)."""
        by_place = weighed(article.words, self.rarity) @ self.words.T
        logits = by_place[:, 0] + article.rows.astype(np.float32) @ (
            self.meaning[0] + self.meaning[1] * article.claim
        )
        logits[1:] += by_place[:-1, 1]
        logits[:-1] += by_place[1:, 2]
        return np.asarray(logits + article.about @ self.about + self.bias[0], np.float32)


def weighed(counts: sparse.csr_matrix, rarity: Floats) -> sparse.csr_matrix:
    """Return (1 + log count)·rarity as unit rows, those of ``features.articles.hashed_words.word_scores``."""
    made = counts.copy()
    made.data = ((1 + np.log(made.data)) * rarity[made.indices]).astype(np.float32)
    length = np.sqrt(np.asarray(made.multiply(made).sum(axis=1)).ravel())
    return (sparse.diags((1 / np.where(length > 0, length, 1)).astype(np.float32)) @ made).tocsr()


def rarity_of(articles: Sequence[List]) -> Floats:
    """Return 1 + log((1 + sentences) / (1 + those with the bucket)), 0 below ``SEEN``, (BUCKETS,)."""
    seen = np.sum([np.bincount(one.words.indices, minlength=BUCKETS) for one in articles], axis=0)
    sentences = sum(one.words.shape[0] for one in articles)
    return np.where(seen >= SEEN, 1 + np.log((1 + sentences) / (1 + seen)), 0).astype(np.float32)


def learn_linear(articles: Sequence[List], *, strength: float = STRENGTH) -> Linear:
    """Return the weights learnt from the articles' known sentences."""
    from sklearn.linear_model import LogisticRegression

    rarity = rarity_of(articles)
    known = np.concatenate([one.target >= 0 for one in articles])
    target = np.concatenate([one.target for one in articles]) >= 0.5
    joined = sparse.vstack([_inputs(one, rarity) for one in articles]).tocsr()
    model = LogisticRegression(C=strength, max_iter=500).fit(joined[known], target[known])
    d = len(articles[0].claim)
    weights = model.coef_[0].astype(np.float32)
    own, beside, meaning, about = np.split(weights, np.cumsum([BUCKETS, 2 * BUCKETS, 2 * d]))
    return Linear(
        np.concatenate([OWN * own[None], BESIDE * beside.reshape(2, BUCKETS)]),
        rarity,
        meaning.reshape(2, d) * np.array([[MEANING], [SHARED]], np.float32),
        about,
        model.intercept_.astype(np.float32),
    )


def _inputs(article: List, rarity: Floats) -> sparse.csr_matrix:
    own = weighed(article.words, rarity)
    none = sparse.csr_matrix((1, BUCKETS), dtype=np.float32)
    last = sparse.vstack([none, own[:-1]])
    following = sparse.vstack([own[1:], none])
    rows = article.rows.astype(np.float32)
    dense = np.concatenate([MEANING * rows, SHARED * rows * article.claim, article.about], axis=1)
    return sparse.hstack(
        [OWN * own, BESIDE * last, BESIDE * following, sparse.csr_matrix(dense)]
    ).tocsr()


def held_out_logits(
    articles: Sequence[List], statements: Sequence[int], *, seed: int
) -> list[Floats]:
    """Return the first reading of each article, by weights learnt without its part of the statements.

    ``statements``: the number of each article's statement, from 0; articles of one statement go together.
    """
    part = (np.random.default_rng(seed).permutation(max(statements) + 1) % PARTS)[list(statements)]
    logits: list[Floats] = [np.zeros(0, np.float32)] * len(articles)
    for number in np.unique(part):
        linear = learn_linear([articles[i] for i in np.flatnonzero(part != number)])
        for i in np.flatnonzero(part == number):
            logits[i] = linear.logits(articles[i])
    return logits
