"""The relation network under training.

Pointer and relation at each step, jointly, over batches of cases.

Source: Hidey et al. 2020, losses of the pointer (3), of the relations (5), and their sum weighed
by λ (6). The text at hand lacks the equations themselves; these are the cross-entropies that its
words describe. The product computes the same without torch in
``features/articles/article_relation.py``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from features.articles.article_relation import HOPS, MEASURED, RELATIONS, STEPS
from features.articles.hashed_words import BUCKETS

FAR = 1e4
UNKNOWN = -1
NOT_ENOUGH = RELATIONS.index("not enough")


class Batch(NamedTuple):
    """Memories, padded.

    Shapes: wording (b, d), rows (b, n, d), told (b, n, MEASURED), there (b, n), label (b,).

    ``words`` (k,) and ``values`` (k,): buckets and weights of all sentences, ``starts`` (b·n,) where each begins.
    ``chain`` (b, STEPS): places of the evidence in order, ``UNKNOWN`` after it; ``weight`` (b,): of each case's loss.
    """

    wording: Tensor
    rows: Tensor
    told: Tensor
    there: Tensor
    label: Tensor
    words: Tensor
    values: Tensor
    starts: Tensor
    chain: Tensor
    weight: Tensor


class Walk(NamedTuple):
    """What a network did, in log-probabilities.

    Shapes: odds (b, STEPS, n) of the pointer, relations (b, STEPS, 3).
    """

    odds: Tensor
    relations: Tensor

    @property
    def final(self) -> Tensor:
        """Return the logarithm of the average relation over the steps, (b, 3)."""
        return self.relations.logsumexp(1) - math.log(STEPS)


class Network(nn.Module):
    """The network; ``hidden`` is the share of the vectors' numbers that training hides, ``dropout`` the elements'."""

    def __init__(self, d: int, *, width: int, said: int, hidden: float, dropout: float) -> None:
        super().__init__()
        self.words = nn.Parameter(torch.randn(BUCKETS, said) * 0.1)
        self.inputs = nn.Linear(2 * d + MEASURED + said, width)
        self.cell = nn.LSTMCell(width, width)
        self.attend = nn.Linear(width, width, bias=False)
        self.hop = nn.Linear(2 * width, width)
        self.point = nn.Linear(width, width, bias=False)
        self.relation = nn.Linear(3 * width, len(RELATIONS))
        self.hiding = nn.Dropout(hidden)
        self.dropping = nn.Dropout(dropout)

    def held(self, batch: Batch) -> Tensor:
        """Return the memories' elements, (b, n, h), zero where no sentence is."""
        b, n, d = batch.rows.shape
        shared = batch.rows * batch.wording[:, None] * math.sqrt(d)
        words = nn.functional.embedding_bag(
            batch.words, self.words, batch.starts, mode="sum", per_sample_weights=batch.values
        ).view(b, n, -1)
        vectors = self.hiding(torch.cat([batch.rows, shared], -1))
        joined = torch.cat([vectors, batch.told, self.dropping(words)], -1)
        return self.dropping(torch.relu(self.inputs(joined))) * batch.there[..., None]

    def forward(self, batch: Batch, *, follow: bool = False) -> Walk:
        """Return the walk over the memories.

        ``follow``: along the known evidence, then along its own choice.
        """
        elements = self.held(batch)
        there = batch.there
        size = there.sum(1)
        state = self.cell(elements.sum(1) / size[:, None])
        taken = torch.zeros_like(there)
        odds = []
        relations = []
        for step in range(STEPS):
            taken = (
                taken & ~((step % size == 0)[:, None])
            )  # all were chosen once: from the beginning again
            query, seen = self.hops(elements, state[0], there)
            pointed = (
                (elements @ self.point(query)[..., None])
                .squeeze(-1)
                .masked_fill(~there | taken, -FAR)
            )
            place = pointed.argmax(1)
            if follow:
                place = torch.where(batch.chain[:, step] >= 0, batch.chain[:, step], place)
            taken = taken | nn.functional.one_hot(place, there.shape[1]).bool()
            chosen = elements[torch.arange(len(place)), place]
            state = self.cell(chosen, state)
            odds.append(pointed.log_softmax(1))
            relations.append(self.relation(torch.cat([state[0], chosen, seen], -1)).log_softmax(1))
        return Walk(torch.stack(odds, 1), torch.stack(relations, 1))

    def hops(self, elements: Tensor, query: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """Return the query after all hops and the memory attended to last, (b, h) each."""
        seen = torch.zeros_like(query)
        for _ in range(HOPS):
            odds = (
                (elements @ self.attend(query)[..., None])
                .squeeze(-1)
                .masked_fill(~there, -FAR)
                .softmax(1)
            )
            seen = (odds[..., None] * elements).sum(1)
            query = torch.tanh(self.hop(torch.cat([query, seen], -1)))
        return query, seen


def loss_of(walk: Walk, batch: Batch, pointing: float) -> Tensor:
    """Return λ times the pointer's loss plus that of the relations; ``pointing`` is λ.

    Where the evidence is known, its sentences are pointed at in order, and the relation of a step
    is "not enough" until the last of them was read. The average over the steps is to be the
    relation everywhere.
    """
    known = batch.chain >= 0  # (b, STEPS)
    length = known.sum(1)
    marked = (length > 0) * batch.weight
    picked = walk.odds.gather(2, batch.chain.clamp_min(0)[..., None]).squeeze(-1)
    pointer = -(picked * known).sum(1) / length.clamp_min(1)
    enough = torch.arange(1, STEPS + 1, device=length.device)[None] >= length[:, None]
    wanted = torch.where(enough, batch.label[:, None], NOT_ENOUGH)
    steps = -walk.relations.gather(2, wanted[..., None]).squeeze(-1).mean(1)
    final = -walk.final.gather(1, batch.label[:, None]).squeeze(1)
    total = batch.weight.sum()
    return (
        pointing * (pointer * marked).sum() + (steps * marked).sum() + (final * batch.weight).sum()
    ) / total
