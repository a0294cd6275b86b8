"""Training of MTM's ROUGE-guided transformer on pairs of a claim and a sentence, with the ROUGE-2 between them.

Equation (3): squared error of predicted precision and recall, and λ_R times the squared distance
of the block from its start. On a GPU the block computes in bf16 with fp32 copies; the penalty's
gradient is added to theirs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from features.articles.mtm.model import MAX_PAIR_TOKENS, Special
from features.articles.mtm.network import RougeGuided, Tokens, padded_pairs
from training.mtm.queries import Articles, Query, word_pieces
from training.mtm.word_weights import f_measure, rouge2
from training.shared.classifier import MasterWeights, schedule

# sentences drawn of an article: the likest, and any
LIKE = 2
OTHER = 2
BATCH_PAIRS = 128
LEARNING_RATE = 1e-4
NET_LEARNING_RATE = 1e-3  # for the net that predicts ROUGE
DRIFT_WEIGHT = 0.05  # λ_R


class Overlap(NamedTuple):
    """A claim and a sentence as word pieces, and the precision and recall of ROUGE-2 between them."""

    query: list[int]
    sentence: list[int]
    precision: float
    recall: float


def overlaps(queries: Sequence[Query], articles: Articles, *, seed: int) -> list[Overlap]:
    """Return the ``LIKE`` sentences of each query's article nearest by ROUGE-2, and ``OTHER`` more."""
    rng = random.Random(seed)
    pairs = []
    pieces_by_query = word_pieces([query.text for query in queries])
    for query, pieces in zip(queries, pieces_by_query, strict=True):
        article = query.articles[0]
        sentence_numbers = articles.rows(article)
        rouge = rouge2(query.text, articles.sentences(article))
        order = np.argsort(-f_measure(rouge), kind="stable").tolist()
        other_indices = order[LIKE:]
        drawn_others = rng.sample(other_indices, min(OTHER, len(other_indices)))
        for i in order[:LIKE] + drawn_others:
            precision, recall = rouge[i].tolist()
            sentence = articles.ids_of(sentence_numbers[i])
            pairs.append(Overlap(pieces, sentence, precision, recall))
    return pairs


class Drawn(MasterWeights):
    """fp32 copies that are drawn back to where they started.

    Equation (3)'s penalty, as its gradient.
    """

    def __init__(self, parameters: Sequence[Tensor], weight: float) -> None:
        super().__init__(parameters)
        self.begun = [copy.detach().clone() for copy in self.copies]
        self.weight = weight

    def step(self, rate: float) -> None:
        """Add the penalty's gradient, 2·λ_R·Δθ, and move."""
        for copy, then, parameter in zip(self.copies, self.begun, self.parameters, strict=True):
            parameter.grad.add_(2 * self.weight * (copy.detach() - then).to(parameter.dtype))
        super().step(rate)

    def drift(self) -> Tensor:
        """Return ‖Δθ‖²."""
        return drift([copy.detach() for copy in self.copies], self.begun)


def rouge_loss(predicted: Tensor, target: Tensor, drift: Tensor, *, weight: float) -> Tensor:
    """Return ‖R̂ − R2‖² + λ_R‖Δθ‖², equation (3).

    The mean over the batch, and how far the weights have moved.
    """
    return (predicted - target).square().sum(1).mean() + weight * drift


def drift(parameters: Sequence[Tensor], start: Sequence[Tensor]) -> Tensor:
    """Return ‖Δθ‖², the squared distance of parameters from where they started."""
    distances = []
    for parameter, begun in zip(parameters, start, strict=True):
        distances.append((parameter - begun).square().sum())
    return torch.stack(distances).sum()


def learn(
    rot: RougeGuided,
    pairs: Sequence[Overlap],
    special: Special,
    *,
    seed: int,
    rate: float = LEARNING_RATE,
    drift_weight: float = DRIFT_WEIGHT,
) -> list[float]:
    """Train the block and its net in place, one pass over the pairs.

    Return the loss of each step, equation (3).
    """
    torch.manual_seed(seed)
    device = rot.words.weight.device
    master = Drawn(list(rot.block.parameters()), drift_weight)
    rot.block.to(precision(device))
    net = torch.optim.Adam(rot.overlap.parameters(), NET_LEARNING_RATE, eps=1e-6)
    batches = ordered(pairs, BATCH_PAIRS, seed=seed)
    losses = []
    rot.train()
    for step, batch in enumerate(batches):
        tokens = tokens_of(batch, special).to(device)
        target = torch.tensor([(pair.precision, pair.recall) for pair in batch], device=device)
        predicted = rot.rouge(rot(tokens).float())
        error = (predicted - target).square().sum(1).mean()
        error.backward()
        master.step(rate * schedule(step, len(batches)))
        net.step()
        net.zero_grad()
        losses.append(
            float(rouge_loss(predicted.detach(), target, master.drift(), weight=drift_weight))
        )
    rot.block.float()
    with torch.no_grad():  # the copies hold what bf16 rounds away
        for parameter, copy in zip(rot.block.parameters(), master.copies, strict=True):
            parameter.copy_(copy)
    rot.eval()
    return losses


def precision(device: torch.device) -> torch.dtype:
    """Return what blocks compute in: bf16 on a GPU; on a CPU, where it may be slower, fp32."""
    return torch.bfloat16 if device.type == "cuda" else torch.float32


def error(
    rot: RougeGuided, pairs: Sequence[Overlap], special: Special, *, batch: int = 128
) -> float:
    """Return the mean squared error of the predicted ROUGE-2 over the pairs."""
    total = 0.0
    with torch.inference_mode():
        for batch_pairs in ordered(pairs, batch, seed=0):
            target = torch.tensor([(pair.precision, pair.recall) for pair in batch_pairs])
            predicted = rot.rouge(rot(tokens_of(batch_pairs, special)).float())
            total += float(nn.functional.mse_loss(predicted, target, reduction="sum"))
    return total / len(pairs)


def tokens_of(pairs: Sequence[Overlap], special: Special) -> Tokens:
    """Return the padded word pieces of some pairs."""
    queries = [pair.query for pair in pairs]
    sentences = [pair.sentence for pair in pairs]
    return padded_pairs(
        queries,
        sentences,
        cls_id=special.first,
        sep_id=special.between,
        max_pair_tokens=MAX_PAIR_TOKENS,
    )


def ordered(pairs: Sequence[Overlap], size: int, *, seed: int) -> list[list[Overlap]]:
    """Return batches of pairs of similar length, in an order that follows from the seed."""
    by_length = sorted(pairs, key=lambda pair: len(pair.query) + len(pair.sentence))
    batches = [by_length[start : start + size] for start in range(0, len(by_length), size)]
    random.Random(seed).shuffle(batches)
    return batches
