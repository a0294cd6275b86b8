"""Tiers of scores, given their thresholds."""

from __future__ import annotations

import numpy as np

from ranking import tier_thresholds

SCORES = np.array([5.0, 4.0, 3.0, 2.0, 1.0])


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
