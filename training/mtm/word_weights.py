"""The word weights of MTM's static space, guided by ROUGE-2.

Which word pieces show that two texts are alike.

The paper's ROUGE guidance reaches the embeddings through one transformer block; here they get it
directly: of the sentences of an article, those that share a statement's word pairs should have the
shortest residuals. One number a word piece is learnt, from the smooth inverse frequency of Arora
et al., with equation (3)'s drift penalty.

Source of the start: Arora, Liang and Ma, A Simple but Tough-to-Beat Baseline for Sentence
Embeddings, 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.mtm.queries import Articles, Query, word_pieces

Floats = NDArray[np.float32]
SMOOTH = 1e-3  # a of the smooth inverse frequency a / (a + p)
EPOCHS = 2
BATCH_GUIDES = 32
LEARNING_RATE = 0.03
DRIFT_WEIGHT = 1e-4  # λ_R of the word weights
SOFTMAX_SHARPNESS = 20.0  # factor of a squared length before the softmax
LEAST = 0.3  # ROUGE-2's F of the best sentence, below which an article shows nothing


@dataclass(frozen=True)
class Guide:
    """An article under a query.

    Their word pieces, and how much of ROUGE-2's F each sentence has of the whole, (n,).
    """

    query: list[int]
    sentences: list[list[int]]
    target: Floats


@lru_cache(maxsize=1)
def _scorer() -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rouge2"], use_stemmer=False)


def rouge2(reference: str, sentences: Sequence[str]) -> Floats:
    """Return precision and recall of ROUGE-2 of each sentence against the reference, (n, 2)."""
    return _rouge2(reference, tuple(sentences))


@lru_cache(maxsize=1 << 13)
def _rouge2(reference: str, sentences: tuple[str, ...]) -> Floats:
    scores = [_scorer().score(reference, sentence)["rouge2"] for sentence in sentences]
    return np.array([(score.precision, score.recall) for score in scores], np.float32).reshape(
        -1, 2
    )


def f_measure(rouge: Floats) -> Floats:
    """Return the harmonic mean of precision and recall, (n,)."""
    product = rouge.prod(axis=1)
    total = rouge.sum(axis=1)
    return np.divide(2 * product, total, out=np.zeros_like(total), where=total > 0)


def guides(queries: Sequence[Query], references: Sequence[str], articles: Articles) -> list[Guide]:
    """Return the articles of the queries that hold a sentence like the reference.

    The statement that was checked.
    """
    guides = []
    for query, reference in zip(queries, references, strict=True):
        article = query.articles[0]
        f_scores = f_measure(rouge2(reference, articles.sentences(article)))
        if len(f_scores) and f_scores.max() >= LEAST:
            sentences = [articles.ids_of(number) for number in articles.rows(article)]
            target = (f_scores / f_scores.sum()).astype(np.float32)
            guides.append(Guide(word_pieces([query.text])[0], sentences, target))
    return guides


def inverse_frequency(articles: Articles, vocabulary: int) -> Floats:
    """Return a / (a + p) for every word piece, p being its share of all word pieces of the articles, (v,)."""
    counts = np.bincount(articles.pieces, minlength=vocabulary).astype(np.float64)
    return (SMOOTH / (SMOOTH + counts / counts.sum())).astype(np.float32)


def learn_weights(
    vectors: Floats,
    start_weights: Floats,
    examples: Sequence[Guide],
    *,
    seed: int,
    rate: float = LEARNING_RATE,
    epochs: int = EPOCHS,
) -> Floats:
    """Learn the word weights, (v,).

    Cross-entropy of a softmax over −‖r‖² with ROUGE's shares, and their drift.
    """
    torch.manual_seed(seed)
    table = torch.from_numpy(vectors)
    begun = torch.from_numpy(start_weights).log()
    logs = begun.clone().requires_grad_()
    optimizer = torch.optim.Adam([logs], rate)
    rng = np.random.default_rng(seed)
    for _ in range(epochs):
        order = rng.permutation(len(examples))
        for at in range(0, len(order), BATCH_GUIDES):
            batch = [examples[i] for i in order[at : at + BATCH_GUIDES]]
            loss = torch.stack([_loss(table, logs, guide) for guide in batch]).mean()
            loss = loss + DRIFT_WEIGHT * (logs - begun).square().sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return logs.detach().exp().numpy()


def _loss(table: Tensor, logs: Tensor, guide: Guide) -> Tensor:
    # means of the query and of each sentence, (1 + s, d), and squared distances, (s,)
    means = _means(table, logs, [guide.query, *guide.sentences])
    squares = (means[1:] - means[0]).square().sum(1)
    log_shares = torch.log_softmax(-SOFTMAX_SHARPNESS * squares, 0)
    return -(torch.from_numpy(guide.target) * log_shares).sum()


def _means(table: Tensor, logs: Tensor, pieces: Sequence[Sequence[int]]) -> Tensor:
    """Return the weighted mean of the vectors of each text's word pieces, (texts, d)."""
    all_pieces = torch.tensor(list(chain.from_iterable(pieces)))
    lengths = torch.tensor([len(text_pieces) for text_pieces in pieces])
    starts = lengths.cumsum(0) - lengths
    weights = logs[all_pieces].exp()
    sums = torch.nn.functional.embedding_bag(
        all_pieces, table, starts, mode="sum", per_sample_weights=weights
    )
    text_indices = torch.repeat_interleave(torch.arange(len(pieces)), lengths)
    totals = torch.zeros(len(pieces)).index_add(0, text_indices, weights)
    return sums / totals.clamp(min=1e-9).unsqueeze(1)
