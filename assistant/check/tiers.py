"""The shown matches read again, word for word: which may be *likely*, and which repeat or contradict their claim.

The ranker's score says how near a sentence and a claim are; another figure, year, person or place, the opposite
direction, a denial or a mere supposition hardly move it. So whatever is *likely* or *possible* is read again
(``features.conflict``), and where something stands against it, it is *possible* at most: still shown, with its reason.
Nothing is ever raised or hidden. A shown match that nothing stands against repeats its claim; one that denies it or
says the opposite contradicts it; every other stance is unclear.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assistant.check.ranker_inputs import PairInputs
from assistant.check.rankers import STANCES, Ranking
from assistant.ground.domain import Stance
from features.conflict import CONFLICTS, conflicts
from ranking.tiers import LIKELY, POSSIBLE

Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Days:
    """When sentences and claims (by position) were said, for "last year" and its like: ordinals, 0 if unknown."""

    event: int
    claims: Ints


def capped(
    ranking: Ranking, inputs: PairInputs, texts: Sequence[str], statements: Sequence[str], days: Days | None = None
) -> Ranking:
    """Return the ranking with every *likely* pair that something stands against made *possible*, stances and conflicts.

    A sentence stays likely if a pair that may lift it does. ``texts`` (n,): the sentences; ``statements`` (m,): the
    claims', by position.
    """
    shown = np.flatnonzero(ranking.pair_tiers >= POSSIBLE)
    found = conflicts_of(inputs, shown, texts, statements, days)
    tiers, stances = ranking.pair_tiers.copy(), np.full(len(inputs), Stance.UNCLEAR.value, dtype=STANCES)
    stances[shown] = [stance_of(names).value for names in found]
    against = np.array([bool(names) for names in found], bool)
    tiers[shown[against]] = POSSIBLE
    lifted = np.zeros(inputs.n, bool)
    lifted[inputs.sentence[(tiers == LIKELY) & inputs.lifts]] = True
    sentences = np.where((ranking.sentence_tiers == LIKELY) & ~lifted, POSSIBLE, ranking.sentence_tiers)
    told = {
        pair: tuple(name for name in CONFLICTS if name in names)
        for pair, names in zip(shown.tolist(), found, strict=True)
        if names
    }
    return replace(ranking, pair_tiers=tiers, sentence_tiers=sentences, stances=stances, conflicts=told)


def conflicts_of(
    inputs: PairInputs, pairs: Ints, texts: Sequence[str], statements: Sequence[str], days: Days | None = None
) -> list[frozenset[str]]:
    """Return for each of some pairs, given by position, what stands against its being the same claim."""
    return [
        conflicts(texts[sentence], statements[claim], *((days.event, int(days.claims[claim])) if days else ()))
        for sentence, claim in zip(inputs.sentence[pairs].tolist(), inputs.claim[pairs].tolist(), strict=True)
    ]


def conflicting(inputs: PairInputs, pairs: Ints, texts: Sequence[str], statements: Sequence[str]) -> Mask:
    """Return for each of some pairs whether anything stands against it."""
    return np.array([bool(names) for names in conflicts_of(inputs, pairs, texts, statements)], bool)


def stance_of(names: Collection[str]) -> Stance:
    """Return what a shown match does with its claim, from what stands against it."""
    if "denial" in names or "direction" in names:
        return Stance.CONTRADICTS
    return Stance.UNCLEAR if names else Stance.REPEATS
