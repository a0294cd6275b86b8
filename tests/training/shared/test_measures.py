"""Measured candidates are found again."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from training.shared import measures


@given(st.integers(0, 2**32 - 1))
def test_pairs_that_were_measured_before_are_found_again(seed: int) -> None:
    """Wherever they stood among the known ones."""
    rng = np.random.default_rng(seed)
    known_pairs = rng.permutation(40)[: rng.integers(0, 20)]
    wanted_pairs = rng.permutation(40)[:9]
    is_known, pair_rows = measures.rows_of(wanted_pairs, known_pairs)
    assert is_known.tolist() == [key in known_pairs for key in wanted_pairs.tolist()]
    assert known_pairs[pair_rows[is_known]].tolist() == wanted_pairs[is_known].tolist()
