"""Readings of pairs: does this fact-check settle what is said? Ids and labels, no texts.

The pairs of ``training/ranker/readings.tsv`` were read by a language model that follows
docs/research/annotation-guidelines.md and saw neither rating nor which system proposed a pair: most of them twice,
independently, and a third time where the two differ; some of the half of the debates that teaches
only once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

READINGS = Path(__file__).parents[1] / "ranker" / "readings.tsv"
SETTLED = "settled"
PART = "part"
NO = "no"
TEACH = "teach"
TEST = "test"
_WORDS = {"s": SETTLED, "p": PART, "n": NO}
Pair = tuple[str, int, str]  # debate, line, claim


class Reading(NamedTuple):
    """The labels of a pair by the first, the second and, where these differ, the third reading ("" where none)."""

    one: str
    other: str = ""
    third: str = ""

    @property
    def label(self) -> str:
        """Return the label that two readings gave, *part* where there is none.

        Of a pair read once that of the one.
        """
        label_counts = Counter(label for label in self if label)
        label, times = label_counts.most_common(1)[0]
        return label if times > 1 or len(label_counts) == 1 else PART


def read(path: Path = READINGS) -> dict[Pair, Reading]:
    """Return the readings by pair."""
    readings = {}
    for line in path.read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        debate, line_number, claim, *letters = line.split("\t")
        labels = [_WORDS.get(letter, "") for letter in letters]
        readings[debate, int(line_number), claim] = Reading(*labels)
    return readings


def halves(names: Iterable[str]) -> dict[str, str]:
    """Return the half of each of the seventy debates.

    *teach* or *test*, by turns in alphabetical order.
    """
    return {name: (TEST, TEACH)[name_index % 2] for name_index, name in enumerate(sorted(names))}


def kappa(readings: Iterable[Reading]) -> tuple[float, float]:
    """Return how often the first two readings of pairs that were read twice agree, and Cohen's kappa.

    Not a number where nothing was read twice; kappa also where both readings have one label for
    all pairs.
    """
    pairs = [(reading.one, reading.other) for reading in readings if reading.other]
    if not pairs:
        return math.nan, math.nan
    agreement = sum(first_label == second_label for first_label, second_label in pairs) / len(pairs)
    first_counts = Counter(first_label for first_label, _ in pairs)
    second_counts = Counter(second_label for _, second_label in pairs)
    products = sum(first_counts[label] * second_counts[label] for label in first_counts)
    chance = products / len(pairs) ** 2
    if chance >= 1:
        return agreement, math.nan
    return agreement, (agreement - chance) / (1 - chance)
