"""The relation network under training.

Pointer and relation at each step, jointly, over batches of cases.

Source: Hidey et al. 2020, losses of the pointer (3), of the relations (5), and their sum weighed
by λ (6). The text at hand lacks the equations themselves; these are the cross-entropies that its
words describe. The product computes the same without torch in
``training/relation/article_relation.py``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from features.articles.hashed_words import HASH_BUCKETS
from training.relation.article_relation import FEATURE_COUNT, HOPS, RELATIONS, STEPS

FAR = 1e4
UNKNOWN = -1
NOT_ENOUGH = RELATIONS.index("not enough")


class Batch(NamedTuple):
    """Memories, padded.

    Shapes: wording (b, d), sentence_vectors (b, n, d), sentence_features (b, n, FEATURE_COUNT),
    label (b,); ``is_sentence`` (b, n) is false for padding. ``words`` (k,) and ``values`` (k,):
    buckets and weights of all sentences; ``starts`` (b·n,): where each sentence begins in them.
    ``chain`` (b, STEPS): indices of the evidence in order, ``UNKNOWN`` after it. ``weight`` (b,):
    how much each case counts in the loss.
    """

    wording: Tensor
    sentence_vectors: Tensor
    sentence_features: Tensor
    is_sentence: Tensor
    label: Tensor
    words: Tensor
    values: Tensor
    starts: Tensor
    chain: Tensor
    weight: Tensor


class Walk(NamedTuple):
    """The outputs of the network at each step, in log-probabilities.

    Shapes: odds (b, STEPS, n) of the pointer, relations (b, STEPS, 3).
    """

    odds: Tensor
    relations: Tensor

    @property
    def final(self) -> Tensor:
        """Return the logarithm of the average relation over the steps, (b, 3)."""
        return self.relations.logsumexp(1) - math.log(STEPS)


class Network(nn.Module):
    """The trainable network.

    ``hidden``: the share of the numbers of vectors that training hides; ``dropout``: the same for
    words and elements.
    """

    def __init__(
        self, d: int, *, width: int, word_width: int, hidden: float, dropout: float
    ) -> None:
        super().__init__()
        self.words = nn.Parameter(torch.randn(HASH_BUCKETS, word_width) * 0.1)
        self.inputs = nn.Linear(2 * d + FEATURE_COUNT + word_width, width)
        self.cell = nn.LSTMCell(width, width)
        self.attend = nn.Linear(width, width, bias=False)
        self.hop = nn.Linear(2 * width, width)
        self.point = nn.Linear(width, width, bias=False)
        self.relation = nn.Linear(3 * width, len(RELATIONS))
        self.hiding = nn.Dropout(hidden)
        self.dropping = nn.Dropout(dropout)

    def elements(self, batch: Batch) -> Tensor:
        """Return the memories' elements, (b, n, h), zero for padding."""
        b, n, d = batch.sentence_vectors.shape
        products = batch.sentence_vectors * batch.wording[:, None] * math.sqrt(d)
        words = nn.functional.embedding_bag(
            batch.words, self.words, batch.starts, mode="sum", per_sample_weights=batch.values
        )
        words = words.view(b, n, -1)
        vectors = self.hiding(torch.cat([batch.sentence_vectors, products], -1))
        inputs = torch.cat([vectors, batch.sentence_features, self.dropping(words)], -1)
        return self.dropping(torch.relu(self.inputs(inputs))) * batch.is_sentence[..., None]

    def forward(self, batch: Batch, *, follow: bool = False) -> Walk:
        """Return the walk over the memories.

        ``follow``: along the known evidence, and after it along the network's own choice.
        """
        # Sentences as the network sees them, (b, n, h), and how many each memory has, (b,).
        elements = self.elements(batch)
        is_sentence = batch.is_sentence
        sentence_count = is_sentence.sum(1)
        state = self.cell(elements.sum(1) / sentence_count[:, None])
        already_read = torch.zeros_like(is_sentence)
        odds = []
        relations = []
        for step in range(STEPS):
            # once all sentences were read, the walk may read every sentence again
            starts_again = (step % sentence_count == 0)[:, None]
            already_read = already_read & ~starts_again
            query, attended = self.hops(elements, state[0], is_sentence)
            # The pointer's score of each sentence, (b, n), and the sentence with the highest, (b,).
            scores = (elements @ self.point(query)[..., None]).squeeze(-1)
            scores = scores.masked_fill(~is_sentence | already_read, -FAR)
            sentence_index = scores.argmax(1)
            if follow:
                marked = batch.chain[:, step]
                sentence_index = torch.where(marked >= 0, marked, sentence_index)
            is_chosen = nn.functional.one_hot(sentence_index, is_sentence.shape[1]).bool()
            already_read = already_read | is_chosen
            sentence = elements[torch.arange(len(sentence_index)), sentence_index]
            state = self.cell(sentence, state)
            odds.append(scores.log_softmax(1))
            relation_inputs = torch.cat([state[0], sentence, attended], -1)
            relations.append(self.relation(relation_inputs).log_softmax(1))
        return Walk(torch.stack(odds, 1), torch.stack(relations, 1))

    def hops(self, elements: Tensor, query: Tensor, is_sentence: Tensor) -> tuple[Tensor, Tensor]:
        """Return the query after all hops and the mean that it attended to last, (b, h) each."""
        attended = torch.zeros_like(query)
        for _ in range(HOPS):
            scores = (elements @ self.attend(query)[..., None]).squeeze(-1)
            attention = scores.masked_fill(~is_sentence, -FAR).softmax(1)
            attended = (attention[..., None] * elements).sum(1)
            query = torch.tanh(self.hop(torch.cat([query, attended], -1)))
        return query, attended


def loss_of(walk: Walk, batch: Batch, pointing: float) -> Tensor:
    """Return λ times the pointer's loss plus the loss of the relations; ``pointing`` is λ.

    If the evidence is known, the pointer should point at its sentences in order, and the relation
    of a step should be "not enough" until all of them were read. The average over the steps should
    always be the relation of the case.
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
