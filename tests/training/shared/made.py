"""Made-up debates with pairs whose first input tells right from wrong.

What the benches' code is tried on.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assistant.check.pairs import Pairs
from features.similarity.input_catalogue import NAMES
from training.shared.debates import Debate, Pair
from training.shared.examples import Example, judged

IDS = np.array([f"c{i}" for i in range(200)])


def example(name: str, *, n: int = 20, k: int = 5, seed: int = 0) -> Example:
    """A judged debate: sentences 1, 5, 9... have one right pair, which has a high first input and high cosine."""
    rng = np.random.default_rng(seed)
    p = n * k
    claim = rng.integers(0, len(IDS), p)
    values = rng.normal(size=(p, len(NAMES))).astype(np.float32)
    measures = rng.uniform(0, 0.5, size=(p, 19)).astype(np.float32)
    right = (np.arange(p) % (4 * k)) == 2
    values[right, 0] += 4
    measures[right] += 0.5
    sentence = np.repeat(np.arange(n), k)
    inputs = replace(
        Pairs.from_positions(n, sentence, claim),
        inputs=values,
        similarities=measures,
        word_count=np.full(p, 9),
    )
    pairs = tuple(
        Pair(int(sentence[i]) + 1, str(IDS[claim[i]]), "true", "agree", True)
        for i in np.flatnonzero(right)
    )
    lines = tuple(range(1, n + 1))
    return judged(Debate(name, 730000, lines, ("",) * n, ("",) * n, pairs), inputs, IDS)
