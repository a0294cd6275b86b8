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
from torch.nn.utils.rnn import pad_sequence

from features.articles.evidence import sentence_inputs
from features.articles.hashed_words import HASH_BUCKETS, word_buckets
from features.articles.rating_sentences import body_end, is_bare_rating
from training.evidence.articles import UNKNOWN, Article
from training.evidence.model import Batch, Network

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
    vectors = np.asarray(rows, np.float32)
    claim = np.asarray(claim, np.float32)
    cues = sentence_inputs(claim, vectors, article.texts)
    counts = word_counts(article.texts)
    return List(claim, vectors.astype(np.float16), cues, counts, article.target)


def word_counts(texts: Sequence[str]) -> sparse.csr_matrix:
    """Count the words of each hash bucket in each text, (n, BUCKETS)."""
    counts_by_text = [sorted(word_buckets(text).items()) for text in texts]
    # One row per text: all (bucket, count) pairs, (pairs, 2), and the position where the pairs of
    # each text start.
    starts = np.cumsum([0, *map(len, counts_by_text)])
    pairs = [pair for counts in counts_by_text for pair in counts]
    buckets_and_counts = np.array(pairs, np.float32).reshape(-1, 2)
    buckets = buckets_and_counts[:, 0].astype(np.int64)
    return sparse.csr_matrix(
        (buckets_and_counts[:, 1], buckets, starts), (len(texts), HASH_BUCKETS)
    )


def summary_list(article: Article, whole_list: List) -> List | None:
    """Return a whole article of which only sentences of the closing summary are known.

    None if none is.

    Headings, bare ratings, and the first sentence if it says the claim again, are no evidence. A
    sentence that is near to evidence of the body, and nearer than to the claim, is. The others
    stay unknown.
    """
    end = body_end(article.texts)
    vectors = whole_list.rows.astype(np.float32)
    evidence_vectors = vectors[:end][whole_list.target[:end] > 0]
    if end == len(article.texts) or not len(evidence_vectors):
        return None
    # cosines of all sentences with the claim and with their nearest evidence, (n,) each
    claim_cosines = vectors @ whole_list.claim
    evidence_cosines = (vectors @ evidence_vectors.T).max(axis=1)
    target = np.full(len(whole_list), UNKNOWN, np.float32)
    reasons = 0
    for i in range(end, len(whole_list)):
        text = article.texts[i]
        if is_bare_rating(text) or len(text.split()) < FULL:
            target[i] = 0
            continue
        repeats_claim = not reasons and claim_cosines[i] >= REPEATED
        near_evidence = evidence_cosines[i] >= REPEATED
        if repeats_claim:
            target[i] = 0
        elif near_evidence and evidence_cosines[i] > claim_cosines[i]:
            target[i] = 1
        reasons += 1
    if not (target >= 0).any():
        return None
    return replace(whole_list, target=target)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Which sentences of a list a step reads: ``negatives`` for each positive, ``most`` in all.

    0 for no limit.
    """

    negatives: int = 0
    most: int = 0

    def sentence_indices(
        self, target: NDArray[np.float32], rng: np.random.Generator
    ) -> NDArray[np.intp]:
        """Return the sentences drawn, in the order of the article; positives are kept first."""
        positive = rng.permutation(np.flatnonzero(target >= POSITIVE))
        negative = rng.permutation(np.flatnonzero(target < POSITIVE))
        if self.negatives:
            negative = negative[: max(1, len(positive)) * self.negatives]
        if self.most:
            max_positive = max(1, self.most // (1 + (self.negatives or 1)))
            positive = positive[:max_positive]
            negative = negative[: self.most - len(positive)]
        return np.sort(np.concatenate([positive, negative]))


def batches(
    lists: Sequence[List], drawing: Drawing, rng: np.random.Generator, size: int
) -> Iterator[Batch]:
    """Yield the lists once, in random order, with the sentences that ``drawing`` draws of each."""
    order = rng.permutation(len(lists))
    for start in range(0, len(order), size):
        batch_lists = [lists[i] for i in order[start : start + size]]
        sentence_indices = [drawing.sentence_indices(member.target, rng) for member in batch_lists]
        yield collate(batch_lists, sentence_indices)


def collate(lists: Sequence[List], drawn: Sequence[NDArray[np.intp]]) -> Batch:
    """Return the drawn sentences of lists as one batch, padded to the longest."""
    vectors = []
    cues = []
    targets = []
    present = []
    for member, sentence_indices in zip(lists, drawn, strict=True):
        vectors.append(torch.from_numpy(member.rows[sentence_indices]).float())
        cues.append(torch.from_numpy(member.about[sentence_indices]).float())
        targets.append(torch.from_numpy(member.target[sentence_indices]).float())
        present.append(torch.ones(len(sentence_indices), dtype=torch.bool))
    claims = torch.from_numpy(np.stack([member.claim for member in lists]))
    # (b, n) from lists of different length; a padded sentence has target -1, which is unknown
    target = pad_sequence(targets, batch_first=True, padding_value=-1.0)
    return Batch(
        claims,
        pad_sequence(vectors, batch_first=True),
        pad_sequence(cues, batch_first=True),
        target.clip(0),
        target >= 0,
        pad_sequence(present, batch_first=True),
    )


@torch.no_grad()
def read(
    network: Network, lists: Sequence[List], loss: str, *, size: int = 32
) -> list[NDArray[np.float32]]:
    """Return the scores by which a network of this loss ranks the sentences of each list, (n,) each."""
    network.eval()
    scores: list[NDArray[np.float32]] = []
    for start in range(0, len(lists), size):
        batch_lists = lists[start : start + size]
        batch = collate(batch_lists, [np.arange(len(member)) for member in batch_lists])
        padded = network.ranked_by(batch, loss).numpy()
        for member, member_scores in zip(batch_lists, padded, strict=True):
            scores.append(member_scores[: len(member)])
    return scores
