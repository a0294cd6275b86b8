"""How members are ordered, what their dropout hides, and that their mean is one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import torch
from torch import nn

from training.averaging import Recipe, TableDropout, hide_by_table, mean, member, order
from training.classifier import Run, make_trainer
from training.data import Labelled

SENTENCES = [
    Labelled("Exports doubled in four years.", True, "1988-09-25.txt", "check-worthy", True),
    Labelled("Good evening.", False, "1988-09-25.txt", "not factual", True),
    Labelled("I was born in a small town.", False, "1988-09-25.txt", "unimportant", False),
]


def test_sentences_agreed_on_are_read_twice() -> None:
    """Every sentence once, then the two that the raters agreed on; the seed alone decides the order."""
    read = Counter(pair.premise for batch in order(SENTENCES, 2, 5) for pair in batch)
    assert read == {SENTENCES[0].text: 2, SENTENCES[1].text: 2, SENTENCES[2].text: 1}
    assert order(SENTENCES, 2, 5) == order(SENTENCES, 2, 5)


def test_table_dropout_hides_its_share_and_keeps_the_mean() -> None:
    """A tenth of the numbers is zero, the rest is larger by a ninth; in evaluation nothing happens."""
    torch.manual_seed(3)
    dropout = TableDropout((torch.rand(200_000) >= 0.1) / 0.9)
    states = torch.ones(50, 1000)
    hidden = dropout.train()(states)
    assert abs(float((hidden == 0).float().mean()) - 0.1) < 0.01
    assert abs(float(hidden.mean()) - 1) < 0.02
    assert torch.equal(dropout.eval()(states), states)


def test_no_drawn_dropout_is_left_in_the_trunk() -> None:
    """Every dropout of the trunk reads the table, but those of attention, which hide nothing."""
    trainer = make_trainer(labels=3, max_length=16, seed=1)
    hide_by_table(trainer.model.trunk, 0.1)
    assert all(module.p == 0 for module in trainer.model.trunk.modules() if isinstance(module, nn.Dropout))
    assert sum(isinstance(module, TableDropout) for module in trainer.model.trunk.modules()) == 13


def test_the_average_is_the_mean_of_its_members(tmp_path: Path) -> None:
    """Each weight lies midway between those of two members that differ; a finished member is read, not retrained."""
    recipe = Recipe(batch=2, max_length=16)
    one, two = (member(SENTENCES, recipe, seed, Run(tmp_path / str(seed), recipe.rate)) for seed in (1, 2))
    again = member(SENTENCES, recipe, 1, Run(tmp_path / "1", recipe.rate, resume=True))
    assert all(torch.equal(a, b) for a, b in zip(one, again, strict=True))
    assert any(not torch.equal(a, b) for a, b in zip(one, two, strict=True))
    for copy, a, b in zip(mean([one, two], recipe).master.copies, one, two, strict=True):
        torch.testing.assert_close(copy, (a + b) / 2)
