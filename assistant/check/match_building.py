"""Matches: the arrays of a ranking become the matches of each sentence, with the reasons for their rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.check.check_run import CheckRun
from assistant.check.loaded_models import Models
from assistant.check.pairs import Floats, Ints, Pairs
from assistant.check.ranker_inputs import SpokenSentences
from assistant.check.rankers import TIERS, Ranking
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import (
    Agreement,
    CheckedSentence,
    Difference,
    KeySentence,
    Match,
    Sentence,
    Stance,
    Strength,
    Transcript,
)
from assistant.report.measured_strength import is_verbatim, strength_of, strength_step
from features.language.agreement import agreement
from features.language.open_parts.noted_parts import noted_parts
from features.language.open_parts.partial_coverage import uncovered_parts
from ranking import tier_thresholds


@dataclass(frozen=True, slots=True)
class MatchBuilder:
    """Makes the matches of the sentences of one ranking.

    ``vectors`` (n, d) are the sentences' SBERT vectors.
    """

    index: ClaimIndex
    spoken: SpokenSentences
    vectors: Floats
    pairs: Pairs
    ranking: Ranking
    models: Models

    def sentences(
        self, transcript: Transcript, worthiness: Floats, positions: Ints
    ) -> tuple[CheckedSentence, ...]:
        """Return every sentence of a transcript in reading order.

        ``worthiness`` (s,): the check-worthiness of all sentences; ``positions`` (n,): the
        positions of the ranked sentences in it.
        """
        # A position is that in the transcript, a row that among the ranked sentences.
        rows_best_first = self.ranking.order().tolist()
        rank_by_row = {row: rank for rank, row in enumerate(rows_best_first, start=1)}
        row_by_position = {position: row for row, position in enumerate(positions.tolist())}
        checked_sentences = []
        for position, sentence in enumerate(transcript):
            check_worthiness = float(worthiness[position])
            row = row_by_position.get(position)
            if row is None:
                # The sentence was not worth checking, so it was not ranked.
                checked_sentence = self._skipped_sentence(sentence, check_worthiness)
            else:
                checked_sentence = self.ranked_sentence(
                    sentence, check_worthiness, row, rank_by_row[row]
                )
            checked_sentences.append(checked_sentence)
        return tuple(checked_sentences)

    def ranked_sentence(
        self, sentence: Sentence, worthiness: float, row: int, rank: int
    ) -> CheckedSentence:
        """Return a kept sentence with its matches, or with its nearest candidate if it has none."""
        # Pairs are sorted by sentence, so the pairs of one sentence follow each other.
        first_pair, end_pair = np.searchsorted(self.pairs.sentence_index, (row, row + 1))
        scores_of_pairs = self.ranking.pair_scores[first_pair:end_pair]
        pairs_best_first = (first_pair + np.argsort(-scores_of_pairs, kind="stable")).tolist()
        tiers = self.ranking.pair_tiers
        matching_pairs = [pair for pair in pairs_best_first if tiers[pair] > tier_thresholds.NONE]
        shown_pairs = matching_pairs[: self.models.profile.matches_shown]
        nearest = None
        on_topic = False
        if pairs_best_first and not shown_pairs:
            # The best pair is too weak for a match: it is the nearest candidate.
            best_pair = pairs_best_first[0]
            (nearest,) = self._build_matches(row, [best_pair])
            on_topic = bool(self.ranking.on_topic[best_pair])
        return CheckedSentence(
            sentence=sentence,
            check_worthiness=worthiness,
            kept=True,
            rank=rank,
            score=float(self.ranking.sentence_scores[row]),
            tier=TIERS[self.ranking.sentence_tiers[row]],
            matches=self._build_matches(row, shown_pairs),
            nearest=nearest,
            on_topic=on_topic,
        )

    def _skipped_sentence(self, sentence: Sentence, worthiness: float) -> CheckedSentence:
        threshold = self.models.worthiness_threshold
        reason = self.models.checkworthiness.dropped_reason(
            sentence, worthiness, threshold=threshold
        )
        return CheckedSentence(sentence, worthiness, False, reason)

    def _build_matches(self, row: int, pairs: Sequence[int]) -> tuple[Match, ...]:
        """Return the matches of some pairs of one sentence, their articles explained together."""
        sentence_text = self.spoken.texts[row]
        sentence_vector = self.vectors[row]
        claims = [int(self.pairs.claim_index[pair]) for pair in pairs]
        # The key sentences of the article behind each claim
        all_key_sentences = self.models.explainers.explain(
            self.index, sentence_text, sentence_vector, claims
        )
        matches: list[Match] = []
        for pair, key_sentences in zip(pairs, all_key_sentences, strict=True):
            rank = len(matches) + 1
            matches.append(self._build_match(pair, rank, key_sentences))
        return tuple(matches)

    def _build_match(self, pair: int, rank: int, keys: tuple[KeySentence, ...]) -> Match:
        """Return the match of one pair, with the reasons for its rank."""
        ranking = self.ranking
        claim = int(self.pairs.claim_index[pair])
        verified_claim = self.index.claim(claim)
        text = self.spoken.texts[int(self.pairs.sentence_index[pair])]
        claim_day = int(self.index.claim_days[claim])
        statement = self.index.statements[claim]
        agreements = agreement(text, statement, self.spoken.event_day, claim_day)
        input_names = ranking.contribution_names
        contributions = zip(input_names, ranking.contributions[pair].tolist(), strict=True)
        # There are none unless a ranker of its own decides which match is likely.
        confidence_contributions = ranking.confidence_contributions.get(pair, ())
        sureness = zip(input_names, confidence_contributions, strict=False)
        conflicts = ranking.conflicts.get(pair, {})
        differences = []
        for conflict_name, clash in conflicts.items():
            differences.append(Difference(conflict_name, clash.in_sentence, clash.in_statement))
        uncovered = []
        if ranking.pair_tiers[pair]:  # the card of a pair below the list has no notes
            for kind, clash in noted_parts(text, statement, verified_claim.claimant):
                uncovered.append(Difference(kind, clash.in_sentence, clash.in_statement))
        match = Match(
            claim=verified_claim,
            rank=rank,
            score=float(ranking.pair_scores[pair]),
            tier=TIERS[ranking.pair_tiers[pair]],
            measures=tuple(self.pairs.similarities[pair].tolist()),
            contributions={name: value for name, value in contributions if value},
            stance=Stance(str(ranking.stances[pair])),
            agreement={kind: Agreement(value) for kind, value in agreements.items()},
            key_sentences=keys,
            sureness={name: float(value) for name, value in sureness if value},
            against=tuple(conflicts),
            other_addresses=self.index.copies.other_addresses(claim),
            differences=tuple(differences),
            uncovered=tuple(uncovered),
        )
        thresholds = self.models.strength_thresholds
        if thresholds is None:
            return match
        return replace(match, strength=strength_of(match, text, thresholds))


def pair_strength(pair: int, pairs: Pairs, ranking: Ranking, run: CheckRun) -> Strength | None:
    """Return the strength that the match of a pair has, None if the ranker gives none.

    The built match has the same strength, but building it takes the work for its card.
    """
    thresholds = run.models.strength_thresholds
    if thresholds is None:
        return None
    log_odds = float(ranking.pair_scores[pair])
    contributions = ranking.confidence_contributions.get(pair, ())
    if len(contributions):
        log_odds = sum(float(value) for value in contributions)
    claim = int(pairs.claim_index[pair])
    text = run.spoken.texts[int(pairs.sentence_index[pair])]
    claim_day = int(run.index.claim_days[claim])
    statement = run.index.statements[claim]
    agreements = agreement(text, statement, run.spoken.event_day, claim_day)
    has_doubt = bool(ranking.conflicts.get(pair)) or Agreement.DIFFERENT in agreements.values()
    tier = TIERS[ranking.pair_tiers[pair]]
    claimant = run.index.claim(claim).claimant
    return strength_step(
        tier,
        log_odds,
        thresholds,
        has_doubt=has_doubt,
        is_verbatim=is_verbatim(text, statement),
        has_open_part=bool(uncovered_parts(text, statement, claimant)),
    )
