"""Temporal orders: the paper's worked example, and the four orders by law."""

from __future__ import annotations

from datetime import date
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import temporal
from ranking.temporal import ORDERS

EXAMPLE = np.array([-3.0, 0.0, -8791.0, 95.0])
UNKNOWN = float("nan")


@pytest.mark.parametrize(
    ("order", "ranks"),
    [
        ("evidence-date", [2, 3, 1, 4]),
        ("claim-date", [2, 3, 1, 0]),
        ("claim-centred", [3, 4, 1, 2]),
        ("evidence-centred", [4, 3, 1, 2]),
    ],
)
def test_the_papers_example(order: str, ranks: list[int]) -> None:
    """Days -3, 0, -8791, 95; days -3 and 0 tie as medoid, and the first of them is it."""
    assert ORDERS[order](EXAMPLE).tolist() == ranks


def test_days_are_counted_from_the_claim() -> None:
    """Before it they are negative; leap days count; a text without a date has none."""
    days = temporal.days_between([date(2016, 2, 28), date(2016, 3, 2), None], date(2016, 3, 1))
    assert days[:2].tolist() == [-2.0, 1.0]
    assert np.isnan(days[2])


def test_the_day_itself_stays_unless_strictly_before() -> None:
    """A check of the very day is no check before the event."""
    assert temporal.before_only(np.array([0.0, -1.0, 1.0])).tolist() == [2, 1, 0]
    assert temporal.before_only(np.array([0.0, -1.0, 1.0]), strictly=True).tolist() == [0, 1, 0]


def test_without_a_date_nothing_is_ranked() -> None:
    """All masked, and no medoid."""
    nothing = np.array([UNKNOWN, UNKNOWN])
    assert [order(nothing).tolist() for order in ORDERS.values()] == [[0, 0]] * 4
    assert temporal.medoid(nothing) is None
    assert temporal.nearest_to_medoid(np.array([])).tolist() == []


def test_the_list_leaves_masked_texts_out() -> None:
    """Highest rank score first, equal ones as they stand."""
    assert temporal.listed(np.array([1, 0, 2, 1])).tolist() == [2, 0, 3]


days = st.lists(st.none() | st.integers(-400, 400), max_size=9).map(
    lambda found: np.array([UNKNOWN if day is None else day for day in found], float)
)


@given(days)
def test_rank_scores_have_no_gaps_and_mask_what_has_no_date(found: np.ndarray) -> None:
    """1 to the number of different keys.

    0 exactly for what is undated, or later than the claim in one order.
    """
    for name, order in ORDERS.items():
        ranks = order(found)
        masked = np.isnan(found) | ((found > 0) if name == "claim-date" else False)
        assert np.array_equal(ranks == 0, masked)
        assert set(ranks[ranks > 0]) == set(range(1, ranks.max(initial=0) + 1))


@given(days)
def test_a_higher_rank_score_is_a_nearer_or_later_day(found: np.ndarray) -> None:
    """Pair by pair: equal keys have equal rank scores, and the better key the higher one."""
    centre = temporal.medoid(found)
    keys = {
        "evidence-date": found,
        "claim-date": found,
        "claim-centred": -np.abs(found),
        "evidence-centred": -np.abs(found - (0 if centre is None else found[centre])),
    }
    for name, order in ORDERS.items():
        ranks = order(found)
        for i, j in permutations(np.flatnonzero(ranks), 2):
            assert np.sign(ranks[i] - ranks[j]) == np.sign(keys[name][i] - keys[name][j])


@given(days.filter(lambda found: np.isfinite(found).any()))
def test_no_day_is_nearer_to_all_others_than_the_medoid(found: np.ndarray) -> None:
    """And of equals it is the first."""
    known_days = [float(day) for day in found if day == day]
    sums = [
        sum(abs(day - other_day) for other_day in known_days) if day == day else float("inf")
        for day in found
    ]
    assert sums.index(min(sums)) == temporal.medoid(found)
