"""Moves the ranker toward the readings of pairs: ``python -m training.ranker.read_pairs --data DIR [--write]``.

The readings (``training/ranker/readings.tsv``, by a language model that follows docs/guide.md) say of pairs of seventy
debates whether the fact-check settles what is said. The sentences of one half of the debates are measured again with
all their candidates, and the ranker is moved toward what was read there (``training.ranker.adapting``): *settled* is
confirmed, *no* is rejected, *in part* teaches nothing. How far, and where *likely* begins, is chosen on the half that
teaches; the half that tests is scored once, before and after. The cache makes it a matter of minutes the second time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assistant.check.rankers import SHORT, PairsFirst
from assistant.check.tiers import conflicting
from ranking import tiers
from ranking.significance import average_precision
from training.ranker.adapting import Reviewed
from training.shared.debates import Debate
from training.shared.measures import Bench
from training.shared.readings import NO, PART, SETTLED, Pair

PRECISION = 0.85  # of likely: the share of settled pairs among those read, on the half that teaches
FIRST = 10
Labels = Mapping[Pair, str]
Strings = NDArray[np.str_]


def reviewed(bench: Bench, debate: Debate, labels: Labels) -> tuple[Reviewed, Strings]:
    """Return the read sentences of a debate with all their candidates, and the label of each pair, (p,), "" unread."""
    lines = {line for name, line, _ in labels if name == debate.name}
    part = debate.only([line in lines for line in debate.lines])
    readable = replace(bench, nli_of_linked=bench.nli_candidates)
    inputs = readable.inputs(part, reads=np.ones(len(part.texts), bool))
    pairs = zip(inputs.sentence.tolist(), bench.ids[inputs.claim].tolist(), strict=True)
    label = np.array([labels.get((debate.name, part.lines[place], claim), "") for place, claim in pairs], "<U8")
    every = np.ones(len(inputs), bool)
    return Reviewed(debate.name, part.texts, inputs, label == SETTLED, label == NO, every), label


def firsts(ranker: PairsFirst, document: Reviewed, label: Strings) -> tuple[NDArray[np.floating], Strings]:
    """Return the score of each read sentence with a match, best first, and the label of its first claim."""
    ranking = ranker.rank(document.inputs)
    there = np.flatnonzero(ranking.best_pair >= 0)
    order = there[np.argsort(-ranking.sentence_scores[there], kind="stable")]
    return ranking.sentence_scores[order], label[ranking.best_pair[order]]


def figures(ranker: PairsFirst, documents: Sequence[tuple[Reviewed, Strings]]) -> dict[str, float]:
    """Return how the read sentences of debates are ordered, a first claim that nobody has read counted as wrong."""
    lists = [firsts(ranker, *document) for document in documents]
    labels = [label for _, label in lists]
    found = [(scores, label == SETTLED) for scores, label in lists if (label == SETTLED).any()]
    return {
        f"first {FIRST} settled": _share([label[:FIRST] for label in labels], SETTLED),
        f"first {FIRST} settled or in part": _share([label[:FIRST] for label in labels], SETTLED, PART),
        "11 to 20 settled or in part": _share([label[10:20] for label in labels], SETTLED, PART),
        "MAP of settled sentences": round(float(np.mean([average_precision(s, right) for s, right in found])), 4),
        f"first {FIRST} unread": _share([label[:FIRST] for label in labels], ""),
    }


def _share(labels: Sequence[Strings], *wanted: str) -> float:
    return round(float(np.isin(np.concatenate(labels), wanted).mean()), 4)


def likely_border(
    ranker: PairsFirst, documents: Sequence[tuple[Reviewed, Strings]], statements: Sequence[str]
) -> tuple[float, dict[str, float]]:
    """Return the least sureness from which so many read pairs are settled as ``PRECISION`` says, and what it reaches.

    Counted are the first claims of sentences that may be likely: of five words or more, without a conflict.
    """
    sure, right, part = [], [], []
    for document, label in documents:
        inputs, ranking = document.inputs, ranker.rank(document.inputs)
        best = ranking.best_pair[(ranking.best_pair >= 0) & (inputs.words >= SHORT)]
        best = best[label[best] != ""]
        best = best[~conflicting(inputs, best, document.texts, statements)]
        sure.append(ranking.sureness[best])
        right.append(label[best] == SETTLED)
        part.append(label[best] != NO)
    scores, settled, partly = np.concatenate(sure), np.concatenate(right), np.concatenate(part)
    border = tiers.precision_border(scores, settled, PRECISION)
    return border, {"border": round(border, 4), **tier_figures(border, scores, settled, partly)}


def tier_figures(border: float, scores: NDArray, settled: NDArray, partly: NDArray) -> dict[str, float]:
    """Return how often *likely* is right as read, and how much of what is settled it finds."""
    likely = scores >= border
    return {
        "likely": int(likely.sum()),
        "likely settled": round(float(settled[likely].mean()), 4) if likely.any() else 0.0,
        "likely settled or in part": round(float(partly[likely].mean()), 4) if likely.any() else 0.0,
        "settled that are likely": round(float(likely[settled].mean()), 4),
    }
