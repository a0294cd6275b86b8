"""Readings of pairs: does this fact-check settle what is said? Ids and labels, no texts.

The pairs of ``training/ranker/readings.tsv`` were read by a language model that follows
docs/guide.md and saw neither rating nor which system proposed a pair: most of them twice,
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
        given = Counter(label for label in self if label)
        label, times = given.most_common(1)[0]
        return label if times > 1 or len(given) == 1 else PART


def read(path: Path = READINGS) -> dict[Pair, Reading]:
    """Return the readings by pair."""
    rows = [
        line.split("\t")
        for line in path.read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    return {
        (row[0], int(row[1]), row[2]): Reading(*(_WORDS.get(label, "") for label in row[3:]))
        for row in rows
    }


def halves(names: Iterable[str]) -> dict[str, str]:
    """Return the half of each of the seventy debates.

    *teach* or *test*, by turns in alphabetical order.
    """
    return {name: (TEST, TEACH)[place % 2] for place, name in enumerate(sorted(names))}


def kappa(readings: Iterable[Reading]) -> tuple[float, float]:
    """Return how often the first two readings of pairs that were read twice agree, and Cohen's kappa.

    Not a number where nothing was read twice; kappa also where both readings have one label for
    all pairs.
    """
    pairs = [(reading.one, reading.other) for reading in readings if reading.other]
    if not pairs:
        return math.nan, math.nan
    agreed = sum(one == other for one, other in pairs) / len(pairs)
    first, second = (Counter(column) for column in zip(*pairs, strict=True))
    chance = sum(first[label] * second[label] for label in first) / len(pairs) ** 2
    return agreed, (agreed - chance) / (1 - chance) if chance < 1 else math.nan
