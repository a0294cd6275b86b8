"""Links as gold: how often a fact-check settles a sentence that has no link to it, and one that has.

    python -m bench.matches.links
    python -m bench.matches.links --data DIR --sheet FILE [--of debates|first|linked] [--index DIR] [--cache DIR]

Gold of the sixty-three debates and of CheckThat 2B are links, and a missing link counts as wrong. Two runs of a
language model that followed a written guide labelled sentences with the two before and after, blind to place and link:
does this fact-check settle what the sentence says?

debates: of the first fifty sentences of each of the sixty-three, ranked by what was learnt without its fold, some
without a link and some whose first claim is a linked one, with the first claim. first, linked: every dev query of
CheckThat 2B whose first claim is not a linked one and some whose first claim is, with the first claim, or a linked one.

``bench/labels/links_read.tsv`` holds the labels. ``--sheet`` draws pairs for a new labelling: the texts into that file,
and what was drawn, in the same order, beside it. Expected: of places 1 to 10 without a link 54 % settled by both.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.claim_retrieval import as_debates, learnt_without
from bench.command import command, option, table
from bench.label_files import label_rows
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

FIRST, NEXT = "debates, no link, place 1 to 10", "debates, no link, place 11 to 50"
LINKED = "debates, linked claim first"
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
    """The two labels of a row: yes, no or unsure."""

    row: Row
    one: str
    other: str


def labels() -> list[Label]:
    """Return the labels of all rows."""
    rows = label_rows("links_read.tsv")
    return [Label(Row(band, debate, int(line), claim), *pair) for band, debate, line, claim, *pair in rows]


def shares(labelled: Sequence[Label]) -> list[dict[str, object]]:
    """Return for each band how many rows it has, and the shares that both labels or either one call settled."""
    rows = []
    for band in DRAWN:
        yes = [("yes" == label.one, "yes" == label.other) for label in labelled if label.row.band == band]
        both, either = (Share.count(map(of, yes)) for of in (all, any))
        rows.append({"sentence and claim": band, "labelled": len(yes), "settled by both": both, "by either": either})
    return rows


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

    A query that is no line of its transcript is left out.
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
        bands = (GOLD_OF_FOUND, GOLD_OF_MISSED) if gold else (FOUND, MISSED)
        band = bands[0] if example.right[first] else bands[1]
        linked = min(pair.claim for pair in debate.pairs if pair.line == line)
        yield Row(band, debate.name, line, linked if gold else str(ids[inputs.claim[first]]))


def mixed(rows: Sequence[Row], bands: Sequence[str], seed: int = SEED) -> list[Row]:
    """Return as many rows of each band as ``DRAWN`` says, all where there are fewer, in random order."""
    rng, drawn = random.Random(seed), []
    for band in bands:
        of_band = [row for row in rows if row.band == band]
        drawn += rng.sample(of_band, min(DRAWN[band], len(of_band)))
    rng.shuffle(drawn)
    return drawn


def sheet(drawn: Sequence[Row], debates: Mapping[str, Debate], bench: Bench) -> Iterable[str]:
    """Yield the texts of each row, with neither place nor link."""
    position = {claim: place for place, claim in enumerate(bench.index.ids)}
    for number, row in enumerate(drawn, 1):
        debate, claim = debates[row.debate], position[row.claim]
        place = debate.lines.index(row.line)
        around = debate.texts[max(0, place - 2) : place], debate.texts[place + 1 : place + 3]
        before, after = (" | ".join(texts) for texts in around)
        day = int(bench.index.claim_days[claim])
        source = f"{bench.index.claimants[claim]}, {date.fromordinal(day) if day else 'day unknown'}"
        yield f"## {number}\nevent: {debate.name}\nbefore: {before}"
        yield f"{debate.speakers[place]}: >>> {debate.texts[place]}\nafter: {after}"
        yield f"fact-checked ({source}): {bench.index.statements[claim]}\n"


DRAW: dict[str, Callable[[Bench, Path], list[Row]]] = {
    "debates": of_debates,
    "first": lambda bench, folder: of_queries(bench, folder, gold=False),
    "linked": lambda bench, folder: of_queries(bench, folder, gold=True),
}


def measure(options: argparse.Namespace) -> dict[str, object] | None:
    """Print and return what the labels say, or draw what is to be labelled."""
    if not options.sheet:
        labelled = labels()
        rows, agreed = shares(labelled), Share.count(label.one == label.other for label in labelled)
        print(f"{table(rows)}\nThe two labels agree on {agreed}.")
        return {"rows": rows, "agreed": agreed}
    if not options.data:
        raise argparse.ArgumentError(None, "--sheet needs --data")
    bench, debates = open_bench(options), {d.name: d for d in data.linked(options.data / "debates")}
    drawn = DRAW[options.of](bench, options.data)
    options.sheet.write_text("\n".join(sheet(drawn, debates, bench)) + "\n", "utf-8")
    lines = "".join("\t".join(map(str, row)) + "\n" for row in drawn)
    options.sheet.with_suffix(".drawn.tsv").write_text(lines, "utf-8")
    return None


main = command(
    measure,
    partial(add_options, required=False),
    option("--of", choices=tuple(DRAW), default="debates", help="what is drawn"),
    option("--sheet", type=Path, metavar="FILE", help="draw anew: write texts to be labelled"),
)

if __name__ == "__main__":
    sys.exit(main())
