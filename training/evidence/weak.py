"""Weakly marked articles: the sentences that an article's own closing summary takes up again, and not the claim.

The summary ("Our ruling") repeats the claim, then says what decided. So a sentence of the body counts by how near it is
to a sentence of the summary, less how near that one is to the claim. The network reads the body alone, as in PolitiHop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.claims.index import ClaimIndex
from assistant.ground.settings import EMBEDDED
from features.models import Encoders
from training.evidence.articles import UNKNOWN, Article, summary, unmarked
from training.evidence.lists import List, make_list
from training.shared.loaders import rows

CLAIM = 0.6  # of a summary sentence's nearness to the claim that is taken off; chosen on PolitiHop train
TAKEN_UP, PASSED_OVER = 0.2, 0.6  # shares of a body: its best sentences are positive, its last ones negative
SHORTEST = 8  # sentences of a body


def weak_target(body: NDArray[np.floating], closing: NDArray[np.floating], claim: NDArray[np.floating]) -> NDArray:
    """Return the weak targets of a body's sentences: 1 for the fifth taken up most, 0 for the last three fifths.

    Shapes: unit rows body (n, d), closing (s, d), claim (d,) → (n,); the sentences between are unknown.
    """
    near = (body @ closing.T - CLAIM * (closing @ claim)).max(axis=1)
    place = np.argsort(np.argsort(-near, kind="stable"), kind="stable")
    target = np.full(len(body), UNKNOWN, np.float32)
    target[place >= round((1 - PASSED_OVER) * len(body))] = 0
    target[place < max(1, round(TAKEN_UP * len(body)))] = 1
    return target


def weak_lists(data: Path, index: ClaimIndex, marked: Sequence[Article], most: int = 0) -> Iterator[List]:
    """Yield up to ``most`` (0: all) weakly marked articles of a claim index, newest first in its order.

    Left out are articles of the ``marked`` statements, and those without a summary or without vectors yet.
    """
    places = {claim: i for i, claim in enumerate(index.ids)}
    made = 0
    for claim in unmarked(rows(data / "politifact" / "claims.jsonl.gz"), marked):
        found = _weak_list(index, places[claim["id"]])
        if found is not None:
            yield found
            made += 1
            if made == most:
                return


def _weak_list(index: ClaimIndex, i: int) -> List | None:
    vectors = index.body_vectors(i)
    if not len(vectors):
        return None
    body = index.claim(i).body
    texts = tuple(body[start:end] for start, end in index.body_spans(i))
    end, closing = summary(texts)
    if not closing or end < SHORTEST:
        return None
    claim = index.statement_vectors[i]
    target = weak_target(vectors[:end], vectors[closing], claim)
    return make_list(Article(index.statements[i], texts[:end], target, "summary"), claim, vectors[:end])


def open_index(folder: Path) -> ClaimIndex:
    """Return the claim index that the embedded profile made in a folder, its articles as far as they are ready."""
    parts = {part: getattr(EMBEDDED, part) for part in ("sbert", "simcse", "nli", "bertscore")}
    return ClaimIndex.open(folder, Encoders(**parts))
