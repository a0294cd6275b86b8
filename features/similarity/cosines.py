"""Cosines between sentences and the statements, titles and article sentences of claims.

SBERT and SimCSE alike.

All rows are unit vectors; a zero row (a blank text) has cosine 0 with everything. Source: Shaar et
al., Assisting the Human Fact-Checkers, section 4: the four best cosines with the article's
sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from features.models.batching import side_by_side
from features.models.model_spec import Floats

CLAIMS = 64  # whose articles a thread compares before it takes the next
Rows = NDArray[np.int32]
OfClaim = tuple[
    int, NDArray[np.intp], NDArray[np.intp]
]  # a claim, the sentences it is a candidate of, their slots


def pair_cosines(sentences: Floats, claims: Floats, candidates: Rows) -> Floats:
    """Return the cosine of each sentence with its own candidates: (n, d), (m, d), (n, k) → (n, k).

    0 where padded.
    """
    cosines = np.zeros(candidates.shape, np.float32)
    for row, chosen in enumerate(candidates):
        cosines[row] = claims[np.maximum(chosen, 0)] @ sentences[row]
    return cosines * (candidates >= 0)


def body_cosines(
    sentences: Floats, body: Callable[[int], Floats], candidates: Rows, top: int = 4
) -> Floats:
    """Return the ``top`` best cosines of each sentence with the sentences of its candidates' articles, (n, k, top).

    ``body(i)`` gives the unit rows (s, d) of claim i and is called once a claim. The best comes first; an article with
    fewer sentences repeats its last value, none gives 0.
    """
    cosines = np.zeros((*candidates.shape, top), np.float32)

    def work(claims: Sequence[OfClaim]) -> None:
        for claim, rows, slots in claims:
            cosines[rows, slots] = top_cosines(sentences[rows], body(claim), top)

    side_by_side(work, _by_claim(candidates), CLAIMS)
    return cosines


def top_cosines(sentences: Floats, body: Floats, top: int = 4) -> Floats:
    """Return the best cosines of sentences (n, d) with one article's sentences (s, d), falling, (n, top)."""
    if not len(body):
        return np.zeros((len(sentences), top), np.float32)
    cosines = sentences @ np.asarray(body, np.float32).T
    if cosines.shape[1] > top:
        cosines = -np.partition(-cosines, top - 1, axis=1)[:, :top]
    ordered = -np.sort(-cosines, axis=1)
    return np.pad(ordered, ((0, 0), (0, top - ordered.shape[1])), mode="edge")


def _by_claim(candidates: Rows) -> list[OfClaim]:
    """Return (claim, sentences, slots) for each claim that is anybody's candidate."""
    rows, slots = np.nonzero(candidates >= 0)
    claims = candidates[rows, slots]
    order = np.argsort(claims, kind="stable")
    names, starts = np.unique(claims[order], return_index=True)
    groups = np.split(order, starts[1:]) if len(names) else []
    return [
        (int(name), rows[group], slots[group]) for name, group in zip(names, groups, strict=True)
    ]
