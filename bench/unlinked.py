"""How many of the first sentences that have no link does a fact-check settle all the same? As two readers saw it.

    python -m bench.unlinked
    python -m bench.unlinked --data DIR --sheet FILE [--key FILE] [--index DIR] [--cache DIR]

Gold of the sixty-three debates are links, and a missing link counts as wrong. Of the first fifty sentences of each
debate, ranked by what was learnt without its fold, some without a link and some with the right claim first were drawn
and read blind, mixed, with the two sentences before and after: does the fact-check of the first claim settle what the
sentence says? ``bench/labels/unlinked_read.tsv`` holds what two readers said. ``--sheet`` draws anew, for a new
reading: the texts for readers into one file, what was drawn, in the same order, into the other.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

import numpy as np

from assistant.errors import LecternError
from bench.examples import Example
from bench.measures import Bench
from bench.opening import add_options, open_bench
from bench.scoring import Scores
from bench.shares import Share
from bench.systems import learnt
from bench.tasks import linked_debates
from training.learners import Recipe, fit_lectern
from training.tier_borders import best_pairs

LABELS = Path(__file__).with_name("labels") / "unlinked_read.tsv"
FIRST, NEXT, LINKED = "no link, 1 to 10", "no link, 11 to 50", "linked, right claim first"
DRAWN = {FIRST: 80, NEXT: 80, LINKED: 40}
SEED = 17


class Row(NamedTuple):
    """A sentence with its first claim, and which band it was drawn from."""

    band: str
    debate: str
    line: int
    claim: str


class Label(NamedTuple):
    """What two readers said of a row: yes, no or unsure."""

    row: Row
    one: str
    other: str


def labels(path: Path = LABELS) -> list[Label]:
    """Return what was read."""
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return [Label(Row(band, debate, int(line), claim), *said) for band, debate, line, claim, *said in lines]


def told(read: Iterable[Label]) -> Iterable[str]:
    """Yield a row of a table for each band, and last how often the readers agree."""
    read = list(read)
    yield "| of the first fifty | read | settled, by both readers | by either |\n|---|---|---|---|"
    for band in DRAWN:
        said = [(label.one, label.other) for label in read if label.row.band == band]
        both, either = (Share.count(of("yes" == one for one in pair) for pair in said) for of in (all, any))
        yield f"| {band} | {len(said)} | {both} | {either} |"
    yield f"\nThe readers agree on {Share.count(label.one == label.other for label in read)}."


def drawn(bench: Bench, folder: Path, seed: int = SEED) -> list[tuple[Row, Example]]:
    """Return the rows to read, mixed, each with its debate; every debate is ranked by what the other folds taught."""
    task = linked_debates(bench, folder / "debates", folder)
    scored = learnt(task.tested[False], task.train_for, lambda allowed: fit_lectern(allowed, Recipe()))
    found = [(row, e) for e in task.tested[False] for row in first_fifty(e, scored[e.debate.name], bench.ids)]
    rng = random.Random(seed)
    taken = [one for band, n in DRAWN.items() for one in rng.sample([f for f in found if f[0].band == band], n)]
    rng.shuffle(taken)
    return taken


def first_fifty(example: Example, scores: Scores, ids: np.ndarray) -> Iterable[Row]:
    """Yield the first sentences of a debate, but for those with a link whose claim is not first."""
    debate, inputs = example.debate, example.inputs
    best = {int(inputs.sentence[pair]): pair for pair in best_pairs(scores.pairs, inputs).tolist()}
    with_link = {pair.line for pair in debate.pairs if pair.linked}
    for rank, place in enumerate(np.argsort(-scores.sentences, kind="stable")[:50].tolist(), 1):
        linked = debate.lines[place] in with_link
        if place in best and (not linked or example.right[best[place]]):
            band = LINKED if linked else FIRST if rank <= 10 else NEXT
            yield Row(band, debate.name, debate.lines[place], str(ids[inputs.claim[best[place]]]))


def sheet(taken: Sequence[tuple[Row, Example]], bench: Bench) -> Iterable[str]:
    """Yield what readers see of each row: neither rank nor link."""
    position = {claim: place for place, claim in enumerate(bench.index.ids)}
    for number, (row, example) in enumerate(taken, 1):
        debate, claim = example.debate, position[row.claim]
        place = debate.lines.index(row.line)
        before, after = (
            " | ".join(debate.texts[slice(*ends)]) for ends in ((max(0, place - 2), place), (place + 1, place + 3))
        )
        yield f"## {number}\nevent: {debate.name}\nbefore: {before}"
        yield f"{debate.speakers[place]}: >>> {debate.texts[place]}\nafter: {after}"
        day = int(bench.index.claim_days[claim])
        said = f"{bench.index.claimants[claim]}, {date.fromordinal(day) if day else 'day unknown'}"
        yield f"fact-checked ({said}): {bench.index.statements[claim]}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was read, or draw what is to be read."""
    if not (sys.argv[1:] if arguments is None else arguments):
        print("\n".join(told(labels())))
        return 0
    parser = argparse.ArgumentParser(prog="python -m bench.unlinked", description=(__doc__ or "").split("\n")[0])
    add_options(parser)
    parser.add_argument("--sheet", type=Path, required=True, metavar="FILE", help="texts for readers")
    parser.add_argument("--key", type=Path, metavar="FILE", help="what was drawn (default: beside the sheet)")
    options = parser.parse_args(arguments)
    try:
        bench = open_bench(options)
        taken = drawn(bench, options.data)
    except LecternError as error:
        print(error, file=sys.stderr)
        return 1
    options.sheet.write_text("\n".join(sheet(taken, bench)) + "\n", "utf-8")
    key = options.key or options.sheet.with_suffix(".key.tsv")
    key.write_text("".join("\t".join(map(str, row)) + "\n" for row, _ in taken), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
