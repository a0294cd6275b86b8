"""The 19 measures between the sentences of a transcript and their candidates, for all sentences at once.

Knows the claim index and the models; decides nothing about ranking. The order of the columns is that of
``features.catalogue``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistant.claims.index import ClaimIndex
from features import bertscore, bm25, embedding
from features.catalogue import BODY_SENTENCES, COLUMN, MEASURES
from features.models import Encoders
from features.spec import Floats

NLI_BATCH = 512  # pairs between two reports of progress
_NLI = slice(COLUMN["nli_entailment"], COLUMN["nli_contradiction"] + 1)
Candidates = NDArray[np.int32]
Encoded = tuple[Floats, list[Floats]]  # SBERT vectors (n, d), and BERTScore's token states of each text
Progress = Callable[[str, int, int], None]


class Depths(NamedTuple):
    """How many claims each search gives a sentence: by cosine with statement and title, by BM25 of each field."""

    statement_cosine: int = 20
    title_cosine: int = 10
    statement: int = 20
    title: int = 10
    body: int = 20


DEPTHS = Depths()
BY_WINDOW = Depths(statement_cosine=10, title_cosine=10, statement=0, title=0, body=20)


class Measured(NamedTuple):
    """The measures of n sentences with k candidates each.

    ``X`` (n, k, 19) in the catalogue's order. ``same_claim`` (n, k): the cross-encoder's log-odds that a sentence and a
    statement make the same claim, NaN where it did not read the pair or cannot tell.
    """

    X: Floats
    same_claim: Floats


def candidates(
    texts: Sequence[str],
    vectors: Floats,
    index: ClaimIndex,
    *,
    allowed: NDArray[np.bool_] | None = None,
    depths: Depths = DEPTHS,
) -> Candidates:
    """Return the positions of the claims that each sentence may match, (n, k), padded with -1.

    They are the union of the best by SBERT cosine with the statement, by BM25 of article and statement, and by both
    with the title; those with the highest cosine come first. A blank sentence has none, and a claim that shares no word
    is not found by BM25. ``vectors`` (n, d): the sentences' SBERT vectors. ``allowed`` (m,): the claims that may be
    found, all if not given. ``depths``: how many by each; a search of none is not made.
    """
    may = np.ones(len(index), bool) if allowed is None else allowed
    words = {"body": depths.body, "statement": depths.statement, "title": depths.title}
    found: list[NDArray[np.int32]] = []
    for rows in _blocks(len(texts)):
        cosines = vectors[rows] @ index.statement_vectors.T  # (b, m)
        searches = [_best(cosines, depths.statement_cosine, may)]
        if depths.title_cosine:
            titled = may & index.title_vectors.any(axis=1)
            searches.append(_best(vectors[rows] @ index.title_vectors.T, depths.title_cosine, titled))
        for field, depth in words.items():
            if depth:
                scores = index.bm25(field).scores(texts[rows])
                searches.append(_best(scores, depth, may & (scores > 0)))
        joined = np.concatenate(searches, axis=1)
        joined[~vectors[rows].any(axis=1)] = -1
        found += [_union(row, cosines[i]) for i, row in enumerate(joined)]
    return padded(found)


def widened(
    found: Candidates,
    windows: Sequence[str],
    vectors: Floats,
    index: ClaimIndex,
    *,
    allowed: NDArray[np.bool_] | None = None,
) -> Candidates:
    """Return the candidates (n, k) of sentences, and behind them those that only their windows find: an allusion names
    its matter a sentence earlier.

    ``windows``: each sentence with what was said around it (``features.window``); ``vectors`` (n, d): their SBERT
    vectors. A blank sentence still has none. Source: Shaar et al., The Role of Context in Detecting Previously
    Fact-Checked Claims, Findings NAACL 2022; there the window is an input of the ranker, here it searches only.
    """
    further = candidates(windows, vectors, index, allowed=allowed, depths=BY_WINDOW)
    joined = []
    for row, new in zip(found, further, strict=True):
        own = row[row >= 0]
        more = new[(new >= 0) & ~np.isin(new, own)] if len(own) else own
        joined.append(np.concatenate((own, more)))
    return padded(joined)


def measure(
    texts: Sequence[str],
    index: ClaimIndex,
    encoders: Encoders,
    candidates: Candidates,
    *,
    nli_candidates: int = 15,
    encoded: Encoded | None = None,
    progress: Progress | None = None,
) -> Measured:
    """Return the 19 measures of each sentence with its own candidates: ``compare``, then ``read``."""
    X = compare(texts, index, encoders, candidates, encoded=encoded, progress=progress)
    return read(texts, index, encoders, candidates, X, nli_candidates=nli_candidates, progress=progress)


def compare(
    texts: Sequence[str],
    index: ClaimIndex,
    encoders: Encoders,
    candidates: Candidates,
    *,
    encoded: Encoded | None = None,
    progress: Progress | None = None,
) -> Floats:
    """Return all measures but NLI's, which are 0: (n, k, 19) in the catalogue's order.

    A measure is 0 where there is no candidate and where the claim lacks the field. Nothing depends on the other
    sentences. ``encoded``: what ``encoders.read`` gives of the texts, where it is known. ``progress`` is told (the
    family in hand, done, total), counted in pairs.
    """
    report = progress or (lambda *_: None)
    X = np.zeros((*candidates.shape, len(MEASURES)), np.float32)
    if not candidates.size:
        return X
    vectors, states = encoded or encoders.read(texts)
    pairs = int((candidates >= 0).sum())
    report("bm25", 0, pairs)
    for field in ("statement", "title", "body"):
        X[..., COLUMN[f"bm25_{field}"]] = index.bm25(field).pairs(texts, candidates)
    report("sbert", 0, pairs)
    _cosines(X, "sbert", vectors, index, candidates)
    report("simcse", 0, pairs)
    _cosines(X, "simcse", encoders.simcse_vectors(texts, vectors), index, candidates)
    report("bertscore", 0, pairs)
    X[..., COLUMN["bertscore"]] = bertscore.pair_scores(
        states, index.statement_states, candidates, baseline=encoders.baseline
    )
    return X


def read(
    texts: Sequence[str],
    index: ClaimIndex,
    encoders: Encoders,
    candidates: Candidates,
    X: Floats,
    *,
    nli_candidates: int = 15,
    progress: Progress | None = None,
) -> Measured:
    """Return the measures with what the cross-encoder reads in the best ``nli_candidates`` pairs of each sentence.

    The best are the first by ``nli_order``; for all others NLI's three measures are 0.
    """
    X, same = X.copy(), np.full(candidates.shape, np.nan, np.float32)
    chosen = nli_order(X, candidates)[:, :nli_candidates]
    rows, places = np.nonzero(np.take_along_axis(candidates, chosen, axis=1) >= 0)
    slots = chosen[rows, places]
    premises = [index.statements[i] for i in candidates[rows, slots]]
    hypotheses = [texts[row] for row in rows]
    X[..., _NLI] = 0
    X[rows, slots, _NLI], same[rows, slots] = _read(premises, hypotheses, encoders, progress or (lambda *_: None))
    return Measured(X, same)


def nli_order(X: Floats, candidates: Candidates) -> NDArray[np.intp]:
    """Return the slots of each sentence's candidates, most promising for NLI first, (n, k).

    A candidate's promise is the sum of 1 / (10 + its rank) by SBERT cosine with the statement and by BM25 of the
    statement; ties go to the lower position. Source: reciprocal rank fusion, Cormack et al., SIGIR 2009.
    """
    promise = np.zeros(candidates.shape)
    for name in ("sbert_statement", "bm25_statement"):
        values = np.where(candidates >= 0, X[..., COLUMN[name]], -np.inf)
        order = np.lexsort((candidates, -values), axis=1)
        ranks = np.argsort(order, axis=1)
        promise += 1 / (10 + ranks)
    promise[candidates < 0] = -np.inf
    return np.lexsort((candidates, -promise), axis=1)


def _cosines(X: Floats, family: str, vectors: Floats, index: ClaimIndex, candidates: Candidates) -> None:
    for field in ("statement", "title"):
        claims = index.vectors(family, field)
        X[..., COLUMN[f"{family}_{field}"]] = embedding.pair_cosines(vectors, claims, candidates)
    if family == "simcse":
        index.lift_bodies(np.unique(candidates[candidates >= 0]).tolist())
    first = COLUMN[f"{family}_body_1"]
    X[..., first : first + BODY_SENTENCES] = embedding.body_cosines(
        vectors, lambda i: index.body_vectors(i, family), candidates, BODY_SENTENCES
    )


def _read(
    premises: Sequence[str], hypotheses: Sequence[str], encoders: Encoders, report: Progress
) -> tuple[Floats, Floats]:
    """Return NLI's probabilities (p, 3) and the log-odds of the same claim (p,) of pairs, telling how far it is."""
    found, same = np.zeros((len(premises), 3), np.float32), np.full(len(premises), np.nan, np.float32)
    # Pairs of like length go together, so that little is padded; a pair's value does not depend on the others.
    order = np.argsort([len(p) + len(h) for p, h in zip(premises, hypotheses, strict=True)], kind="stable")
    for start in range(0, len(order), NLI_BATCH):
        report("nli", start, len(order))
        part = order[start : start + NLI_BATCH]
        found[part], same[part] = encoders.nli.read([premises[i] for i in part], [hypotheses[i] for i in part])
    if len(order):
        report("nli", len(order), len(order))
    return found, same


def _blocks(number: int) -> Iterator[slice]:
    return (slice(start, start + bm25.BLOCK) for start in range(0, number, bm25.BLOCK))


def _best(scores: NDArray[np.floating], depth: int, may: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the positions of the highest scores among those that may be found, (b, ≤ depth), padded with -1.

    Ties at the last place go to the lower position, so that nothing depends on how a sort is done.
    """
    held = np.where(may, scores, -np.inf)
    depth = min(depth, held.shape[1])
    if not depth:
        return np.zeros((len(held), 0), np.int32)
    threshold = -np.partition(-held, depth - 1, axis=1)[:, depth - 1]
    found = np.full((len(held), depth), -1, np.int32)
    for row, (values, least) in enumerate(zip(held, threshold, strict=True)):
        above = np.flatnonzero((values >= least) & (values > -np.inf))
        kept = above[np.argsort(-values[above], kind="stable")][:depth]
        found[row, : len(kept)] = kept
    return found


def _union(positions: NDArray[np.int32], cosines: Floats) -> NDArray[np.int32]:
    """Return the different positions, the highest cosine first."""
    different = np.unique(positions[positions >= 0])
    return different[np.argsort(-cosines[different], kind="stable")]


def padded(rows: Sequence[NDArray[np.int32]]) -> Candidates:
    """Return positions of different numbers as one array (n, k), filled up with -1."""
    padded = np.full((len(rows), max(map(len, rows), default=0)), -1, np.int32)
    for row, positions in enumerate(rows):
        padded[row, : len(positions)] = positions
    return padded
