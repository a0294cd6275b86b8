"""Key sentences of an article: how near each is to the claim, and how near what it adds is to a known pattern."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


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
    """Return 1 − (x − min) / (max − min) over an article's sentences, in [0, 1]: the nearest gets 1.

    Where all are equally far, as in an article of one sentence, each gets 1.
    """
    if not len(distances):
        return np.zeros(0, np.float32)
    low, high = distances.min(), distances.max()
    if high <= low:
        return np.ones(len(distances), np.float32)
    return (1 - (distances - low) / (high - low)).astype(np.float32)


def nearest_patterns(residuals: Floats, memory: Floats) -> tuple[Ints, Floats]:
    """Return for each residual (n, d) the place u of the nearest of the K patterns, and ‖m_u − r‖, (n,) each."""
    squares = (residuals**2).sum(axis=1)[:, None] - 2 * residuals @ memory.T + (memory**2).sum(axis=1)
    nearest = squares.argmin(axis=1)
    return nearest, np.linalg.norm(memory[nearest] - residuals, axis=1).astype(np.float32)


def score(residuals: Floats, memory: Floats, weights: Weights = Weights()) -> Scores:  # noqa: B008 (immutable)
    """Return the scores of the sentences of one article, equations (8) to (10); residuals (n, d), memory (K, d).

    A memory of no pattern leaves the nearness to the claim alone.
    """
    repeats = scale(np.linalg.norm(residuals, axis=1).astype(np.float32))
    if not len(memory) or not len(residuals):
        none = np.zeros(len(residuals), np.float32)
        return Scores(repeats, repeats, none, np.full(len(residuals), -1, np.int64))
    patterns, distances = nearest_patterns(residuals, memory)
    pattern = scale(distances)
    return Scores(weights.repeats * repeats + weights.pattern * pattern, repeats, pattern, patterns)


def best_places(combined: Floats, k: int) -> tuple[int, ...]:
    """Return the places of the ``k`` best sentences, best first; of equal ones the earlier."""
    return tuple(np.argsort(-combined, kind="stable")[:k].tolist())


def shares(combined: Floats) -> Floats:
    """Return scr', the scores of the key sentences as shares of their sum, equation (13); equal where all are 0."""
    total = combined.sum()
    return combined / total if total > 0 else np.full(len(combined), 1 / max(1, len(combined)), np.float32)
