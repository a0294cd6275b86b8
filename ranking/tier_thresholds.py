"""Tiers of matches, *likely* and *possible*, from their scores and thresholds."""

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

    ``topic``: of a candidate below *possible* that is about the same topic, infinite if it is not
    set. ``reading``: of a sentence that is worth reading by the cross-encoder, before any of its
    pairs is read. ``rereading``: of a pair that is worth reranking.
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

    A pair that may not be likely is possible at best. ``sureness`` (p,) decides about *likely* in
    place of the score; a pair below *possible* is never likely.
    """
    # Masks over the pairs, (p,): a likely pair is possible, too.
    is_possible = scores >= thresholds.possible
    likely_scores = scores if sureness is None else sureness
    is_likely = is_possible & (likely_scores >= thresholds.likely)
    if may_be_likely is not None:
        is_likely &= may_be_likely
    tiers = np.where(is_possible, POSSIBLE, NONE).astype(np.int8)
    tiers[is_likely] = LIKELY
    return tiers
