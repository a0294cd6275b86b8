"""Fitting of the claim ranker's weights: logistic regression on pairs, and ListNet on groups."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ranking.claim_ranker import KindWeights

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]
STEPS = 100  # of Newton's method, at most


def fit_weights(
    values: Floats,
    label: Floats,
    importance: Floats,
    *,
    C: float,
    usable: Mask | None = None,
    signs: Ints | None = None,
) -> KindWeights:
    """Fit a logistic regression on standardised inputs.

    Shapes: values (p, f), label (p,) 0 or 1, importance (p,) weight of each pair, usable (f,) False
    for inputs that this kind of pair cannot have, whose weight is 0. ``C``: inverse of the L2
    penalty, per unit of summed importance. ``signs`` (f,): 1 for an input that may only speak for a
    match, -1 for one only against, 0 for either.
    """
    input_count = values.shape[1]
    mean, scale, rows = _standardised(values, importance)
    columns = np.ones(input_count, bool) if usable is None else np.asarray(usable, bool)
    directions = np.zeros(input_count, int) if signs is None else np.asarray(signs)
    coef = np.zeros(input_count)
    coef[columns], intercept = _logistic(
        rows[:, columns], label, importance, C, directions[columns]
    )
    return KindWeights(mean, scale, coef, intercept)


def fit_order(  # noqa: PLR0913
    values: Floats,
    right: NDArray[np.bool_],
    group: Ints,
    importance: Floats,
    *,
    C: float,
    usable: NDArray[np.bool_],
    signs: Ints,
    beside: KindWeights | None = None,
) -> KindWeights:
    """Return weights that put the right pairs of each group first.

    The most probable ones of a softmax over the group.

    Shapes and meanings as for ``fit_weights``; group (p,) is 0, 1, 2... and does not fall, and
    each group has a right pair. There is no intercept: what all pairs of a group share does not
    count. ``beside``: weights of the inputs that are not usable, which stay as they are. Source:
        ListNet, Cao et al., ICML 2007.
    """
    from scipy.optimize import minimize  # takes a second to import, and only fitting needs it

    mean, scale, rows = _standardised(values, importance)
    coef: Floats = np.zeros(values.shape[1])
    known: Floats = np.zeros(len(values))  # what the weights that stay say
    if beside is not None:
        mean = np.where(usable, mean, beside.mean)
        scale = np.where(usable, scale, beside.scale)
        coef = np.where(usable, 0, beside.coef)
        known = beside.contributions(values)[:, ~usable].sum(axis=1)
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    weight = importance[starts]
    penalty = 1.0 / (C * weight.sum())
    rows = rows[:, usable]

    def objective(w: Floats) -> tuple[float, Floats]:
        score = known + rows @ w
        score = np.exp(score - np.maximum.reduceat(score, starts)[group])
        total = np.add.reduceat(score, starts)
        hit = np.add.reduceat(score * right, starts) + 1e-300
        loss = weight @ (np.log(total) - np.log(hit)) / weight.sum() + penalty * (w @ w) / 2
        pull = (score / total[group] - score * right / hit[group]) * importance / weight.sum()
        return float(loss), rows.T @ pull + penalty * w

    bounds = [(0 if sign > 0 else None, 0 if sign < 0 else None) for sign in signs[usable]]
    coef[usable] = minimize(
        objective, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds
    ).x
    return KindWeights(mean, scale, coef, 0.0)


def _standardised(values: Floats, importance: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the mean and scale of the columns, (f,), and the standardised values, (p, f).

    An unknown value is 0 after that.
    """
    weights = importance[:, None]
    known = ~np.isnan(values)
    total = np.maximum((known * weights).sum(axis=0), 1e-12)
    mean = (np.where(known, values, 0) * weights).sum(axis=0) / total
    deviation = np.where(known, values - mean, 0)
    scale = np.sqrt((deviation**2 * weights).sum(axis=0) / total)
    scale[scale < 1e-6] = 1.0
    return mean, scale, deviation / scale


def _logistic(
    rows: Floats, label: Floats, importance: Floats, C: float, signs: Ints
) -> tuple[Floats, float]:
    """Minimise the penalised log-loss within the signs; the intercept is not penalised.

    Newton's method: each step solves the bounded least-squares problem that the loss looks like
    nearby, and is halved until the loss falls. A step costs one pass over the rows, and about ten
    are enough.
    """
    from scipy.optimize import lsq_linear
    from scipy.special import expit

    turned = np.where(label > 0, 1.0, -1.0)
    share = importance / importance.sum()
    rows = np.column_stack((rows, np.ones(len(rows))))
    penalty = np.append(np.full(len(signs), 1.0 / (C * importance.sum())), 0.0)
    bounds = (
        np.append(np.where(signs > 0, 0.0, -np.inf), -np.inf),
        np.append(np.where(signs < 0, 0.0, np.inf), np.inf),
    )

    def loss(w: Floats) -> float:
        return float(share @ np.logaddexp(0, -turned * (rows @ w)) + penalty @ w**2 / 2)

    w = np.zeros(rows.shape[1])
    lowest = np.inf
    for _ in range(STEPS):
        before = lowest
        lowest = loss(w)
        if before - lowest < 1e-12:
            break
        chance = expit(rows @ w)
        slope = rows.T @ (share * (chance - (label > 0))) + penalty * w
        bent = rows * np.sqrt(share * chance * (1 - chance))[:, None]
        # The penalty keeps the curvature positive; the last term does so for the intercept of
        # parted classes.
        factor = np.linalg.cholesky(bent.T @ bent + np.diag(penalty + 1e-12))
        aim = np.linalg.solve(factor, factor @ (factor.T @ w) - slope)
        step = lsq_linear(factor.T, aim, bounds, method="bvls").x - w
        size = 1.0
        while loss(w + size * step) > lowest and size > 1e-9:
            size /= 2
        w = w + size * step
    return w[:-1], float(w[-1])


def precision_border(scores: Floats, right: Mask, precision: float) -> float:
    """Return the smallest score at and above which ``precision`` of the examples are right.

    If no score reaches it, just above the largest.
    """
    order = np.argsort(-scores, kind="stable")
    descending = scores[order]
    hits = np.cumsum(right[order])
    precisions = hits / np.arange(1, len(scores) + 1)
    last_of_ties = np.append(descending[:-1] != descending[1:], True)
    reached = np.flatnonzero(last_of_ties & (precisions >= precision))
    if not len(reached):
        return float(np.nextafter(descending[0], np.inf))
    return float(descending[reached[-1]])


def recall_border(scores: Floats, right: Mask, recall: float) -> float:
    """Return the largest score at and above which ``recall`` of the right examples lie."""
    descending = -np.sort(-scores[right])
    needed = int(np.ceil(recall * len(descending)))
    return float(descending[needed - 1])
