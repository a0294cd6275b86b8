"""The stance of a match: does the product say *repeats* or *contradicts* where the annotators of the seven debates do?

``python -m bench.matches.stance --data DIR``: over the judged pairs that are candidates, each debate ranked by what the
others taught; agree is repeats, disagree is contradicts, every other label is unclear. Nothing was chosen on these
labels: a match that is shown repeats its claim unless words of the two texts clash. Expected: F1 .53, .11 and .79.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from sklearn.metrics import precision_recall_fscore_support

from assistant.check.match_tiers import capped
from assistant.check.rankers import Ranking
from assistant.core.domain import Stance
from bench.command import command, table
from ranking.tier_thresholds import assign
from training.ranker import systems
from training.ranker.tier_borders import borders, held_out, read_labels
from training.shared.examples import Example
from training.shared.measures import Bench
from training.shared.opening import add_options, open_bench
from training.shared.tasks import the_seven

# as in training.ranker.train
PRECISION = 0.9
RECALL = 0.95
LABELS = {"agree": Stance.REPEATS.value, "disagree": Stance.CONTRADICTS.value}


def rankings_of(bench: Bench, folder: Path) -> list[tuple]:
    """Return each of the seven with its ranking by a ranker that learnt from the others."""
    task = the_seven(bench, folder, links=True)
    learn = systems.chosen_lectern()
    return [
        (example, learn(task.train_for(example)).rank(example.inputs))
        for example in task.tested[False]
    ]


def judged_stances(
    bench: Bench, rankings: Sequence[tuple[Example, Ranking]]
) -> tuple[list[str], list[str]]:
    """Return the annotators' stance and the product's for every judged pair that is a candidate.

    The tiers of each debate's ranking begin where the other debates put their borders.
    """
    claim_indices = {claim: i for i, claim in enumerate(bench.ids.tolist())}
    judged: list[str] = []
    predicted: list[str] = []
    for example, ranking in rankings:
        inputs = example.inputs
        debate = example.debate
        stances = with_tiers(bench, rankings, example, ranking).stances
        sentence_indices = {line: i for i, line in enumerate(debate.lines)}
        pairs = zip(inputs.sentence_index.tolist(), inputs.claim_index.tolist(), strict=True)
        positions = {pair: i for i, pair in enumerate(pairs)}
        for pair in debate.pairs:
            key = (sentence_indices[pair.line], claim_indices[pair.claim])
            position = positions.get(key)
            if pair.judged and position is not None:
                judged.append(LABELS.get(pair.stance, Stance.UNCLEAR.value))
                predicted.append(str(stances[position]))
    return judged, predicted


def with_tiers(
    bench: Bench, rankings: Sequence[tuple[Example, Ranking]], example: Example, ranking: Ranking
) -> Ranking:
    """Return a held-out ranking with the tiers, and so the stances, that the product would give it."""
    other_rankings = [(e, r.pair_scores) for e, r in rankings if e is not example]
    statements = bench.index.statements
    best = held_out(other_rankings, bench.ids, statements, read_labels())
    tiers = assign(ranking.pair_scores, borders(best, precision=PRECISION, recall=RECALL))
    return capped(
        replace(ranking, pair_tiers=tiers), example.inputs, example.debate.texts, statements
    )


def measure(options: argparse.Namespace) -> dict[str, list[dict]]:
    """Print precision, recall and F1 of each stance, and return them."""
    bench = open_bench(options)
    judged, predicted = judged_stances(bench, rankings_of(bench, options.data))
    names = [stance.value for stance in Stance]
    columns = precision_recall_fscore_support(judged, predicted, labels=names, zero_division=0)
    heads = ("stance", "precision", "recall", "F1", "pairs")
    values = [map(float, column) for column in columns[:3]]
    table_rows = []
    for stance_values in zip(names, *values, map(int, columns[3]), strict=True):
        table_rows.append(dict(zip(heads, stance_values, strict=True)))
    print(f"{len(judged)} judged pairs\n{table(table_rows)}\nmacro F1 {np.mean(columns[2]):.3f}")
    return {"rows": table_rows}


main = command(measure, add_options)

if __name__ == "__main__":
    sys.exit(main())
