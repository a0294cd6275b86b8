"""The patterns that MTM has learnt, in the words that its training left, and sentences of one's own articles near them.

A pattern is a direction: what a sentence of a fact-check typically adds to the claim that it is about.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assistant.claims.index import ClaimIndex
from assistant.explain.key_sentences import SHORTEST
from features.articles.rating_sentences import is_bare_rating
from features.weights import MODELS

if TYPE_CHECKING:
    from features.articles.mtm import Mtm

FILE = "mtm-patterns.json"
ARTICLES = 1_000  # the newest: a few seconds
EACH = 6
LITTLE = 0.5  # of what a pattern adds: who adds less repeats the claim
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern in words: those that its sentences have more often than others, with the number of sentences.

    ``place``: where they stand on average, 0 the beginning of an article and 1 its end, None if nobody knows.
    """

    number: int
    sentences: int
    place: float | None
    words: tuple[tuple[str, int], ...]
    phrases: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Learnt:
    """All patterns, those of most sentences first; ``tenths``: key sentences by the tenth of the article, (10,)."""

    patterns: tuple[Pattern, ...]
    tenths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence of an article near a pattern: the claim at a position of the index, and the text.

    ``distance``: 1 − the cosine of what it adds to its claim with the pattern, 0 to 2. A pattern is the middle of many
    such directions and therefore short; by plain distance the sentences that add least would be nearest to all.
    """

    claim: int
    text: str
    distance: float


def learnt(folder: Path = MODELS) -> Learnt | None:
    """Return what a folder's file says of the patterns, None if there is none or it is none of ours."""
    try:
        table = json.loads((folder / FILE).read_text("utf-8"))
        patterns = [_pattern(row) for row in table["patterns"]]
        ordered = sorted(patterns, key=lambda pattern: (-pattern.sentences, pattern.number))
        return Learnt(tuple(ordered), tuple(int(n) for n in table["tenths"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def examples(
    index: ClaimIndex, mtm: Mtm, *, articles: int = ARTICLES, each: int = EACH, progress: Progress = lambda *_: None
) -> Mapping[int, tuple[Example, ...]]:
    """Return for each pattern the nearest sentences of the newest articles, nearest first, one an article at most.

    Left out are bare ratings, headings, and sentences that add too little to their claim to have a pattern.
    """
    with_article = [i for i in np.argsort(-index.review_days, kind="stable").tolist() if len(index.body_spans(i))]
    found: dict[int, list[tuple[float, int, str]]] = {}
    for done, claim in enumerate(with_article[:articles]):
        progress(done, min(articles, len(with_article)))
        for number, (distance, text) in _nearest(index, mtm, claim).items():
            best = found.setdefault(number, [])
            push = heapq.heappush if len(best) < each else heapq.heappushpop
            push(best, (-distance, -claim, text))
    return {
        number: tuple(Example(-claim, text, -distance) for distance, claim, text in sorted(best, reverse=True))
        for number, best in found.items()
    }


def _nearest(index: ClaimIndex, mtm: Mtm, claim: int) -> dict[int, tuple[float, str]]:
    """Return for each pattern the nearest sentence of an article, if there is one, with its distance."""
    from features.articles.mtm.key_sentences import nearest_patterns

    body = index.claim(claim).body
    texts = [text for a, b in index.body_spans(claim).tolist() if _can_be_quoted(text := body[a:b])]
    if not texts or not len(mtm.memory):
        return {}
    statement, *pieces = mtm.pieces([index.statements[claim], *texts])
    residuals = mtm.space.residuals(statement, pieces)
    patterns, _ = nearest_patterns(residuals, mtm.memory)
    towards = mtm.memory[patterns]
    added, usual = np.linalg.norm(residuals, axis=1), np.linalg.norm(towards, axis=1)
    distances = 1 - (residuals * towards).sum(axis=1) / np.maximum(added * usual, 1e-9)
    found: dict[int, tuple[float, str]] = {}
    for place in np.argsort(distances, kind="stable").tolist():
        if added[place] >= LITTLE * usual[place]:
            found.setdefault(int(patterns[place]), (float(distances[place]), texts[place]))
    return found


def _can_be_quoted(text: str) -> bool:
    return len(text.split()) >= SHORTEST and not is_bare_rating(text)


def _pattern(row: Mapping[str, object]) -> Pattern:
    words, phrases = (tuple((str(w["text"]), int(w["count"])) for w in row[name]) for name in ("words", "phrases"))
    place = row["place"]
    return Pattern(int(row["number"]), int(row["sentences"]), None if place is None else float(place), words, phrases)
