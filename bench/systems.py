"""The systems of the tables: single measures, the published method and its variants, and Lectern's own.

Each takes the examples to test and, where it learns, a function from a debate to the examples that may train for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from assistant.rankers import MaxSkip, PairsFirst, Pooling, Ranker
from bench.examples import Example, without
from bench.scoring import Scores, mean_ap
from features.catalogue import COLUMN, FAMILIES, MEASURES
from features.catalogue import NAMES as MEASURE_NAMES
from ranking.pooling import best_of_groups
from training.learners import Recipe, fit_lectern, fit_max_skip, pooled

DEPTHS = (1, 3, 5, 10, 20, 30)
Scored = dict[str, Scores]
Name = TypeVar("Name", bound=Hashable)
Training = Callable[[Example], Sequence[Example]]
SINGLE = (*(m.name for m in MEASURES if not m.name.endswith(("_2", "_3", "_4"))), "nli_entailment+contradiction")
BODY = COLUMN["bm25_body"]
ABLATIONS = {
    "all": MEASURE_NAMES,
    **{f"without {f}": tuple(m.name for m in MEASURES if m.family != f) for f in FAMILIES},
    **{f"without {f}": tuple(m.name for m in MEASURES if m.field != f) for f in ("title", "statement", "body")},
}
CHOSEN_FROM = 5  # the largest N that a choice inside the training transcripts tries: beyond, a choice takes minutes
RECIPES = tuple(Recipe(C) for C in (0.01, 0.1, 1.0))


def single(examples: Sequence[Example], name: str, *, skip: bool = False) -> Scored:
    """Return the scores of one measure: a sentence has its largest. ``skip``: half-true left out."""
    return {e.debate.name: _single(e, name, skip) for e in examples}


def _single(example: Example, name: str, skip: bool) -> Scores:
    pairs = sum(example.inputs.measures[:, COLUMN[column]] for column in _columns(name)).astype(float)
    kept = example.inputs.lifts if skip else np.ones(len(pairs), bool)
    best = best_of_groups(pairs[kept], example.inputs.sentence[kept], example.inputs.n, empty=-1.0)
    return Scores(best, pairs)


def _columns(name: str) -> list[str]:
    return ["nli_entailment", "nli_contradiction"] if "+" in name else [name]


def ranked(ranker: Ranker, example: Example, *, claims_by_body: bool = False) -> Scores:
    """Return what a ranker says of a debate. ``claims_by_body``: claims by BM25 of the article, as published."""
    ranking = ranker.rank(example.inputs)
    return Scores(ranking.sentence_scores, example.inputs.measures[:, BODY] if claims_by_body else ranking.pair_scores)


def learnt(
    examples: Sequence[Example], train_for: Training, fit: Callable[[Sequence[Example]], Ranker], **how
) -> Scored:
    """Return the scores of rankers that were each learnt without the debate they score."""
    fitted: dict[tuple[str, ...], Ranker] = {}
    scored = {}
    for example in examples:
        allowed = train_for(example)
        key = tuple(e.debate.name for e in allowed)
        if key not in fitted:
            fitted[key] = fit(allowed)
        scored[example.debate.name] = ranked(fitted[key], example, **how)
    return scored


def max_skip(pooling: Pooling, kernel: str) -> Callable[[Sequence[Example]], MaxSkip]:
    """Return the learner of one variant of the published method. Mere links are not what it was published for."""
    return lambda examples: fit_max_skip(judged_only(examples), pooling, kernel=kernel)


def variants(kernels: Sequence[str], method: str = "ranksvm-max-skip") -> dict[str, tuple[Pooling, str]]:
    """Return the variants of a method by the end of their row's name: reading, kernel, N."""
    readings = ("retrieved",) if method == "ranksvm-retrieved" else ("text", "code")
    return {
        f"{reading}/{kernel}/N={depth}": (Pooling(reading, depth, method == "ranksvm-max-skip"), kernel)
        for reading in readings
        for kernel in kernels
        for depth in DEPTHS
    }


def ablated(columns: Sequence[str], kernel: str) -> Callable[[Sequence[Example]], MaxSkip]:
    """Return the learner of Max with skipping, N = 5 as published, on some measures only."""
    return max_skip(Pooling("code", 5, used=tuple(columns)), kernel)


def chosen_max_skip(kernels: Sequence[str]) -> Callable[[Sequence[Example]], MaxSkip]:
    """Return a learner that chooses the variant by leaving out one training transcript after the other."""

    def fit(examples: Sequence[Example]) -> MaxSkip:
        judged = judged_only(examples)
        found = {name: variant for name, variant in variants(kernels).items() if variant[0].depth <= CHOSEN_FROM}
        best = max(found, key=lambda name: held_out_ap(judged, *found[name]))
        return fit_max_skip(judged, found[best][0], kernel=found[best][1])

    return fit


def held_out_ap(examples: Sequence[Example], pooling: Pooling, kernel: str) -> float:
    """Return the MAP of one variant, each transcript scored by what was learnt from the others."""
    scores = {}
    for example in examples:
        ranker = fit_max_skip(without(examples, example.debate.name), pooling, kernel=kernel)
        scores[example.debate.name] = Scores(ranker.score_rows(pooled(example.inputs, pooling)), np.zeros(0))
    return mean_ap(examples, scores)


def shipped(examples: Sequence[Example], _: Training, *, ranker: Ranker) -> Scored:
    """Return the scores of a ranker as it is: only for debates that it was not learnt from."""
    return {example.debate.name: ranked(ranker, example) for example in examples}


def chosen_lectern(recipes: Sequence[Recipe] = RECIPES) -> Callable[[Sequence[Example]], PairsFirst]:
    """Return a learner of Lectern's ranker that chooses its recipe by leaving out one training transcript at a time."""
    return lambda examples: fit_lectern(examples, choose_recipe(examples, recipes))


def choose_recipe(examples: Sequence[Example], recipes: Sequence[Recipe] = RECIPES) -> Recipe:
    """Return the recipe with the best MAP on judged training transcripts, each scored by a ranker learnt without it."""
    learners = {recipe: (lambda allowed, recipe=recipe: fit_lectern(allowed, recipe)) for recipe in recipes}
    return best_of(learners, judged_only(examples), examples)


def best_of(learners: Mapping[Name, Callable], held_out: Sequence[Example], examples: Sequence[Example]) -> Name:
    """Return the name of the learner with the best MAP over ``held_out``; the first of equals."""

    def score(name: Name) -> float:
        return mean_ap(held_out, learnt(held_out, lambda e: without(examples, e.debate.name), learners[name]))

    return max(learners, key=score)


def judged_only(examples: Sequence[Example]) -> list[Example]:
    """Return the annotated debates."""
    return [example for example in examples if any(pair.judged for pair in example.debate.pairs)]
