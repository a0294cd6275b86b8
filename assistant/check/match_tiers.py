"""The tiers after reading the texts.

A match with a conflict is *possible* at most, and each match gets its stance.

The ranker's score says how near a sentence and a claim are; another figure, year, person or place,
the opposite direction, exchanged roles, a quotation, a denial or a mere supposition hardly change
it. So the words of every *likely* or *possible* match are compared
(``features.language.conflicts``), and one with a conflict is at most *possible*: still shown, with
the reason. So is a match whose texts the cross-encoder reads as a contradiction, unless the sentence
inverts the claim: "fewer" with exchanged sides. Another wording alone does not count where the
cross-encoder reads that the sentence follows from the claim. No match is ever raised or hidden.
A shown match without conflict repeats its claim; one that denies it or says the
opposite contradicts it; every other stance is unclear.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.check.pairs import Ints, Mask, Pairs
from assistant.check.rankers import STANCES, Ranking
from assistant.core.domain import Stance
from features.language.agreement import are_comparable
from features.language.conflicts import CONFLICTS, clashes
from features.language.inversions import is_inversion
from features.language.speaker_references import UNKNOWN_SPEAKERS, Speakers
from features.language.word_clashes import Clash
from features.similarity.catalogue import COLUMN
from ranking.tier_thresholds import LIKELY, POSSIBLE

CONTRADICTION = "contradiction"
MIN_CONTRADICTION = 0.8  # the cross-encoder's probability, from which it speaks against a match
WORDING = "wording"
# The probability from which the cross-encoder's entailment outweighs another wording alone. Chosen
# on the sentences written to mislead: those with another wording have .78 at most.
MIN_ENTAILMENT = 0.85
ALL_CONFLICTS = (*CONFLICTS, CONTRADICTION)


@dataclass(frozen=True, slots=True)
class Days:
    """The days of the event and of the claims (by position), to resolve "last year".

    Ordinals, 0 if unknown.
    """

    event: int
    claims: Ints


@dataclass(frozen=True, slots=True)
class ComparedSpeech:
    """The texts of all sentences and claims, by position, with their days and speakers.

    ``days`` and the names are left out if they are unknown.
    """

    texts: Sequence[str]
    statements: Sequence[str]
    days: Days | None = None
    speakers: Sequence[str | None] = ()
    claimants: Sequence[str] = ()

    def clashes(self, sentence: int, claim: int) -> dict[str, Clash]:
        """Return the conflicts between a sentence and a claim by name."""
        # Days are ordinals, 0 if unknown.
        event_day = 0
        claim_day = 0
        if self.days:
            event_day = self.days.event
            claim_day = int(self.days.claims[claim])
        speakers = UNKNOWN_SPEAKERS
        if self.speakers:
            speakers = Speakers(self.speakers[sentence] or "", self.claimants[claim])
        return clashes(self.texts[sentence], self.statements[claim], event_day, claim_day, speakers)

    def are_comparable(self, sentence: int, claim: int) -> bool:
        """Return whether conflicts are looked for between a sentence and a claim."""
        return are_comparable(self.texts[sentence], self.statements[claim])


def capped(
    ranking: Ranking,
    pairs: Pairs,
    texts: Sequence[str],
    statements: Sequence[str],
    days: Days | None = None,
) -> Ranking:
    """Return the ranking with tiers that heed conflicts, for speakers that are not known."""
    return limit_by_conflicts(ranking, pairs, ComparedSpeech(texts, statements, days))


def limit_by_conflicts(ranking: Ranking, pairs: Pairs, speech: ComparedSpeech) -> Ranking:
    """Return the ranking with stances and conflicts, and every *likely* pair with a conflict made *possible*.

    So is a pair that is too long to be compared. A sentence stays likely if a pair that may lift it
    does.
    """
    # A tier says how sure a match is: none, POSSIBLE or LIKELY. A clash is a conflict between a
    # sentence and a claim, such as two figures.
    shown_pairs = np.flatnonzero(ranking.pair_tiers >= POSSIBLE)
    clashes_by_shown_pair = clashes_of_pairs(pairs, shown_pairs, speech)
    # Whether each shown pair has a conflict or may have one, (s,). Such pairs fall to POSSIBLE in
    # a copy of the tiers, (p,).
    has_conflict = np.array([bool(clash_by_name) for clash_by_name in clashes_by_shown_pair], bool)
    may_conflict = np.array(
        [
            not speech.are_comparable(int(pairs.sentence_index[pair]), int(pairs.claim_index[pair]))
            for pair in shown_pairs
        ],
        bool,
    )
    pair_tiers = ranking.pair_tiers.copy()
    pair_tiers[shown_pairs[has_conflict | may_conflict]] = POSSIBLE
    stances = np.full(len(pairs), Stance.UNCLEAR.value, dtype=STANCES)
    stances[shown_pairs] = [
        stance_of(clash_by_name).value for clash_by_name in clashes_by_shown_pair
    ]

    # A sentence stays likely if it has a likely pair without conflict, (n,).
    makes_likely = (pair_tiers == LIKELY) & pairs.may_raise_sentence
    stays_likely = np.zeros(pairs.sentence_count, bool)
    stays_likely[pairs.sentence_index[makes_likely]] = True
    falls_to_possible = (ranking.sentence_tiers == LIKELY) & ~stays_likely
    sentence_tiers = np.where(falls_to_possible, POSSIBLE, ranking.sentence_tiers)

    # The conflicts of each pair that has some, in the order of ALL_CONFLICTS
    conflicts_by_pair = {}
    for pair, clashes_of_pair in zip(shown_pairs.tolist(), clashes_by_shown_pair, strict=True):
        if clashes_of_pair:
            names = [name for name in ALL_CONFLICTS if name in clashes_of_pair]
            conflicts_by_pair[pair] = {name: clashes_of_pair[name] for name in names}
    return replace(
        ranking,
        pair_tiers=pair_tiers,
        sentence_tiers=sentence_tiers,
        stances=stances,
        conflicts=conflicts_by_pair,
    )


def clashes_of_pairs(
    pairs: Pairs, chosen_pairs: Ints, speech: ComparedSpeech
) -> list[Mapping[str, Clash]]:
    """Return the conflicts of each of some pairs by name, with the words that differ."""
    clashes_by_pair: list[Mapping[str, Clash]] = []
    # The opinion of the cross-encoder on each pair, (p,)
    is_contradicted = _has_probability(pairs, "nli_contradiction", MIN_CONTRADICTION)
    is_entailed = _has_probability(pairs, "nli_entailment", MIN_ENTAILMENT)
    for pair in chosen_pairs.tolist():
        sentence = int(pairs.sentence_index[pair])
        claim = int(pairs.claim_index[pair])
        clash_by_name = speech.clashes(sentence, claim)
        differs_in_wording_alone = list(clash_by_name) == [WORDING]
        if is_entailed[pair] and differs_in_wording_alone:
            # Other words for the same thing: "set up" for "created".
            clash_by_name = {}
        if is_contradicted[pair] and not _says_same_inversely(
            clash_by_name, speech, sentence, claim
        ):
            clash_by_name[CONTRADICTION] = Clash()
        clashes_by_pair.append(clash_by_name)
    return clashes_by_pair


def _says_same_inversely(
    clash_by_name: Mapping[str, Clash], speech: ComparedSpeech, sentence: int, claim: int
) -> bool:
    """Return whether a pair without a conflict says the same the other way round."""
    if clash_by_name:
        return False
    return is_inversion(speech.texts[sentence], speech.statements[claim])


def _has_probability(pairs: Pairs, feature: str, least: float) -> Mask:
    """Return the pairs (p,) to which the cross-encoder gives at least a probability."""
    if not pairs.similarities.size:
        return np.zeros(len(pairs), bool)
    return pairs.similarities[:, COLUMN[feature]] >= least


def conflicting(
    pairs: Pairs, chosen: Ints, texts: Sequence[str], statements: Sequence[str]
) -> Mask:
    """Return whether each of some pairs has a conflict."""
    clashes_by_pair = clashes_of_pairs(pairs, chosen, ComparedSpeech(texts, statements))
    return np.array([bool(clash_by_name) for clash_by_name in clashes_by_pair], bool)


def stance_of(names: Collection[str]) -> Stance:
    """Return the stance of a shown match towards its claim, from its conflicts."""
    if "denial" in names or "direction" in names:
        return Stance.CONTRADICTS
    return Stance.UNCLEAR if names else Stance.REPEATS
