"""The rows whose vectors are nearest to a sentence: exact, over mapped rows, in bounded memory.

Products of blocks, or usearch for a few sentences, only propose: ``exact`` gives the cosines by which the order is
decided, the same whatever was computed with them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from features.spec import Floats

ROWS = 4096  # compared at a time, 6 MB
SPARE = 12  # proposed beyond those wanted: the last digits of a product depend on its blocks
FEW, MANY = 4, 16_384  # for so few sentences and so many rows turning halves into single precision costs the most
HALF = 0.001  # more than a sentence in half precision changes a cosine
Mask = NDArray[np.bool_]
Rows = NDArray[np.intp]


def proposed(sentences: Floats, vectors: NDArray[np.floating], depth: int, allowed: Mask) -> list[Rows]:
    """Return for each sentence (n, d) the ``depth`` nearest allowed rows of ``vectors`` (m, d) and more, unordered."""
    if not depth or not allowed.any():
        return [np.zeros(0, np.intp) for _ in sentences]
    if len(sentences) <= FEW and len(vectors) >= MANY and vectors.dtype == np.float16:
        found = [_by_halves(sentence, vectors, depth, allowed) for sentence in sentences]
        if all(rows is not None for rows in found):
            return [rows for rows in found if rows is not None]
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


def _by_halves(sentence: Floats, vectors: NDArray[np.float16], depth: int, allowed: Mask) -> Rows | None:
    """Return rows among which the nearest allowed ones surely are; None if too few are allowed, or too many as near."""
    most = min(4 * (depth + SPARE), len(vectors))
    rows, cosines = of_halves(vectors, sentence, most)
    there = np.flatnonzero(allowed[rows])
    if len(there) < depth or cosines[there[depth - 1]] <= cosines[-1] + HALF:
        return None
    return rows[there]


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
