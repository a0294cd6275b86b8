"""Key sentences of an article.

How near each is to the claim, and how near what it adds is to a known pattern.

A residual is what a sentence adds to the query: the difference of their weighted mean word
vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from features.models.model_spec import Floats

Ints = NDArray[np.int64]


class StaticSpace:
    """Word vectors without context (v, d) and a positive learnt weight for each, (v,).

    The paper takes residuals in the embedding layer of its ROUGE-guided transformer, so that they
    say which words a sentence adds to the claim. Here that layer is the packaged word vectors, and
    only the weights are learnt.
    """

    def __init__(self, vectors: Floats, weights: Floats) -> None:
        if len(vectors) != len(weights):
            raise ValueError(
                f"{len(vectors)} word vectors but {len(weights)} weights; expected one a word vector"
            )
        self.vectors = vectors
        self.weights = weights

    def means(self, pieces: Sequence[Sequence[int]]) -> Floats:
        """Return the weighted mean of the word vectors of each text, (n, d).

        Zero for a text without word pieces.
        """
        lengths = np.array([len(row) for row in pieces], np.int64)
        means = np.zeros((len(pieces), self.vectors.shape[1]), np.float32)
        filled = np.flatnonzero(lengths)
        if not len(filled):
            return means
        flat = np.fromiter((piece for row in pieces for piece in row), np.int64, int(lengths.sum()))
        starts = np.cumsum(lengths)[filled] - lengths[filled]
        weights = self.weights[flat]
        sums = np.add.reduceat(self.vectors[flat] * weights[:, None], starts, axis=0)
        means[filled] = sums / np.add.reduceat(weights, starts)[:, None]
        return means

    def residuals(self, query: Sequence[int], sentences: Sequence[Sequence[int]]) -> Floats:
        """Return r_{s,q}: the mean of each sentence minus that of the query, (n, d)."""
        means = self.means([query, *sentences])
        return means[1:] - means[0]


class Weights(NamedTuple):
    """How much the two scores count: λ_Q and λ_P of equation (10)."""

    repeats: float = 0.6
    pattern: float = 0.4


class Scores(NamedTuple):
    """Scores of the sentences of one article, (n,) each, and the place of the nearest pattern of each."""

    combined: Floats  # scr
    repeats: Floats  # scr_Q
    pattern: Floats  # scr_P
    patterns: Ints


def scale(distances: Floats) -> Floats:
    """Return 1 − (x − min) / (max − min) over an article's sentences, in [0, 1].

    The nearest gets 1.

    Where all are equally far, as in an article of one sentence, each gets 1.
    """
    if not len(distances):
        return np.zeros(0, np.float32)
    low = distances.min()
    high = distances.max()
    if high <= low:
        return np.ones(len(distances), np.float32)
    return (1 - (distances - low) / (high - low)).astype(np.float32)


def nearest_patterns(residuals: Floats, memory: Floats) -> tuple[Ints, Floats]:
    """Return for each residual (n, d) the place u of the nearest of the K patterns, and ‖m_u − r‖, (n,) each."""
    squares = (
        (residuals**2).sum(axis=1)[:, None] - 2 * residuals @ memory.T + (memory**2).sum(axis=1)
    )
    nearest = squares.argmin(axis=1)
    return nearest, np.linalg.norm(memory[nearest] - residuals, axis=1).astype(np.float32)


def score(residuals: Floats, memory: Floats, weights: Weights = Weights()) -> Scores:  # noqa: B008 (immutable)
    """Return the scores of the sentences of one article, equations (8) to (10).

    Residuals (n, d), memory (K, d).

    An empty memory leaves only the nearness to the claim.
    """
    repeats = scale(np.linalg.norm(residuals, axis=1).astype(np.float32))
    if not len(memory) or not len(residuals):
        none = np.zeros(len(residuals), np.float32)
        return Scores(repeats, repeats, none, np.full(len(residuals), -1, np.int64))
    patterns, distances = nearest_patterns(residuals, memory)
    pattern = scale(distances)
    return Scores(weights.repeats * repeats + weights.pattern * pattern, repeats, pattern, patterns)


def best_places(combined: Floats, k: int) -> tuple[int, ...]:
    """Return the places of the ``k`` best sentences, best first.

    Of equal ones the earlier first.
    """
    return tuple(np.argsort(-combined, kind="stable")[:k].tolist())


def shares(combined: Floats) -> Floats:
    """Return scr', the scores of the key sentences as shares of their sum, equation (13).

    Equal where all are 0.
    """
    total = combined.sum()
    return (
        combined / total
        if total > 0
        else np.full(len(combined), 1 / max(1, len(combined)), np.float32)
    )
