"""The 19 measures between the sentences of a transcript and their candidates, computed for all sentences at once.

Knows the claim index and the models; decides nothing about ranking.
``features.similarity.catalogue`` gives the order of the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistant.check.candidates import Candidates
from assistant.check.progress import Progress, no_progress
from assistant.claims.claim_index import ClaimIndex
from features.models.batching import side_by_side
from features.models.model_spec import Floats
from features.models.profile_models import Encoders
from features.similarity import bertscore, cosines
from features.similarity.catalogue import BODY_SENTENCES, COLUMN, MEASURES

STATES_FOR = (
    32  # sentences whose candidates' token states are in memory together, where they are not stored
)
NLI_BATCH = 512  # pairs between two reports of progress
NLI = slice(COLUMN["nli_entailment"], COLUMN["nli_contradiction"] + 1)
Encoded = tuple[
    Floats, list[Floats]
]  # SBERT vectors (n, d), and BERTScore's token states of each text


class Context(NamedTuple):
    """BERTScore's token states of n sentences, and of those ``around`` each of them.

    Its window without itself.
    """

    states: Sequence[Floats]
    around: Sequence[Sequence[Floats]]


class Measured(NamedTuple):
    """The measures of n sentences with k candidates each.

    ``X`` (n, k, 19) in the catalogue's order. ``same_claim`` (n, k): the cross-encoder's log-odds that a sentence and a
    statement make the same claim, NaN where it has not read the pair or cannot tell.
    """

    X: Floats
    same_claim: Floats


def measure(
    texts: Sequence[str],
    index: ClaimIndex,
    encoders: Encoders,
    candidates: Candidates,
    *,
    nli_candidates: int = 15,
    encoded: Encoded | None = None,
    progress: Progress = no_progress,
) -> Measured:
    """Return the 19 measures of each sentence with its own candidates."""
    X = measure_without_nli(texts, index, encoders, candidates, encoded=encoded, progress=progress)
    return add_nli(
        texts, index, encoders, candidates, X, nli_candidates=nli_candidates, progress=progress
    )


def measure_without_nli(
    texts: Sequence[str],
    index: ClaimIndex,
    encoders: Encoders,
    candidates: Candidates,
    *,
    encoded: Encoded | None = None,
    progress: Progress = no_progress,
) -> Floats:
    """Return all measures but NLI's, which are 0: (n, k, 19) in the catalogue's order.

    A measure is 0 where there is no candidate and where the claim lacks the field. Nothing depends
    on the other sentences. ``encoded``: what ``encoders.read`` gives for the texts, if it is
    known. ``progress`` is called with (measure family, done, total), counted in pairs.
    """
    X = np.zeros((*candidates.shape, len(MEASURES)), np.float32)
    if not candidates.size:
        return X
    vectors, states = encoded or encoders.read(texts)
    pairs = int((candidates >= 0).sum())
    progress("bm25", 0, pairs)
    for field in ("statement", "title", "body"):
        X[..., COLUMN[f"bm25_{field}"]] = index.bm25(field).pairs(texts, candidates)
    progress("sbert", 0, pairs)
    _cosines(X, "sbert", vectors, index, candidates)
    progress("simcse", 0, pairs)
    _cosines(X, "simcse", encoders.simcse_vectors(texts, vectors), index, candidates)
    progress("bertscore", 0, pairs)
    for start in range(0, len(texts), STATES_FOR):
        rows = slice(start, start + STATES_FOR)
        index.read_states(np.unique(candidates[rows][candidates[rows] >= 0]).tolist())
        X[rows, :, COLUMN["bertscore"]] = bertscore.pair_scores(
            states[rows], index.statement_states, candidates[rows], baseline=encoders.baseline
        )
    return X


def measure_further(
    texts: Sequence[str],
    index: ClaimIndex,
    encoders: Encoders,
    candidates: Candidates,
    known: Floats,
    *,
    alone: NDArray[np.intp],
    encoded: Encoded,
    progress: Progress = no_progress,
) -> Floats:
    """Return what ``measure_without_nli`` does, where the first candidates of each sentence are measured already.

    ``known`` (n, k', 19): their measures. ``alone`` (n,): how many each sentence has.
    """
    slots = np.arange(candidates.shape[1])
    X = np.zeros((*candidates.shape, len(MEASURES)), np.float32)
    rows, places = np.nonzero(slots < alone[:, None])
    X[rows, places] = known[rows, places]
    rows, places = np.nonzero((slots >= alone[:, None]) & (candidates >= 0))
    moved = places - alone[rows]
    further = np.full((len(candidates), int(moved.max(initial=-1)) + 1), -1, np.int32)
    further[rows, moved] = candidates[rows, places]
    measured = measure_without_nli(
        texts, index, encoders, further, encoded=encoded, progress=progress
    )
    X[rows, places] = measured[rows, moved]
    return X


def context_gains(
    context: Context, index: ClaimIndex, candidates: Candidates, wanted: NDArray[np.bool_]
) -> Floats:
    """Return how much more of each candidate's statement a sentence covers with those around it, (n, k).

    NaN where there is none, and for sentences that are not ``wanted`` (n,). See
    ``bertscore.recall_gains``.
    """
    gains = np.full(candidates.shape, np.nan, np.float32)

    def work(rows: Sequence[int]) -> None:
        for row in rows:
            slots = np.flatnonzero(candidates[row] >= 0)
            statements = [index.statement_states(i) for i in candidates[row, slots].tolist()]
            gains[row, slots] = bertscore.recall_gains(
                context.states[row], context.around[row], statements
            )

    rows = np.flatnonzero(wanted).tolist()
    for start in range(0, len(rows), STATES_FOR):
        part = rows[start : start + STATES_FOR]
        index.read_states(np.unique(candidates[part][candidates[part] >= 0]).tolist())
        side_by_side(work, part, bertscore.ROWS)
    return gains


def add_nli(
    texts: Sequence[str],
    index: ClaimIndex,
    encoders: Encoders,
    candidates: Candidates,
    X: Floats,
    *,
    nli_candidates: int = 15,
    progress: Progress = no_progress,
) -> Measured:
    """Return the measures with those of the cross-encoder, which reads the best ``nli_candidates`` of each sentence.

    The best are the first by ``nli_order``; NLI's three measures are 0 for all others.
    """
    X = X.copy()
    same_claim = np.full(candidates.shape, np.nan, np.float32)
    rows, slots = np.nonzero(readable(X, candidates, nli_candidates))
    premises = [index.statements[i] for i in candidates[rows, slots].tolist()]
    hypotheses = [texts[row] for row in rows.tolist()]
    X[..., NLI] = 0
    X[rows, slots, NLI], same_claim[rows, slots] = read_pairs(
        premises, hypotheses, encoders, progress
    )
    return Measured(X, same_claim)


def readable(X: Floats, candidates: Candidates, nli_candidates: int) -> NDArray[np.bool_]:
    """Return which candidates the cross-encoder may read, (n, k).

    The first of each sentence by ``nli_order``.
    """
    chosen = nli_order(X, candidates)[:, :nli_candidates]
    among = np.zeros(candidates.shape, bool)
    np.put_along_axis(among, chosen, True, axis=1)
    return among & (candidates >= 0)


def nli_order(X: Floats, candidates: Candidates) -> NDArray[np.intp]:
    """Return the slots of each sentence's candidates, most promising for NLI first, (n, k).

    A candidate's promise is the sum of 1 / (10 + its rank) by SBERT cosine with the statement and
    by BM25 of the statement; ties go to the lower position. Source: reciprocal rank fusion,
    Cormack et al., SIGIR 2009.
    """
    promise = np.zeros(candidates.shape)
    for name in ("sbert_statement", "bm25_statement"):
        values = np.where(candidates >= 0, X[..., COLUMN[name]], -np.inf)
        order = np.lexsort((candidates, -values), axis=1)
        ranks = np.argsort(order, axis=1)
        promise += 1 / (10 + ranks)
    promise[candidates < 0] = -np.inf
    return np.lexsort((candidates, -promise), axis=1)


def _cosines(
    X: Floats, family: str, vectors: Floats, index: ClaimIndex, candidates: Candidates
) -> None:
    used, inverse = np.unique(candidates, return_inverse=True)
    places = np.where(candidates >= 0, inverse.reshape(candidates.shape), -1).astype(np.int32)
    for field in ("statement", "title"):
        claims = index.vectors(family, field)[np.maximum(used, 0)]
        X[..., COLUMN[f"{family}_{field}"]] = cosines.pair_cosines(vectors, claims, places)
    first = COLUMN[f"{family}_body_1"]
    X[..., first : first + BODY_SENTENCES] = cosines.body_cosines(
        vectors, lambda i: index.body_vectors(i, family), candidates, BODY_SENTENCES
    )


def read_pairs(
    premises: Sequence[str], hypotheses: Sequence[str], encoders: Encoders, progress: Progress
) -> tuple[Floats, Floats]:
    """Return the cross-encoder's probabilities (p, 3) and log-odds of the same claim (p,) for some pairs."""
    labels = np.zeros((len(premises), 3), np.float32)
    same_claim = np.full(len(premises), np.nan, np.float32)
    # Pairs of similar length go together, so that little is padded; a pair's value does not depend
    # on the others.
    order = np.argsort(
        [len(p) + len(h) for p, h in zip(premises, hypotheses, strict=True)], kind="stable"
    )
    for start in range(0, len(order), NLI_BATCH):
        progress("nli", start, len(order))
        part = order[start : start + NLI_BATCH]
        labels[part], same_claim[part] = encoders.nli.read(
            [premises[i] for i in part], [hypotheses[i] for i in part]
        )
    if len(order):
        progress("nli", len(order), len(order))
    return labels, same_claim
