"""The static space of MTM: word vectors without context, their weighted means, and residuals between two texts.

The paper takes residuals in the embedding layer of its ROUGE-guided transformer, so that they say which words a
sentence adds to the claim. Here that layer is the packaged word vectors with a learnt weight for each word piece: all
that is shipped of it is one number a word piece.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class StaticSpace:
    """Word vectors (v, d) and a weight above 0 for each, (v,)."""

    def __init__(self, vectors: Floats, weights: Floats) -> None:
        if len(vectors) != len(weights):
            raise ValueError(f"{len(vectors)} word vectors but {len(weights)} weights; expected one a word vector")
        self.vectors, self.weights = vectors, weights

    def means(self, pieces: Sequence[Sequence[int]]) -> Floats:
        """Return the weighted mean of the word vectors of each text, (n, d); zero for a text without word pieces."""
        lengths = np.array([len(row) for row in pieces], np.int64)
        found = np.zeros((len(pieces), self.vectors.shape[1]), np.float32)
        filled = np.flatnonzero(lengths)
        if not len(filled):
            return found
        flat = np.fromiter((piece for row in pieces for piece in row), np.int64, int(lengths.sum()))
        starts = np.cumsum(lengths)[filled] - lengths[filled]
        weights = self.weights[flat]
        sums = np.add.reduceat(self.vectors[flat] * weights[:, None], starts, axis=0)
        found[filled] = sums / np.add.reduceat(weights, starts)[:, None]
        return found

    def residuals(self, query: Sequence[int], sentences: Sequence[Sequence[int]]) -> Floats:
        """Return r_{s,q}: the mean of each sentence minus that of the query, (n, d)."""
        means = self.means([query, *sentences])
        return means[1:] - means[0]
