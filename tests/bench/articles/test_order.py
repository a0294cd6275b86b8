"""Ordering claims by MTM's relevance too: places, and what a second input can do."""

from __future__ import annotations

import numpy as np
import pytest

from bench.articles import order as article_order
from bench.articles.order import Ordered, ordered
from tests.training.shared.made import example
from training.ranker.learners import Recipe, fit_lectern


def made(right: int | None, *, debate: str = "a", seed: int = 0) -> Ordered:
    """Return a sentence whose right claim stands at a place among five, or after them at the ninth."""
    marks = np.arange(5) == (-1 if right is None else right)
    scores = np.sort(np.random.default_rng(seed).normal(size=5))[::-1]
    return Ordered(debate, "", np.arange(5), scores, marks, 9 if right is None else right + 1)


def test_only_the_first_claims_change_places() -> None:
    """By the order's own scores the place stays; a right claim after the first five stays where it is."""
    one, lost = made(2), made(None)

    assert one.reciprocal_rank(one.scores) == pytest.approx(1 / 3)
    assert one.reciprocal_rank(one.right.astype(float)) == 1
    assert lost.reciprocal_rank(np.zeros(5)) == lost.reciprocal_rank(-lost.scores) == pytest.approx(1 / 9)


def test_sentences_come_with_their_claims_in_order() -> None:
    """Every sentence with a right claim; its place is that by the order's scores over all its candidates."""
    taught, tested = example("x", k=8, seed=1), example("y", k=8, seed=2)
    ranker = fit_lectern([taught], Recipe())
    found = ordered(tested, ranker)
    scores = ranker.order.score(tested.inputs.values, tested.inputs.kind)

    rows = np.flatnonzero(tested.right)
    assert len(rows) == len(found)
    for row, one in zip(rows, found, strict=True):
        own = scores[tested.inputs.sentence == tested.inputs.sentence[row]]
        assert one.place == 1 + (own > scores[row]).sum()
        assert (np.diff(one.scores) <= 0).all()
        assert one.right.any() == (one.place <= len(one.claims) == 5)


def test_a_telling_relevance_puts_the_right_claim_first() -> None:
    """It gets its weight from the other folds; where it is noise the order stays nearly as good as it was."""
    rng = np.random.default_rng(3)
    folds = {name: i for i, name in enumerate("abc")}
    found = [made(int(rng.integers(5)), debate="abc"[i % 3], seed=i) for i in range(60)]
    told = [one.right * 4 + rng.normal(size=5) for one in found]

    both = article_order.together(found, told, folds)

    gained = [one.reciprocal_rank(values) - 1 / one.place for one, values in zip(found, both, strict=True)]
    assert np.mean(gained) > 0.2


def test_gains_are_over_the_first_row(capsys: pytest.CaptureFixture[str]) -> None:
    """A row an order, the first one gains nothing."""
    found = [made(1, seed=i) for i in range(4)]
    article_order.tell(found, {"old": [o.scores for o in found], "new": [o.right.astype(float) for o in found]})

    _, old, new = capsys.readouterr().out.splitlines()
    assert "0.500 (0.50 to 0.50)" in old
    assert old.endswith("+0.000 (+0.00 to +0.00) |")
    assert new.endswith("+0.500 (+0.50 to +0.50) |")
