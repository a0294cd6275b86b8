"""What links are worth as gold: how often a fact-check settles a sentence that has no link, and one that has. As read.

    python -m bench.matches.links
    python -m bench.matches.links --data DIR --sheet FILE [--of debates|first|linked] [--index DIR] [--cache DIR]

Gold of the sixty-three debates and of CheckThat 2B are links, and a missing link counts as wrong. Read blind by two
readers, with the two sentences before and after: does this fact-check settle what the sentence says?

debates: of the first fifty sentences of each of the sixty-three, ranked by what was learnt without its fold, some
without a link and some with the right claim first, with the first claim. first, linked: every dev query of CheckThat
2B whose first claim is not a linked one and some whose first is, with the first claim, or with a linked one.

``bench/labels/links_read.tsv`` holds what the readers said. ``--sheet`` draws anew, for a new reading: the texts into
that file, and what was drawn, in the same order, beside it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

import numpy as np

from assistant.ground.errors import LecternError
from bench.claim_retrieval import as_debates, learnt_without
from training.ranker.learners import Recipe, fit_lectern
from training.ranker.systems import learnt, ranked
from training.ranker.tier_borders import best_pairs
from training.shared import debates as data
from training.shared import examples
from training.shared.debates import Debate
from training.shared.examples import Example
from training.shared.intervals import Share
from training.shared.measures import Bench
from training.shared.opening import add_options, open_bench
from training.shared.scoring import Scores
from training.shared.tasks import linked_debates

LABELS = Path(__file__).resolve().parents[1] / "labels" / "links_read.tsv"
FIRST, NEXT, LINKED = (
    "debates, no link, place 1 to 10",
    "debates, no link, place 11 to 50",
    "debates, linked claim first",
)
MISSED, FOUND = "2B, first claim not linked", "2B, first claim linked"
GOLD_OF_MISSED, GOLD_OF_FOUND = "2B, a linked claim, not first", "2B, a linked claim, one is first"
DRAWN = {FIRST: 80, NEXT: 80, LINKED: 40, MISSED: 49, FOUND: 20, GOLD_OF_MISSED: 49, GOLD_OF_FOUND: 20}
SEED = 17


class Row(NamedTuple):
    """A sentence with a claim, and which band it was drawn from."""

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
    yield "| sentence and claim | read | settled, by both readers | by either |\n|---|---|---|---|"
    for band in DRAWN:
        said = [(label.one, label.other) for label in read if label.row.band == band]
        both, either = (Share.count(of("yes" == one for one in pair) for pair in said) for of in (all, any))
        yield f"| {band} | {len(said)} | {both} | {either} |"
    yield f"\nThe readers agree on {Share.count(label.one == label.other for label in read)}."


def of_debates(bench: Bench, folder: Path) -> list[Row]:
    """Return the drawn rows of the sixty-three, mixed."""
    task = linked_debates(bench, folder / "debates", folder)
    scored = learnt(task.tested[False], task.train_for, lambda allowed: fit_lectern(allowed, Recipe()))
    rows = [row for e in task.tested[False] for row in first_fifty(e, scored[e.debate.name], bench.ids)]
    return mixed(rows, (FIRST, NEXT, LINKED))


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


def of_queries(bench: Bench, folder: Path, *, gold: bool) -> list[Row]:
    """Return the drawn rows of CheckThat 2B's dev queries, mixed: with their first claim, or, ``gold``, a linked one.

    A query that stands in no line of its transcript is left out.
    """
    lines = {(debate.name, line) for debate in data.linked(folder / "debates") for line in debate.lines}
    debates, _ = as_debates(*data.queries(folder / "checkthat2b", "dev", seven_too=True))
    ranker = learnt_without(bench, folder, {debate.name for debate in debates})
    rows = []
    for debate in debates:
        example = examples.linked(debate, bench.inputs(debate), bench.ids)
        rows += of_query_debate(example, ranked(ranker, example).pairs, bench.ids, gold=gold)
    rows = [row for row in rows if (row.debate, row.line) in lines]
    return mixed(rows, (GOLD_OF_MISSED, GOLD_OF_FOUND) if gold else (MISSED, FOUND))


def of_query_debate(example: Example, scores: np.ndarray, ids: np.ndarray, *, gold: bool) -> Iterable[Row]:
    """Yield a row for each query of a debate: with its first claim, or with the first of its linked ones."""
    debate, inputs = example.debate, example.inputs
    for place, line in enumerate(debate.lines):
        pairs = np.flatnonzero(inputs.sentence == place)
        first = pairs[np.argmax(scores[pairs])]
        found = bool(example.right[first])
        band = (GOLD_OF_FOUND if found else GOLD_OF_MISSED) if gold else (FOUND if found else MISSED)
        linked = min(pair.claim for pair in debate.pairs if pair.line == line)
        yield Row(band, debate.name, line, linked if gold else str(ids[inputs.claim[first]]))


def mixed(rows: Sequence[Row], bands: Sequence[str], seed: int = SEED) -> list[Row]:
    """Return as many rows of each band as ``DRAWN`` says, all where there are fewer, in an order that tells nothing."""
    rng, taken = random.Random(seed), []
    for band in bands:
        there = [row for row in rows if row.band == band]
        taken += rng.sample(there, min(DRAWN[band], len(there)))
    rng.shuffle(taken)
    return taken


def sheet(taken: Sequence[Row], debates: Mapping[str, Debate], bench: Bench) -> Iterable[str]:
    """Yield what readers see of each row: neither place nor link."""
    position = {claim: place for place, claim in enumerate(bench.index.ids)}
    for number, row in enumerate(taken, 1):
        debate, claim = debates[row.debate], position[row.claim]
        place = debate.lines.index(row.line)
        around = debate.texts[max(0, place - 2) : place], debate.texts[place + 1 : place + 3]
        before, after = (" | ".join(texts) for texts in around)
        day = int(bench.index.claim_days[claim])
        said = f"{bench.index.claimants[claim]}, {date.fromordinal(day) if day else 'day unknown'}"
        yield f"## {number}\nevent: {debate.name}\nbefore: {before}"
        yield f"{debate.speakers[place]}: >>> {debate.texts[place]}\nafter: {after}"
        yield f"fact-checked ({said}): {bench.index.statements[claim]}\n"


DRAW: dict[str, Callable[[Bench, Path], list[Row]]] = {
    "debates": of_debates,
    "first": lambda bench, folder: of_queries(bench, folder, gold=False),
    "linked": lambda bench, folder: of_queries(bench, folder, gold=True),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was read, or draw what is to be read."""
    given = sys.argv[1:] if arguments is None else arguments
    if not given:
        print("\n".join(told(labels())))
        return 0
    parser = argparse.ArgumentParser(prog="python -m bench.matches.links", description=(__doc__ or "").split("\n")[0])
    add_options(parser)
    parser.add_argument("--of", choices=tuple(DRAW), default="debates", help="what is drawn")
    parser.add_argument("--sheet", type=Path, required=True, metavar="FILE", help="texts for readers")
    options = parser.parse_args(given)
    try:
        bench, debates = open_bench(options), {d.name: d for d in data.linked(options.data / "debates")}
        taken = DRAW[options.of](bench, options.data)
    except LecternError as error:
        print(error, file=sys.stderr)
        return 1
    options.sheet.write_text("\n".join(sheet(taken, debates, bench)) + "\n", "utf-8")
    drawn = "".join("\t".join(map(str, row)) + "\n" for row in taken)
    options.sheet.with_suffix(".drawn.tsv").write_text(drawn, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
