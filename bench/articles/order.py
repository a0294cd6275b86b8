"""Does MTM's relevance of an article help to order the claims of a sentence?

    python -m bench.articles.order --data DIR [--index DIR] [--cache DIR] [--sentences 150]

Linked sentences of those of the sixty-three debates that MTM learnt nothing from, with their first five claims by an
order that was learnt without the fold of their debate, as the shipped one is but from linked debates alone. A second
linear order then reads that order's score and MTM's log-odds of the five articles, learnt without the fold as well.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.check.rankers import PairsFirst
from bench.articles.evidence import cell
from features.articles.mtm import Mtm, load
from ranking.claim_ranker import fit_order
from training.mtm.queries import untaught_debates
from training.mtm.train import MODELS
from training.ranker.learners import Recipe, fit_lectern
from training.shared import debates as data
from training.shared.examples import Example
from training.shared.measures import Bench
from training.shared.opening import add_options, open_bench
from training.shared.tasks import linked_examples

Floats = NDArray[np.floating]
FIRST = 5
C = 1.0  # of two inputs: hardly a penalty
SEED = 17
SURE = 1e-6  # a probability's least distance from 0 and 1


@dataclass(frozen=True, eq=False)
class Ordered:
    """A sentence and its first claims. Shapes: claims (k,) places in the index, scores (k,), right (k,).

    ``place``: that of its first right claim among all candidates, from 1.
    """

    debate: str
    text: str
    claims: NDArray[np.integer]
    scores: Floats
    right: NDArray[np.bool_]
    place: int

    def reciprocal_rank(self, scores: Floats) -> float:
        """Return 1 / place of the right claim once the first claims are ordered by ``scores`` (k,)."""
        if not self.right.any():
            return 1 / self.place
        return float(1 / (1 + np.flatnonzero(self.right[np.argsort(-scores, kind="stable")])[0]))


def ordered(example: Example, ranker: PairsFirst) -> list[Ordered]:
    """Return the sentences of a debate that have a right claim among their candidates."""
    inputs, found = example.inputs, []
    scores = ranker.order.score(inputs.values, inputs.kind)
    for sentence in np.unique(inputs.sentence[example.right]).tolist():
        rows = np.flatnonzero(inputs.sentence == sentence)
        rows = rows[np.argsort(-scores[rows], kind="stable")]
        place, top = int(np.flatnonzero(example.right[rows])[0]) + 1, rows[:FIRST]
        text = example.debate.texts[sentence]
        found.append(Ordered(example.debate.name, text, inputs.claim[top], scores[top], example.right[top], place))
    return found


def sentences(examples: Sequence[Example], folds: dict[str, int], names: set[str]) -> list[Ordered]:
    """Return the sentences of some debates, each ordered by what was learnt without its debate's fold."""
    found: list[Ordered] = []
    for fold in sorted({folds[name] for name in names}):
        ranker = fit_lectern([e for e in examples if folds[e.debate.name] != fold], Recipe())
        for example in examples:
            if example.debate.name in names and folds[example.debate.name] == fold:
                found += ordered(example, ranker)
    return found


def relevance(bench: Bench, mtm: Mtm, sentence: Ordered) -> Floats:
    """Return MTM's log-odds that each first claim's article is about the sentence, (k,)."""
    articles = []
    for claim in sentence.claims.tolist():
        body = bench.index.claim(claim).body
        articles.append([body[start:end] for start, end in bench.index.body_spans(claim)])
    said = np.clip([found.relevance for found in mtm.explain(sentence.text, articles)], SURE, 1 - SURE)
    return np.log(said / (1 - said))


def together(found: Sequence[Ordered], said: Sequence[Floats], folds: dict[str, int]) -> list[Floats]:
    """Return for each sentence the scores of its first claims by both inputs, weighed without its debate's fold."""
    made: list[Floats] = [np.zeros(0)] * len(found)
    for fold in sorted({folds[one.debate] for one in found}):
        rest = [i for i, one in enumerate(found) if folds[one.debate] != fold and one.right.any()]
        values = np.concatenate([np.column_stack((found[i].scores, said[i])) for i in rest])
        group = np.repeat(np.arange(len(rest)), [len(said[i]) for i in rest])
        right, free = np.concatenate([found[i].right for i in rest]), np.ones(2, bool)
        weights = fit_order(values, right, group, np.ones(len(group)), C=C, usable=free, signs=np.ones(2, int))
        print(f"fold {fold}: weights {weights.coef.round(2).tolist()}", flush=True)
        for i, one in enumerate(found):
            if folds[one.debate] == fold:
                made[i] = (np.column_stack((one.scores, said[i])) / weights.scale) @ weights.coef
    return made


def tell(found: Sequence[Ordered], rows: dict[str, Sequence[Floats]]) -> None:
    """Print MRR and the share at rank 1 of each order, and what it gains over the first, intervals over sentences."""
    first: NDArray[np.float64] | None = None
    print("| order | MRR | rank 1 | MRR gained |")
    for name, scores in rows.items():
        ranks = np.array([one.reciprocal_rank(values) for one, values in zip(found, scores, strict=True)])
        first = ranks if first is None else first
        print(f"| {name} | {cell(ranks)} | {cell(ranks == 1.0)} | {cell(ranks - first, sign='+')} |")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.articles.order", description=__doc__.split("\n")[0])
    add_options(parser)
    parser.add_argument("--sentences", type=int, default=150, help="so many at most, drawn")
    options = parser.parse_args(arguments)
    bench, names = open_bench(options), untaught_debates(options.data)
    folds = data.folds(data.others(options.data))
    found = sentences(linked_examples(bench, options.data), folds, names & folds.keys())
    found = random.Random(SEED).sample(found, min(options.sentences, len(found)))
    among = sum(bool(one.right.any()) for one in found)
    print(f"{len(found)} sentences of {len({one.debate for one in found})} debates; right claim in five: {among}")
    mtm, start = load(MODELS), time.monotonic()
    said = [relevance(bench, mtm, one) for one in found]
    print(f"{(time.monotonic() - start) / sum(map(len, said)):.2f} s an article")
    orders = [one.scores for one in found]
    tell(found, {"the order": orders, "relevance alone": said, "both": together(found, said, folds)})


if __name__ == "__main__":
    main()
