"""Cosines between sentences and the statements, titles and article sentences of claims.

The same for SBERT and SimCSE. All rows are unit vectors; a zero row (a blank text) has cosine 0 with everything. Source: Shaar et
al., Assisting the Human Fact-Checkers, section 4: the four best cosines with the article's
sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from features.models.batching import call_in_threads
from features.models.model_spec import Floats
from features.similarity.pair_runs import runs_by_sentence

CLAIMS_PER_THREAD = 64  # articles that a thread compares before it takes the next
BODY_BLOCK = 4_096  # sentences of an article at a time, so that memory is bounded
Ints = NDArray[np.integer]


def pair_cosines(
    sentence_vectors: Floats, claim_vectors: Floats, sentence_index: Ints, claim_rows: Ints
) -> Floats:
    """Return the cosine of each pair of a sentence (n, d) and a claim (m, d), (p,).

    The pairs are given by position, (p,) each, those of a sentence together.
    """
    cosines = np.zeros(len(claim_rows), np.float32)
    # BLAS adds the last rows of a product in another order than the others. All products have the
    # same number of rows, so that a cosine depends less on the number of the other candidates.
    sentence_runs = runs_by_sentence(sentence_index)
    longest_run = max((run.stop - run.start for _, run in sentence_runs), default=0)
    for sentence, run in sentence_runs:
        # The rows of the sentence's claims, filled up with row 0.
        run_length = run.stop - run.start
        padded_claim_rows = np.zeros(longest_run, np.intp)
        padded_claim_rows[:run_length] = claim_rows[run]
        padded_cosines = claim_vectors[padded_claim_rows] @ sentence_vectors[sentence]
        cosines[run] = padded_cosines[:run_length]
    return cosines


def body_cosines(
    sentence_vectors: Floats,
    body_vectors_of: Callable[[int], Floats],
    sentence_index: Ints,
    claim_index: Ints,
    top: int = 4,
) -> Floats:
    """Return the ``top`` best cosines of each pair's sentence with its claim's article, (p, top).

    ``body_vectors_of(i)`` gives the unit rows (s, d) of the sentences of claim i's article and is
    called once per claim. The best comes first; an article with fewer sentences repeats its last
    value, and a claim without an article has 0.
    """
    cosines = np.zeros((len(claim_index), top), np.float32)

    # Each claim with its pairs, so that its article is read once
    claims_with_pairs = _pairs_by_claim(claim_index)

    def compare(claim_groups: Sequence[tuple[int, NDArray[np.intp]]]) -> None:
        for claim, pairs in claim_groups:
            vectors_of_pairs = sentence_vectors[sentence_index[pairs]]
            cosines[pairs] = top_cosines(vectors_of_pairs, body_vectors_of(claim), top)

    call_in_threads(compare, claims_with_pairs, CLAIMS_PER_THREAD)
    return cosines


def top_cosines(sentence_vectors: Floats, body_vectors: Floats, top: int = 4) -> Floats:
    """Return the best cosines of sentences (n, d) with one article's sentences (s, d), (n, top).

    They are in descending order.
    """
    if not len(body_vectors):
        return np.zeros((len(sentence_vectors), top), np.float32)
    best = np.zeros((len(sentence_vectors), 0), np.float32)
    for start in range(0, len(body_vectors), BODY_BLOCK):
        # The cosine of each sentence with each one of a part of the article, (n, s), beside the
        # best cosines with the parts before; only the best are sorted.
        block = np.asarray(body_vectors[start : start + BODY_BLOCK], np.float32)
        cosines = sentence_vectors @ block.T
        if start:
            cosines = np.concatenate([best, cosines], axis=1)
        best = cosines
        if cosines.shape[1] > top:
            # The highest ``top`` per row, in any order
            best = -np.partition(-cosines, top - 1, axis=1)[:, :top]
    descending = -np.sort(-best, axis=1)
    # A short article repeats its lowest cosine in the missing columns.
    missing_columns = top - descending.shape[1]
    return np.pad(descending, ((0, 0), (0, missing_columns)), mode="edge")


def _pairs_by_claim(claim_index: Ints) -> list[tuple[int, NDArray[np.intp]]]:
    """Return each claim with the positions of its pairs."""
    pairs_in_claim_order = np.argsort(claim_index, kind="stable")
    claims, starts = np.unique(claim_index[pairs_in_claim_order], return_index=True)
    if not len(claims):
        return []
    return list(zip(claims.tolist(), np.split(pairs_in_claim_order, starts[1:]), strict=True))
