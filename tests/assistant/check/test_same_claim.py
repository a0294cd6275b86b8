"""The chance that a sentence makes a claim, by the models that ship."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from assistant.check import loaded_models
from assistant.check.same_claim import COUNTED_CHANCE, chances, regression_inputs
from assistant.core.settings import EMBEDDED

STATEMENT = "The Channel Tunnel between England and France opened in 1994."


def test_the_same_claim_counts_and_another_figure_does_not():
    """In other words it does; with another year, or about another matter, it does not."""
    passages = [
        "The tunnel under the Channel from England to France was opened in 1994.",
        "The Channel Tunnel between England and France opened in 1988.",
        "Mount Everest is the highest mountain above sea level.",
    ]
    first_chance, *other_chances = chances(
        [STATEMENT] * 3, passages, loaded_models.encoders(EMBEDDED)
    )
    assert first_chance is not None
    assert first_chance >= COUNTED_CHANCE
    assert all(chance is not None and chance < COUNTED_CHANCE for chance in other_chances)
    assert chances([], [], loaded_models.encoders(EMBEDDED)) == []


def test_a_cross_encoder_without_that_head_gives_no_chance():
    """Then the tiers decide what counts."""
    nli = SimpleNamespace(
        read=lambda premises, hypotheses: (np.zeros((1, 3)), np.full(1, np.nan, np.float32))
    )
    sbert = SimpleNamespace(encode=lambda texts: np.ones((1, 4), np.float32))
    assert chances([STATEMENT], [STATEMENT], SimpleNamespace(nli=nli, sbert=sbert)) == [None]


def test_a_statement_that_is_too_long_to_compare_may_conflict():
    """It counts as a conflict."""
    nli = SimpleNamespace(read=lambda premises, hypotheses: (np.zeros((2, 3)), np.zeros(2)))
    encoders = SimpleNamespace(
        nli=nli, sbert=SimpleNamespace(encode=lambda texts: np.ones((2, 4), np.float32))
    )
    statements = [STATEMENT, f"{STATEMENT} {'It was sunny. ' * 200}"]
    *_, may_conflict = regression_inputs(statements, [STATEMENT] * 2, encoders).T
    assert may_conflict.tolist() == [0, 1]
