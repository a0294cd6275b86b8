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
