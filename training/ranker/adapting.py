"""Adapting the pair ranker to what people decided, while holding it near the weights it comes from.

Every weight has a Gaussian prior around its present value, of variance ``C``: a few decisions move
it little, many outweigh the prior, and C = 0 moves nothing. Source: Chelba and Acero, Adaptation
of maximum entropy capitalizer: little data can help a lot, EMNLP 2004. People decide on what is
shown, and what is shown depends only on inputs that the ranker reads: given those inputs, the
decided pairs are right as often as all pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from assistant.check.pairs import Pairs
from assistant.check.rankers import PairsFirst
from features.similarity.input_catalogue import ARTICLE, NAMES, SIGNS
from ranking.claim_ranker import ClaimRanker, Weights

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]
Loss = Callable[
    [Floats], tuple[float, Floats]
]  # of scores (p,): the summed loss, and its slope (p,)
STRENGTHS = (0.0, 0.001, 0.01, 0.1)
FOLDS = 5
_BARE = np.array([name not in ARTICLE for name in NAMES])
_USABLE = (np.ones(len(NAMES), bool), _BARE)  # by the kinds of pair


@dataclass(frozen=True, slots=True, eq=False)
class Reviewed:
    """What people decided on one document.

    ``confirmed``, ``rejected`` and ``found`` (by the search), (p,) each.
    """

    name: str
    texts: tuple[str, ...]
    inputs: Pairs
    confirmed: Mask
    rejected: Mask
    found: Mask

    @property
    def decided(self) -> Mask:
        """Return which pairs have a decision, (p,)."""
        return self.confirmed | self.rejected

    @property
    def taught(self) -> Mask:
        """Return which pairs belong to a sentence with a confirmed one, (p,)."""
        return np.isin(self.inputs.sentence_index, self.inputs.sentence_index[self.confirmed])


class Strength(NamedTuple):
    """How far the weights may move.

    Those of how sure a match is, and those of the order of the claims.
    """

    sure: float
    order: float


class Lesson(NamedTuple):
    """Pairs (p, f) of some kinds (p,), the loss of their scores, and how many decisions or sentences they represent."""

    values: Floats
    kind: Ints
    loss: Loss
    size: int


def _lesson(documents: Sequence[Reviewed], masks: Sequence[Mask], loss: Loss, size: int) -> Lesson:
    pairs = list(zip(documents, masks, strict=True))
    values = np.concatenate([document.inputs.inputs[rows] for document, rows in pairs])
    return Lesson(
        values.astype(float),
        np.concatenate([d.inputs.claim_kind[rows] for d, rows in pairs]),
        loss,
        size,
    )


def adapted(ranker: PairsFirst, documents: Sequence[Reviewed], strength: Strength) -> PairsFirst:
    """Return the ranker moved toward the decisions on some documents.

    Thresholds stay, the digest goes.
    """
    lesson = sureness(documents)
    sure = _moved(ranker.claim_ranker, lesson, strength.sure)
    first = _moved(ranker.order, order(documents), strength.order)
    likely = ranker.sureness and _moved(
        ranker.sureness, lesson, strength.sure, _read(ranker.sureness)
    )
    return replace(ranker, claim_ranker=sure, order=first, sureness=likely, digest="")


def _read(ranker: ClaimRanker) -> list[Mask]:
    """Which inputs each kind of pair has a weight for.

    What decides *likely* stays blind to all others.
    """
    return [weights.coef != 0 for weights in ranker.kinds]


def chosen(
    ranker: PairsFirst, documents: Sequence[Reviewed], strengths: Sequence[float] = STRENGTHS
) -> Strength:
    """Return the strengths with the least loss on documents that were left out, the smaller of equal ones.

    With a single document nothing can be left out, and the smallest strength that moves anything
    is taken.
    """
    parts = folds(documents)
    if len(parts) < 2:
        least = min(s for s in strengths if s)
        return Strength(least, least)
    totals = np.zeros((len(strengths), 2))
    for left_out in parts:
        rest = [document for document in documents if document not in left_out]
        for row, strength in enumerate(strengths):
            moved = adapted(ranker, rest, Strength(strength, strength))
            totals[row] += (
                _loss(moved.claim_ranker, sureness(left_out)),
                _loss(moved.order, order(left_out)),
            )
    best = (totals - totals.min(axis=0) < 1e-9).argmax(axis=0)
    return Strength(*(float(strengths[place]) for place in best))


def folds(documents: Sequence[Reviewed], most: int = FOLDS) -> list[list[Reviewed]]:
    """Return the documents in at most so many parts of whole documents, by name."""
    ordered = sorted(documents, key=lambda document: document.name)
    number = min(most, len(ordered))
    return [ordered[part::number] for part in range(number)]


def sureness(documents: Sequence[Reviewed]) -> Lesson:
    """Return what says how sure a match is: every decided pair that the search found.

    A match that was added by hand is left out: nobody would have rejected it.
    """
    masks = [document.decided & document.found for document in documents]
    label = np.concatenate(
        [d.confirmed[rows] for d, rows in zip(documents, masks, strict=True)]
    ).astype(float)
    turned = 2 * label - 1

    def loss(scores: Floats) -> tuple[float, Floats]:
        return float(np.logaddexp(0, -turned * scores).sum()), expit(scores) - label

    return _lesson(documents, masks, loss, len(label))


def order(documents: Sequence[Reviewed]) -> Lesson:
    """Return what says which claim comes first.

    All candidates of the sentences with a confirmed match.

    Whatever was not confirmed counts as wrong there, as in the debates that only have links. The loss is that of
    ``training.ranker.fitting.fit_order``.
    """
    masks = [document.taught for document in documents]
    right = np.concatenate([d.confirmed[rows] for d, rows in zip(documents, masks, strict=True)])
    begins = [
        np.diff(d.inputs.sentence_index[rows], prepend=-1) != 0
        for d, rows in zip(documents, masks, strict=True)
    ]
    first = np.concatenate(begins)  # of its sentence
    starts = np.flatnonzero(first)
    group = np.cumsum(first) - 1

    def loss(scores: Floats) -> tuple[float, Floats]:
        if not len(starts):
            return 0.0, np.zeros(0)
        risen = np.exp(scores - np.maximum.reduceat(scores, starts)[group])
        total = np.add.reduceat(risen, starts)
        hit = np.add.reduceat(risen * right, starts) + 1e-300
        return float(np.log(total / hit).sum()), risen / total[group] - risen * right / hit[group]

    return _lesson(documents, masks, loss, len(starts))


def _moved(
    ranker: ClaimRanker,
    lesson: Lesson,
    strength: float,
    usable_by_kind: Sequence[Mask] | None = None,
) -> ClaimRanker:
    """Return the weights of both kinds of pair, each learnt from all pairs, as the weights that ship were."""
    if not strength or not lesson.size:
        return ranker
    usable_by_kind = usable_by_kind or _USABLE
    kinds = [
        _weights(prior, lesson, strength, may)
        for prior, may in zip(ranker.kinds, usable_by_kind, strict=True)
    ]
    return replace(ranker, kinds=tuple(kinds))


def _weights(prior: Weights, lesson: Lesson, strength: float, usable: Mask) -> Weights:
    """Return the weights with the least loss and distance from the prior, none against the sign of its input.

    Sought in standard deviations of the prior, in which the distance is round.
    """
    rows = np.nan_to_num((lesson.values[:, usable] - prior.mean[usable]) / prior.scale[usable])
    rows = np.column_stack((rows, np.ones(len(rows))))
    start = np.append(prior.coef[usable], prior.intercept)
    spread = np.sqrt(strength)

    def objective(moved: Floats) -> tuple[float, Floats]:
        total, slope = lesson.loss(rows @ (start + spread * moved))
        return total + moved @ moved / 2, spread * (rows.T @ slope) + moved

    zero = -start / spread
    signs = np.append(np.array(SIGNS)[usable], 0)
    bounds = [
        (at if sign > 0 else None, at if sign < 0 else None)
        for sign, at in zip(signs, zero, strict=True)
    ]
    found = minimize(objective, np.zeros(len(start)), jac=True, method="L-BFGS-B", bounds=bounds).x
    found = start + spread * found
    found[found * signs < 0] = 0.0  # a last digit beyond its bound
    coef = prior.coef.copy()
    coef[usable] = found[:-1]
    return Weights(prior.mean, prior.scale, coef, float(found[-1]))


def _loss(ranker: ClaimRanker, lesson: Lesson) -> float:
    return lesson.loss(ranker.score(lesson.values, lesson.kind))[0]
