"""How far the readings of pairs can be trusted: by what people said of the same pairs.

``python -m bench.matches.readings --data DIR [--json FILE]`` counts the labels of ``training/ranker/readings.tsv`` (by
a language model that follows docs/research/annotation-guidelines.md) by the human label that a pair
has: the annotation of the seven debates, a link of PolitiFact's, or none; and how often two
independent readings agree. The readings saw none of these labels.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping

from bench.command import command, data_option, table
from training.shared import debates as data
from training.shared.debates import Debate
from training.shared.gold import DECIDED
from training.shared.readings import NO, PART, SETTLED, Pair, Reading, kappa, read

ANNOTATED = "annotated: the fact-check decides"
NOT_DECIDED = "annotated: it does not"
LINKED = "linked by PolitiFact, not annotated"
NONE = "no human label"


def kinds(debates: Iterable[Debate]) -> dict[Pair, str]:
    """Return what people said of the pairs that they looked at."""
    kind_by_pair = {}
    for debate in debates:
        for pair in debate.pairs:
            annotated = ANNOTATED if pair.verdict in DECIDED else NOT_DECIDED
            kind_by_pair[debate.name, pair.line, pair.claim] = annotated if pair.judged else LINKED
    return kind_by_pair


def rows(readings: Mapping[Pair, Reading], human: Mapping[Pair, str]) -> list[dict[str, object]]:
    """Return for each kind of pair how it was read, and how often two readings of it agree."""
    table_rows = []
    for kind in (ANNOTATED, NOT_DECIDED, LINKED, NONE):
        of_kind = [reading for pair, reading in readings.items() if human.get(pair, NONE) == kind]
        labels = Counter(reading.label for reading in of_kind)
        agreed, chance_corrected = kappa(of_kind)
        shares = {}
        for label in (SETTLED, PART, NO):
            shares[label] = f"{labels[label] / max(len(of_kind), 1):.3f}"
        twice = sum(bool(reading.other) for reading in of_kind)
        agreement = {
            "read twice": twice,
            "agree": f"{agreed:.3f}",
            "kappa": f"{chance_corrected:.2f}",
        }
        table_rows.append({"what people said": kind, "pairs": len(of_kind), **shares, **agreement})
    return table_rows


def measure(options: argparse.Namespace) -> list[dict[str, object]]:
    """Print and return the table."""
    table_rows = rows(read(), kinds([*data.seven(options.data), *data.others(options.data)]))
    print(table(table_rows))
    return table_rows


main = command(measure, data_option)

if __name__ == "__main__":
    sys.exit(main())
