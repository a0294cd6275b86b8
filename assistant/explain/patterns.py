"""The patterns that MTM was trained to know: their typical words and the nearest sentences.

A pattern is a direction: the content that a sentence of a fact-check typically adds to its claim.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assistant.claims.claim_index import ClaimIndex
from assistant.explain.key_sentences import MIN_QUOTED_WORDS
from features.articles.rating_sentences import is_bare_rating
from features.models.weight_files import MODELS

if TYPE_CHECKING:
    from features.articles.mtm import Mtm

FILE = "mtm-patterns.json"
ARTICLES = 1_000  # the newest ones, compared in a few seconds
EXAMPLES_PER_PATTERN = 6
# A sentence that adds less than this share of a pattern's length repeats the claim.
MIN_ADDED_SHARE = 0.5
MIN_LENGTH_PRODUCT = 1e-9  # vectors of length 0 are not divided by 0
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern: the words and phrases typical of its sentences, with their counts.

    ``place``: the mean position of its sentences, 0 at the beginning of an article and 1 at its
    end; None if unknown.
    """

    number: int
    sentences: int
    place: float | None
    words: tuple[tuple[str, int], ...]
    phrases: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class LearntPatterns:
    """All patterns, most frequent first, and the key sentences per tenth of the articles."""

    patterns: tuple[Pattern, ...]
    tenths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence of an article near a pattern: the claim at a position of the index, and the text.

    ``distance``: 1 − the cosine between what the sentence adds to its claim and the pattern, 0 to 2.
    A pattern is the mean of many directions and so is short: by Euclidean distance the sentences
    that add least would be nearest to all patterns.
    """

    claim: int
    text: str
    distance: float


def load_patterns(folder: Path = MODELS) -> LearntPatterns | None:
    """Return the patterns of a folder's file, None if it cannot be read."""
    try:
        stored = json.loads((folder / FILE).read_text("utf-8"))
        patterns = [_pattern(values) for values in stored["patterns"]]
        tenths = tuple(int(number) for number in stored["tenths"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    # Patterns of the most sentences first
    sorted_patterns = sorted(patterns, key=lambda pattern: (-pattern.sentences, pattern.number))
    return LearntPatterns(tuple(sorted_patterns), tenths)


def examples(
    index: ClaimIndex,
    mtm: Mtm,
    *,
    articles: int = ARTICLES,
    each: int = EXAMPLES_PER_PATTERN,
    progress: Progress = lambda *_: None,
) -> Mapping[int, tuple[Example, ...]]:
    """Return for each pattern the nearest sentences of the newest articles, one per article.

    Bare ratings, headings and sentences that add too little to their claim to have a pattern are
    left out.
    """
    newest_first = np.argsort(-index.review_days, kind="stable").tolist()
    claims_with_article = [claim for claim in newest_first if len(index.body_spans(claim))]
    newest_claims = claims_with_article[:articles]
    # A heap of the nearest examples per pattern. The farthest comes first, because distances are
    # negative, so that a nearer one replaces it.
    heap_by_pattern: dict[int, list[tuple[float, int, str]]] = {}
    for claim_count, claim in enumerate(newest_claims):
        progress(claim_count, len(newest_claims))
        for pattern_number, (distance, text) in _nearest(index, mtm, claim).items():
            heap = heap_by_pattern.setdefault(pattern_number, [])
            candidate = (-distance, -claim, text)
            if len(heap) < each:
                heapq.heappush(heap, candidate)
            else:
                heapq.heappushpop(heap, candidate)
    return {number: _examples_of(heap) for number, heap in heap_by_pattern.items()}


def _examples_of(heap: list[tuple[float, int, str]]) -> tuple[Example, ...]:
    """Return the examples of a heap of negative distances and claims, nearest first."""
    nearest_first = sorted(heap, reverse=True)
    return tuple(Example(-claim, text, -distance) for distance, claim, text in nearest_first)


def _nearest(index: ClaimIndex, mtm: Mtm, claim: int) -> dict[int, tuple[float, str]]:
    """Return the nearest sentence of an article for each of its patterns, with the distance."""
    from features.articles.mtm.key_sentences import nearest_patterns

    texts = _quotable_texts(index, claim)
    if not texts or not len(mtm.memory):
        return {}
    # Each text as its word pieces
    statement_pieces, *sentence_pieces = mtm.pieces([index.statements[claim], *texts])
    # What each sentence adds to the claim, and the pattern nearest to it, both (s, d).
    residuals = mtm.space.residuals(statement_pieces, sentence_pieces)
    pattern_numbers, _ = nearest_patterns(residuals, mtm.memory)
    patterns = mtm.memory[pattern_numbers]
    # Their lengths and cosine distances, (s,).
    residual_lengths = np.linalg.norm(residuals, axis=1)
    pattern_lengths = np.linalg.norm(patterns, axis=1)
    products = (residuals * patterns).sum(axis=1)
    length_products = np.maximum(residual_lengths * pattern_lengths, MIN_LENGTH_PRODUCT)
    distances = 1 - products / length_products
    nearest_by_pattern: dict[int, tuple[float, str]] = {}
    for sentence in np.argsort(distances, kind="stable").tolist():
        # A sentence that hardly adds anything to the claim has no pattern.
        min_length = MIN_ADDED_SHARE * pattern_lengths[sentence]
        if residual_lengths[sentence] >= min_length:
            pattern_number = int(pattern_numbers[sentence])
            example = (float(distances[sentence]), texts[sentence])
            nearest_by_pattern.setdefault(pattern_number, example)
    return nearest_by_pattern


def _quotable_texts(index: ClaimIndex, claim: int) -> list[str]:
    """Return the sentences of an article without headings and bare ratings."""
    body = index.claim(claim).body
    texts = [body[start:end] for start, end in index.body_spans(claim).tolist()]
    return [
        text for text in texts if len(text.split()) >= MIN_QUOTED_WORDS and not is_bare_rating(text)
    ]


def _pattern(values: Mapping[str, Any]) -> Pattern:
    position = values["place"]
    return Pattern(
        number=int(values["number"]),
        sentences=int(values["sentences"]),
        place=None if position is None else float(position),
        words=_counted(values["words"]),
        phrases=_counted(values["phrases"]),
    )


def _counted(entries: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, int], ...]:
    return tuple((str(entry["text"]), int(entry["count"])) for entry in entries)
