"""Several classifiers of one start, each trained in an order of its own, averaged weight by weight into one.

The members differ in the order of their sentences and in what dropout hides, not in their start, so that their mean is
as good a place to be and a steadier one. Attention is computed without dropout and in the plain way, and what the other
dropouts hide is cut out of one table of random numbers: half as much time again is saved on a CPU.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from training.classifier import Run, Trainer, batches, make_trainer, train
from training.data import CLAIM_KINDS, Labelled, Pair

START = 17  # the seed of every member's untrained head
TABLE = 1 << 22  # numbers; the largest layer output of a batch has under one million


@dataclass(frozen=True, slots=True)
class Recipe:
    """What every member shares: the highest rate, the batch, the longest sentence in tokens, the share hidden."""

    rate: float = 1e-4
    batch: int = 32
    max_length: int = 64
    hidden: float = 0.1


class TableDropout(nn.Module):
    """Dropout whose mask is a slice of a table of zeros and of ones over the share that is kept."""

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.table = table

    def forward(self, states: Tensor) -> Tensor:
        if not self.training:
            return states
        start = int(torch.randint(len(self.table) - states.numel(), (1,)))
        return states * self.table[start : start + states.numel()].view_as(states)


def hide_by_table(trunk: nn.Module, hidden: float) -> None:
    """Give every dropout of a BERT trunk the same table; attention is left without."""
    table = ((torch.rand(TABLE) >= hidden) / (1 - hidden)).bfloat16().to(trunk.device)
    trunk.set_attn_implementation("eager")
    for parent in list(trunk.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, nn.Dropout):
                inside = hasattr(parent, "query")
                setattr(parent, name, nn.Dropout(0.0) if inside else TableDropout(table))


def kinds(sentences: Sequence[Labelled]) -> list[Pair]:
    """Return sentences as single texts with the place of their kind in ``CLAIM_KINDS``."""
    return [Pair(sentence.text, "", CLAIM_KINDS.index(sentence.kind), "claimbuster") for sentence in sentences]


def order(sentences: Sequence[Labelled], size: int, seed: int) -> list[list[Pair]]:
    """Return batches of every sentence once, then of those on which the raters agreed once more."""
    rng = random.Random(seed)
    agreed = [sentence for sentence in sentences if sentence.agreed]
    passes = [pair for part in (sentences, agreed) for pair in rng.sample(kinds(part), len(part))]
    return batches(passes, size=size, seed=seed)


def fresh(recipe: Recipe) -> Trainer:
    """Return the start that all members share."""
    return make_trainer(labels=len(CLAIM_KINDS), max_length=recipe.max_length, seed=START)


def member(sentences: Sequence[Labelled], recipe: Recipe, seed: int, run: Run) -> list[Tensor]:
    """Return the fp32 weights of one trained member."""
    trainer = fresh(recipe)
    torch.manual_seed(1000 + seed)
    hide_by_table(trainer.model.trunk, recipe.hidden)
    train(trainer, order(sentences, recipe.batch, seed), dict, run)
    return [copy.detach().clone() for copy in trainer.master.copies]


def mean(members: Sequence[list[Tensor]], recipe: Recipe) -> Trainer:
    """Return a trainer that holds the mean of the members' weights."""
    trainer = fresh(recipe)
    with torch.no_grad():
        for copy, *weights in zip(trainer.master.copies, *members, strict=True):
            copy.copy_(torch.stack(weights).mean(0))
    trainer.master.publish()
    return trainer
