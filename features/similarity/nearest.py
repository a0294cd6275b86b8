"""Nearest vectors to a sentence: exact, over memory-mapped rows, in bounded memory.

Products of blocks, or of bytes for a few sentences, only propose rows. ``exact`` gives the cosines
that decide the order, which depend on nothing but the row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from features.models.model_spec import Floats

ROWS_PER_BLOCK = 4096  # compared at a time, 6 MB
SPARE_ROWS = 12  # additional rows, since the last digits of a product depend on its blocks
# Up to so many sentences and from so many rows, codes save most of the reading.
MAX_SENTENCES_BY_CODES = 4
MIN_ROWS_FOR_CODES = 16_384
LARGEST_CODE = 127  # code
ROUNDING_ERROR = 1e-5  # more than the rounding error of a cosine
Mask = NDArray[np.bool_]
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """Unit vectors in bytes, a quarter of their size.

    Vector i differs from ``step * rows[i]`` by a vector of length ``error`` at most.
    """

    rows: NDArray[np.int8]  # (m, d)
    step: float
    error: float


def proposed(
    sentence_vectors: Floats,
    claim_vectors: Floats,
    neighbour_count: int,
    is_allowed: Mask,
    codes: Codes | None = None,
) -> list[Rows]:
    """Propose for each sentence (n, d) rows of ``claim_vectors`` (m, d), unordered.

    The ``neighbour_count`` nearest allowed ones are among them.
    """
    if not neighbour_count or not is_allowed.any():
        return [np.zeros(0, np.intp) for _ in sentence_vectors]
    # Codes, 8 bits per number, are faster for a few sentences, one product of matrices for many.
    if codes is not None and len(sentence_vectors) <= MAX_SENTENCES_BY_CODES:
        return [
            _nearest_by_codes(sentence, claim_vectors, codes, neighbour_count, is_allowed)
            for sentence in sentence_vectors
        ]
    return _nearest_by_blocks(
        sentence_vectors, claim_vectors, neighbour_count + SPARE_ROWS, is_allowed
    )


def exact(sentence: Floats, vectors: Floats) -> Floats:
    """Return the cosines of a sentence (d,) with unit rows (k, d).

    Each row's sum depends on nothing but the row.
    """
    return np.einsum("kd,d->k", vectors, sentence, optimize=False)


def step_of(vectors: Floats) -> float:
    """Return the step at which the largest number in some vectors (m, d) has the largest code."""
    largest = 0.0
    for start in range(0, len(vectors), ROWS_PER_BLOCK):
        largest = max(largest, float(np.abs(vectors[start : start + ROWS_PER_BLOCK]).max()))
    return (largest or 1.0) / LARGEST_CODE


def encode(vectors: Floats, step: float) -> tuple[NDArray[np.int8], float]:
    """Return the codes of some vectors (m, d), and the length of the greatest error of one."""
    # Each number becomes the nearest multiple of the step; the errors (m, d) are measured exactly.
    codes = np.rint(vectors / np.float32(step)).astype(np.int8)
    errors = vectors.astype(np.float64) - step * codes
    return codes, float(np.linalg.norm(errors, axis=1).max(initial=0))


def highest_in_half_precision(
    vectors: NDArray[np.float16], vector: Floats, most: int
) -> tuple[Rows, Floats]:
    """Return the ``most`` rows of ``vectors`` (m, d) with the largest cosines, and the cosines.

    They are exact cosines with a unit vector (d,).
    """
    # All cosines, (m,), in half precision; of the rows above the lowest wanted one, the best
    # first.
    cosines = _products_of_codes(vector.astype(np.float16), vectors)
    rows = np.flatnonzero(cosines >= _lowest_of_highest(cosines, most))
    rows = rows[np.lexsort((rows, -cosines[rows]))][:most]
    return rows, cosines[rows].astype(np.float32)


def _nearest_by_codes(
    sentence_vector: Floats,
    claim_vectors: Floats,
    claim_codes: Codes,
    neighbour_count: int,
    is_allowed: Mask,
) -> Rows:
    """Return rows that certainly include the nearest allowed ones.

    The exact cosines of the rows that are nearest by their codes give a lower bound that the
    nearest rows reach. By the inequality of Cauchy and Schwarz, a row whose product of codes is
    below that bound by more than the codes' error cannot be one of them.
    """
    # The product of each row's codes with the sentence's codes, (m,), without the steps.
    # The codes of a vector are its numbers in multiples of a step, rounded to 8 bits.
    step = step_of(sentence_vector[None])
    sentence_codes, sentence_error = encode(sentence_vector[None], step)
    code_products = _products_of_codes(sentence_codes[0], claim_codes.rows)
    code_products[~is_allowed] = -np.inf
    lowest_product = _lowest_of_highest(code_products, neighbour_count)
    seemingly_nearest = np.flatnonzero(is_allowed & (code_products >= lowest_product))
    # The lowest exact cosine of as many rows as are wanted: the nearest rows reach it.
    nearest_vectors = np.asarray(claim_vectors[seemingly_nearest], np.float32)
    lower_bound = float(exact(sentence_vector, nearest_vectors).min())
    code_error = claim_codes.error * float(np.linalg.norm(sentence_vector))
    largest_error = code_error + sentence_error * (1 + claim_codes.error) + ROUNDING_ERROR
    # A product times both steps is about the cosine, wrong by this error at most.
    min_product = (lower_bound - largest_error) / (step * claim_codes.step)
    return np.flatnonzero(code_products >= min_product)


def _products_of_codes(
    vector: NDArray[np.generic], vectors: NDArray[np.generic]
) -> NDArray[np.float64]:
    """Return the products of a vector (d,) with others of its type (m, d), exact for bytes."""
    from numkong import cdist

    products = cdist(vector[None], np.asarray(vectors), "dot")
    return np.asarray(products)[0]  # a conversion to another type is slow


def _lowest_of_highest(values: NDArray[np.float64], number: int) -> np.float64:
    """Return the lowest of the ``number`` highest values, or of all if there are fewer."""
    position = len(values) - min(number, len(values))
    return np.partition(values, position)[position]


def _nearest_by_blocks(
    sentence_vectors: Floats, claim_vectors: Floats, neighbour_count: int, is_allowed: Mask
) -> list[Rows]:
    """Return the nearest allowed rows of each sentence, one block of rows at a time."""
    # The nearest rows of each sentence so far, and their cosines
    best_rows = [np.zeros(0, np.intp)] * len(sentence_vectors)
    best_cosines = [np.zeros(0, np.float32)] * len(sentence_vectors)
    # The lowest cosine among a sentence's best rows, once there are enough of them, (n,).
    lowest_kept_cosine = np.full(len(sentence_vectors), -np.inf, np.float32)
    for start in range(0, len(claim_vectors), ROWS_PER_BLOCK):
        allowed_rows = np.flatnonzero(is_allowed[start : start + ROWS_PER_BLOCK])
        block = np.asarray(claim_vectors[start : start + ROWS_PER_BLOCK], np.float32)
        if len(allowed_rows) < len(block):
            block = block[allowed_rows]
        cosines = sentence_vectors @ block.T
        may_improve = (cosines > lowest_kept_cosine[:, None]).any(axis=1)
        for sentence in np.flatnonzero(may_improve).tolist():
            nearer = np.flatnonzero(cosines[sentence] > lowest_kept_cosine[sentence])
            candidate_rows = np.concatenate((best_rows[sentence], start + allowed_rows[nearer]))
            candidate_cosines = np.concatenate((best_cosines[sentence], cosines[sentence, nearer]))
            if len(candidate_rows) > neighbour_count:
                # The highest cosines, in any order
                nearest = np.argpartition(-candidate_cosines, neighbour_count - 1)[:neighbour_count]
                candidate_rows = candidate_rows[nearest]
                candidate_cosines = candidate_cosines[nearest]
                lowest_kept_cosine[sentence] = candidate_cosines.min()
            best_rows[sentence] = candidate_rows
            best_cosines[sentence] = candidate_cosines
    return best_rows
