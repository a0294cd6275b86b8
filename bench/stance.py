"""Does a sentence repeat or contradict a claim? The rule of ``assistant.stance`` against the stances that people gave.

``python -m bench.stance --data DIR``: over the judged pairs of the seven debates that are candidates; agree is repeats,
disagree is contradicts, every other label is unclear. The rule was written without looking at these labels.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
from sklearn.metrics import precision_recall_fscore_support

from assistant.domain import Stance
from assistant.errors import LecternError
from assistant.stance import stances
from bench import data
from bench.measures import Bench
from bench.opening import add_options, open_bench

LABELS = {"agree": Stance.REPEATS.value, "disagree": Stance.CONTRADICTS.value}


def judged_stances(bench: Bench, debates: Sequence[data.Debate]) -> tuple[list[str], list[str]]:
    """Return what people said and what the rule says of every judged pair that is a candidate."""
    place = {claim: i for i, claim in enumerate(bench.ids.tolist())}
    said: list[str] = []
    found: list[str] = []
    for debate in debates:
        inputs = bench.inputs(debate)
        rule = stances(inputs.measures, inputs.opposed)
        row = {line: i for i, line in enumerate(debate.lines)}
        at = {(s, c): i for i, (s, c) in enumerate(zip(inputs.sentence.tolist(), inputs.claim.tolist(), strict=True))}
        for pair in debate.pairs:
            position = at.get((row[pair.line], place[pair.claim]))
            if pair.judged and position is not None:
                said.append(LABELS.get(pair.stance, Stance.UNCLEAR.value))
                found.append(str(rule[position]))
    return said, found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print precision, recall and F1 of each stance."""
    parser = argparse.ArgumentParser(prog="python -m bench.stance", description=__doc__.split("\n")[0])
    add_options(parser)
    options = parser.parse_args(arguments)
    try:
        said, found = judged_stances(open_bench(options), data.seven(options.data))
    except LecternError as error:
        print(error, file=sys.stderr)
        return 1
    names = [stance.value for stance in Stance]
    columns = precision_recall_fscore_support(said, found, labels=names, zero_division=0)
    print(f"{len(said)} judged pairs\nstance       precision  recall   F1    pairs")
    for name, precision, recall, f1, pairs in zip(names, *columns, strict=True):
        print(f"{name:12} {precision:9.3f} {recall:7.3f} {f1:6.3f} {pairs:6}")
    print(f"macro F1 {np.mean(columns[2]):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
