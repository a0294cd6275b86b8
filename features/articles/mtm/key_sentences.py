"""Scores of an article's sentences, from which its key sentences are chosen.

A sentence scores high if its residual is short, so that it repeats the claim, or near a known
pattern. Its residual is its weighted mean word vector minus the query's: the words that it adds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from features.models.model_spec import Floats

BLOCK_SENTENCES = 2_048  # at a time; the longest article of PolitiFact has 406
Ints = NDArray[np.int64]


class StaticSpace:
    """Word vectors without context (v, d) and a positive trained weight for each, (v,).

    The paper takes residuals in the embedding layer of its ROUGE-guided transformer, so that they
    say which words a sentence adds to the claim. Here that layer is the packaged word vectors, and
    only the weights are trained.
    """

    def __init__(self, vectors: Floats, weights: Floats) -> None:
        if len(vectors) != len(weights):
            raise ValueError(
                f"got {len(vectors)} word vectors and {len(weights)} weights, "
                "but each word vector needs one weight"
            )
        self.vectors = vectors
        self.weights = weights

    def means(self, pieces_by_text: Sequence[Sequence[int]]) -> Floats:
        """Return the weighted mean of the word vectors of each text, (n, d).

        Zero for a text without word pieces. A mean does not depend on the other texts.
        """
        blocks = [
            self._block_means(pieces_by_text[start : start + BLOCK_SENTENCES])
            for start in range(0, max(len(pieces_by_text), 1), BLOCK_SENTENCES)
        ]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def _block_means(self, pieces_by_text: Sequence[Sequence[int]]) -> Floats:
        """Return the means of the texts of one block, (n, d)."""
        piece_counts = np.array([len(text_pieces) for text_pieces in pieces_by_text], np.int64)
        means = np.zeros((len(pieces_by_text), self.vectors.shape[1]), np.float32)
        texts_with_pieces = np.flatnonzero(piece_counts)
        if not len(texts_with_pieces):
            return means
        # The word pieces of all texts in one line, (p,), and where each filled text begins in it.
        all_pieces = np.fromiter(
            chain.from_iterable(pieces_by_text), np.int64, int(piece_counts.sum())
        )
        piece_ends = np.cumsum(piece_counts)
        first_piece_indices = piece_ends[texts_with_pieces] - piece_counts[texts_with_pieces]
        # The weighted sum of the vectors of each filled text, divided by its sum of weights.
        piece_weights = self.weights[all_pieces]
        weighted_vectors = self.vectors[all_pieces] * piece_weights[:, None]
        # ``reduceat`` adds up the rows from each first one to the one before the next.
        vector_sums = np.add.reduceat(weighted_vectors, first_piece_indices, axis=0)
        weight_sums = np.add.reduceat(piece_weights, first_piece_indices)
        means[texts_with_pieces] = vector_sums / weight_sums[:, None]
        return means

    def residuals(self, query: Sequence[int], sentences: Sequence[Sequence[int]]) -> Floats:
        """Return r_{s,q}: the mean of each sentence minus the mean of the query, (n, d)."""
        residuals = self.means(sentences)
        residuals -= self.means([query])[0]
        return residuals


class ScoreWeights(NamedTuple):
    """How much the two scores count: λ_Q and λ_P of equation (10)."""

    repeats: float = 0.6
    pattern: float = 0.4


class Scores(NamedTuple):
    """Scores of the sentences of one article, and the number of each one's nearest pattern, (n,)."""

    combined: Floats  # scr
    repeats: Floats  # scr_Q
    pattern: Floats  # scr_P
    patterns: Ints


def _blocks(residuals: Floats) -> Iterator[slice]:
    """Yield the ranges of sentences that are compared at a time, so that memory is bounded."""
    for start in range(0, len(residuals), BLOCK_SENTENCES):
        yield slice(start, start + BLOCK_SENTENCES)


def nearness(distances: Floats) -> Floats:
    """Return 1 − (x − min) / (max − min) over an article's sentences, in [0, 1].

    The nearest gets 1. If all are equally far, as in an article of one sentence, each gets 1.
    """
    if not len(distances):
        return np.zeros(0, np.float32)
    smallest = distances.min()
    largest = distances.max()
    if largest <= smallest:
        return np.ones(len(distances), np.float32)
    scaled_distances = (distances - smallest) / (largest - smallest)  # from 0 to 1
    return (1 - scaled_distances).astype(np.float32)


def nearest_patterns(residuals: Floats, memory: Floats) -> tuple[Ints, Floats]:
    """Return the number u of the pattern nearest to each residual, and ‖m_u − r‖, (n,) each.

    Shapes: residuals (n, d), memory (K, d).
    """
    nearest = np.zeros(len(residuals), np.int64)
    distances = np.zeros(len(residuals), np.float32)
    for block in _blocks(residuals):
        nearest[block], distances[block] = _nearest_in_block(residuals[block], memory)
    return nearest, distances


def _nearest_in_block(residuals: Floats, pattern_vectors: Floats) -> tuple[Ints, Floats]:
    """Return the nearest pattern and its distance for the residuals of one block, (n,) each."""
    # ‖r − m‖² = ‖r‖² − 2 r·m + ‖m‖² for every residual and every pattern, (n, K).
    residual_squares = (residuals**2).sum(axis=1)[:, None]
    pattern_squares = (pattern_vectors**2).sum(axis=1)
    squared_distances = residual_squares - 2 * residuals @ pattern_vectors.T + pattern_squares
    nearest_pattern = squared_distances.argmin(axis=1)
    # The distance to the nearest pattern once more, from the difference, which is more exact.
    differences = pattern_vectors[nearest_pattern] - residuals
    return nearest_pattern, np.linalg.norm(differences, axis=1).astype(np.float32)


def score(
    residuals: Floats,
    pattern_vectors: Floats,
    weights: ScoreWeights = ScoreWeights(),  # noqa: B008 (immutable)
) -> Scores:
    """Return the scores of the sentences of one article, equations (8) to (10).

    Shapes: residuals (n, d), pattern_vectors (K, d). Without patterns, only the nearness to the
    claim counts.
    """
    # The residual of a sentence is its vector minus the vector of the claim. If it is short, the
    # sentence adds little to the claim, so it repeats it.
    residual_lengths = np.zeros(len(residuals), np.float32)
    for block in _blocks(residuals):
        residual_lengths[block] = np.linalg.norm(residuals[block], axis=1)
    # From 0 for the sentence that is farthest from the claim to 1 for the nearest
    claim_repetition = nearness(residual_lengths)
    if not len(pattern_vectors) or not len(residuals):
        no_pattern_score = np.zeros(len(residuals), np.float32)
        no_pattern = np.full(len(residuals), -1, np.int64)  # -1 stands for none
        return Scores(claim_repetition, claim_repetition, no_pattern_score, no_pattern)
    # The memory has the patterns: residuals typical of sentences that debunk a claim.
    nearest_pattern, pattern_distances = nearest_patterns(residuals, pattern_vectors)
    pattern_score = nearness(pattern_distances)
    combined_score = weights.repeats * claim_repetition + weights.pattern * pattern_score
    return Scores(combined_score, claim_repetition, pattern_score, nearest_pattern)


def best_sentences(combined: Floats, k: int) -> tuple[int, ...]:
    """Return the indices of the ``k`` sentences with the highest scores, best first.

    Equal scores keep the article's order.
    """
    best_first = np.argsort(-combined, kind="stable")
    return tuple(best_first[:k].tolist())


def shares(combined: Floats) -> Floats:
    """Return scr', the scores of the key sentences as shares of their sum, equation (13).

    If all scores are 0, the shares are equal.
    """
    # Scores are not negative, so a sum of 0 means that all are 0.
    total = combined.sum()
    if total > 0:
        return combined / total
    equal_share = 1 / max(1, len(combined))
    return np.full(len(combined), equal_share, np.float32)
