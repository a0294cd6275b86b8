"""Lists of sentences as the evidence network reads them.

Vectors, cues and word buckets of each article, and batches.

Training draws from a list as the paper does: its positives, so many negatives for each, so many
sentences in all. Reading takes every sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse

from features.articles.evidence import about
from features.articles.hashed_words import BUCKETS, word_buckets
from features.articles.rating_sentences import body_end, is_bare_rating
from training.evidence.articles import UNKNOWN, Article
from training.evidence.network import Batch, Network

REPEATED = 0.6  # cosine from which a sentence of a summary says another one again
FULL = 6  # words; what is shorter in a summary is a heading
POSITIVE = 0.5  # a weak target from here on counts as positive where negatives are drawn


@dataclass(frozen=True, eq=False)
class List:
    """One article ready to be read.

    Shapes: claim (d,), rows (n, d), about (n, f), words (n, BUCKETS), target (n,).
    """

    claim: NDArray[np.float32]
    rows: NDArray[np.float16]
    about: NDArray[np.float32]
    words: sparse.csr_matrix
    target: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.target)

    def told(self, logits: NDArray[np.floating]) -> List:
        """Return the list with its first reading (n,) as the last column of ``about``."""
        return replace(
            self, about=np.concatenate([self.about, np.float32(logits)[:, None]], axis=1)
        )


def make_list(article: Article, claim: NDArray[np.floating], rows: NDArray[np.floating]) -> List:
    """Return an article with the unit vectors of its claim (d,) and its sentences (n, d)."""
    rows = np.asarray(rows, np.float32)
    claim = np.asarray(claim, np.float32)
    cues = about(claim, rows, article.texts)
    return List(claim, rows.astype(np.float16), cues, word_counts(article.texts), article.target)


def word_counts(texts: Sequence[str]) -> sparse.csr_matrix:
    """Count the words of each hash bucket in each text, (n, BUCKETS)."""
    counts_by_text = [sorted(word_buckets(text).items()) for text in texts]
    # One row per text: all (bucket, count) pairs, (pairs, 2), and the position where the pairs of
    # each text start.
    starts = np.cumsum([0, *map(len, counts_by_text)])
    pairs = [pair for counts in counts_by_text for pair in counts]
    buckets_and_counts = np.array(pairs, np.float32).reshape(-1, 2)
    buckets = buckets_and_counts[:, 0].astype(np.int64)
    return sparse.csr_matrix((buckets_and_counts[:, 1], buckets, starts), (len(texts), BUCKETS))


def summary_list(article: Article, whole: List) -> List | None:
    """Return a whole article of which only sentences of the closing summary are known.

    None if none is.

    Headings, bare ratings, and the first sentence if it says the claim again, are no evidence. A
    sentence that is near to evidence of the body, and nearer than to the claim, is. The others
    stay unknown.
    """
    end = body_end(article.texts)
    rows = whole.rows.astype(np.float32)
    decides = rows[:end][whole.target[:end] > 0]
    if end == len(article.texts) or not len(decides):
        return None
    claim = rows @ whole.claim
    evidence = (rows @ decides.T).max(axis=1)
    target = np.full(len(whole), UNKNOWN, np.float32)
    reasons = 0
    for i in range(end, len(whole)):
        if is_bare_rating(article.texts[i]) or len(article.texts[i].split()) < FULL:
            target[i] = 0
            continue
        if not reasons and claim[i] >= REPEATED:
            target[i] = 0
        elif evidence[i] >= REPEATED and evidence[i] > claim[i]:
            target[i] = 1
        reasons += 1
    return replace(whole, target=target) if (target >= 0).any() else None


@dataclass(frozen=True, slots=True)
class Drawing:
    """Which sentences of a list a step reads: ``negatives`` for each positive, ``most`` in all.

    0 for no limit.
    """

    negatives: int = 0
    most: int = 0

    def rows(self, target: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.intp]:
        """Return the sentences drawn, in the order of the article; positives are kept first."""
        positive = rng.permutation(np.flatnonzero(target >= POSITIVE))
        other = rng.permutation(np.flatnonzero(target < POSITIVE))
        if self.negatives:
            other = other[: max(1, len(positive)) * self.negatives]
        if self.most:
            positive = positive[: max(1, self.most // (1 + (self.negatives or 1)))]
            other = other[: self.most - len(positive)]
        return np.sort(np.concatenate([positive, other]))


def batches(
    lists: Sequence[List], drawing: Drawing, rng: np.random.Generator, size: int
) -> Iterator[Batch]:
    """Yield the lists once, in an order of the generator, with the sentences that ``drawing`` takes of each."""
    order = rng.permutation(len(lists))
    for start in range(0, len(order), size):
        part = [lists[i] for i in order[start : start + size]]
        yield collate(part, [drawing.rows(one.target, rng) for one in part])


def collate(lists: Sequence[List], drawn: Sequence[NDArray[np.intp]]) -> Batch:
    """Return lists as one batch, padded to the longest."""
    b = len(lists)
    n = max(map(len, drawn))
    d = len(lists[0].claim)
    rows = np.zeros((b, n, d), np.float32)
    about = np.zeros((b, n, lists[0].about.shape[1]), np.float32)
    target = np.full((b, n), -1, np.float32)
    there = np.zeros((b, n), bool)
    for i, (one, places) in enumerate(zip(lists, drawn, strict=True)):
        size = len(places)
        rows[i, :size], about[i, :size] = one.rows[places], one.about[places]
        target[i, :size], there[i, :size] = one.target[places], True
    claims = np.stack([one.claim for one in lists])
    arrays = (claims, rows, about, target.clip(0), target >= 0, there)
    return Batch(*map(torch.from_numpy, arrays))


@torch.no_grad()
def read(
    network: Network, lists: Sequence[List], loss: str, *, size: int = 32
) -> list[NDArray[np.float32]]:
    """Return what a network of this loss ranks every sentence of each list by, (n,) each."""
    network.eval()
    found: list[NDArray[np.float32]] = []
    for start in range(0, len(lists), size):
        part = lists[start : start + size]
        batch = collate(part, [np.arange(len(one)) for one in part])
        scores = network.ranked_by(batch, loss).numpy()
        found += [row[: len(one)] for row, one in zip(scores, part, strict=True)]
    return found
