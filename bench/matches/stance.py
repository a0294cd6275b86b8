"""Does a sentence repeat or contradict a claim? What the product says against the stances that people gave.

``python -m bench.matches.stance --data DIR``: over the judged pairs of the seven debates that are candidates, each
debate ranked by what the others taught; agree is repeats, disagree is contradicts, every other label is unclear.
Nothing was chosen on these labels: a shown match repeats its claim unless words stand against it
(``assistant.check.tiers``).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from sklearn.metrics import precision_recall_fscore_support

from assistant.check.rankers import Ranking
from assistant.check.tiers import capped
from assistant.ground.domain import Stance
from assistant.ground.errors import LecternError
from ranking.tiers import assign
from training.ranker import systems
from training.ranker.tier_borders import borders, held_out, read_labels
from training.shared.examples import Example
from training.shared.measures import Bench
from training.shared.opening import add_options, open_bench
from training.shared.tasks import the_seven

PRECISION, RECALL = 0.9, 0.95  # as in training.ranker.train
LABELS = {"agree": Stance.REPEATS.value, "disagree": Stance.CONTRADICTS.value}


def rankings_of(bench: Bench, folder: Path) -> list[tuple]:
    """Return each of the seven with the ranking by what the other debates taught, as ``training.ranker`` learns."""
    task, learn = the_seven(bench, folder, links=True), systems.chosen_lectern()
    return [(example, learn(task.train_for(example)).rank(example.inputs)) for example in task.tested[False]]


def judged_stances(bench: Bench, rankings: Sequence[tuple[Example, Ranking]]) -> tuple[list[str], list[str]]:
    """Return what people said and what the product says of every judged pair that is a candidate.

    Each ranking's tiers begin where those of the other debates say.
    """
    place = {claim: i for i, claim in enumerate(bench.ids.tolist())}
    said: list[str] = []
    found: list[str] = []
    for example, ranking in rankings:
        inputs, debate = example.inputs, example.debate
        rule = with_tiers(bench, rankings, example, ranking).stances
        row = {line: i for i, line in enumerate(debate.lines)}
        at = {(s, c): i for i, (s, c) in enumerate(zip(inputs.sentence.tolist(), inputs.claim.tolist(), strict=True))}
        for pair in debate.pairs:
            position = at.get((row[pair.line], place[pair.claim]))
            if pair.judged and position is not None:
                said.append(LABELS.get(pair.stance, Stance.UNCLEAR.value))
                found.append(str(rule[position]))
    return said, found


def with_tiers(
    bench: Bench, rankings: Sequence[tuple[Example, Ranking]], example: Example, ranking: Ranking
) -> Ranking:
    """Return a held-out ranking with the tiers, and so the stances, that the product would give it."""
    others = [pair for pair in rankings if pair[0] is not example]
    statements = bench.index.statements
    found = held_out([(e, r.pair_scores) for e, r in others], bench.ids, statements, read_labels())
    tiers = assign(ranking.pair_scores, borders(found, precision=PRECISION, recall=RECALL))
    return capped(replace(ranking, pair_tiers=tiers), example.inputs, example.debate.texts, statements)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print precision, recall and F1 of each stance."""
    parser = argparse.ArgumentParser(prog="python -m bench.matches.stance", description=__doc__.split("\n")[0])
    add_options(parser)
    options = parser.parse_args(arguments)
    try:
        bench = open_bench(options)
        said, found = judged_stances(bench, rankings_of(bench, options.data))
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
