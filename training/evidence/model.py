"""The evidence network under training, and the losses of Bekoulis et al. 2021 over the lists of claims.

A list is one claim with sentences of its article, padded to the longest of the batch. With
attention it is the paper's evidence-aware model; without, each sentence is read alone. The metric
losses compare the claim's element with a sentence's. ``features/articles/evidence.py`` computes
the same without torch.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from features.articles.evidence import ATTENTION_HEADS, INPUT_COLUMNS

LOSSES = ("evidence-aware", "pointwise", "pairwise", "triplet", "cosine", "angular")
METRIC = ("triplet", "cosine", "angular")
ANGLE = math.radians(40)
FAR = 1e4


class Batch(NamedTuple):
    """Lists of sentences.

    Shapes: claim (b, d), rows (b, n, d), about (b, n, f) with the first reading's logit last,
    target (b, n) between 0 and 1, known and there (b, n).

    ``there`` marks sentences, ``known`` those of them whose target counts.
    """

    claim: Tensor
    rows: Tensor
    about: Tensor
    target: Tensor
    known: Tensor
    there: Tensor


class Layer(nn.Module):
    """One pre-norm layer, with self-attention or without."""

    def __init__(self, width: int, wide: int, dropout: float, *, attends: bool) -> None:
        super().__init__()
        self.attends = attends
        if attends:
            self.before = nn.LayerNorm(width)
            self.attention = nn.Linear(width, 3 * width)
            self.joined = nn.Linear(width, width)
        self.after = nn.LayerNorm(width)
        self.wide, self.narrow = nn.Linear(width, wide), nn.Linear(wide, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, there: Tensor) -> Tensor:
        """Return the states (b, n, h) after the layer.

        ``there`` (b, n) marks what may be attended to.
        """
        if self.attends:
            attended = self.mixed(self.before(states), there)
            states = states + self.dropout(self.joined(attended))
        hidden = torch.relu(self.wide(self.after(states)))
        return states + self.dropout(self.narrow(hidden))

    def mixed(self, states: Tensor, there: Tensor) -> Tensor:
        """Return for each element the attended values of all, (b, n, h)."""
        b, n, width = states.shape
        head_width = width // ATTENTION_HEADS
        # (b, n, 3 h) → queries, keys and values, (b, heads, n, head width) each
        projected = self.attention(states).reshape(b, n, 3, ATTENTION_HEADS, head_width)
        queries, keys, values = projected.permute(2, 0, 3, 1, 4)
        odds = queries @ keys.transpose(-1, -2) / math.sqrt(head_width)
        odds = odds.masked_fill(~there[:, None, None, :], -FAR)
        attended = odds.softmax(-1) @ values
        return attended.transpose(1, 2).reshape(b, n, width)


class Network(nn.Module):
    """Scores of the sentences of claims. ``width`` h, ``layers`` of them.

    ``hidden``: the share of the vectors' numbers that training hides (none of the cues); ``dropout``: the layers'.
    """

    def __init__(
        self,
        d: int,
        *,
        width: int,
        layers: int,
        hidden: float = 0.5,
        dropout: float = 0.2,
        attends: bool = True,
    ) -> None:
        super().__init__()
        self.inputs = nn.Linear(4 * d + INPUT_COLUMNS + 1, width)
        self.claim = nn.Linear(d, width)
        self.layers = nn.ModuleList(
            Layer(width, 2 * width, dropout, attends=attends) for _ in range(layers)
        )
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 1)
        nn.init.zeros_(self.head.weight)  # it begins as the first reading
        self.hiding = nn.Dropout(hidden)

    def elements(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the claims' elements (b, h) and the sentences' (b, n, h) after all layers."""
        b, n, d = batch.rows.shape
        claim = batch.claim[:, None].expand(b, n, d)
        difference = (claim - batch.rows).abs()
        product = claim * batch.rows * math.sqrt(d)
        meaning = torch.cat([claim, batch.rows, difference, product], -1)
        # the claim's element, then those of its sentences: (b, 1 + n, h)
        states = self.inputs(torch.cat([self.hiding(meaning), batch.about], -1))
        states = torch.cat([self.claim(batch.claim)[:, None], states], 1)
        there = torch.cat([torch.ones_like(batch.there[:, :1]), batch.there], 1)
        for layer in self.layers:
            states = layer(states, there)
        states = self.norm(states)
        return states[:, 0], states[:, 1:]

    def forward(self, batch: Batch) -> Tensor:
        """Return the logit of each sentence, (b, n).

        The first reading's, and what the network adds to it.
        """
        return batch.about[..., -1] + self.head(self.elements(batch)[1]).squeeze(-1)

    def ranked_by(self, batch: Batch, loss: str) -> Tensor:
        """Return what a network of this loss ranks sentences by, (b, n).

        Logits, or nearness to the claim.
        """
        if loss not in METRIC:
            return self(batch)
        claim, sentences = self.elements(batch)
        if loss == "cosine":
            return nn.functional.cosine_similarity(claim[:, None], sentences, dim=-1)
        return -squared(unit(claim)[:, None], unit(sentences))


def loss_of(network: Network, batch: Batch, name: str, margin: float = 0.5) -> Tensor:
    """Return the mean loss of a batch, by name (LOSSES). Equation numbers are the paper's."""
    if name in ("pointwise", "evidence-aware"):
        losses = nn.functional.binary_cross_entropy_with_logits(
            network(batch), batch.target, reduction="none"
        )
        return losses[batch.known].mean()
    if name == "cosine":  # (3)
        cosines = network.ranked_by(batch, name)
        positive_losses = batch.target * (1 - cosines)
        negative_losses = (1 - batch.target) * (cosines - margin + 0.5).clamp_min(0)
        losses = positive_losses + negative_losses
        return losses[batch.known].mean()
    if name == "pairwise":  # (1), y = 1: the first of a pair is the positive one
        logits = network(batch)
        losses = (logits[:, None, :] - logits[:, :, None] + margin).clamp_min(0)
        return between(losses, batch)
    claim, sentences = network.elements(batch)
    claim = unit(claim)
    sentences = unit(sentences)
    distances = squared(claim[:, None], sentences)
    if name == "triplet":  # (2)
        gaps = distances[:, :, None] - distances[:, None, :]
        return between((gaps + margin).clamp_min(0), batch)
    # (4), with the mean of Wang et al. 2017: the paper's minus is a misprint
    middle = (claim[:, None] + sentences) / 2
    middle_distances = squared(sentences[:, None, :], middle[:, :, None])
    losses = distances[:, :, None] - 4 * math.tan(ANGLE) ** 2 * middle_distances
    return between(losses.clamp_min(0), batch)


def between(losses: Tensor, batch: Batch) -> Tensor:
    """Return the mean of losses (b, positive, negative) over the pairs, weighted by the distance of their targets."""
    gap = (batch.target[:, :, None] - batch.target[:, None, :]).clamp_min(0)
    gap = gap * (batch.known[:, :, None] & batch.known[:, None, :])
    return (losses * gap).sum() / gap.sum().clamp_min(1e-6)


def squared(first_vectors: Tensor, second_vectors: Tensor) -> Tensor:
    """Return the squared distance of vectors along the last axis."""
    return (first_vectors - second_vectors).square().sum(-1)


def unit(vectors: Tensor) -> Tensor:
    """Return the vectors with length 1."""
    return nn.functional.normalize(vectors, dim=-1)
