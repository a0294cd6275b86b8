"""The rows whose vectors are nearest to a sentence: exact, over mapped rows, in bounded memory.

Products of blocks only propose: ``exact`` gives the cosines by which the order is decided, the same whatever was
computed with them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from features.spec import Floats

ROWS = 4096  # compared at a time, 6 MB
SPARE = 12  # proposed beyond those wanted: the last digits of a product depend on its blocks
Mask = NDArray[np.bool_]
Rows = NDArray[np.intp]


def proposed(sentences: Floats, vectors: NDArray[np.floating], depth: int, allowed: Mask) -> list[Rows]:
    """Return for each sentence (n, d) the ``depth`` nearest allowed rows of ``vectors`` (m, d) and more, unordered."""
    if not depth or not allowed.any():
        return [np.zeros(0, np.intp) for _ in sentences]
    return _by_blocks(sentences, vectors, depth + SPARE, allowed)


def exact(sentence: Floats, vectors: Floats) -> Floats:
    """Return the cosines of a sentence (d,) with unit rows (k, d): each row's sum depends on nothing but the row."""
    return np.einsum("kd,d->k", vectors, sentence, optimize=False)


def of_halves(vectors: NDArray[np.float16], vector: Floats, most: int) -> tuple[Rows, Floats]:
    """Return the rows of ``vectors`` (m, d) with the largest cosines with a unit vector (d,), and these, exact: usearch
    reads half precision as it is, without a copy."""
    import onnxruntime  # noqa: F401  loaded after usearch, it ends the process
    from usearch.index import MetricKind, search

    found = search(np.asarray(vectors), vector.astype(np.float16), most, MetricKind.IP, exact=True)
    return np.asarray(found.keys, np.intp), np.asarray(1 - found.distances, np.float32)


def _by_blocks(sentences: Floats, vectors: NDArray[np.floating], wanted: int, allowed: Mask) -> list[Rows]:
    found = [np.zeros(0, np.intp)] * len(sentences)
    values = [np.zeros(0, np.float32)] * len(sentences)
    least = np.full(len(sentences), -np.inf, np.float32)  # of those found, once they are enough
    for start in range(0, len(vectors), ROWS):
        there = np.flatnonzero(allowed[start : start + ROWS])
        block = np.asarray(vectors[start : start + ROWS], np.float32)
        cosines = sentences @ (block if len(there) == len(block) else block[there]).T
        for row in np.flatnonzero((cosines > least[:, None]).any(axis=1)).tolist():
            near = np.flatnonzero(cosines[row] > least[row])
            rows = np.concatenate((found[row], start + there[near]))
            scores = np.concatenate((values[row], cosines[row, near]))
            if len(rows) > wanted:
                best = np.argpartition(-scores, wanted - 1)[:wanted]
                rows, scores = rows[best], scores[best]
                least[row] = scores.min()
            found[row], values[row] = rows, scores
    return found
