"""From scores to the rows of a table: one system, one gold, all the columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.examples import Example
from bench.gold import Gold
from ranking import metrics
from ranking.metrics import Run

Floats = NDArray[np.floating]
DEPTHS = (1, 3)
WIDTH = 34
COLUMNS = ("MAP", "R@50", "Hit@1", "MAP_inner", *(f"MAP_{m}_{r}" for m in ("0", "05", "H") for r in DEPTHS))


@dataclass(frozen=True, slots=True)
class Scores:
    """What a system says of one debate: a score for each sentence (n,) and for each pair (p,)."""

    sentences: Floats
    pairs: Floats


def row(system: str, examples: Sequence[Example], scores: Mapping[str, Scores], gold: Gold, ids: Floats) -> dict:
    """Return the columns of one system, and ``folds``: the AP of each debate that has a relevant sentence.

    ``ids`` (m,): the claims' ids by position. Only the claims of relevant sentences are looked at.
    """
    run, claim_run = runs(examples, scores, gold, ids)
    values = {
        "R@50": metrics.micro_recall(run, gold.sentences, 50),
        "Hit@1": metrics.mean(lambda s, g: metrics.hit_at(s, g, 1), claim_run, gold.claims),
        "MAP_inner": metrics.mean_average_precision(claim_run, gold.claims),
    }
    for r in DEPTHS:
        found = gold.found(metrics.settled(claim_run, gold.claims, r))
        measured = metrics.sentence_measures(run, gold.sentences, found)
        values["MAP"] = measured["MAP"]
        values |= {f"{name}_{r}": measured[name] for name in ("MAP_0", "MAP_05", "MAP_H")}
    folds = metrics.per_qid(metrics.average_precision, run, gold.sentences)
    return {"system": system, **{name: round(values[name], 4) for name in COLUMNS}, "folds": _rounded(folds)}


def runs(
    examples: Sequence[Example], scores: Mapping[str, Scores], gold: Gold, ids: Floats
) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Return the run of sentences {debate: {line: score}} and that of claims {sentence id: {claim: score}}."""
    run: dict[str, dict[str, float]] = {}
    claim_run: dict[str, dict[str, float]] = {}
    for example in examples:
        debate, said = example.debate, scores[example.debate.name]
        run[debate.name] = {str(line): float(s) for line, s in zip(debate.lines, said.sentences, strict=True)}
        wanted = np.array([debate.item(line) in gold.claims for line in debate.lines], bool)
        for pair in np.flatnonzero(wanted[example.inputs.sentence]):
            item = debate.item(debate.lines[example.inputs.sentence[pair]])
            claim_run.setdefault(item, {})[str(ids[example.inputs.claim[pair]])] = float(said.pairs[pair])
    return run, claim_run


def mean_ap(examples: Sequence[Example], scores: Mapping[str, Scores]) -> float:
    """Return MAP against the examples' own ``relevant``: what choices inside the training folds go by."""
    run: Run = {
        e.debate.name: dict(zip(map(str, e.debate.lines), scores[e.debate.name].sentences.tolist(), strict=True))
        for e in examples
    }
    qrels = {
        e.debate.name: {str(line): 1 for line, yes in zip(e.debate.lines, e.relevant, strict=True) if yes}
        for e in examples
    }
    return metrics.mean_average_precision(run, qrels)


def head() -> str:
    """Return the head of a table as aligned text."""
    return f"{'system':{WIDTH}}" + "".join(f"{column:>10}" for column in COLUMNS)


def line(found: Mapping) -> str:
    """Return a row as aligned text."""
    return f"{found['system']:{WIDTH}}" + "".join(f"{found[column]:10.3f}" for column in COLUMNS)


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in values.items()}
