"""The pattern memory of MTM.

What sentences of articles add to the claims they are about, as a few typical directions.

K-means parts the residuals that are neither nearly zero (the sentence repeats the claim) nor far
(it is about something else); the centroids are the patterns. After each epoch every pattern moves
towards the residuals of what was predicted right and away from those of what was predicted wrong.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
PATTERNS = 20  # K
STEP = 0.3  # λ_m


def valid(residuals: Floats, low: float, high: float) -> NDArray[np.bool_]:
    """Return which residuals (n, d) are longer than t_low and shorter than t_high, (n,)."""
    lengths = np.linalg.norm(residuals, axis=1)
    return (lengths > low) & (lengths < high)


def initial(residuals: Floats, *, patterns: int = PATTERNS, seed: int) -> Floats:
    """Return the centroids of the valid residuals (n, d), equation (4), (K, d).

    Raises: ValueError if there are fewer residuals than patterns.
    """
    if len(residuals) < patterns:
        raise ValueError(
            f"{len(residuals)} valid residuals for {patterns} patterns; widen the band or read more"
        )
    from sklearn.cluster import KMeans

    clusters = KMeans(patterns, n_init=3, random_state=seed).fit(residuals)
    return clusters.cluster_centers_.astype(np.float32)


def updated(
    memory: Floats,
    residuals: Floats,
    patterns: Ints,
    predicted: Floats,
    labels: Floats,
    *,
    step: float = STEP,
) -> Floats:
    """Return the memory after an epoch, equations (5) to (7), (K, d).

    Shapes: memory (K, d); for each key sentence of the epoch its residual (n, d), its nearest
    pattern (n,), the relevance ŷ predicted for its article (n,) and whether the article is
    relevant (n,). Weights are |ŷ − .5|. The weighted sums are divided by the summed weights:
    "normalised" is not spelled out in the paper, and a mean is what is in one space with the
    pattern it is compared to.
    """
    updated_memory = memory.copy()
    weights = np.abs(predicted - 0.5)
    correct = (predicted > 0.5) == (labels > 0.5)
    for i, pattern in enumerate(memory):
        members = patterns == i
        pulling = weights * (members & correct)
        pushing = weights * (members & ~correct)
        total = pulling.sum() + pushing.sum()
        if total <= 0:
            continue
        pull = pulling @ (residuals - pattern) / total
        push = pushing @ (pattern - residuals) / total
        move = pull + push
        length = np.linalg.norm(move)
        if length > 0:
            updated_memory[i] = pattern + step * np.linalg.norm(pattern) * move / length
    return updated_memory
