"""Scoring of one system: from its scores and a gold to the columns of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

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
    ranks_by_sentence = _places(claim_run, gold)
    for r in depths:
        settled = gold.settled_lines(_settled(ranks_by_sentence, r))
        measured = metrics.sentence_measures(run, gold.sentences, settled)
        topics = []
        for example in examples:
            name = example.debate.name
            lines = [str(line) for line in example.debate.lines]
            relevant = np.isin(lines, list(gold.sentences.get(name, ())))
            right = np.isin(lines, list(settled.get(name, ())))
            if relevant.any():
                topics.append((np.stack((scores[name].sentences, right)), relevant))
        interval = significance.bootstrap(topics, significance.average_precision_h)
        yield (r, measured["MAP_0"], measured["MAP_H"], *interval)


def _places(claim_run: Run, gold: Gold) -> Places:
    """Return for each relevant sentence the places, from 1, of its right claims in the run."""
    ranks_by_sentence: dict[str, list[int]] = {}
    for sentence_id, scores in claim_run.items():
        right_claims = gold.claims[sentence_id]
        ranks_by_sentence[sentence_id] = []
        for rank, claim in enumerate(metrics.ordered(scores), 1):
            if claim in right_claims:
                ranks_by_sentence[sentence_id].append(rank)
    return ranks_by_sentence


def columns(
    system: str, run: Run, ranks_by_sentence: Places, gold: Gold, *, slips: Slips = NO_SLIPS
) -> dict:
    """Return the columns of one system from its order of sentences and the places of the right claims.

    ``ranks_by_sentence``: for each relevant sentence, by its id, the places from 1 of those of its right claims that were found.
    """
    values = {
        "R@50": metrics.micro_recall(run, gold.sentences, 50),
        "MAP_inner": map_inner(ranks_by_sentence, gold, slips),
        "Hit@1": 0.0,
    }
    if gold.claims:
        first_right = gold.claims.keys() & _settled(ranks_by_sentence, 1)
        values["Hit@1"] = len(first_right) / len(gold.claims)
    for r in DEPTHS:
        settled = gold.settled_lines(_settled(ranks_by_sentence, r))
        measured = metrics.sentence_measures(
            run, gold.sentences, settled, literal=slips.literal_precision
        )
        values["MAP"] = measured["MAP"]
        for name in ("MAP_0", "MAP_05", "MAP_H"):
            values[f"{name}_{r}"] = measured[name]
    folds = metrics.per_qid(metrics.average_precision, run, gold.sentences)
    rounded_folds = {name: round(value, 4) for name, value in folds.items()}
    rounded_values = {name: round(values[name], 4) for name in COLUMNS}
    return {"system": system, **rounded_values, "folds": rounded_folds}


def _settled(ranks_by_sentence: Places, r: int) -> set[str]:
    """The sentences with a right claim among their first ``r``."""
    return {i for i, ranks in ranks_by_sentence.items() if any(rank <= r for rank in ranks)}


def map_inner(ranks_by_sentence: Places, gold: Gold, slips: Slips = NO_SLIPS) -> float:
    """Return the mean over the relevant sentences of the AP of their claims.

    The slip: over the last of each debate.
    """
    precisions = {}
    for sentence_id, right_claims in gold.claims.items():
        sentence_places = ranks_by_sentence.get(sentence_id, ())
        precisions[sentence_id] = metrics.average_precision_at(sentence_places, len(right_claims))
    if slips.last_sentence:
        last_sentences = []
        for debate, lines in gold.sentences.items():
            if lines:
                last_sentences.append(item(debate, max(lines, key=int)))
        precisions = {name: precisions[name] for name in last_sentences if name in precisions}
    return sum(precisions.values()) / len(precisions) if precisions else 0.0


def runs(
    examples: Sequence[Example], scores: Mapping[str, Scores], gold: Gold, ids: Floats
) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Return the run of sentences {debate: {line: score}} and that of claims {sentence id: {claim.

    Score}}.
    """
    run: dict[str, dict[str, float]] = {}
    claim_run: dict[str, dict[str, float]] = {}
    for example in examples:
        debate = example.debate
        inputs = example.inputs
        debate_scores = scores[debate.name]
        is_ranked = debate_scores.sentences != DROPPED
        run[debate.name] = {}
        for line, score in zip(debate.lines, debate_scores.sentences, strict=True):
            if score != DROPPED:
                run[debate.name][str(line)] = float(score)
        is_relevant = np.array([debate.item(line) in gold.claims for line in debate.lines], bool)
        is_wanted = is_relevant & is_ranked
        for pair in np.flatnonzero(is_wanted[inputs.sentence_index]):
            sentence_id = debate.item(debate.lines[inputs.sentence_index[pair]])
            claim = str(ids[inputs.claim_index[pair]])
            claim_run.setdefault(sentence_id, {})[claim] = float(debate_scores.pairs[pair])
    return run, claim_run


def mean_ap(examples: Sequence[Example], scores: Mapping[str, Scores]) -> float:
    """Return MAP against the examples' ``relevant``, which decides choices inside training folds."""
    run: Run = {}
    qrels = {}
    for example in examples:
        name = example.debate.name
        lines = [str(line) for line in example.debate.lines]
        run[name] = dict(zip(lines, scores[name].sentences.tolist(), strict=True))
        qrels[name] = {line: 1 for line in compress(lines, example.relevant)}
    return metrics.mean_average_precision(run, qrels)


def head() -> str:
    """Return the head of a table as aligned text."""
    return f"{'system':{WIDTH}}" + "".join(f"{column:>10}" for column in COLUMNS)


def line(row_: Mapping) -> str:
    """Return a row as aligned text, blank where it lacks a column."""
    cells = (f"{row_[column]:10.3f}" if column in row_ else " " * 10 for column in COLUMNS)
    return f"{row_['system']:{WIDTH}}" + "".join(cells)


def lines(row_: Mapping, paper: Mapping[str, float] | None = None) -> list[str]:
    """Return a row, its values as of the event and the paper's numbers, as aligned text."""
    table_rows = [row_, row_["as_of_event"] | {"system": "  as of the event"}]
    if paper:
        table_rows.append({"system": "  paper", **paper})
    return [line(table_row) for table_row in table_rows]


def fold_lines(results: Sequence[Mapping], relevant: Mapping[str, int]) -> list[str]:
    """Return the AP of every system in every debate as aligned text."""
    debates = list(results[0]["folds"]) if results else []
    column_heads = [f"{name[:13]}({relevant.get(name, 0)})" for name in debates]
    row_heads = [result["system"] for result in results]
    table = []
    for result in results:
        table.append([result["folds"].get(name, 0.0) for name in debates])
    if len(debates) > FEW:
        # debates as rows, systems as columns
        table = [list(column) for column in zip(*table, strict=True)]
        row_heads, column_heads = column_heads, row_heads
    width = max([9, *map(len, column_heads)]) + 2
    lines = [f"{'AP by debate':{WIDTH}}" + "".join(f"{head:>{width}}" for head in column_heads)]
    for head, values in zip(row_heads, table, strict=True):
        lines.append(f"{head:{WIDTH}}" + "".join(f"{value:{width}.3f}" for value in values))
    return lines
