"""The claim ranker: a linear score of sentence-claim pairs, and by how much each input moved it.

A pair's score is the log-odds of being a match: ``base`` plus a weight for each input,
standardised with the mean and scale of the training pairs. Pairs may come in kinds (a claim with a
body, one without): each kind has weights of its own, so an input that a kind cannot have never
counts against it. A value that is not known is NaN and adds nothing, as if it were the training
pairs' mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
BASE = "base"
STEPS = 100  # of Newton's method, at most


@dataclass(frozen=True, slots=True)
class Weights:
    """What was learnt for one kind of pair.

    Arrays (f,) in the order of the ranker's names, and the intercept.
    """

    mean: Floats
    scale: Floats
    coef: Floats
    intercept: float

    def add(self, values: Floats) -> Floats:
        """Return what each input adds to the score of each pair, (p, f).

        One that is not known adds nothing.
        """
        return np.nan_to_num((values - self.mean) / self.scale) * self.coef


@dataclass(frozen=True, slots=True)
class ClaimRanker:
    """Weights by kind of pair. ``names`` are the inputs, in order."""

    names: tuple[str, ...]
    kinds: tuple[Weights, ...]

    def contributions(self, values: Floats, kind: Ints) -> Floats:
        """Return (p, f + 1): what each input adds to each pair's score, and last what is there without any (``base``).

        Shapes: values (p, f), kind (p,). Each row sums to the score of its pair.
        """
        parts = np.empty((len(values), len(self.names) + 1))
        for number, weights in enumerate(self.kinds):
            rows = kind == number
            parts[rows, :-1] = weights.add(values[rows])
            parts[rows, -1] = weights.intercept
        return parts

    def score(self, values: Floats, kind: Ints) -> Floats:
        """Return (p,): the log-odds that each pair is a match.

        The sum of its contributions, without holding them.
        """
        scores = np.empty(len(values))
        for number, weights in enumerate(self.kinds):
            rows = kind == number
            known = np.nan_to_num((values[rows] - weights.mean) / weights.scale)
            scores[rows] = known @ weights.coef + weights.intercept
        return scores

    def most(self, values: Floats, kind: Ints, ranges: Mapping[str, tuple[float, float]]) -> Floats:
        """Return (p,): the highest score that each pair can have once inputs that are not known now are.

        ``ranges``: the least and the greatest value that each of those inputs, NaN in ``values``, can take.
        """
        scores = self.score(values, kind)
        for number, weights in enumerate(self.kinds):
            for name, ends in ranges.items():
                place = self.names.index(name)
                if weights.coef[place]:
                    added = (
                        (np.array(ends) - weights.mean[place])
                        / weights.scale[place]
                        * weights.coef[place]
                    )
                    scores[kind == number] += max(0.0, added.max())  # 0: it may stay unknown
        return scores

    def to_json(self) -> dict[str, Any]:
        """Return plain values that ``from_json`` reads."""
        kinds = [
            {
                "mean": w.mean.tolist(),
                "scale": w.scale.tolist(),
                "coef": w.coef.tolist(),
                "intercept": w.intercept,
            }
            for w in self.kinds
        ]
        return {"names": list(self.names), "kinds": kinds}

    @classmethod
    def from_json(cls, value: dict[str, Any], names: Sequence[str]) -> ClaimRanker:
        """Return the ranker.

        ``names``: the inputs that the program computes; one that it did not learn has no weight.

        Raises: ValueError if it learnt others, or their order or shapes differ.
        """
        learnt = list(value["names"])
        if learnt != [name for name in names if name in learnt]:
            odd = sorted(set(learnt) - set(names)) or ["their order"]
            raise ValueError(f"the weights are for other inputs ({', '.join(odd)} differ)")
        columns = [
            [np.array(kind[part]) for part in ("mean", "scale", "coef")] for kind in value["kinds"]
        ]
        if any(column.shape != (len(learnt),) for parts in columns for column in parts):
            raise ValueError(f"the weights are not {len(learnt)} numbers each")
        known = np.isin(names, learnt)
        kinds = []
        for kind, parts in zip(value["kinds"], columns, strict=True):
            mean = np.zeros(len(names))
            scale = np.ones(len(names))
            coef = np.zeros(len(names))
            mean[known], scale[known], coef[known] = parts
            kinds.append(Weights(mean, scale, coef, float(kind["intercept"])))
        return cls(tuple(names), tuple(kinds))


def fit_weights(
    values: Floats,
    label: Floats,
    importance: Floats,
    *,
    C: float,
    usable: NDArray[np.bool_] | None = None,
    signs: Ints | None = None,
) -> Weights:
    """Return weights of a logistic regression on standardised inputs.

    Shapes: values (p, f), label (p,) 0 or 1, importance (p,) weight of each pair, usable (f,) False for inputs that
    this kind of pair cannot have: their weight is 0. ``C``: inverse of the L2 penalty, per unit of summed importance.
    ``signs`` (f,): 1 for an input that may only speak for a match, -1 for one only against, 0 for either.
    """
    mean, scale, rows = _standardised(values, importance)
    columns = np.ones(values.shape[1], bool) if usable is None else np.asarray(usable, bool)
    directions = np.zeros(values.shape[1], int) if signs is None else np.asarray(signs)
    coef = np.zeros(values.shape[1])
    coef[columns], intercept = _logistic(
        rows[:, columns], label, importance, C, directions[columns]
    )
    return Weights(mean, scale, coef, intercept)


def fit_order(
    values: Floats,
    right: NDArray[np.bool_],
    group: Ints,
    importance: Floats,
    *,
    C: float,
    usable: NDArray[np.bool_],
    signs: Ints,
    beside: Weights | None = None,
) -> Weights:
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
        known = beside.add(values)[:, ~usable].sum(axis=1)
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
    return Weights(mean, scale, coef, 0.0)


def _standardised(values: Floats, importance: Floats) -> tuple[Floats, Floats, Floats]:
    """The mean and scale of the columns (f,), and the standardised values (p, f) with 0 for what is not known."""
    known = ~np.isnan(values)
    total = np.maximum((known * importance[:, None]).sum(axis=0), 1e-12)
    mean = (np.where(known, values, 0) * importance[:, None]).sum(axis=0) / total
    apart = np.where(known, values - mean, 0)
    scale = np.sqrt((apart**2 * importance[:, None]).sum(axis=0) / total)
    scale[scale < 1e-6] = 1.0
    return mean, scale, apart / scale


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
