"""Measured candidates are found again."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from training.shared import measures


@given(st.integers(0, 2**32 - 1))
def test_candidates_that_were_measured_before_are_found_again(seed: int) -> None:
    """Wherever they stood; a place without a candidate is known nowhere."""
    rng = np.random.default_rng(seed)
    found, wanted = (np.stack([rng.permutation(30)[:k] for _ in range(4)]) for k in (8, 9))
    found[:, rng.integers(1, 8) :] = -1
    wanted[2, 5:] = -1
    known, place = measures.places_of(wanted, found, 30)
    for row, slot in np.ndindex(*wanted.shape):
        claim = wanted[row, slot]
        assert known[row, slot] == (claim >= 0 and claim in found[row])
        assert not known[row, slot] or found[row, place[row, slot]] == claim
