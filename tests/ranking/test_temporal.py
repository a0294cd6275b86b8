"""The paper's worked example, the four orders by law, and ListMLE against drawing one text after another."""

from __future__ import annotations

from datetime import date
from itertools import permutations
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import temporal
from ranking.temporal import ORDERS, listmle

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
    found = temporal.days_between([date(2016, 2, 28), date(2016, 3, 2), None], date(2016, 3, 1))
    assert found[:2].tolist() == [-2.0, 1.0]
    assert np.isnan(found[2])


def test_the_day_itself_stays_unless_strictly_before() -> None:
    """A check of the very day is no check before the event."""
    assert temporal.before_only(np.array([0.0, -1.0, 1.0])).tolist() == [2, 1, 0]
    assert temporal.before_only(np.array([0.0, -1.0, 1.0]), strictly=True).tolist() == [0, 1, 0]


def test_without_a_date_nothing_is_ranked() -> None:
    """All masked, no medoid, and no loss."""
    nothing = np.array([UNKNOWN, UNKNOWN])
    assert [order(nothing).tolist() for order in ORDERS.values()] == [[0, 0]] * 4
    assert temporal.medoid(nothing) is None
    assert temporal.nearest_to_medoid(np.array([])).tolist() == []
    assert listmle(np.array([3.0, 1.0]), np.array([0, 0])) == 0.0


def test_the_list_leaves_masked_texts_out() -> None:
    """Highest rank score first, equal ones as they stand."""
    assert temporal.listed(np.array([1, 0, 2, 1])).tolist() == [2, 0, 3]


days = st.lists(st.none() | st.integers(-400, 400), max_size=9).map(
    lambda found: np.array([UNKNOWN if day is None else day for day in found], float)
)


@given(days)
def test_rank_scores_have_no_gaps_and_mask_what_has_no_date(found: np.ndarray) -> None:
    """1 to the number of different keys; 0 exactly for what is undated, or later than the claim in one order."""
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
    known = [float(day) for day in found if day == day]
    sums = [sum(abs(day - other) for other in known) if day == day else float("inf") for day in found]
    assert sums.index(min(sums)) == temporal.medoid(found)


def drawn(scores: list[float], order: list[int]) -> float:
    """Return -log of the probability to draw the texts one after another in this order."""
    left, total = set(order), 0.0
    for i in order:
        total -= log(exp(scores[i]) / sum(exp(scores[j]) for j in left))
        left.remove(i)
    return total


numbers = st.floats(-5, 5, allow_nan=False)


@given(st.lists(numbers, min_size=1, max_size=6), st.randoms())
def test_listmle_is_drawing_one_text_after_another(scores: list[float], random) -> None:
    """Some texts masked, no ties: against the product of the draws."""
    ranks = list(range(len(scores)))  # the one with 0 is masked
    random.shuffle(ranks)
    order = [i for i in sorted(range(len(scores)), key=lambda i: -ranks[i]) if ranks[i]]
    assert listmle(np.array(scores), np.array(ranks)) == pytest.approx(drawn(scores, order), abs=1e-6)


@given(st.lists(numbers, min_size=2, max_size=4))
def test_the_probabilities_of_all_orders_sum_to_one(scores: list[float]) -> None:
    """ListMLE is a probability over permutations."""
    total = sum(
        np.exp(-listmle(np.array(scores), np.array(order))) for order in permutations(range(1, len(scores) + 1))
    )
    assert total == pytest.approx(1.0, abs=1e-6)


def test_equal_texts_are_drawn_from_the_same_set() -> None:
    """Two equal texts above a third: both draws are from all three, then the last has no rival."""
    scores = [0.3, -1.0, 2.0]
    whole = log(sum(exp(s) for s in scores))
    assert listmle(np.array(scores), np.array([2, 2, 1])) == pytest.approx(2 * whole - scores[0] - scores[1], abs=1e-6)


@given(st.lists(st.tuples(numbers, st.integers(0, 3)), min_size=1, max_size=8), st.randoms(), numbers)
def test_listmle_knows_neither_the_listing_nor_a_shift(texts: list[tuple[float, int]], random, shift: float) -> None:
    """Texts in another order, or all scores moved alike: the same loss; and never below 0."""
    mixed = random.sample(texts, len(texts))
    losses = [listmle(np.array([s for s, _ in found]), np.array([r for _, r in found])) for found in (texts, mixed)]
    moved = listmle(np.array([s + shift for s, _ in texts]), np.array([r for _, r in texts]))
    assert losses[0] >= -1e-12
    assert [losses[1], moved] == pytest.approx([losses[0]] * 2, abs=1e-6)


def test_listmle_of_many_lists_at_once() -> None:
    """One loss a list; scores far apart neither overflow nor vanish."""
    scores, ranks = np.array([[0.0, 1.0, 5.0], [900.0, -900.0, 0.0]]), np.array([[1, 2, 0], [1, 2, 3]])
    found = listmle(scores, ranks)
    assert found == pytest.approx([float(listmle(s, r)) for s, r in zip(scores, ranks, strict=True)])
    assert found[1] == pytest.approx(900.0 + 1800.0)
