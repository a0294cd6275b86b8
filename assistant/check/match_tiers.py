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

from assistant.check.pairs import Ints, Mask, Pairs
from assistant.check.rankers import STANCES, Ranking
from assistant.core.domain import Stance
from features.language.conflicts import CONFLICTS, conflicts
from ranking.tier_thresholds import LIKELY, POSSIBLE


@dataclass(frozen=True, slots=True)
class Days:
    """The days of the event and of the claims (by position), to resolve "last year".

    Ordinals, 0 if unknown.
    """

    event: int
    claims: Ints


def capped(
    ranking: Ranking,
    pairs: Pairs,
    texts: Sequence[str],
    statements: Sequence[str],
    days: Days | None = None,
) -> Ranking:
    """Return the ranking with stances and conflicts, and every *likely* pair with a conflict made *possible*.

    A sentence stays likely if a pair that may lift it does. ``texts`` (n,): the sentences;
    ``statements`` (m,): the statements of the claims, by position.
    """
    shown = np.flatnonzero(ranking.pair_tiers >= POSSIBLE)
    conflict_names = conflicts_of(pairs, shown, texts, statements, days)
    has_conflict = np.array([bool(names) for names in conflict_names], bool)
    pair_tiers = ranking.pair_tiers.copy()
    pair_tiers[shown[has_conflict]] = POSSIBLE
    stances = np.full(len(pairs), Stance.UNCLEAR.value, dtype=STANCES)
    stances[shown] = [stance_of(names).value for names in conflict_names]

    # (n,): whether a likely pair without conflict lifts the sentence
    stays_likely = np.zeros(pairs.sentence_count, bool)
    stays_likely[pairs.sentence_index[(pair_tiers == LIKELY) & pairs.may_lift]] = True
    falls = (ranking.sentence_tiers == LIKELY) & ~stays_likely
    sentence_tiers = np.where(falls, POSSIBLE, ranking.sentence_tiers)

    conflicts_by_pair = {}
    for pair, names in zip(shown.tolist(), conflict_names, strict=True):
        if names:
            conflicts_by_pair[pair] = tuple(name for name in CONFLICTS if name in names)
    return replace(
        ranking,
        pair_tiers=pair_tiers,
        sentence_tiers=sentence_tiers,
        stances=stances,
        conflicts=conflicts_by_pair,
    )


def conflicts_of(
    pairs: Pairs,
    chosen: Ints,
    texts: Sequence[str],
    statements: Sequence[str],
    days: Days | None = None,
) -> list[frozenset[str]]:
    """Return the conflicts between sentence and statement of each of some pairs, by position."""
    conflict_names = []
    for pair in chosen.tolist():
        text = texts[pairs.sentence_index[pair]]
        claim = int(pairs.claim_index[pair])
        if days:
            conflict_names.append(
                conflicts(text, statements[claim], days.event, int(days.claims[claim]))
            )
        else:
            conflict_names.append(conflicts(text, statements[claim]))
    return conflict_names


def conflicting(
    pairs: Pairs, chosen: Ints, texts: Sequence[str], statements: Sequence[str]
) -> Mask:
    """Return whether each of some pairs has a conflict."""
    return np.array([bool(names) for names in conflicts_of(pairs, chosen, texts, statements)], bool)


def stance_of(names: Collection[str]) -> Stance:
    """Return the stance of a shown match towards its claim, from its conflicts."""
    if "denial" in names or "direction" in names:
        return Stance.CONTRADICTS
    return Stance.UNCLEAR if names else Stance.REPEATS
