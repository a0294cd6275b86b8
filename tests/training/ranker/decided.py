"""Made-up documents that somebody reviewed.

An input tells their confirmed pairs from the rejected ones.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assistant.check.pairs import Pairs
from features.similarity.input_catalogue import NAMES
from training.ranker.adapting import Reviewed


def document(  # noqa: PLR0913
    name: str,
    *,
    n: int = 12,
    k: int = 4,
    seed: int = 0,
    tells: tuple[int, float] = (0, 3.0),
    other_tells: tuple[int, float] = (0, 0.0),
    added: int = 0,
) -> Reviewed:
    """Return ``n`` sentences with ``k`` candidates.

    Of every other sentence one pair is confirmed, else one rejected.

    ``tells`` and ``other_tells``: inputs and what is added to them where a pair is confirmed. ``added``: so many of the
    confirmed pairs were not found by the search.
    """
    rng = np.random.default_rng(seed)
    sentence = np.repeat(np.arange(n), k)
    claim_places = np.tile(np.arange(k), n)
    right = rng.integers(0, k, n)
    is_right = claim_places == right[sentence]
    confirmed = is_right & (sentence % 2 == 0)
    values = rng.normal(size=(n * k, len(NAMES))).astype(np.float32)
    for column, addition in (tells, other_tells):
        values[confirmed, column] += addition
    measures = rng.uniform(size=(n * k, 19)).astype(np.float32)
    inputs = replace(
        Pairs.from_positions(n, sentence, claim_places),
        inputs=values,
        similarities=measures,
        word_count=np.full(n * k, 9),
    )
    is_found = np.ones(n * k, bool)
    is_found[np.flatnonzero(confirmed)[:added]] = False
    texts = tuple(f"Sentence {i} of {name} says something." for i in range(n))
    return Reviewed(name, texts, inputs, confirmed, is_right & ~confirmed, is_found)
