"""Scoring of one system: from its scores and a gold to the columns of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ranking import metrics
from ranking.metrics import Run
from training.shared import significance
from training.shared.examples import Example
from training.shared.gold import NO_SLIPS, Gold, Slips, item

Floats = NDArray[np.floating]
Places = Mapping[str, Sequence[int]]
DEPTHS = (1, 3)
WIDTH = 38
DROPPED = -np.inf  # the score of a sentence that is not in the ranking: it counts as not found
FEW = 10  # debates that make the columns of a table by debate
COLUMNS = (
    "MAP",
    "R@50",
    "Hit@1",
    "MAP_inner",
    *(f"MAP_{m}_{r}" for m in ("0", "05", "H") for r in DEPTHS),
)


@dataclass(frozen=True, slots=True)
class Scores:
    """What a system says of one debate: a score for each sentence (n,) and for each pair (p,)."""

    sentences: Floats
    pairs: Floats


def row(
    system: str,
    examples: Sequence[Example],
    scores: Mapping[str, Scores],
    gold: Gold,
    ids: Floats,
    *,
    slips: Slips = NO_SLIPS,
) -> dict:
    """Return the columns of one system, and ``folds``.

    The AP of each debate that has a relevant sentence.

    ``ids`` (m,): the claims' ids by position. Only the claims of relevant sentences are looked at.
    """
    run, claim_run = runs(examples, scores, gold, ids)
    return columns(system, run, _places(claim_run, gold), gold, slips=slips)


def by_depth(
    examples: Sequence[Example],
    scores: Mapping[str, Scores],
    gold: Gold,
    ids: Floats,
    depths: Iterable[int],
) -> Iterable[tuple[float, ...]]:
    """Yield (r, MAP_0^r, MAP_H^r, low, high) of one system.

    The last two are the 95 % interval of MAP_H^r.
    """
    run, claim_run = runs(examples, scores, gold, ids)
    places = _places(claim_run, gold)
    for r in depths:
        settled = gold.found(_settled(places, r))
        measured = metrics.sentence_measures(run, gold.sentences, settled)
        topics = []
        for e in examples:
            lines = [str(line) for line in e.debate.lines]
            name = e.debate.name
            relevant, right = (
                np.isin(lines, list(of.get(name, ()))) for of in (gold.sentences, settled)
            )
            if relevant.any():
                topics.append((np.stack((scores[name].sentences, right)), relevant))
        yield (
            r,
            measured["MAP_0"],
            measured["MAP_H"],
            *significance.bootstrap(topics, significance.average_precision_h),
        )


def _places(claim_run: Run, gold: Gold) -> Places:
    """For each relevant sentence the places from 1 of those of its right claims that were found."""
    return {
        i: [
            place
            for place, claim in enumerate(metrics.ordered(scores), 1)
            if claim in gold.claims[i]
        ]
        for i, scores in claim_run.items()
    }


def columns(system: str, run: Run, places: Places, gold: Gold, *, slips: Slips = NO_SLIPS) -> dict:
    """Return the columns of one system from its order of sentences and the places of the right claims.

    ``places``: for each relevant sentence, by its id, the places from 1 of those of its right claims that were found.
    """
    values = {
        "R@50": metrics.micro_recall(run, gold.sentences, 50),
        "MAP_inner": map_inner(places, gold, slips),
    }
    values["Hit@1"] = (
        len(gold.claims.keys() & _settled(places, 1)) / len(gold.claims) if gold.claims else 0.0
    )
    for r in DEPTHS:
        settled = gold.found(_settled(places, r))
        measured = metrics.sentence_measures(
            run, gold.sentences, settled, literal=slips.literal_precision
        )
        values["MAP"] = measured["MAP"]
        values |= {f"{name}_{r}": measured[name] for name in ("MAP_0", "MAP_05", "MAP_H")}
    folds = metrics.per_qid(metrics.average_precision, run, gold.sentences).items()
    rounded = {name: round(values[name], 4) for name in COLUMNS}
    return {"system": system, **rounded, "folds": {name: round(value, 4) for name, value in folds}}


def _settled(places: Places, r: int) -> set[str]:
    """The sentences with a right claim among their first ``r``."""
    return {i for i, ranks in places.items() if any(place <= r for place in ranks)}


def map_inner(places: Places, gold: Gold, slips: Slips = NO_SLIPS) -> float:
    """Return the mean over the relevant sentences of the AP of their claims.

    The slip: over the last of each debate.
    """
    inner = {
        i: metrics.average_precision_at(places.get(i, ()), len(right))
        for i, right in gold.claims.items()
    }
    if slips.last_sentence:
        last = [
            item(debate, max(lines, key=int)) for debate, lines in gold.sentences.items() if lines
        ]
        inner = {i: inner[i] for i in last if i in inner}
    return sum(inner.values()) / len(inner) if inner else 0.0


def runs(
    examples: Sequence[Example], scores: Mapping[str, Scores], gold: Gold, ids: Floats
) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Return the run of sentences {debate: {line: score}} and that of claims {sentence id: {claim.

    Score}}.
    """
    run: dict[str, dict[str, float]] = {}
    claim_run: dict[str, dict[str, float]] = {}
    for example in examples:
        debate, scored = example.debate, scores[example.debate.name]
        ranked = zip(debate.lines, scored.sentences, strict=True)
        run[debate.name] = {str(line): float(s) for line, s in ranked if s != DROPPED}
        wanted = np.array([debate.item(line) in gold.claims for line in debate.lines], bool)
        wanted &= scored.sentences != DROPPED
        for pair in np.flatnonzero(wanted[example.inputs.sentence_index]):
            said_by = debate.item(debate.lines[example.inputs.sentence_index[pair]])
            claim_run.setdefault(said_by, {})[str(ids[example.inputs.claim_index[pair]])] = float(
                scored.pairs[pair]
            )
    return run, claim_run


def mean_ap(examples: Sequence[Example], scores: Mapping[str, Scores]) -> float:
    """Return MAP against the examples' own ``relevant``, which decides choices inside the training folds."""
    run: Run = {
        e.debate.name: dict(
            zip(map(str, e.debate.lines), scores[e.debate.name].sentences.tolist(), strict=True)
        )
        for e in examples
    }
    qrels = {
        e.debate.name: {
            str(line): 1 for line, yes in zip(e.debate.lines, e.relevant, strict=True) if yes
        }
        for e in examples
    }
    return metrics.mean_average_precision(run, qrels)


def head() -> str:
    """Return the head of a table as aligned text."""
    return f"{'system':{WIDTH}}" + "".join(f"{column:>10}" for column in COLUMNS)


def line(row_: Mapping) -> str:
    """Return a row as aligned text, blank where it lacks a column."""
    cells = (f"{row_[column]:10.3f}" if column in row_ else " " * 10 for column in COLUMNS)
    return f"{row_['system']:{WIDTH}}" + "".join(cells)


def lines(row_: Mapping, paper: Mapping[str, float] | None = None) -> list[str]:
    """Return a row, below it the same as of the event, and the paper's numbers where it has any, as aligned text."""
    under = [row_["as_of_event"] | {"system": "  as of the event"}]
    return [
        line(one) for one in (row_, *under, *([{"system": "  paper", **paper}] if paper else ()))
    ]


def fold_lines(rows: Sequence[Mapping], relevant: Mapping[str, int]) -> list[str]:
    """Return the AP of every system in every debate as aligned text.

    A line a system where the debates are few, else a line a debate. ``relevant``: each debate's
    relevant sentences.
    """
    names = [name for name in rows[0]["folds"]] if rows else []
    heads = [f"{name[:13]}({relevant.get(name, 0)})" for name in names]
    systems = [row["system"] for row in rows]
    table = [[row["folds"].get(name, 0.0) for name in names] for row in rows]
    if len(names) > FEW:
        heads, systems, table = (
            systems,
            heads,
            [list(column) for column in zip(*table, strict=True)],
        )
    width = max([9, *map(len, heads)]) + 2
    lines = [f"{'AP by debate':{WIDTH}}" + "".join(f"{head:>{width}}" for head in heads)]
    for system, values in zip(systems, table, strict=True):
        lines.append(f"{system:{WIDTH}}" + "".join(f"{value:{width}.3f}" for value in values))
    return lines
