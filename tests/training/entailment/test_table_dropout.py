"""Dropout from a table hides its share, and every dropout of the trunk is replaced."""

from __future__ import annotations

import torch
from torch import nn

from training.entailment.table_dropout import TableDropout
from training.entailment.two_heads import make_two_heads


def test_table_dropout_hides_its_share_and_keeps_the_mean() -> None:
    """A tenth of the numbers is zero, the rest is larger by a ninth.

    In evaluation nothing happens.
    """
    torch.manual_seed(3)
    dropout = TableDropout((torch.rand(200_000) >= 0.1) / 0.9)
    states = torch.ones(50, 1000)
    hidden = dropout.train()(states)
    assert abs(float((hidden == 0).float().mean()) - 0.1) < 0.01
    assert abs(float(hidden.mean()) - 1) < 0.02
    assert torch.equal(dropout.eval()(states), states)


def test_no_drawn_dropout_is_left_in_the_trunk() -> None:
    """Every dropout of the trunk reads the table, but those of attention, which hide nothing."""
    trunk = make_two_heads(None, max_length=16, seed=1).model.trunk
    assert all(module.p == 0 for module in trunk.modules() if isinstance(module, nn.Dropout))
    assert sum(isinstance(module, TableDropout) for module in trunk.modules()) == 13
