"""Micro and macro F1 of predicted labels, domain by domain."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer]


def micro_f1(label: Ints, predicted: Ints) -> float:
    """Return the share of claims (n,) with the right label.

    Micro F1 where each has one label and gets one.
    """
    return float(np.mean(label == predicted))


def macro_f1(label: Ints, predicted: Ints) -> float:
    """Return the mean F1 over the labels that occur or are predicted, of claims (n,)."""
    labels = np.append(label, predicted) + 1
    totals = np.bincount(labels)
    correct = np.bincount(label[label == predicted] + 1, minlength=len(totals))
    occurs = totals > 0
    return float(np.mean(2 * correct[occurs] / totals[occurs]))


def domain_scores(
    domain: NDArray[np.str_], label: Ints, predicted: Ints
) -> dict[str, tuple[float, float]]:
    """Return (micro F1, macro F1) of each domain.

    Claim by claim, domain, label and found are (N,).
    """
    scores = {}
    for name in np.unique(domain):
        members = domain == name
        micro = micro_f1(label[members], predicted[members])
        macro = macro_f1(label[members], predicted[members])
        scores[str(name)] = (micro, macro)
    return scores


def mean_score(scores: Mapping[str, tuple[float, float]]) -> float:
    """Return the mean of micro and macro F1 over the domains, each domain alike."""
    return float(np.mean(list(scores.values())))
