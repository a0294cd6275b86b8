"""The rows whose vectors are nearest to a sentence: exact, over mapped rows, in bounded memory.

Products of blocks, or of bytes for a few sentences, only propose: ``exact`` gives the cosines by
which the order is decided, the same whatever was computed with them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from features.models.model_spec import Floats

ROWS = 4096  # compared at a time, 6 MB
SPARE = 12  # proposed beyond those wanted: the last digits of a product depend on its blocks
# for so few sentences and so many rows reading single precision costs the most
FEW = 4
MANY = 16_384
LARGEST = 127  # of a code
ROUNDED = 1e-5  # more than the sum of a cosine is off by
Mask = NDArray[np.bool_]
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """Unit vectors in bytes, a quarter of their size.

    Vector i is ``step * rows[i]``, but for a length of ``error``.
    """

    rows: NDArray[np.int8]  # (m, d)
    step: float
    error: float


def proposed(
    sentences: Floats, vectors: Floats, depth: int, allowed: Mask, codes: Codes | None = None
) -> list[Rows]:
    """Return for each sentence (n, d) the ``depth`` nearest allowed rows of ``vectors`` (m, d) and more, unordered."""
    if not depth or not allowed.any():
        return [np.zeros(0, np.intp) for _ in sentences]
    if codes is not None and len(sentences) <= FEW:
        return [_by_codes(sentence, vectors, codes, depth, allowed) for sentence in sentences]
    return _by_blocks(sentences, vectors, depth + SPARE, allowed)


def exact(sentence: Floats, vectors: Floats) -> Floats:
    """Return the cosines of a sentence (d,) with unit rows (k, d).

    Each row's sum depends on nothing but the row.
    """
    return np.einsum("kd,d->k", vectors, sentence, optimize=False)


def step_of(vectors: Floats) -> float:
    """Return the step with which the largest number in some vectors (m, d) becomes the largest code."""
    largest = (
        float(np.abs(vectors[start : start + ROWS]).max()) for start in range(0, len(vectors), ROWS)
    )
    return (max(largest, default=0.0) or 1.0) / LARGEST


def encode(vectors: Floats, step: float) -> tuple[NDArray[np.int8], float]:
    """Return the codes of some vectors (m, d), and the greatest length by which one of them is off."""
    codes = np.rint(vectors / np.float32(step)).astype(np.int8)
    off = vectors.astype(np.float64) - step * codes
    return codes, float(np.linalg.norm(off, axis=1).max(initial=0))


def of_halves(vectors: NDArray[np.float16], vector: Floats, most: int) -> tuple[Rows, Floats]:
    """Return the rows of ``vectors`` (m, d) with the largest cosines with a unit vector (d,), and these, exact."""
    cosines = _products(vector.astype(np.float16), vectors)
    near = np.flatnonzero(cosines >= _highest(cosines, most))
    near = near[np.lexsort((near, -cosines[near]))][:most]
    return near, cosines[near].astype(np.float32)


def _by_codes(sentence: Floats, vectors: Floats, codes: Codes, depth: int, allowed: Mask) -> Rows:
    """Return rows among which the nearest allowed ones surely are.

    The cosines of those that seem nearest by the codes are a border that the nearest reach. What
    seems further below it than codes can be off, by the inequality of Cauchy and Schwarz, is none
    of them.
    """
    step = step_of(sentence[None])
    (asked,), own = encode(sentence[None], step)
    seeming = _products(asked, codes.rows)
    seeming[~allowed] = -np.inf
    first = np.flatnonzero(allowed & (seeming >= _highest(seeming, depth)))
    border = float(exact(sentence, np.asarray(vectors[first], np.float32)).min())
    off = codes.error * float(np.linalg.norm(sentence)) + own * (1 + codes.error) + ROUNDED
    return np.flatnonzero(seeming >= (border - off) / (step * codes.step))


def _products(vector: NDArray[np.generic], vectors: NDArray[np.generic]) -> NDArray[np.float64]:
    """Return the products of a vector (d,) with others of its type (m, d), exact where they are bytes."""
    from numkong import cdist

    return np.asarray(cdist(vector[None], np.asarray(vectors), "dot"))[
        0
    ]  # into any other type it is slow


def _highest(values: NDArray[np.float64], number: int) -> np.float64:
    """Return the lowest of the ``number`` highest values, of fewer the lowest."""
    place = len(values) - min(number, len(values))
    return np.partition(values, place)[place]


def _by_blocks(sentences: Floats, vectors: Floats, wanted: int, allowed: Mask) -> list[Rows]:
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
                rows = rows[best]
                scores = scores[best]
                least[row] = scores.min()
            found[row], values[row] = rows, scores
    return found
