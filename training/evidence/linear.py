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

from features.articles.hashed_words import HASH_BUCKETS
from training.evidence.lists import List

Floats = NDArray[np.float32]
MIN_SENTENCES = 3  # sentences that must contain a word for it to count
STRENGTH = 0.4  # inverse of the penalty on squared weights
# Factors of the blocks of inputs, applied before all weights are penalised alike; chosen on
# PolitiHop train.
SENTENCE_SCALE = 0.7
NEIGHBOUR_SCALE = 0.35
MEANING_SCALE = 1.0
SHARED_SCALE = 10.0
FOLDS = 5


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
        # word scores for the sentence itself, the next and the previous one, (n, 3)
        word_scores = weighed(article.words, self.rarity) @ self.words.T
        meaning_weights = self.meaning[0] + self.meaning[1] * article.claim
        logits = word_scores[:, 0] + article.rows.astype(np.float32) @ meaning_weights
        logits[1:] += word_scores[:-1, 1]
        logits[:-1] += word_scores[1:, 2]
        return np.asarray(logits + article.about @ self.about + self.bias[0], np.float32)


def weighed(counts: sparse.csr_matrix, rarity: Floats) -> sparse.csr_matrix:
    """Return (1 + log count)·rarity as unit rows, those of ``features.articles.hashed_words.word_scores``."""
    weights = counts.copy()
    weights.data = ((1 + np.log(weights.data)) * rarity[weights.indices]).astype(np.float32)
    # each row divided by its length, a row of zeros by 1
    lengths = np.sqrt(np.asarray(weights.multiply(weights).sum(axis=1)).ravel())
    factors = (1 / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return (sparse.diags(factors) @ weights).tocsr()


def rarity_of(articles: Sequence[List]) -> Floats:
    """Return 1 + log((1 + sentences) / (1 + those with the bucket)), 0 if rare, (BUCKETS,)."""
    counts = [np.bincount(article.words.indices, minlength=HASH_BUCKETS) for article in articles]
    frequency = np.sum(counts, axis=0)
    sentences = sum(article.words.shape[0] for article in articles)
    rarity = 1 + np.log((1 + sentences) / (1 + frequency))
    return np.where(frequency >= MIN_SENTENCES, rarity, 0).astype(np.float32)


def learn_linear(articles: Sequence[List], *, strength: float = STRENGTH) -> Linear:
    """Return the weights learnt from the articles' known sentences."""
    from sklearn.linear_model import LogisticRegression

    rarity = rarity_of(articles)
    target = np.concatenate([article.target for article in articles])
    is_known = target >= 0
    inputs = sparse.vstack([_inputs(article, rarity) for article in articles]).tocsr()
    regression = LogisticRegression(C=strength, max_iter=500)
    model = regression.fit(inputs[is_known], target[is_known] >= 0.5)
    # the weights of the four blocks of inputs, folded with their scales
    d = len(articles[0].claim)
    weights = model.coef_[0].astype(np.float32)
    block_ends = np.cumsum([HASH_BUCKETS, 2 * HASH_BUCKETS, 2 * d])
    sentence, neighbours, meaning, about = np.split(weights, block_ends)
    words = [SENTENCE_SCALE * sentence[None], NEIGHBOUR_SCALE * neighbours.reshape(2, HASH_BUCKETS)]
    meaning_scales = np.array([[MEANING_SCALE], [SHARED_SCALE]], np.float32)
    return Linear(
        np.concatenate(words),
        rarity,
        meaning.reshape(2, d) * meaning_scales,
        about,
        model.intercept_.astype(np.float32),
    )


def _inputs(article: List, rarity: Floats) -> sparse.csr_matrix:
    """Return the scaled inputs of an article's sentences, (n, 3 BUCKETS + 2 d + cues)."""
    words = weighed(article.words, rarity)
    empty = sparse.csr_matrix((1, HASH_BUCKETS), dtype=np.float32)
    previous = sparse.vstack([empty, words[:-1]])
    following = sparse.vstack([words[1:], empty])
    vectors = article.rows.astype(np.float32)
    shared = SHARED_SCALE * vectors * article.claim
    dense = np.concatenate([MEANING_SCALE * vectors, shared, article.about], axis=1)
    blocks = [
        SENTENCE_SCALE * words,
        NEIGHBOUR_SCALE * previous,
        NEIGHBOUR_SCALE * following,
        sparse.csr_matrix(dense),
    ]
    return sparse.hstack(blocks).tocsr()


def held_out_logits(
    articles: Sequence[List], statements: Sequence[int], *, seed: int
) -> list[Floats]:
    """Return the first reading of each article, by weights learnt without its part of the statements.

    ``statements``: the number of each article's statement, from 0; articles of one statement go together.
    """
    rng = np.random.default_rng(seed)
    fold_by_statement = rng.permutation(max(statements) + 1) % FOLDS
    folds = fold_by_statement[list(statements)]
    logits: list[Floats] = [np.zeros(0, np.float32)] * len(articles)
    for fold in np.unique(folds):
        linear = learn_linear([articles[i] for i in np.flatnonzero(folds != fold)])
        for i in np.flatnonzero(folds == fold):
            logits[i] = linear.logits(articles[i])
    return logits
