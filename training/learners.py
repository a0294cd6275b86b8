"""How rankers learn: the same functions for the weights that ship and inside the folds of the benches.

Examples in (``bench.examples``), rankers out; ``training.ranker`` writes the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.pairs import ARTICLE, NAMES
from assistant.rankers import SHORT, MaxSkip, PairsFirst, Pooling, Ranking, scale
from bench.examples import Example
from ranking.claim_ranker import ClaimRanker, fit_weights
from ranking.ranksvm import RankSVM
from ranking.tiers import Thresholds, calibrate

UNSET = Thresholds(np.inf, np.inf)
Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the pairs are weighed. ``C``: inverse of the penalty. ``linked``: importance of a debate that only has links,
    against 1 of a judged one. ``inputs``: the names of the inputs used, all if empty."""

    C: float = 0.1
    linked: float = 0.0
    inputs: tuple[str, ...] = ()


def fit_lectern(examples: Sequence[Example], recipe: Recipe) -> PairsFirst:
    """Return the pair ranker learnt from examples, without thresholds.

    Only pairs that may lift their sentence and whose label is sure are learnt from. Claims without an article or title
    get weights of their own, learnt from the same pairs with those inputs withheld.
    """
    kept = [(e, e.sure & e.inputs.lifts, 1.0 if _judged(e) else recipe.linked) for e in examples]
    kept = [(example, rows, weight) for example, rows, weight in kept if weight > 0]
    values = np.concatenate([e.inputs.values[rows] for e, rows, _ in kept]).astype(float)
    label = np.concatenate([e.right[rows] for e, rows, _ in kept]).astype(float)
    importance = np.concatenate([np.full(rows.sum(), weight) for _, rows, weight in kept])
    used = np.array([not recipe.inputs or name in recipe.inputs for name in NAMES])
    bare = used & np.array([name not in ARTICLE for name in NAMES])
    kinds = tuple(fit_weights(values, label, importance, C=recipe.C, usable=columns) for columns in (used, bare))
    return PairsFirst(ClaimRanker(NAMES, kinds), UNSET)


def fit_max_skip(examples: Sequence[Example], pooling: Pooling, *, kernel: str = "linear", C: float = 1.0) -> MaxSkip:
    """Return the published method learnt from examples, without thresholds: one group a transcript."""
    rows, labels, groups = pooled(examples, pooling)
    low, high = rows.min(axis=0), rows.max(axis=0)
    svm = RankSVM(C, kernel=kernel).fit(scale(rows, low, high), labels, groups)
    return MaxSkip(svm, pooling, low, high, UNSET)


def pooled(examples: Iterable[Example], pooling: Pooling) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Return the pooled rows of all sentences (n, inputs), their labels (n,) and their transcripts as groups (n,)."""
    rows, labels, groups = [], [], []
    for group, example in enumerate(examples):
        rows.append(pooling.rows(example.inputs).astype(float))
        labels.append(example.relevant.astype(float))
        groups.append(np.full(example.inputs.n, group))
    return np.concatenate(rows), np.concatenate(labels), np.concatenate(groups)


def _judged(example: Example) -> bool:
    return any(pair.judged for pair in example.debate.pairs)


def held_out_thresholds(rankings: Sequence[tuple[Example, Ranking]], *, precision: float, recall: float) -> Thresholds:
    """Return where the tiers begin, from rankings of examples that their rankers were not learnt from.

    Looked at is the pair that lifts each sentence of five words or more; a pair whose label is not sure is left out.
    """
    scores, right = [], []
    for example, ranking in rankings:
        best = ranking.best_pair[(ranking.best_pair >= 0) & (example.inputs.words >= SHORT)]
        best = best[example.sure[best]]
        scores.append(ranking.pair_scores[best])
        right.append(example.right[best])
    return calibrate(np.concatenate(scores), np.concatenate(right), precision=precision, recall=recall)
