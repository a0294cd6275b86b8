"""The network of MTM in torch: a ROUGE-guided transformer, and one for relevance on top of it.

Together they are one BERT, whose weights ``copy_bert_weights`` copies: the first block belongs to
the ROUGE-guided transformer, and the remaining blocks continue from its states. Shapes: b pairs, t
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

VARIANCE_EPSILON = 1e-12


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
    """One block of BERT: self-attention and a feed-forward net, each with a residual and a norm."""

    def __init__(self, shape: Shape, *, dropout: float = 0.1) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.rate = dropout
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.attended = nn.Linear(width, width)
        self.attended_norm = nn.LayerNorm(width, VARIANCE_EPSILON)
        self.widened = nn.Linear(width, shape.inner)
        self.narrowed = nn.Linear(shape.inner, width)
        self.narrowed_norm = nn.LayerNorm(width, VARIANCE_EPSILON)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return the next states (b, t, d).

        ``mask``: (b, 1, 1, t), true for a token, false for padding.
        """
        rate = self.rate if self.training else 0.0
        attended = F.scaled_dot_product_attention(
            self._by_head(self.query(states)),
            self._by_head(self.key(states)),
            self._by_head(self.value(states)),
            attn_mask=mask,
            dropout_p=rate,
        )
        # (b, heads, t, d / heads) -> (b, t, d)
        joined_heads = attended.transpose(1, 2).reshape(states.shape)
        states = self.attended_norm(states + F.dropout(self.attended(joined_heads), rate))
        narrowed = self.narrowed(F.gelu(self.widened(states)))
        return self.narrowed_norm(states + F.dropout(narrowed, rate))

    def _by_head(self, projected: Tensor) -> Tensor:
        """Return projected states (b, t, d) split by attention head, (b, heads, t, d / heads)."""
        b, t, _ = projected.shape
        return projected.view(b, t, self.heads, -1).transpose(1, 2)


class RougeGuided(nn.Module):
    """ROT: embeddings and one block over [CLS] q [SEP] s [SEP], and a net that predicts ROUGE-2."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.words = nn.Embedding(shape.vocabulary, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.kinds = nn.Embedding(2, shape.width)
        self.norm = nn.LayerNorm(shape.width, VARIANCE_EPSILON)
        self.block = Block(shape)
        self.overlap = nn.Sequential(
            nn.Linear(shape.width, shape.width),
            nn.ReLU(),
            nn.Dropout(0.5),
            nn.Linear(shape.width, 2),
            nn.Sigmoid(),
        )
        for frozen in (self.words, self.positions, self.kinds, self.norm):
            frozen.requires_grad_(False)

    def forward(self, tokens: Tokens) -> Tensor:
        """Return z, the states after the block, (b, t, d), equation (1)."""
        positions = torch.arange(tokens.ids.shape[1], device=tokens.ids.device)
        embedded = self.words(tokens.ids) + self.positions(positions) + self.kinds(tokens.kinds)
        states = self.norm(embedded).to(self.block.query.weight.dtype)
        return self.block(states, tokens.mask[:, None, None, :])

    def rouge(self, states: Tensor) -> Tensor:
        """Return the predicted precision and recall of ROUGE-2, (b, 2), equation (2)."""
        return self.overlap(states[:, 0])


class Relevance(nn.Module):
    """The remaining blocks, and the net from key sentences to the relevance of their article."""

    def __init__(self, shape: Shape, *, pattern: bool = True) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.remaining))
        vectors_of_sentence = 3 if pattern else 2  # q', s' and the pattern
        self.mlp = nn.Sequential(
            nn.Linear(shape.width * vectors_of_sentence, shape.width),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Linear(shape.width, 1),
        )

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return z', the states after the remaining blocks, (b, t, d), equation (11)."""
        for block in self.blocks:
            states = block(states, mask[:, None, None, :])
        return states

    def aggregated(self, means: Tensor, shares: Tensor, patterns: Tensor | None) -> Tensor:
        """Return the log-odds that each of some articles is relevant, (a,), equations (12) and (14).

        Shapes: ``means`` (a, k, 2d) of q' and s'_i, ``shares`` scr' (a, k), ``patterns`` (a, k, d)
        or None to leave them out. Padding has the share 0.
        """
        sentence_vectors = means
        if patterns is not None:
            sentence_vectors = torch.cat((means, patterns), 2)
        # One vector per article, (a, 3d): the sum of its sentences, weighted by their shares.
        article_vectors = (sentence_vectors * shares.unsqueeze(2)).sum(1)
        return self.mlp(article_vectors).squeeze(1)


@dataclass(frozen=True)
class Tokens:
    """Padded pairs of texts, (b, t) each.

    ``ids``: word pieces; ``kinds``: 0 in the first text, 1 in the second; ``mask``: true for a
    token, false for padding.
    """

    ids: Tensor
    kinds: Tensor
    mask: Tensor

    def to(self, device: torch.device) -> Tokens:
        """Return the tokens on a device."""
        return Tokens(self.ids.to(device), self.kinds.to(device), self.mask.to(device))


def padded_pairs(
    queries: Sequence[Sequence[int]],
    sentences: Sequence[Sequence[int]],
    *,
    cls_id: int,
    sep_id: int,
    max_pair_tokens: int,
) -> Tokens:
    """Return [CLS] q [SEP] s [SEP] of each pair, padded.

    The sentence is cut to keep the pair within ``max_pair_tokens`` word pieces.
    """
    # A pair is "[CLS] query [SEP] sentence [SEP]". ``cls_id`` is the id of [CLS], ``sep_id`` the
    # id of [SEP]. A long query takes half of the room, and the sentence the rest.
    query_parts = [[cls_id, *query[: max_pair_tokens // 2], sep_id] for query in queries]
    token_pairs = []
    for query_part, sentence in zip(query_parts, sentences, strict=True):
        sentence_room = max_pair_tokens - len(query_part) - 1
        token_pairs.append([*query_part, *sentence[:sentence_room], sep_id])
    longest_pair = max(map(len, token_pairs))
    ids = torch.tensor([pair + [0] * (longest_pair - len(pair)) for pair in token_pairs])
    # The masks (b, t) compare each position (t,) with the lengths in each pair (b, 1).
    positions = torch.arange(longest_pair)
    is_token = positions < _column_of_lengths(token_pairs)
    is_behind_query = positions >= _column_of_lengths(query_parts)
    is_second = is_token & is_behind_query
    return Tokens(ids, is_second.long(), is_token)


def _column_of_lengths(token_lists: Sequence[Sequence[int]]) -> Tensor:
    return torch.tensor([len(tokens) for tokens in token_lists]).unsqueeze(1)


def pair_means(states: Tensor, tokens: Tokens) -> Tensor:
    """Return the means of the states of q and of s, side by side, (b, 2d), in float32.

    Special tokens are left out. A text without word pieces has the mean 0.
    """
    states = states.float()
    # Masks of the tokens, (b, t): of the first text of a pair, and of the second.
    in_first_text = (tokens.kinds == 0) & tokens.mask
    in_second_text = tokens.kinds > 0
    # Each text ends with [SEP]: the token before the second text, and the last one of the pair.
    is_end_of_first = in_first_text & _next_token(in_second_text)
    is_end_of_pair = tokens.mask & ~_next_token(tokens.mask)
    in_query = in_first_text & ~is_end_of_first
    in_query[:, 0] = False  # [CLS]
    in_sentence = in_second_text & ~is_end_of_pair
    text_means = []
    for in_text in (in_query, in_sentence):
        # Weights 0 or 1, (b, t, 1), for the states, (b, t, d)
        weights = in_text.unsqueeze(2).to(states.dtype)
        token_counts = weights.sum(1).clamp(min=1)
        text_means.append((states * weights).sum(1) / token_counts)
    return torch.cat(text_means, 1)


def _next_token(flags: Tensor) -> Tensor:
    """Return for each token the flag (b, t) of the token after it, false for the last one."""
    return torch.cat((flags[:, 1:], torch.zeros_like(flags[:, :1])), 1)


Pieces = Sequence[Sequence[int]]
Floats = NDArray[np.float32]


def read_pairs(  # noqa: PLR0913
    rot: RougeGuided,
    relevance: Relevance,
    queries: Pieces,
    sentences: Pieces,
    *,
    cls_and_sep: tuple[int, int],
    max_pair_tokens: int,
    batch_size: int,
) -> Floats:
    """Return q' and s' of each pair side by side, (n, 2d), ``batch_size`` pairs at a time."""

    # Two networks follow each other: ``rot`` reads the tokens, and ``relevance`` its states.
    def means(tokens: Tokens) -> Tensor:
        token_states = relevance(rot(tokens), tokens.mask)
        return pair_means(token_states, tokens)

    device = rot.words.weight.device
    return _in_batches(
        means,
        queries,
        sentences,
        cls_and_sep,
        max_pair_tokens=max_pair_tokens,
        batch_size=batch_size,
        device=device,
    )


def read_rouge(
    rot: RougeGuided,
    queries: Pieces,
    sentences: Pieces,
    *,
    cls_and_sep: tuple[int, int],
    max_pair_tokens: int,
    batch_size: int,
) -> Floats:
    """Return the predicted precision and recall of ROUGE-2 of each pair, (n, 2)."""

    def overlap(tokens: Tokens) -> Tensor:
        return rot.rouge(rot(tokens).float())

    device = rot.words.weight.device
    return _in_batches(
        overlap,
        queries,
        sentences,
        cls_and_sep,
        max_pair_tokens=max_pair_tokens,
        batch_size=batch_size,
        device=device,
    )


def _in_batches(  # noqa: PLR0913
    network: Callable[[Tokens], Tensor],
    queries: Pieces,
    sentences: Pieces,
    cls_and_sep: tuple[int, int],
    *,
    max_pair_tokens: int,
    batch_size: int,
    device: torch.device,
) -> Floats:
    """Return the outputs of a network for all pairs, run on pairs of similar length at a time."""
    shortest_first = sorted(
        range(len(queries)), key=lambda pair: len(queries[pair]) + len(sentences[pair])
    )
    outputs: list[Floats] = []
    with torch.inference_mode():
        for start in range(0, len(queries), batch_size):
            pairs_of_batch = shortest_first[start : start + batch_size]
            batch_queries = [queries[pair] for pair in pairs_of_batch]
            batch_sentences = [sentences[pair] for pair in pairs_of_batch]
            tokens = padded_pairs(
                batch_queries,
                batch_sentences,
                cls_id=cls_and_sep[0],
                sep_id=cls_and_sep[1],
                max_pair_tokens=max_pair_tokens,
            ).to(device)
            outputs.append(network(tokens).cpu().numpy())
    # The outputs came shortest first; argsort of that order puts them back.
    return np.concatenate(outputs)[np.argsort(shortest_first)]


# Our names of modules and parameters, and the names that BERT's weights have for them.
_BERT_EMBEDDING_NAMES = {
    "words.weight": "embeddings.word_embeddings.weight",
    "positions.weight": "embeddings.position_embeddings.weight",
    "kinds.weight": "embeddings.token_type_embeddings.weight",
    "norm.weight": "embeddings.LayerNorm.weight",
    "norm.bias": "embeddings.LayerNorm.bias",
}
_BERT_LAYER_NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "attended_norm": "attention.output.LayerNorm",
    "widened": "intermediate.dense",
    "narrowed": "output.dense",
    "narrowed_norm": "output.LayerNorm",
}


def copy_bert_weights(
    rot: RougeGuided, relevance: Relevance, bert_tensors: Mapping[str, Tensor]
) -> None:
    """Put a BERT's weights into both transformers. Raises: KeyError if one is missing."""
    with torch.no_grad():
        for name, bert_name in _BERT_EMBEDDING_NAMES.items():
            rot.get_parameter(name).copy_(bert_tensors[bert_name])
        # BERT's first layer goes into the one block of ``rot``, the next ones into ``relevance``.
        for layer, block in enumerate([rot.block, *relevance.blocks]):
            for name, bert_name in _BERT_LAYER_NAMES.items():
                for kind in ("weight", "bias"):
                    bert_tensor = bert_tensors[f"encoder.layer.{layer}.{bert_name}.{kind}"]
                    block.get_parameter(f"{name}.{kind}").copy_(bert_tensor)
