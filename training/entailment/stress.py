"""Stress tests of entailment.

Negation, monotonicity, quantities, conjunctions, and edits of our own.

Hossain et al. 2020 (negation in MultiNLI; the SNLI part is learnt from), Geiger et al. 2020
(MoNLI), Naik et al. 2018 (numerical reasoning), Saha et al. 2020 (ConjNLI). Each pair counts once,
and none that is in a file the cross-encoder learns from. MoNLI has two labels: a pair is called
entailed where entailment is the likeliest of the three labels (as McCoy et al. 2019 read HANS).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.entailment.mixture import SETS
from training.shared.intervals import Share
from training.shared.loaders import LABELS, Pair, nli_pairs, normal

ENTAILMENT = LABELS.index("entailment")
LEARNT_FROM = tuple(file for one in SETS.values() for file in one.get("files", ()))
STRESS = ("negation_mnli", "naik_numerical_reasoning", "conjnli_dev")
TWO_LABELS = ("monli_nmonli_test", "monli_pmonli")
# Edits whose entailment follows from their rule; other kinds (rounding, all to some, part of a
# sentence) leave it open.
NOT_ENTAILED = ("figure", "year", "person", "place", "direction", "negation")
ENTAILED = ("fillers", "reworded", "bare", "speech")
Labels = NDArray[np.intp]


class StressTest(NamedTuple):
    """Pairs with a name; of ``two`` labels, entailed or not, or of three."""

    name: str
    pairs: list[Pair]
    two: bool = False

    def right(self, labels: Labels) -> list[bool]:
        """Return which of the predicted labels (n,), indices of ``LABELS``, are correct."""
        gold = np.array([pair.label for pair in self.pairs], np.intp)
        if self.two:
            return list((labels == ENTAILMENT) == (gold == ENTAILMENT))
        return list(labels == gold)

    def most_frequent(self) -> Labels:
        """Return the test's most frequent label for every pair, (n,)."""
        label, _ = Counter(pair.label for pair in self.pairs).most_common(1)[0]
        return np.full(len(self.pairs), label, np.intp)


def stress_sets(data: Path) -> Iterator[StressTest]:
    """Yield every test, its pairs once each and without those that were learnt from."""
    learnt = set()
    for name in LEARNT_FROM:
        learnt.update(key(pair) for pair in nli_pairs(data / f"{name}.jsonl.gz", name))
    for name in (*STRESS, *TWO_LABELS):
        pairs = nli_pairs(data / "stress" / f"{name}.jsonl.gz", name)
        yield StressTest(name, once(pairs, learnt), name in TWO_LABELS)


def key(pair: Pair) -> tuple[str, str]:
    """Return what two copies of a pair have in common: the texts in lower case, without signs."""
    return normal(pair.premise), normal(pair.hypothesis)


def once(pairs: Sequence[Pair], learnt: set[tuple[str, str]]) -> list[Pair]:
    """Return the first copy of each pair that was not learnt from, in their order."""
    first_copies: dict[tuple[str, str], Pair] = {}
    for pair in pairs:
        first_copies.setdefault(key(pair), pair)
    return [pair for name, pair in first_copies.items() if name not in learnt]


def scored(test: StressTest, labels: Labels) -> dict[str, object]:
    """Return the accuracy with its interval, the majority label's, and each label's frequency."""
    frequencies = {
        name: round(float(np.mean(labels == label)), 3) for label, name in enumerate(LABELS)
    }
    return {
        "pairs": len(test.pairs),
        "accuracy": Share.count(test.right(labels)).plain(),
        "most frequent": round(Share.count(test.right(test.most_frequent())).value, 4),
        "said": frequencies,
    }


def edits_scored(pairs: Sequence[Pair], labels: Labels) -> dict[str, object]:
    """Return how often entailment is rightly said of edits or not, by kind, and how often contradiction is said.

    ``pairs`` have their kind as source; kinds of which entailment does not follow are left out.
    """
    kinds = np.array([pair.source for pair in pairs])
    scores: dict[str, object] = {}
    groups = (("not entailed", NOT_ENTAILED, False), ("entailed", ENTAILED, True))
    for group, members, entailed in groups:
        kinds_by_name = {group: members, **{kind: (kind,) for kind in members}}
        for name, member_kinds in kinds_by_name.items():
            group_labels = labels[np.isin(kinds, member_kinds)]
            correct = (group_labels == ENTAILMENT) == entailed
            scores[name] = {"pairs": len(group_labels), "right": Share.count(correct).plain()}
    broken = labels[np.isin(kinds, NOT_ENTAILED)]
    contradicted = broken == LABELS.index("contradiction")
    scores["not entailed, called contradiction"] = Share.count(contradicted).plain()
    return scores
