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
from ranking.claim_ranker import ClaimRanker, KindWeights

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
    values = []
    kinds = []
    for document, mask in zip(documents, masks, strict=True):
        values.append(document.inputs.inputs[mask])
        kinds.append(document.inputs.claim_kind[mask])
    return Lesson(np.concatenate(values).astype(float), np.concatenate(kinds), loss, size)


def adapted(ranker: PairsFirst, documents: Sequence[Reviewed], strength: Strength) -> PairsFirst:
    """Return the ranker moved toward the decisions on some documents.

    Thresholds stay, the digest goes.
    """
    lesson = sureness(documents)
    moved_ranker = _moved(ranker.claim_ranker, lesson, strength.sure)
    moved_order = _moved(ranker.order, order(documents), strength.order)
    moved_sureness = ranker.sureness and _moved(
        ranker.sureness, lesson, strength.sure, _read(ranker.sureness)
    )
    return replace(
        ranker, claim_ranker=moved_ranker, order=moved_order, sureness=moved_sureness, digest=""
    )


def _read(ranker: ClaimRanker) -> list[Mask]:
    """Which inputs each kind of pair has a weight for.

    What decides *likely* stays blind to all others.
    """
    return [weights.coef != 0 for weights in ranker.kinds]


def chosen(
    ranker: PairsFirst, documents: Sequence[Reviewed], strengths: Sequence[float] = STRENGTHS
) -> Strength:
    """Return the strengths with the smallest loss on left-out documents, the smaller of equal ones."""
    folds_of_documents = folds(documents)
    if len(folds_of_documents) < 2:
        smallest = min(strength for strength in strengths if strength)
        return Strength(smallest, smallest)
    # losses of the sureness and of the order, by strength, (strengths, 2)
    totals = np.zeros((len(strengths), 2))
    for fold in folds_of_documents:
        training = [document for document in documents if document not in fold]
        for i, strength in enumerate(strengths):
            moved = adapted(ranker, training, Strength(strength, strength))
            totals[i, 0] += _loss(moved.claim_ranker, sureness(fold))
            totals[i, 1] += _loss(moved.order, order(fold))
    best_sure, best_order = (totals - totals.min(axis=0) < 1e-9).argmax(axis=0)
    return Strength(float(strengths[best_sure]), float(strengths[best_order]))


def folds(documents: Sequence[Reviewed], max_folds: int = FOLDS) -> list[list[Reviewed]]:
    """Return the documents in at most so many parts of whole documents, by name."""
    ordered = sorted(documents, key=lambda document: document.name)
    number = min(max_folds, len(ordered))
    return [ordered[fold_number::number] for fold_number in range(number)]


def sureness(documents: Sequence[Reviewed]) -> Lesson:
    """Return what says how sure a match is: every decided pair that the search found.

    A match that was added by hand is left out: nobody would have rejected it.
    """
    masks = [document.decided & document.found for document in documents]
    confirmed = []
    for document, mask in zip(documents, masks, strict=True):
        confirmed.append(document.confirmed[mask])
    label = np.concatenate(confirmed).astype(float)
    sign = 2 * label - 1

    def loss(scores: Floats) -> tuple[float, Floats]:
        return float(np.logaddexp(0, -sign * scores).sum()), expit(scores) - label

    return _lesson(documents, masks, loss, len(label))


def order(documents: Sequence[Reviewed]) -> Lesson:
    """Return what says which claim comes first.

    All candidates of the sentences with a confirmed match.

    Whatever was not confirmed counts as wrong there, as in the debates that only have links. The loss is that of
    ``training.ranker.fitting.fit_order``.
    """
    masks = [document.taught for document in documents]
    confirmed = []
    begins_sentence = []
    for document, mask in zip(documents, masks, strict=True):
        confirmed.append(document.confirmed[mask])
        begins_sentence.append(np.diff(document.inputs.sentence_index[mask], prepend=-1) != 0)
    right = np.concatenate(confirmed)
    begins = np.concatenate(begins_sentence)
    starts = np.flatnonzero(begins)
    group = np.cumsum(begins) - 1

    def loss(scores: Floats) -> tuple[float, Floats]:
        if not len(starts):
            return 0.0, np.zeros(0)
        # softmax over the pairs of each sentence, its mass on confirmed pairs, and the slope (p,)
        exponentials = np.exp(scores - np.maximum.reduceat(scores, starts)[group])
        total = np.add.reduceat(exponentials, starts)
        hit = np.add.reduceat(exponentials * right, starts) + 1e-300
        slope = exponentials / total[group] - exponentials * right / hit[group]
        return float(np.log(total / hit).sum()), slope

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
        _weights(prior, lesson, strength, usable)
        for prior, usable in zip(ranker.kinds, usable_by_kind, strict=True)
    ]
    return replace(ranker, kinds=tuple(kinds))


def _weights(prior: KindWeights, lesson: Lesson, strength: float, usable: Mask) -> KindWeights:
    """Return the weights with the least loss and distance from the prior, none against the sign of its input.

    Sought in standard deviations of the prior, in which the distance is round.
    """
    # standardised usable inputs and a column of ones, (p, f + 1)
    inputs = np.nan_to_num((lesson.values[:, usable] - prior.mean[usable]) / prior.scale[usable])
    inputs = np.column_stack((inputs, np.ones(len(inputs))))
    start = np.append(prior.coef[usable], prior.intercept)
    spread = np.sqrt(strength)

    def objective(moved: Floats) -> tuple[float, Floats]:
        total, slope = lesson.loss(inputs @ (start + spread * moved))
        return total + moved @ moved / 2, spread * (inputs.T @ slope) + moved

    # a weight may move to 0, but not to the other sign
    signs = np.append(np.array(SIGNS)[usable], 0)
    bounds = []
    for sign, zero in zip(signs, -start / spread, strict=True):
        lower = zero if sign > 0 else None
        upper = zero if sign < 0 else None
        bounds.append((lower, upper))
    result = minimize(objective, np.zeros(len(start)), jac=True, method="L-BFGS-B", bounds=bounds)
    weights = start + spread * result.x
    weights[weights * signs < 0] = 0.0  # a last digit beyond its bound
    coef = prior.coef.copy()
    coef[usable] = weights[:-1]
    return KindWeights(prior.mean, prior.scale, coef, float(weights[-1]))


def _loss(ranker: ClaimRanker, lesson: Lesson) -> float:
    return lesson.loss(ranker.score(lesson.values, lesson.kind))[0]
