"""The MTM model as one object.

A query and some articles in, their key sentences and relevance out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from features.articles.mtm import key_sentences
from features.articles.mtm.key_sentences import StaticSpace
from features.models.model_spec import Floats

if TYPE_CHECKING:
    from features.articles.mtm.network import Relevance, RougeGuided

Ints = NDArray[np.int64]
KEY_SENTENCES_PER_ARTICLE = 5  # K2
MAX_TEXT_TOKENS = 64  # word pieces read of a text
MAX_PAIR_TOKENS = 96  # word pieces of a pair, special tokens included
BATCH = 64
TOKENIZED_TEXTS_AT_ONCE = 4_096  # at a time, because an encoding takes a thousand bytes


@dataclass(frozen=True, eq=False)
class Explained:
    """MTM's scores for one article of n sentences.

    ``relevance``: ŷ, the probability that the article is about the query, 0 without sentences, nan
    if it was not computed. (n,) each, from 0 to 1: ``scores`` is scr; ``repeats`` scr_Q, the
    nearness to the query; ``pattern_scores`` scr_P, the nearness of the residual to a pattern.
    ``patterns`` (n,): the number of the nearest pattern, -1 for none. ``key``: the indices of the
    best sentences, best first.
    """

    relevance: float
    scores: Floats
    repeats: Floats
    pattern_scores: Floats
    patterns: Ints
    key: tuple[int, ...]

    def for_whole_article(self, sentence_indices: Ints, sentence_count: int) -> Explained:
        """Return the scores for a whole article, of which these sentences were read.

        The others have the score 0 and no pattern.
        """
        # -1 stands for no pattern.
        patterns = np.full(sentence_count, -1, np.int64)
        patterns[sentence_indices] = self.patterns
        return Explained(
            self.relevance,
            _spread_over(self.scores, sentence_indices, sentence_count),
            _spread_over(self.repeats, sentence_indices, sentence_count),
            _spread_over(self.pattern_scores, sentence_indices, sentence_count),
            patterns,
            tuple(int(sentence_indices[index]) for index in self.key),
        )


def _spread_over(values: Floats, positions: Ints, count: int) -> Floats:
    """Return the values at their positions among ``count``, 0 elsewhere, (count,)."""
    spread_values = np.zeros(count, np.float32)
    spread_values[positions] = values
    return spread_values


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
        weights: key_sentences.ScoreWeights = key_sentences.ScoreWeights(),  # noqa: B008 (immutable)
        key: int = KEY_SENTENCES_PER_ARTICLE,
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
        all_sentences = list(chain.from_iterable(articles))
        all_pieces = self.pieces([query, *all_sentences])
        query_pieces = all_pieces[0]
        sentence_pieces = all_pieces[1:]
        article_bounds = np.cumsum([0, *(len(article) for article in articles)]).tolist()
        article_scores = []
        article_keys = []
        key_pieces = []
        for start, end in pairwise(article_bounds):
            # One article at a time: the residuals of a very long one take much memory, (s, d).
            residuals = self.space.residuals(query_pieces, sentence_pieces[start:end])
            scores = key_sentences.score(residuals, self.memory, self.weights)
            key = key_sentences.best_sentences(scores.combined, self.key)
            article_scores.append(scores)
            article_keys.append(key)
            key_pieces.append([sentence_pieces[start + index] for index in key])
        relevances = [math.nan] * len(articles)
        if relevance:
            relevances = self._relevance(query_pieces, key_pieces, article_scores, article_keys)
        return [
            Explained(
                article_relevance,
                scores.combined,
                scores.repeats,
                scores.pattern,
                scores.patterns,
                key,
            )
            for article_relevance, scores, key in zip(
                relevances, article_scores, article_keys, strict=True
            )
        ]

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the first ``MAX_TEXT_TOKENS`` word pieces of each text.

        A lone half of a surrogate pair becomes a question mark.
        """
        pieces_by_text = []
        for start in range(0, len(texts), TOKENIZED_TEXTS_AT_ONCE):
            text_block = texts[start : start + TOKENIZED_TEXTS_AT_ONCE]
            # The tokenizer refuses half of a surrogate pair, which becomes a question mark.
            clean_texts = [text.encode("utf-8", "replace").decode("utf-8") for text in text_block]
            encodings = self._tokenizer.encode_batch_fast(clean_texts, add_special_tokens=False)
            pieces_by_text += [encoding.ids[:MAX_TEXT_TOKENS] for encoding in encodings]
        return pieces_by_text

    def _relevance(
        self,
        query_pieces: list[int],
        key_pieces: list[list[list[int]]],
        article_scores: list[key_sentences.Scores],
        key_sentence_indices: list[tuple[int, ...]],
    ) -> list[float]:
        """Return ŷ of each article, equations (11) to (15).

        ``key_pieces``: the word pieces of each key sentence of each article.
        """
        import torch

        if not any(key_pieces):
            return [0.0] * len(key_pieces)
        all_key_pieces = list(chain.from_iterable(key_pieces))
        pair_vectors = self.pair_means([query_pieces] * len(all_key_pieces), all_key_pieces)
        # q' and s' of each key sentence are one row of ``pair_vectors``, article after article.
        # Inputs of the last net, padded with zeros to ``self.key`` sentences per article:
        # means (a, key, 2d), patterns (a, key, d) and shares of the scores (a, key).
        shape = (len(key_pieces), self.key)
        padded_vectors = np.zeros((*shape, pair_vectors.shape[1]), np.float32)
        pattern_vectors = np.zeros((*shape, self.memory.shape[1]), np.float32)
        score_shares = np.zeros(shape, np.float32)
        first_row = 0
        for article, (scores, article_key) in enumerate(
            zip(article_scores, key_sentence_indices, strict=True)
        ):
            key_count = len(article_key)
            key_indices = list(article_key)
            padded_vectors[article, :key_count] = pair_vectors[first_row : first_row + key_count]
            score_shares[article, :key_count] = key_sentences.shares(scores.combined[key_indices])
            if len(self.memory):
                pattern_vectors[article, :key_count] = self.memory[scores.patterns[key_indices]]
            first_row += key_count
        _, relevance = self.network
        with torch.inference_mode():
            logits = relevance.aggregated(
                torch.from_numpy(padded_vectors),
                torch.from_numpy(score_shares),
                torch.from_numpy(pattern_vectors),
            )
        probabilities = torch.sigmoid(logits).tolist()
        has_sentences = [bool(article_key) for article_key in key_sentence_indices]
        return np.where(has_sentences, probabilities, 0.0).tolist()

    def rouge(self, queries: Sequence[Sequence[int]], sentences: Sequence[Sequence[int]]) -> Floats:
        """Return the predicted ROUGE-2 precision and recall of each pair, (n, 2), equation (2)."""
        from features.articles.mtm.network import read_rouge

        return read_rouge(
            self.network[0],
            queries,
            sentences,
            cls_and_sep=self._special,
            max_pair_tokens=MAX_PAIR_TOKENS,
            batch_size=BATCH,
        )

    def pair_means(
        self, queries: Sequence[Sequence[int]], sentences: Sequence[Sequence[int]]
    ) -> Floats:
        """Return q' and s' of each pair side by side, (n, 2d).

        Pairs of similar length go through the network together.
        """
        from features.articles.mtm.network import read_pairs

        rot, relevance = self.network
        return read_pairs(
            rot,
            relevance,
            queries,
            sentences,
            cls_and_sep=self._special,
            max_pair_tokens=MAX_PAIR_TOKENS,
            batch_size=BATCH,
        )
