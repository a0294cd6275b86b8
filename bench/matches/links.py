"""Links as gold: how often a fact-check settles a sentence that has no link to it, and one that has.

``python -m bench.matches.links [--json FILE]`` counts the labels of ``bench/labels/links_read.tsv``; how its pairs were
drawn is noted there. Gold of the sixty-three debates and of CheckThat 2B are links, and a missing link counts as wrong.
Two runs of a language model that followed a written guide labelled sentences with the two before and after, blind to
place and link: does this fact-check settle what the sentence says? Expected: of places 1 to 10 without a link 54 %
settled by both.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NamedTuple

from bench.command import command, table
from bench.label_files import label_rows
from training.shared.intervals import Share


class Label(NamedTuple):
    """A sentence with a claim, the band it was drawn from, and its two labels.

    Yes, no or unsure.
    """

    band: str
    debate: str
    line: str
    claim: str
    one: str
    other: str


BANDS = (
    *(
        "debates, no link, place 1 to 10",
        "debates, no link, place 11 to 50",
        "debates, linked claim first",
    ),
    *("2B, first claim not linked", "2B, first claim linked"),
    *("2B, a linked claim, not first", "2B, a linked claim, one is first"),
)


def shares(labels: Sequence[Label]) -> list[dict[str, object]]:
    """Return for each band how many rows it has, and the shares that both labels or either one call settled."""
    table_rows = []
    for band in BANDS:
        is_settled = []
        for label in labels:
            if label.band == band:
                is_settled.append((label.one == "yes", label.other == "yes"))
        both, either = (Share.count(map(of, is_settled)) for of in (all, any))
        table_rows.append(
            {
                "sentence and claim": band,
                "labelled": len(is_settled),
                "settled by both": both,
                "by either": either,
            }
        )
    return table_rows


def measure(_: argparse.Namespace) -> dict[str, object]:
    """Print and return what the labels say."""
    labels = [Label(*record) for record in label_rows("links_read.tsv")]
    table_rows = shares(labels)
    agreed = Share.count(label.one == label.other for label in labels)
    print(f"{table(table_rows)}\nThe two labels agree on {agreed}.")
    return {"rows": table_rows, "agreed": agreed}


main = command(measure)

if __name__ == "__main__":
    sys.exit(main())
