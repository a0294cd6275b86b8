"""The best article cosines of every sentence against every article of the database, in one pass over the vectors.

Arrays only. Claims are divided into classes (half-true or not, in the paper's database or not,
checked before which event), and the best are kept class by class: so one pass serves every choice
of which claims count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from features.similarity.cosines import top_cosines

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
KEPT = 30  # the largest N of the published tables
BLOCK = 512  # claims at a time
BEST = 4  # cosines kept of an article


def scan(
    vectors: Floats,
    body: Callable[[int], Floats],
    classes: Ints,
    sentence_indices: Ints,
    *,
    progress: Callable[[int], None] = id,
) -> tuple[Floats, Floats]:
    """Return the ``KEPT`` best claims of each class by their i-th best cosine, and all cosines of some sentences.

    Shapes: vectors (n, d) of the sentences, ``body(i)`` (s, d) of claim i, classes (m,) from 0, sentence_indices (a,) of sentences
    → values (c, 4, n, KEPT), -inf where a class is smaller, and (4, a, m). The best cosine of an article comes first.
    ``progress`` is called with the number of claims that are done.
    """
    n = len(vectors)
    best_cosines = np.full((int(classes.max(initial=-1)) + 1, BEST, n, KEPT), -np.inf, np.float32)
    every = np.zeros((BEST, len(sentence_indices), len(classes)), np.float32)
    done = 0
    for kind, claims in _blocks(classes):
        values = np.stack(
            [top_cosines(vectors, body(i), BEST).T for i in claims.tolist()], axis=-1
        )  # (4, n, b)
        every[:, :, claims] = values[:, sentence_indices]
        joined = np.concatenate([best_cosines[kind], values], axis=2)
        best_cosines[kind] = -np.partition(-joined, KEPT - 1, axis=2)[:, :, :KEPT]
        done += len(claims)
        progress(done)
    return best_cosines, every


def _blocks(classes: Ints) -> Iterator[tuple[int, Ints]]:
    for kind in np.unique(classes).tolist():
        claims = np.flatnonzero(classes == kind)
        for start in range(0, len(claims), BLOCK):
            yield kind, claims[start : start + BLOCK]
