"""The tiers of matches, *likely* and *possible*, and their borders by scores of held-out examples.

*likely* begins where the wanted share of the examples above is right (precision), *possible* where the wanted share of
the right examples is still above (recall); the ranker was not trained on these examples.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Mask = NDArray[np.bool_]
NONE = 0
POSSIBLE = 1
LIKELY = 2


class Thresholds(NamedTuple):
    """The smallest score of each tier.

    ``topic``: of a candidate below *possible* that is about the same topic; infinite where nobody has set it.
    ``reading``: of a sentence, before the cross-encoder has read any of its pairs, that is worth reading.
    ``rereading``: of a pair, before the re-ranker has read it, that is worth reading again.
    """

    likely: float
    possible: float
    topic: float = np.inf
    reading: float = -np.inf
    rereading: float = np.inf

    def to_json(self) -> dict[str, float]:
        """Return those that are set, by name: ``Thresholds(**row)`` gives them back."""
        return {name: value for name, value in self._asdict().items() if np.isfinite(value)}


def assign(
    scores: Floats,
    thresholds: Thresholds,
    *,
    sureness: Floats | None = None,
    may_be_likely: Mask | None = None,
) -> NDArray[np.int8]:
    """Return LIKELY, POSSIBLE or NONE for each score (p,).

    One that may not be likely is possible at best.

    ``sureness`` (p,): what *likely* goes by instead of the score; nothing below *possible* is likely either way.
    """
    tiers = np.where(scores >= thresholds.possible, POSSIBLE, NONE).astype(np.int8)
    likely = (tiers == POSSIBLE) & ((scores if sureness is None else sureness) >= thresholds.likely)
    tiers[likely if may_be_likely is None else likely & may_be_likely] = LIKELY
    return tiers
