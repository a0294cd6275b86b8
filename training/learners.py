"""How rankers learn: the same functions for the weights that ship and inside the folds of the benches.

Examples in (``bench.examples``), rankers out; ``training.ranker`` writes the files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assistant.pairs import ARTICLE, NAMES, SIGNS, PairInputs
from assistant.rankers import SHORT, MaxSkip, PairsFirst, Pooling, Ranking, scale
from bench.examples import Example
from ranking.claim_ranker import ClaimRanker, fit_weights
from ranking.ranksvm import RankSVM
from ranking.tiers import Thresholds, calibrate

EVERY = 3  # of the wrong pairs, one in so many is learnt from
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

    Only pairs that may lift their sentence and whose label is sure are learnt from, of the wrong ones every third,
    which counts for three. Claims without an article or title get weights of their own, learnt from the same pairs with
    those inputs withheld. Likeness may only speak for a match, and a clash only against it (``assistant.pairs.SIGNS``):
    what a few debates would teach otherwise is chance, and would mislead elsewhere.
    """
    parts = [_learnable(e, 1.0 if _judged(e) else recipe.linked) for e in examples if _judged(e) or recipe.linked > 0]
    values, label, importance = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    used = np.array([not recipe.inputs or name in recipe.inputs for name in NAMES])
    bare = used & np.array([name not in ARTICLE for name in NAMES])
    signs = np.array(SIGNS)
    kinds = tuple(
        fit_weights(values, label, importance, C=recipe.C, usable=columns, signs=signs) for columns in (used, bare)
    )
    return PairsFirst(ClaimRanker(NAMES, kinds), UNSET)


def _learnable(example: Example, weight: float) -> tuple[Floats, Floats, Floats]:
    """The values, labels and importance of the pairs of an example that are learnt from."""
    inputs = example.inputs
    drawn = (inputs.sentence + inputs.claim) % EVERY == 0
    kept = example.sure & inputs.lifts & (example.right | drawn)
    right = example.right[kept]
    return inputs.values[kept].astype(float), right.astype(float), np.where(right, weight, EVERY * weight)


def fit_max_skip(examples: Sequence[Example], pooling: Pooling, *, kernel: str = "linear", C: float = 1.0) -> MaxSkip:
    """Return the published method learnt from examples, without thresholds: one group a transcript."""
    rows = np.concatenate([pooled(example.inputs, pooling) for example in examples])
    labels = np.concatenate([example.relevant for example in examples]).astype(float)
    groups = np.repeat(np.arange(len(examples)), [example.inputs.n for example in examples])
    low, high = rows.min(axis=0), rows.max(axis=0)
    svm = RankSVM(C, kernel=kernel).fit(scale(rows, low, high), labels, groups)
    return MaxSkip(svm, pooling, low, high, UNSET)


@lru_cache(maxsize=512)
def pooled(inputs: PairInputs, pooling: Pooling) -> Floats:
    """Return the pooled rows of the sentences of an event, (n, inputs), made once."""
    return pooling.rows(inputs).astype(float)


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
