"""The tiers after reading the texts.

A match with a conflict is *possible* at most, and each match gets its stance.

The ranker's score says how near a sentence and a claim are; another figure, year, person or place,
the opposite direction, a denial or a mere supposition hardly change it. So the words of every
*likely* or *possible* match are compared (``features.language.conflicts``), and one with a
conflict is at most *possible*: still shown, with the reason. No match is ever raised or hidden. A
shown match without conflict repeats its claim; one that denies it or says the opposite contradicts
it; every other stance is unclear.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assistant.check.ranker_inputs import PairInputs
from assistant.check.rankers import STANCES, Ranking
from assistant.core.domain import Stance
from features.language.conflicts import CONFLICTS, conflicts
from ranking.tier_thresholds import LIKELY, POSSIBLE

Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Days:
    """The days of the event and of the claims (by position), to resolve "last year".

    Ordinals, 0 if unknown.
    """

    event: int
    claims: Ints


def capped(
    ranking: Ranking,
    inputs: PairInputs,
    texts: Sequence[str],
    statements: Sequence[str],
    days: Days | None = None,
) -> Ranking:
    """Return the ranking with stances and conflicts, and every *likely* pair with a conflict made *possible*.

    A sentence stays likely if a pair that may lift it does. ``texts`` (n,): the sentences;
    ``statements`` (m,): those of the claims, by position.
    """
    shown = np.flatnonzero(ranking.pair_tiers >= POSSIBLE)
    conflicts_found = conflicts_of(inputs, shown, texts, statements, days)
    tiers = ranking.pair_tiers.copy()
    stances = np.full(len(inputs), Stance.UNCLEAR.value, dtype=STANCES)
    stances[shown] = [stance_of(names).value for names in conflicts_found]
    against = np.array([bool(names) for names in conflicts_found], bool)
    tiers[shown[against]] = POSSIBLE
    lifted = np.zeros(inputs.n, bool)
    lifted[inputs.sentence[(tiers == LIKELY) & inputs.lifts]] = True
    sentences = np.where(
        (ranking.sentence_tiers == LIKELY) & ~lifted, POSSIBLE, ranking.sentence_tiers
    )
    named = {
        pair: tuple(name for name in CONFLICTS if name in names)
        for pair, names in zip(shown.tolist(), conflicts_found, strict=True)
        if names
    }
    return replace(
        ranking, pair_tiers=tiers, sentence_tiers=sentences, stances=stances, conflicts=named
    )


def conflicts_of(
    inputs: PairInputs,
    pairs: Ints,
    texts: Sequence[str],
    statements: Sequence[str],
    days: Days | None = None,
) -> list[frozenset[str]]:
    """Return for each of some pairs, given by position, the conflicts between sentence and statement."""
    return [
        conflicts(
            texts[sentence],
            statements[claim],
            *((days.event, int(days.claims[claim])) if days else ()),
        )
        for sentence, claim in zip(
            inputs.sentence[pairs].tolist(), inputs.claim[pairs].tolist(), strict=True
        )
    ]


def conflicting(
    inputs: PairInputs, pairs: Ints, texts: Sequence[str], statements: Sequence[str]
) -> Mask:
    """Return for each of some pairs whether it has a conflict."""
    return np.array([bool(names) for names in conflicts_of(inputs, pairs, texts, statements)], bool)


def stance_of(names: Collection[str]) -> Stance:
    """Return what a shown match does with its claim, given its conflicts."""
    if "denial" in names or "direction" in names:
        return Stance.CONTRADICTS
    return Stance.UNCLEAR if names else Stance.REPEATS
