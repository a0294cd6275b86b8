"""The network of MTM in torch.

A ROUGE-guided transformer, and one that reads a claim beside key sentences.

Together they are one BERT, whose weights ``start`` copies: the first block belongs to the
ROUGE-guided transformer, and the remaining blocks continue from its states. Shapes: b pairs, t
tokens, width d.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

EPSILON = 1e-12


@dataclass(frozen=True)
class Shape:
    """The size of a BERT. ``remaining``: blocks after the first."""

    vocabulary: int = 30522
    width: int = 384
    heads: int = 12
    inner: int = 1536
    remaining: int = 5
    positions: int = 512


class Block(nn.Module):
    """One block of BERT: self-attention and a feed-forward net, each added to its input and normalised."""

    def __init__(self, shape: Shape, *, dropout: float = 0.1) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.rate = dropout
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.attended = nn.Linear(width, width)
        self.attended_norm = nn.LayerNorm(width, EPSILON)
        self.widened = nn.Linear(width, shape.inner)
        self.narrowed = nn.Linear(shape.inner, width)
        self.narrowed_norm = nn.LayerNorm(width, EPSILON)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return the next states (b, t, d).

        ``mask``: (b, 1, 1, t), true where there is a token.
        """
        b, t, d = states.shape
        rate = self.rate if self.training else 0.0
        split = [
            part(states).view(b, t, self.heads, -1).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        ]
        read = F.scaled_dot_product_attention(
            split[0], split[1], split[2], attn_mask=mask, dropout_p=rate
        )
        read = self.attended(read.transpose(1, 2).reshape(b, t, d))
        states = self.attended_norm(states + F.dropout(read, rate))
        return self.narrowed_norm(
            states + F.dropout(self.narrowed(F.gelu(self.widened(states))), rate)
        )


class RougeGuided(nn.Module):
    """ROT: embeddings and one block over [CLS] q [SEP] s [SEP], and a net that predicts their ROUGE-2."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.words = nn.Embedding(shape.vocabulary, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.kinds = nn.Embedding(2, shape.width)
        self.norm = nn.LayerNorm(shape.width, EPSILON)
        self.block = Block(shape)
        self.overlap = nn.Sequential(
            nn.Linear(shape.width, shape.width),
            nn.ReLU(),
            nn.Dropout(0.5),
            nn.Linear(shape.width, 2),
            nn.Sigmoid(),
        )
        for fixed in (self.words, self.positions, self.kinds, self.norm):
            fixed.requires_grad_(False)

    def forward(self, tokens: Tokens) -> Tensor:
        """Return z, the states after the block, (b, t, d), equation (1)."""
        places = torch.arange(tokens.ids.shape[1], device=tokens.ids.device)
        states = self.norm(
            self.words(tokens.ids) + self.positions(places) + self.kinds(tokens.kinds)
        )
        return self.block(states.to(self.block.query.weight.dtype), tokens.mask[:, None, None, :])

    def rouge(self, states: Tensor) -> Tensor:
        """Return the predicted precision and recall of ROUGE-2, (b, 2), equation (2)."""
        return self.overlap(states[:, 0])


class Relevance(nn.Module):
    """The remaining blocks and the net that turns key sentences into the relevance of their article."""

    def __init__(self, shape: Shape, *, pattern: bool = True) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.remaining))
        read = shape.width * (3 if pattern else 2)
        self.mlp = nn.Sequential(
            nn.Linear(read, shape.width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(shape.width, 1)
        )

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return z', the states after the remaining blocks, (b, t, d), equation (11)."""
        for block in self.blocks:
            states = block(states, mask[:, None, None, :])
        return states

    def aggregated(self, means: Tensor, shares: Tensor, patterns: Tensor | None) -> Tensor:
        """Return the log-odds that each of some articles is relevant, (a,), equations (12) and (14).

        Shapes: ``means`` (a, k, 2d) of q' and s'_i, ``shares`` scr' (a, k), ``patterns`` (a, k, d)
        or None to leave them out. A place without a sentence has the share 0.
        """
        joined = means if patterns is None else torch.cat((means, patterns), 2)
        return self.mlp((joined * shares.unsqueeze(2)).sum(1)).squeeze(1)


@dataclass(frozen=True)
class Tokens:
    """Padded pairs: word pieces, which text each belongs to, and where there is one at all, (b, t) each."""

    ids: Tensor
    kinds: Tensor
    mask: Tensor

    def to(self, device: torch.device) -> Tokens:
        """Return the same on a device."""
        return Tokens(self.ids.to(device), self.kinds.to(device), self.mask.to(device))


def pairs_of(
    queries: Sequence[Sequence[int]],
    sentences: Sequence[Sequence[int]],
    *,
    first: int,
    between: int,
    longest: int,
) -> Tokens:
    """Return [CLS] q [SEP] s [SEP] of each pair, padded.

    The sentence is cut to keep it within ``longest``.
    """
    rows = []
    lengths = []
    for query, sentence in zip(queries, sentences, strict=True):
        opening = [first, *query[: longest // 2], between]
        closing = [*sentence[: longest - len(opening) - 1], between]
        rows.append(opening + closing)
        lengths.append((len(opening), len(rows[-1])))
    width = max(map(len, rows))
    ids = torch.tensor([row + [0] * (width - len(row)) for row in rows])
    places = torch.arange(width)
    bounds = torch.tensor(lengths)
    mask = places < bounds[:, 1:]
    return Tokens(ids, ((places >= bounds[:, :1]) & mask).long(), mask)


def pair_means(states: Tensor, tokens: Tokens) -> Tensor:
    """Return the means of the states of q and of s without special tokens, side by side, (b, 2d), in float32.

    A side without word pieces has the mean 0.
    """
    states = states.float()
    last = tokens.mask & ~torch.cat((tokens.mask[:, 1:], torch.zeros_like(tokens.mask[:, :1])), 1)
    of_sentence = (tokens.kinds > 0) & ~last
    separator = torch.cat((tokens.kinds[:, 1:] > 0, torch.zeros_like(tokens.mask[:, :1])), 1) & (
        tokens.kinds == 0
    )
    of_query = (tokens.kinds == 0) & tokens.mask & ~separator
    of_query[:, 0] = False
    means = []
    for side in (of_query, of_sentence):
        weights = side.unsqueeze(2).to(states.dtype)
        means.append((states * weights).sum(1) / weights.sum(1).clamp(min=1))
    return torch.cat(means, 1)


Pieces = Sequence[Sequence[int]]
Floats = NDArray[np.float32]


def read_pairs(  # noqa: PLR0913
    rot: RougeGuided,
    relevance: Relevance,
    queries: Pieces,
    sentences: Pieces,
    *,
    special: tuple[int, int],
    longest: int,
    size: int,
) -> Floats:
    """Return q' and s' of each pair side by side, (n, 2d), ``size`` pairs of like length at a time."""

    def means(tokens: Tokens) -> Tensor:
        return pair_means(relevance(rot(tokens), tokens.mask), tokens)

    device = rot.words.weight.device
    return _in_batches(
        means, queries, sentences, special, longest=longest, size=size, device=device
    )


def read_rouge(
    rot: RougeGuided,
    queries: Pieces,
    sentences: Pieces,
    *,
    special: tuple[int, int],
    longest: int,
    size: int,
) -> Floats:
    """Return the predicted precision and recall of ROUGE-2 of each pair, (n, 2)."""

    def overlap(tokens: Tokens) -> Tensor:
        return rot.rouge(rot(tokens).float())

    device = rot.words.weight.device
    return _in_batches(
        overlap, queries, sentences, special, longest=longest, size=size, device=device
    )


def _in_batches(  # noqa: PLR0913
    read: Callable[[Tokens], Tensor],
    queries: Pieces,
    sentences: Pieces,
    special: tuple[int, int],
    *,
    longest: int,
    size: int,
    device: torch.device,
) -> Floats:
    order = sorted(range(len(queries)), key=lambda row: len(queries[row]) + len(sentences[row]))
    outputs: list[Floats] = []
    with torch.inference_mode():
        for at in range(0, len(order), size):
            rows = order[at : at + size]
            batch_queries = [queries[row] for row in rows]
            batch_sentences = [sentences[row] for row in rows]
            tokens = pairs_of(
                batch_queries,
                batch_sentences,
                first=special[0],
                between=special[1],
                longest=longest,
            ).to(device)
            outputs.append(read(tokens).cpu().numpy())
    return np.concatenate(outputs)[np.argsort(order)]


_EMBEDDINGS = {
    "words.weight": "embeddings.word_embeddings.weight",
    "positions.weight": "embeddings.position_embeddings.weight",
    "kinds.weight": "embeddings.token_type_embeddings.weight",
    "norm.weight": "embeddings.LayerNorm.weight",
    "norm.bias": "embeddings.LayerNorm.bias",
}
_BLOCK = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "attended_norm": "attention.output.LayerNorm",
    "widened": "intermediate.dense",
    "narrowed": "output.dense",
    "narrowed_norm": "output.LayerNorm",
}


def start(rot: RougeGuided, relevance: Relevance, bert: Mapping[str, Tensor]) -> None:
    """Put a BERT's weights into both transformers. Raises: KeyError if one is missing."""
    with torch.no_grad():
        for name, source in _EMBEDDINGS.items():
            rot.get_parameter(name).copy_(bert[source])
        for number, block in enumerate([rot.block, *relevance.blocks]):
            for part, source in _BLOCK.items():
                for kind in ("weight", "bias"):
                    block.get_parameter(f"{part}.{kind}").copy_(
                        bert[f"encoder.layer.{number}.{source}.{kind}"]
                    )
