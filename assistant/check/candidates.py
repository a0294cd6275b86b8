"""Search for candidates: the verified claims of an index that each sentence, or its context, may match.

Knows the claim index and vectors of sentences, no model and no ranking.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistant.claims.claim_index import ClaimIndex
from assistant.core.errors import SettingsError
from features.models.model_spec import Floats
from features.similarity import bm25, nearest
from features.similarity.context_window import Texts

Candidates = NDArray[
    np.int32
]  # (n, k): for each sentence the positions of claims in the index, -1 for none
Mask = NDArray[np.bool_]


class Depths(NamedTuple):
    """How many claims each search gives a sentence.

    By cosine with statement and title, by BM25 of each field.
    """

    statement_cosine: int = 20
    title_cosine: int = 10
    statement: int = 20
    title: int = 10
    body: int = 20


DEPTHS = Depths()
BY_WINDOW = Depths(statement_cosine=10, title_cosine=10, statement=0, title=0, body=20)


def search(
    texts: Sequence[str],
    vectors: Floats,
    index: ClaimIndex,
    *,
    allowed: Mask | None = None,
    depths: Depths = DEPTHS,
) -> Candidates:
    """Return the candidates of each sentence, (n, k), those with the highest SBERT cosine first.

    They are the union of the best by SBERT cosine with the statement, by BM25 of article and
    statement, and by both with the title. A blank sentence has none, and BM25 finds no claim
    without a common word. ``vectors`` (n, d): the sentences' SBERT vectors; ``allowed`` (m,): the
    claims that may be found, by default all. A search of depth 0 is left out.
    """
    allowed = np.ones(len(index), bool) if allowed is None else allowed
    by_cosine = {"statement": depths.statement_cosine, "title": depths.title_cosine}
    by_words = {"body": depths.body, "statement": depths.statement, "title": depths.title}
    candidates: list[NDArray[np.int32]] = []
    for rows in _blocks(len(texts)):
        near = [
            index.nearest(vectors[rows], field, depth, allowed)
            for field, depth in by_cosine.items()
            if depth
        ]
        for place, (text, vector) in enumerate(zip(texts[rows], vectors[rows], strict=True)):
            found = [of_field[place] for of_field in near]
            found += [
                index.bm25(field).best(text, depth, allowed)
                for field, depth in by_words.items()
                if depth
            ]
            different = np.unique(np.concatenate(found)) if vector.any() else np.zeros(0, np.int32)
            cosines = nearest.exact(vector, index.statement_vectors[different])
            candidates.append(bm25.highest(cosines, different, len(different)))
    return _padded(candidates)


def widen(
    candidates: Candidates,
    windows: Sequence[Texts],
    vectors: Floats,
    index: ClaimIndex,
    *,
    allowed: Mask | None = None,
) -> Candidates:
    """Return the candidates (n, k) of each sentence, followed by those that only its window finds.

    A window is a sentence with its context (``features.similarity.context_window``), for an allusion names its matter a sentence earlier;
    ``vectors`` (n, d) are the windows' SBERT vectors. A blank sentence still has no candidates. Source: Shaar et al.,
    The Role of Context in Detecting Previously Fact-Checked Claims, Findings NAACL 2022; there the window is an input
    of the ranker, here it searches only.
    """
    by_window = search(
        [" ".join(window) for window in windows], vectors, index, allowed=allowed, depths=BY_WINDOW
    )
    joined = []
    for row, further in zip(candidates, by_window, strict=True):
        alone = row[row >= 0]
        further = further[(further >= 0) & ~np.isin(further, alone)] if len(alone) else alone
        joined.append(np.concatenate((alone, further)))
    return _padded(joined)


def checked_before(index: ClaimIndex, event: date | None) -> Mask:
    """Return which claims of an index were checked before the day of the event, (m,).

    Raises: SettingsError without that day.
    """
    if event is None:
        raise SettingsError(
            "`as of the event` needs the date of the event.", remedy="Give it (--date YYYY-MM-DD)."
        )
    return (index.review_days > 0) & (index.review_days < event.toordinal())


def _blocks(number: int) -> Iterator[slice]:
    return (slice(start, start + bm25.BLOCK) for start in range(0, number, bm25.BLOCK))


def _padded(rows: Sequence[NDArray[np.int32]]) -> Candidates:
    """Return rows of different lengths as one array (n, k), filled up with -1."""
    padded = np.full((len(rows), max(map(len, rows), default=0)), -1, np.int32)
    for row, positions in enumerate(rows):
        padded[row, : len(positions)] = positions
    return padded
