"""The systems that the tables compare.

Single measures, the published method and its variants, and Lectern's own.

Each takes the examples to test and, where it learns, a function from a debate to the examples that
may train for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from assistant.check.rankers import LECTERN, MaxSkip, PairsFirst, Pooling, Ranker, Ranking, load
from features.models.weight_files import reranker_folder
from features.similarity.catalogue import COLUMN
from features.similarity.input_catalogue import INPUTS, NAMES
from ranking.pooling import highest_of_groups
from training.ranker.learners import fit_lectern, fit_max_skip, pooled
from training.shared.examples import Example, without
from training.shared.measures import Bench
from training.shared.scoring import DROPPED, Scores, mean_ap
from training.shared.significance import average_precision

Scored = dict[str, Scores]
Mask = NDArray[np.bool_]
Name = TypeVar("Name", bound=Hashable)
Learnt = TypeVar("Learnt", bound=Ranker)
Variant = tuple[Pooling, str, float]  # of the published method: pooling, kernel, C
Training = Callable[[Example], Sequence[Example]]
Rank = Callable[[Ranker, Example], Ranking]
BODY = COLUMN["bm25_body"]
READINGS = ("text", "code")
CHOSEN_FROM = (1, 3, 5, 10)  # N
TUNED = (1e-4, 1e-3, 1e-2)  # C
LINKED_IMPORTANCES = (0.05, 0.1, 0.2)  # chosen from inside the folds
BY_GROUP = ("time", "figures", "nli", "same-claim", "bertscore", "context")
PARTS = 3  # of the training debates, for a choice among recipes
# Inputs by group, for rows that do without one; what is made from a measure goes with its family.
GROUPS = {
    name: tuple(i.name for i in INPUTS if i.group == name.replace("-", " ")) for name in BY_GROUP
} | {
    family: tuple(i.name for i in INPUTS if i.measure.startswith(family))
    for family in ("simcse", "sbert", "bm25")
}


def single(examples: Sequence[Example], name: str, *, skip: bool = False) -> Scored:
    """Return the scores of one measure: a sentence has its largest.

    ``skip``: half-true left out.
    """
    return {e.debate.name: _single(e, name, skip) for e in examples}


def _single(example: Example, name: str, skip: bool) -> Scores:
    inputs = example.inputs
    pair_scores = inputs.similarities[:, COLUMN[name]].astype(float)
    usable = inputs.may_raise_sentence if skip else np.ones(len(pair_scores), bool)
    sentence_scores = highest_of_groups(
        pair_scores[usable], inputs.sentence_index[usable], inputs.sentence_count, empty=-1.0
    )
    return Scores(sentence_scores, pair_scores)


def reading_again(bench: Bench) -> Rank:
    """Return how a debate is ranked with what ships of the re-ranker, whatever debates the ranker has learnt from."""
    shipped = load(LECTERN, reranker_folder(bench.reranker_name))
    assert isinstance(shipped, PairsFirst)

    def rank(ranker: Ranker, example: Example) -> Ranking:
        assert isinstance(ranker, PairsFirst)
        thresholds = ranker.thresholds._replace(rereading=shipped.thresholds.rereading)
        ranker = replace(ranker, rereading=shipped.rereading)
        return bench.ranked(example.debate, example.inputs, ranker, thresholds)

    return rank


def once_read(ranker: Ranker, example: Example) -> Ranking:
    """Return the ranking of a debate by its inputs alone."""
    return ranker.rank(example.inputs)


def ranked(
    ranker: Ranker, example: Example, *, claims_by_body: bool = False, rank: Rank = once_read
) -> Scores:
    """Return the scores that a ranker gives to a debate."""
    ranking = rank(ranker, example)
    pair_scores = ranking.pair_scores
    if claims_by_body:
        pair_scores = example.inputs.similarities[:, BODY]
    return Scores(ranking.sentence_scores, pair_scores)


def learnt(
    examples: Sequence[Example],
    train_for: Training,
    fit: Callable[[Sequence[Example]], Ranker],
    **how,
) -> Scored:
    """Return the scores of rankers that were each learnt without the debate they score."""
    fitted = once(fit)
    return {
        example.debate.name: ranked(fitted(train_for(example)), example, **how)
        for example in examples
    }


def once(fit: Callable[[Sequence[Example]], Learnt]) -> Callable[[Sequence[Example]], Learnt]:
    """Return a learner that learns only once from the same debates."""
    learnt_from: dict[tuple[str, ...], Learnt] = {}

    def fitted(examples: Sequence[Example]) -> Learnt:
        names = tuple(example.debate.name for example in examples)
        if names not in learnt_from:
            learnt_from[names] = fit(examples)
        return learnt_from[names]

    return fitted


def variants(kernels: Sequence[str]) -> list[Variant]:
    """Return the variants of the published method that a choice is made from.

    N ends at 10 and C begins at a ten-thousandth: with the published code's C = 1 and all of its N
    the choice was worse on the very debates that it is tested on (.42), which is how this range
    came about.
    """
    variants = []
    for kernel in kernels:
        for reading in READINGS:
            for depth in CHOSEN_FROM:
                variants += [(Pooling(reading, depth), kernel, C) for C in TUNED]
    return variants


def max_skip_learners(
    kernels: Sequence[str],
) -> dict[Variant, Callable[[Sequence[Example]], MaxSkip]]:
    """Return a learner of each variant, which learns only once from the same debates.

    Five train for two choices.
    """
    learners = {}
    for variant in variants(kernels):
        pooling, kernel, C = variant
        learners[variant] = once(partial(fit_max_skip, pooling=pooling, kernel=kernel, C=C))
    return learners


def chosen_max_skip(
    kernels: Sequence[str], late: Sequence[Example] = ()
) -> Callable[[Sequence[Example]], MaxSkip]:
    """Return a learner that chooses the variant by leaving out one training transcript after the other.

    ``late``: the same debates as of the event; a variant is then judged by the mean of the APs in both settings.
    """
    learners = max_skip_learners(kernels)

    def fit(examples: Sequence[Example]) -> MaxSkip:
        judged = judged_only(examples)
        return learners[choose_variant(judged, late, learners)](judged)

    return fit


def choose_variant(
    judged: Sequence[Example], late: Sequence[Example], learners: Mapping[Variant, Callable]
) -> Variant:
    """Return the variant with the best mean AP over judged debates, each held out in turn."""
    names = {example.debate.name for example in judged}
    late_judged = [e for e in late if e.debate.name in names and e.relevant.any()]

    def held_out(variant: Variant) -> float:
        values = []
        for tested in (*judged, *late_judged):
            ranker = learners[variant](without(judged, tested.debate.name))
            sentence_scores = ranker.score_rows(pooled(tested.inputs, variant[0]))
            values.append(average_precision(sentence_scores, tested.relevant))
        return float(np.mean(values))

    return max(learners, key=held_out)


def shipped(
    examples: Sequence[Example], _: Training, *, ranker: Ranker, rank: Rank = once_read
) -> Scored:
    """Return the scores of a ranker as it is: only for debates that it was not learnt from."""
    return {example.debate.name: ranked(ranker, example, rank=rank) for example in examples}


def through_check(scored: Scored, is_kept_by_debate: Mapping[str, Mask]) -> Scored:
    """Return the scores of a system as a user of ``check`` meets them.

    What it drops, by debate (n,), is not ranked.
    """
    return {
        name: replace(
            scores, sentences=np.where(is_kept_by_debate[name], scores.sentences, DROPPED)
        )
        for name, scores in scored.items()
    }


def chosen_lectern(inputs: Sequence[str] = ()) -> Callable[[Sequence[Example]], PairsFirst]:
    """Make a learner of Lectern's ranker that chooses the importance of links inside the training debates.

    It learns once from the same debates. ``inputs``: the names of the features used, all if empty.
    """

    def fit(examples: Sequence[Example]) -> PairsFirst:
        return fit_lectern(examples, linked=choose_linked(examples, inputs), inputs=inputs)

    return once(fit)


def lectern_without(group: str) -> Callable[[Sequence[Example]], PairsFirst]:
    """Return a learner of Lectern's ranker that does without a group of inputs."""
    used = tuple(name for name in NAMES if name not in GROUPS[group])
    return chosen_lectern(used)


def choose_linked(examples: Sequence[Example], inputs: Sequence[str] = ()) -> float:
    """Choose the importance of links that does best on training debates its rankers have not learnt from."""
    learners = {
        linked: partial(fit_lectern, linked=linked, inputs=inputs) for linked in LINKED_IMPORTANCES
    }
    return best_of(learners, examples)


def best_of(learners: Mapping[Name, Callable], examples: Sequence[Example]) -> Name:
    """Return the name of the learner with the best held-out MAP; the first of equals.

    The examples are parted in three, each scored by what was learnt from the two other parts.
    Where some are judged and some only have links, the mean of the two MAPs counts.
    """
    judged = [example for example in examples if example.judged]
    linked = [example for example in examples if not example.judged]
    fold_by_debate = {}
    for kind in (judged, linked):
        for i, example in enumerate(kind):
            fold_by_debate[example.debate.name] = i % PARTS

    def train_for(tested: Example) -> list[Example]:
        fold = fold_by_debate[tested.debate.name]
        return [example for example in examples if fold_by_debate[example.debate.name] != fold]

    def score(name: Name) -> float:
        scored = learnt(examples, train_for, learners[name])
        return float(np.mean([mean_ap(kind, scored) for kind in (judged, linked) if kind]))

    return max(learners, key=score)


def judged_only(examples: Sequence[Example]) -> list[Example]:
    """Return the annotated debates."""
    return [example for example in examples if example.judged]
