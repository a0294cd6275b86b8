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

    def elements(self, batch: Batch) -> Tensor:
        """Return the memories' elements, (b, n, h), zero for padding."""
        b, n, d = batch.rows.shape
        shared = batch.rows * batch.wording[:, None] * math.sqrt(d)
        words = nn.functional.embedding_bag(
            batch.words, self.words, batch.starts, mode="sum", per_sample_weights=batch.values
        )
        words = words.view(b, n, -1)
        vectors = self.hiding(torch.cat([batch.rows, shared], -1))
        inputs = torch.cat([vectors, batch.told, self.dropping(words)], -1)
        return self.dropping(torch.relu(self.inputs(inputs))) * batch.there[..., None]

    def forward(self, batch: Batch, *, follow: bool = False) -> Walk:
        """Return the walk over the memories.

        ``follow``: along the known evidence, then along its own choice.
        """
        elements = self.elements(batch)
        there = batch.there
        size = there.sum(1)
        state = self.cell(elements.sum(1) / size[:, None])
        already_read = torch.zeros_like(there)
        odds = []
        relations = []
        for step in range(STEPS):
            # once all sentences were read, the walk may read every sentence again
            starts_again = (step % size == 0)[:, None]
            already_read = already_read & ~starts_again
            query, memory = self.hops(elements, state[0], there)
            pointed = (elements @ self.point(query)[..., None]).squeeze(-1)
            pointed = pointed.masked_fill(~there | already_read, -FAR)
            sentence_index = pointed.argmax(1)
            if follow:
                marked = batch.chain[:, step]
                sentence_index = torch.where(marked >= 0, marked, sentence_index)
            already_read = (
                already_read | nn.functional.one_hot(sentence_index, there.shape[1]).bool()
            )
            sentence = elements[torch.arange(len(sentence_index)), sentence_index]
            state = self.cell(sentence, state)
            odds.append(pointed.log_softmax(1))
            relation_inputs = torch.cat([state[0], sentence, memory], -1)
            relations.append(self.relation(relation_inputs).log_softmax(1))
        return Walk(torch.stack(odds, 1), torch.stack(relations, 1))

    def hops(self, elements: Tensor, query: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """Return the query after all hops and the memory attended to last, (b, h) each."""
        memory = torch.zeros_like(query)
        for _ in range(HOPS):
            odds = (elements @ self.attend(query)[..., None]).squeeze(-1)
            shares = odds.masked_fill(~there, -FAR).softmax(1)
            memory = (shares[..., None] * elements).sum(1)
            query = torch.tanh(self.hop(torch.cat([query, memory], -1)))
        return query, memory


def loss_of(walk: Walk, batch: Batch, pointing: float) -> Tensor:
    """Return λ times the pointer's loss plus that of the relations; ``pointing`` is λ.

    Where the evidence is known, its sentences are pointed at in order, and the relation of a step
    is "not enough" until the last of them was read. The average over the steps is to be the
    relation everywhere.
    """
    is_marked = batch.chain >= 0  # (b, STEPS)
    length = is_marked.sum(1)
    marked_weight = (length > 0) * batch.weight
    # the pointer's loss at the marked sentences, (b,)
    picked = walk.odds.gather(2, batch.chain.clamp_min(0)[..., None]).squeeze(-1)
    pointer = -(picked * is_marked).sum(1) / length.clamp_min(1)
    # the relation's loss at each step, "not enough" until all evidence is read, (b,)
    steps = torch.arange(1, STEPS + 1, device=length.device)[None]
    target = torch.where(steps >= length[:, None], batch.label[:, None], NOT_ENOUGH)
    step_loss = -walk.relations.gather(2, target[..., None]).squeeze(-1).mean(1)
    final_loss = -walk.final.gather(1, batch.label[:, None]).squeeze(1)
    pointer_sum = pointing * (pointer * marked_weight).sum()
    step_sum = (step_loss * marked_weight).sum()
    final_sum = (final_loss * batch.weight).sum()
    return (pointer_sum + step_sum + final_sum) / batch.weight.sum()
