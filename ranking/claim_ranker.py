"""Claim ranker: a linear score of sentence-claim pairs, with the contribution of each input.

A pair's score is the log-odds of being a match: ``base`` plus a weight for each input, which is
standardised with the mean and scale of the training pairs. Pairs may come in kinds (a claim with a
body, one without): each kind has weights of its own, so an input that a kind cannot have never
counts against it. An unknown value is NaN and contributes nothing, as if it were the training
pairs' mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
BASE_SCORE = "base"


@dataclass(frozen=True, slots=True)
class KindWeights:
    """The weights of one kind of pair: arrays (f,) in the order of the names, and the intercept."""

    mean: Floats
    scale: Floats
    coef: Floats
    intercept: float

    def contributions(self, values: Floats) -> Floats:
        """Return the contribution of each input to the score of each pair, (p, f).

        An unknown value contributes nothing.
        """
        return np.nan_to_num((values - self.mean) / self.scale) * self.coef

    def counting_unknown_as(self, column: int, value: float) -> KindWeights:
        """Return weights by which an unknown value of an input scores as ``value`` does.

        A known value scores as before: only what the input contributes and the intercept change.
        """
        moved = (value - self.mean[column]) / self.scale[column] * self.coef[column]
        mean = self.mean.copy()
        mean[column] = value
        return replace(self, mean=mean, intercept=self.intercept + float(moved))


@dataclass(frozen=True, slots=True)
class ClaimRanker:
    """The weights of each kind of pair. ``names`` are the inputs, in order."""

    names: tuple[str, ...]
    kinds: tuple[KindWeights, ...]

    def contributions(self, values: Floats, kind_of_pair: Ints) -> Floats:
        """Return each input's contribution to each pair's score, and last ``base``, (p, f + 1).

        ``base`` is the score before any input counts. Shapes: values (p, f), kind (p,). Each row
        sums to the score of its pair.
        """
        contributions = np.empty((len(values), len(self.names) + 1))
        # Each kind of pair has its own weights.
        for kind_number, weights in enumerate(self.kinds):
            is_of_kind = kind_of_pair == kind_number
            # The last column is the base, the score before any input counts.
            contributions[is_of_kind, :-1] = weights.contributions(values[is_of_kind])
            contributions[is_of_kind, -1] = weights.intercept
        return contributions

    def score(self, values: Floats, kind_of_pair: Ints) -> Floats:
        """Return the log-odds that each pair is a match, (p,).

        It is the sum of the pair's contributions, computed without storing them.
        """
        scores = np.empty(len(values))
        for kind_number, weights in enumerate(self.kinds):
            # The pairs of this kind, standardised, (q, f); an unknown value becomes the mean, 0.
            is_of_kind = kind_of_pair == kind_number
            standardised_values = np.nan_to_num((values[is_of_kind] - weights.mean) / weights.scale)
            scores[is_of_kind] = standardised_values @ weights.coef + weights.intercept
        return scores

    def highest_scores(
        self, values: Floats, kind_of_pair: Ints, range_by_input: Mapping[str, tuple[float, float]]
    ) -> Floats:
        """Return the highest score that each pair can get from its unknown inputs, (p,).

        ``range_by_input``: the lowest and highest value that each of those inputs, NaN in ``values``,
        can have.
        """
        scores = self.score(values, kind_of_pair)
        for kind_number, weights in enumerate(self.kinds):
            for input_name, value_range in range_by_input.items():
                input_column = self.names.index(input_name)
                has_weight = weights.coef[input_column] != 0
                if not has_weight:
                    continue
                # The contributions of the lowest and of the highest value, (2,).
                centred_range = np.array(value_range) - weights.mean[input_column]
                standardised_range = centred_range / weights.scale[input_column]
                range_contributions = standardised_range * weights.coef[input_column]
                # The input may stay unknown, and then contributes 0.
                scores[kind_of_pair == kind_number] += max(0.0, range_contributions.max())
        return scores

    def counting_unknown_as(self, input_name: str, value: float) -> ClaimRanker:
        """Return a ranker by which pairs without a value of an input score as if they had ``value``."""
        column = self.names.index(input_name)
        kinds = tuple(weights.counting_unknown_as(column, value) for weights in self.kinds)
        return replace(self, kinds=kinds)

    def to_json(self) -> dict[str, Any]:
        """Convert the ranker to plain values that ``from_json`` reads."""
        weights_of_kinds = []
        for weights in self.kinds:
            plain_weights = {
                "mean": weights.mean.tolist(),
                "scale": weights.scale.tolist(),
                "coef": weights.coef.tolist(),
                "intercept": weights.intercept,
            }
            weights_of_kinds.append(plain_weights)
        return {"names": list(self.names), "kinds": weights_of_kinds}

    @classmethod
    def from_json(cls, stored_ranker: dict[str, Any], known_names: Sequence[str]) -> ClaimRanker:
        """Build a ranker from plain values.

        ``known_names``: the inputs that the program computes. One that the ranker was not trained on has
        no weight.

        Raises: ValueError if it was trained on others, or if their order or shapes differ.
        """
        trained_names = list(stored_ranker["names"])
        # The trained inputs must be known, and in the same order.
        names_in_order = [name for name in known_names if name in trained_names]
        if trained_names != names_in_order:
            unknown_names = sorted(set(trained_names) - set(known_names)) or ["their order"]
            raise ValueError(
                "the weights were trained on different features from those that the program computes "
                f"({', '.join(unknown_names)})"
            )
        # Trained values fill the columns of their inputs; other columns have the weight 0, (f,)
        # each.
        is_trained = np.isin(known_names, trained_names)
        weights_of_kinds = []
        for plain_weights in stored_ranker["kinds"]:
            mean = np.zeros(len(known_names))
            scale = np.ones(len(known_names))
            coef = np.zeros(len(known_names))
            mean[is_trained] = _column(plain_weights["mean"], len(trained_names))
            scale[is_trained] = _column(plain_weights["scale"], len(trained_names))
            coef[is_trained] = _column(plain_weights["coef"], len(trained_names))
            weights_of_kinds.append(
                KindWeights(mean, scale, coef, float(plain_weights["intercept"]))
            )
        return cls(tuple(known_names), tuple(weights_of_kinds))


def _column(weight_values: Sequence[float], length: int) -> Floats:
    """Return numbers as an array, (length,). Raises: ValueError if there are more or fewer."""
    weight_column = np.array(weight_values)
    if weight_column.shape != (length,):
        raise ValueError(
            f"each list of weights must have {length} numbers, but one has {weight_column.size}"
        )
    return weight_column
