"""The paper's Tables 3, 5 and 6 on our measures over the whole database, our numbers beside the published ones."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from assistant.check.rankers import RANKSVM, Pooling
from bench.command import table
from bench.paper import published
from bench.paper.method import Floats, Folds, Place, Variant, claim_places, single
from bench.paper.whole_database import PLACED, measured
from features.similarity.catalogue import MEASURES
from features.similarity.catalogue import NAMES as EVERY
from training.ranker.systems import variants
from training.shared import debates as data
from training.shared import gold, scoring
from training.shared.gold import NO_SLIPS, Gold, Slips, item
from training.shared.measures import Bench
from training.shared.tasks import gold_of

DEPTHS = (1, 3, 5, 10, 20, 30)
# The paper does not say which of the four body cosines it takes alone; its code reads the fourth.
SINGLE = tuple(name for name in PLACED if not name.endswith(("_2", "_3")))
PAPER_FAMILIES = ("bm25", "nli", "bertscore", "sbert", "simcse")
ABLATIONS = {
    "all": EVERY,
    **{f"without {f}": tuple(m.name for m in MEASURES if m.family != f) for f in PAPER_FAMILIES},
    **{
        f"without {f}": tuple(m.name for m in MEASURES if m.field != f)
        for f in ("title", "statement", "body")
    },
}


class Result(NamedTuple):
    """A system's scores of the sentences of every debate in both settings, and the order of claims beside it."""

    system: str
    scores: Mapping[Place, Floats]
    claims_by: str = "bm25_body"


class Ground(NamedTuple):
    """What the tables are made from: measures and folds, and the gold in both settings (True.

    As of the event).
    """

    folds: Folds
    golds: Mapping[bool, Gold]
    slips: Slips


def ground(bench: Bench, folder: Path, slips: Slips) -> Ground:
    """Return the seven debates, measured over the whole database, with their gold."""
    debates = data.seven(folder)
    make = partial(gold.verdicts, slips=slips)
    golds = {late: gold_of(bench, debates, late, make) for late in (False, True)}
    relevant = {
        (debate.name, late): np.array(
            [str(line) in golds[late].sentences[debate.name] for line in debate.lines], bool
        )
        for debate in debates
        for late in golds
    }
    return Ground(Folds(debates, measured(bench, debates), relevant, bench.cache), golds, slips)


def table_5(folds: Folds, kernels: Sequence[str]) -> Iterator[Result]:
    """Yield the single measures; RankSVM retrieved, Max, and Max with skipping.

    And the variant chosen in the folds.
    """
    for name in SINGLE:
        yield Result(name, single(folds.whole, name), name)
    methods = (
        ("ranksvm-retrieved", "retrieved"),
        *product(("ranksvm-max", RANKSVM), ("code", "text")),
    )
    for (method, reading), kernel, depth in product(methods, kernels, DEPTHS):
        variant = Variant(Pooling(reading, depth, method == RANKSVM), kernel)
        yield Result(f"{method}/{variant.name}", folds.left_out(variant))
    tuned = [Variant(*variant) for variant in variants(kernels)]
    for variant in tuned:
        yield Result(f"{RANKSVM}/{variant.name}", folds.left_out(variant))
    yield Result(RANKSVM, folds.chosen(tuned))


def table_6(folds: Folds, kernels: Sequence[str]) -> Iterator[Result]:
    """Yield Max with skipping, N = 5, without one family or field after the other, in both readings."""
    for kernel, reading, (name, columns) in product(kernels, ("code", "text"), ABLATIONS.items()):
        variant = Variant(Pooling(reading, 5, used=tuple(columns)), kernel)
        yield Result(f"{name}/{reading}/{kernel}", folds.left_out(variant))


def show(on: Ground, results: Iterator[Result]) -> list[dict]:
    """Print each row as soon as it is known, ours above the paper's, then the AP by debate.

    Return the rows.
    """
    print(scoring.head())
    table_rows = []
    for result in results:
        full, late = (_row(on, result, late) for late in (False, True))
        table_rows.append(full | {"as_of_event": late})
        print("\n".join(scoring.lines(table_rows[-1], published.beside(result.system))), flush=True)
    relevant = {name: len(lines) for name, lines in on.golds[False].sentences.items()}
    print("\n" + "\n".join(scoring.fold_lines(table_rows, relevant)))
    print(_NOTE, file=sys.stderr)
    return table_rows


_NOTE = """Every sentence of the seven debates; C = 1 where no C is named. As of the event: what was checked on its day
or later is left out of the search. NLI is read for the best pairs of the product only (--nli-candidates)."""


def _row(on: Ground, result: Result, late: bool) -> dict:
    right = on.golds[late]
    folds = on.folds
    run = {}
    for debate in folds.debates:
        run[debate.name] = {
            str(line): float(score)
            for line, score in zip(debate.lines, result.scores[debate.name, late], strict=True)
        }
    claim_ranks = claim_orders(folds, result.claims_by, right, late)
    return scoring.columns(result.system, run, claim_ranks, right, slips=on.slips)


def claim_orders(folds: Folds, claims_by: str, right: Gold, late: bool) -> dict[str, list[int]]:
    """Return for each sentence of a gold the places of its right claims by one of ``PLACED``."""
    claim_ranks: dict[str, list[int]] = {}
    for debate in folds.debates:
        for line, claim, place in claim_places(folds.whole[debate.name, late], claims_by):
            sentence = item(debate.name, str(line))
            if claim in right.claims.get(sentence, {}):
                claim_ranks.setdefault(sentence, []).append(place)
    return claim_ranks


def table_3(on: Ground, bench: Bench) -> list[dict]:
    """Return MAP_inner of every single measure, over all sentences of the gold and in the slip, beside the paper's.

    Gold: the paper's section 6.3 (``gold.retrieval``). The slip takes the last sentence of each
    transcript only.
    """
    golds = {late: gold_of(bench, on.folds.debates, late, gold.retrieval) for late in (False, True)}
    table_rows: list[dict] = [{"system": name} for name in SINGLE]
    for table_row, (late, right) in product(table_rows, golds.items()):
        claim_ranks = claim_orders(on.folds, table_row["system"], right, late)
        for slips, kind in ((NO_SLIPS, ""), (Slips(last_sentence=True), ", last sentence")):
            name = f"MAP_inner{kind}{', as of the event' if late else ''}"
            table_row[name] = round(scoring.map_inner(claim_ranks, right, slips), 4)
    return table_rows


def show_table_3(bench: Bench, folder: Path) -> list[dict]:
    """Print Table 3, the paper's number last, and return its rows."""
    table_rows = table_3(ground(bench, folder, NO_SLIPS), bench)
    print(
        table(
            [
                table_row | {"paper": published.TABLE_3.get(table_row["system"], "")}
                for table_row in table_rows
            ]
        )
    )
    return table_rows
