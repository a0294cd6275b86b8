"""Copies of a fact-check: many with one statement and one class of rating hide all others.

A few of each are searched. Those of publishers with many fact-checks come before others, so that
names that were made up for a flood come last.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MAX_COPIES = 3
_BESIDE_WORDS = re.compile(r"[\W_]+")


def excess_copies(
    statements: Sequence[str],
    classes: Sequence[object],
    publishers: Sequence[str],
    review_days: NDArray[np.int32],
    allowed: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return which allowed claims are copies beyond the first few, (m,).

    Copies have the same words in their statement and the same class of rating.
    """
    positions_by_copy: dict[tuple[str, object], list[int]] = defaultdict(list)
    for position in np.flatnonzero(allowed).tolist():
        words = _BESIDE_WORDS.sub(" ", statements[position].casefold()).strip()
        positions_by_copy[words, classes[position]].append(position)
    sizes = Counter(publishers)
    excess = np.zeros(len(statements), bool)
    for positions in positions_by_copy.values():
        if len(positions) > MAX_COPIES:

            def precedence(position: int) -> tuple[int, int, int]:
                return -sizes[publishers[position]], int(review_days[position]), position

            positions.sort(key=precedence)
            excess[positions[MAX_COPIES:]] = True
    return excess
