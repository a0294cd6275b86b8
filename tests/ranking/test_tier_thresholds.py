"""Where the tiers begin."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ranking import tier_thresholds

SCORES = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
RIGHT = np.array([True, True, False, True, False])


def test_borders_by_hand() -> None:
    """Above 4 all are right, above 2 three of four; 2 is needed to keep every right one."""
    assert tier_thresholds.precision_border(SCORES, RIGHT, 0.9) == 4.0
    assert tier_thresholds.recall_border(SCORES, RIGHT, 1.0) == 2.0
    assert tier_thresholds.precision_border(SCORES, RIGHT, 0.75) == 2.0


def test_nothing_is_likely_where_the_precision_is_never_reached() -> None:
    """The border then lies above every score seen."""
    assert (
        tier_thresholds.precision_border(SCORES, np.array([False, True, False, False, False]), 0.9)
        > 5.0
    )


def test_what_may_not_be_likely_is_possible_at_best() -> None:
    """A sentence of a few words keeps its match, one tier lower."""
    given_tiers = tier_thresholds.assign(
        SCORES,
        tier_thresholds.Thresholds(4.0, 2.0),
        may_be_likely=np.array([True, False, True, True, True]),
    )
    assert given_tiers.tolist() == [
        tier_thresholds.LIKELY,
        tier_thresholds.POSSIBLE,
        tier_thresholds.POSSIBLE,
        tier_thresholds.POSSIBLE,
        tier_thresholds.NONE,
    ]


def test_likely_goes_by_sureness_where_it_is_given() -> None:
    """Among what the score makes possible, and never below it."""
    sureness = np.array([0.0, 2.0, 2.0, 0.0, 2.0])
    given_tiers = tier_thresholds.assign(
        SCORES, tier_thresholds.Thresholds(likely=1.0, possible=2.0), sureness=sureness
    )
    assert given_tiers.tolist() == [
        tier_thresholds.POSSIBLE,
        tier_thresholds.LIKELY,
        tier_thresholds.LIKELY,
        tier_thresholds.POSSIBLE,
        tier_thresholds.NONE,
    ]


@given(st.data())
def test_the_borders_keep_their_promise(data: st.DataObject) -> None:
    """What is likely is right often enough, what is right is possible often enough, ties included."""
    n = data.draw(st.integers(1, 30))
    scores = data.draw(hnp.arrays(float, n, elements=st.integers(0, 8).map(float)))
    right = data.draw(hnp.arrays(bool, n).filter(np.any))
    likely = scores >= tier_thresholds.precision_border(scores, right, 0.8)
    assert not likely.any() or right[likely].mean() >= 0.8
    assert (scores[right] >= tier_thresholds.recall_border(scores, right, 0.9)).mean() >= 0.9
