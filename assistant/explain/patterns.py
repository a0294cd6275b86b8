"""The patterns that MTM has learnt.

Their typical words, and the sentences of the database's articles nearest to them.

A pattern is a direction: what a sentence of a fact-check typically adds to the claim that it is
about.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assistant.claims.claim_index import ClaimIndex
from assistant.explain.key_sentences import SHORTEST
from features.articles.rating_sentences import is_bare_rating
from features.models.weight_files import MODELS

if TYPE_CHECKING:
    from features.articles.mtm import Mtm

FILE = "mtm-patterns.json"
ARTICLES = 1_000  # the newest: a few seconds
EACH = 6
LITTLE = 0.5  # of what a pattern adds: a sentence that adds less repeats the claim
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern in words: those that are more frequent in its sentences than in others, with their counts.

    ``place``: where its sentences are on average, 0 the beginning of an article and 1 its end; None if unknown.
    """

    number: int
    sentences: int
    place: float | None
    words: tuple[tuple[str, int], ...]
    phrases: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Learnt:
    """All patterns, the most frequent first.

    ``tenths``: number of key sentences in each tenth of the articles.
    """

    patterns: tuple[Pattern, ...]
    tenths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence of an article near a pattern: the claim at a position of the index, and the text.

    ``distance``: 1 − the cosine between what it adds to its claim and the pattern, 0 to 2. A pattern is the mean of
    many such directions and so is short: by Euclidean distance the sentences that add least would be nearest to all.
    """

    claim: int
    text: str
    distance: float


def learnt(folder: Path = MODELS) -> Learnt | None:
    """Return the patterns that a folder's file describes, None if there is no such file or it cannot be read."""
    try:
        table = json.loads((folder / FILE).read_text("utf-8"))
        patterns = [_pattern(row) for row in table["patterns"]]
        ordered = sorted(patterns, key=lambda pattern: (-pattern.sentences, pattern.number))
        return Learnt(tuple(ordered), tuple(int(n) for n in table["tenths"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def examples(
    index: ClaimIndex,
    mtm: Mtm,
    *,
    articles: int = ARTICLES,
    each: int = EACH,
    progress: Progress = lambda *_: None,
) -> Mapping[int, tuple[Example, ...]]:
    """Return for each pattern the nearest sentences of the newest articles, nearest first, at most one an article.

    Bare ratings, headings and sentences that add too little to their claim to have a pattern are
    left out.
    """
    with_article = [
        i
        for i in np.argsort(-index.review_days, kind="stable").tolist()
        if len(index.body_spans(i))
    ]
    nearest: dict[int, list[tuple[float, int, str]]] = {}
    for done, claim in enumerate(with_article[:articles]):
        progress(done, min(articles, len(with_article)))
        for number, (distance, text) in _nearest(index, mtm, claim).items():
            best = nearest.setdefault(number, [])
            push = heapq.heappush if len(best) < each else heapq.heappushpop
            push(best, (-distance, -claim, text))
    return {
        number: tuple(
            Example(-claim, text, -distance) for distance, claim, text in sorted(best, reverse=True)
        )
        for number, best in nearest.items()
    }


def _nearest(index: ClaimIndex, mtm: Mtm, claim: int) -> dict[int, tuple[float, str]]:
    """Return for each pattern that an article has the nearest of its sentences, with its distance."""
    from features.articles.mtm.key_sentences import nearest_patterns

    body = index.claim(claim).body
    texts = [text for a, b in index.body_spans(claim).tolist() if _can_be_quoted(text := body[a:b])]
    if not texts or not len(mtm.memory):
        return {}
    statement, *pieces = mtm.pieces([index.statements[claim], *texts])
    residuals = mtm.space.residuals(statement, pieces)
    patterns, _ = nearest_patterns(residuals, mtm.memory)
    towards = mtm.memory[patterns]
    added = np.linalg.norm(residuals, axis=1)
    usual = np.linalg.norm(towards, axis=1)
    distances = 1 - (residuals * towards).sum(axis=1) / np.maximum(added * usual, 1e-9)
    nearest: dict[int, tuple[float, str]] = {}
    for place in np.argsort(distances, kind="stable").tolist():
        if added[place] >= LITTLE * usual[place]:
            nearest.setdefault(int(patterns[place]), (float(distances[place]), texts[place]))
    return nearest


def _can_be_quoted(text: str) -> bool:
    return len(text.split()) >= SHORTEST and not is_bare_rating(text)


def _pattern(row: Mapping[str, Any]) -> Pattern:
    words, phrases = (
        tuple((str(w["text"]), int(w["count"])) for w in row[name]) for name in ("words", "phrases")
    )
    place = row["place"]
    return Pattern(
        int(row["number"]),
        int(row["sentences"]),
        None if place is None else float(place),
        words,
        phrases,
    )
