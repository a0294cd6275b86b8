"""The claims whose vectors are nearest to a sentence: exact, over mapped half-precision rows, in bounded memory.

Many sentences are compared by products of blocks, a few by ``usearch``, which reads half precision as it is. Both only
propose: ``exact`` gives the cosines by which the order is decided, the same whatever was computed with them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from features.batching import threads
from features.spec import Floats

ROWS = 4096  # of vectors made float32 at a time, 6 MB
SPARE = 12  # proposed beyond those wanted: the last digits of a product depend on its blocks
FEW, MANY_ROWS = 4, 50_000  # at most so many sentences, and at least so many rows, for usearch
LEFT_OUT = 1000  # rows that usearch may find in vain
Mask = NDArray[np.bool_]
Rows = NDArray[np.intp]


def proposed(sentences: Floats, vectors: NDArray[np.floating], depth: int, allowed: Mask) -> list[Rows]:
    """Return for each sentence (n, d) at least the ``depth`` nearest allowed rows of ``vectors`` (m, d), in no order."""
    wanted, missing = depth + SPARE, int((~allowed).sum())
    if not depth or missing == len(allowed):
        return [np.zeros(0, np.intp) for _ in sentences]
    if len(sentences) <= FEW and vectors.dtype == np.float16 and len(vectors) >= MANY_ROWS and missing <= LEFT_OUT:
        return list(_by_scan(sentences, vectors, wanted + missing, allowed))
    return _by_blocks(sentences, vectors, wanted, allowed)


def exact(sentence: Floats, vectors: Floats) -> Floats:
    """Return the cosines of a sentence (d,) with unit rows (k, d): each row's sum depends on nothing but the row."""
    return np.einsum("kd,d->k", vectors, sentence, optimize=False)


def _by_scan(sentences: Floats, vectors: NDArray[np.floating], count: int, allowed: Mask) -> Iterator[Rows]:
    from usearch.index import MetricKind, search

    for sentence in sentences.astype(np.float16):
        found = search(vectors, sentence, count, MetricKind.IP, exact=True, threads=threads()).keys.astype(np.intp)
        yield found[allowed[found]]


def _by_blocks(sentences: Floats, vectors: NDArray[np.floating], wanted: int, allowed: Mask) -> list[Rows]:
    found = [np.zeros(0, np.intp)] * len(sentences)
    values = [np.zeros(0, np.float32)] * len(sentences)
    least = np.full(len(sentences), -np.inf, np.float32)  # of those found, once they are enough
    for start in range(0, len(vectors), ROWS):
        there = np.flatnonzero(allowed[start : start + ROWS])
        cosines = sentences @ np.asarray(vectors[start : start + ROWS], np.float32)[there].T
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
