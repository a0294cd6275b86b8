"""The MTM model as one object.

A query and some articles in, their key sentences and relevance out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from features.articles.mtm import key_sentences
from features.articles.mtm.key_sentences import StaticSpace
from features.models.model_spec import Floats

if TYPE_CHECKING:
    from features.articles.mtm.network import Relevance, RougeGuided

Ints = NDArray[np.int64]
KEY = 5  # K2
LONGEST_TEXT = 64  # word pieces read of a text
LONGEST_PAIR = 96  # word pieces of a pair, special tokens included
BATCH = 64


@dataclass(frozen=True, eq=False)
class Explained:
    """MTM's scores for one article of n sentences.

    ``relevance``: ŷ, the probability that it is about the query, nan if it was not computed; 0 for an article
    without sentences. ``scores``: scr; ``repeats``: scr_Q, how near to the query; ``pattern_scores``: scr_P, how near
    what it adds is to a pattern; ``patterns``: the nearest pattern, -1 for none; each (n,), scores from 0 to 1.
    ``key``: the places of the best sentences, best first.
    """

    relevance: float
    scores: Floats
    repeats: Floats
    pattern_scores: Floats
    patterns: Ints
    key: tuple[int, ...]


class Special(NamedTuple):
    """The ids of [CLS], which opens a pair, and [SEP], which follows each of its texts."""

    first: int
    between: int


class Mtm:
    """The static space, the patterns, and the network, which is built when a relevance is first needed."""

    def __init__(
        self,
        tokenizer: Any,
        space: StaticSpace,
        memory: Floats,
        network: Callable[[], tuple[RougeGuided, Relevance]],
        *,
        weights: key_sentences.Weights = key_sentences.Weights(),  # noqa: B008 (immutable)
        key: int = KEY,
    ) -> None:
        self.space = space
        self.memory = memory
        self.weights = weights
        self.key = key
        self._tokenizer = tokenizer
        self._make = network
        self._network: tuple[RougeGuided, Relevance] | None = None
        self._special = Special(tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]"))

    @property
    def network(self) -> tuple[RougeGuided, Relevance]:
        """Return both transformers, loaded once."""
        if self._network is None:
            self._network = self._make()
        return self._network

    def explain(
        self, query: str, articles: Sequence[Sequence[str]], *, relevance: bool = True
    ) -> list[Explained]:
        """Return the scores of each article, a sequence of its sentences, for the query.

        Without ``relevance`` no transformer runs: key sentences and their scores cost a few
        milliseconds.
        """
        flat = [sentence for article in articles for sentence in article]
        query_pieces, *pieces = self.pieces([query, *flat])
        bounds = np.cumsum([0, *(len(article) for article in articles)]).tolist()
        residuals = self.space.residuals(query_pieces, pieces)
        scored = [
            key_sentences.score(residuals[a:b], self.memory, self.weights)
            for a, b in pairwise(bounds)
        ]
        keys = [key_sentences.best_places(scores.combined, self.key) for scores in scored]
        relevances = [math.nan] * len(articles)
        if relevance:
            chosen = [
                [pieces[start + place] for place in key]
                for start, key in zip(bounds[:-1], keys, strict=True)
            ]
            relevances = self._relevance(query_pieces, chosen, scored, keys)
        return [
            Explained(
                relevance, scores.combined, scores.repeats, scores.pattern, scores.patterns, key
            )
            for relevance, scores, key in zip(relevances, scored, keys, strict=True)
        ]

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the first ``LONGEST_TEXT`` word pieces of each text.

        Half a surrogate pair becomes a question mark.
        """
        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        read = self._tokenizer.encode_batch_fast(clean, add_special_tokens=False)
        return [entry.ids[:LONGEST_TEXT] for entry in read]

    def _relevance(
        self,
        query: list[int],
        chosen: list[list[list[int]]],
        scored: list[key_sentences.Scores],
        keys: list[tuple[int, ...]],
    ) -> list[float]:
        """Return ŷ of each article from the word pieces of its key sentences, equations (11) to (15)."""
        import torch

        if not any(chosen):
            return [0.0] * len(chosen)
        flat = [pieces for article in chosen for pieces in article]
        means = self.read([query] * len(flat), flat)
        shape = (len(chosen), self.key)
        joined = np.zeros((*shape, means.shape[1]), np.float32)
        patterns = np.zeros((*shape, self.memory.shape[1]))
        weights = np.zeros(shape, np.float32)
        done = 0
        for row, (scores, key) in enumerate(zip(scored, keys, strict=True)):
            places = list(key)
            joined[row, : len(key)] = means[done : done + len(key)]
            weights[row, : len(key)] = key_sentences.shares(scores.combined[places])
            if len(self.memory):
                patterns[row, : len(key)] = self.memory[scores.patterns[places]]
            done += len(key)
        with torch.inference_mode():
            arrays = [
                torch.from_numpy(array.astype(np.float32)) for array in (joined, weights, patterns)
            ]
            logits = self.network[1].aggregated(*arrays)
        odds = torch.sigmoid(logits).tolist()
        return [value if key else 0.0 for value, key in zip(odds, keys, strict=True)]

    def rouge(self, queries: Sequence[Sequence[int]], sentences: Sequence[Sequence[int]]) -> Floats:
        """Return the ROUGE-2 precision and recall predicted for each pair of word pieces, (n, 2), equation (2)."""
        from features.articles.mtm.network import read_rouge

        return read_rouge(
            self.network[0],
            queries,
            sentences,
            special=self._special,
            longest=LONGEST_PAIR,
            size=BATCH,
        )

    def read(self, queries: Sequence[Sequence[int]], sentences: Sequence[Sequence[int]]) -> Floats:
        """Return q' and s' of each pair side by side, (n, 2d).

        Pairs of like length are read together.
        """
        from features.articles.mtm.network import read_pairs

        rot, relevance = self.network
        return read_pairs(
            rot,
            relevance,
            queries,
            sentences,
            special=self._special,
            longest=LONGEST_PAIR,
            size=BATCH,
        )
