"""From arrays back to values: the matches of a sentence, best first, each with the reasons for its rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.check.ranker_inputs import PairInputs, Spoken
from assistant.check.rankers import TIERS, Ranking
from assistant.claims.index import ClaimIndex
from assistant.explain.key_sentences import Explainers
from assistant.explain.relation import Relater
from assistant.ground.domain import Agreement, CheckedSentence, KeySentence, Match, Sentence, Stance
from features.agreement import agreement
from features.nli import CrossEncoder
from features.spec import Floats


@dataclass(frozen=True, slots=True)
class Matcher:
    """Makes the matches of the sentences of one ranking. ``vectors`` (n, d) are the sentences' SBERT vectors."""

    index: ClaimIndex
    spoken: Spoken
    vectors: Floats
    inputs: PairInputs
    ranking: Ranking
    shown: int
    explainers: Explainers = Explainers()
    relater: Relater | None = None
    nli: CrossEncoder | None = None

    def checked(self, sent: Sentence, worthiness: float, place: int, rank: int) -> CheckedSentence:
        """Return a kept sentence with its matches; where no candidate is near enough, with the nearest one."""
        first, last = np.searchsorted(self.inputs.sentence, (place, place + 1))
        pairs = first + np.argsort(-self.ranking.pair_scores[first:last], kind="stable")
        near = [p for p in pairs.tolist() if self.ranking.pair_tiers[p]][: self.shown]
        return CheckedSentence(
            sentence=sent,
            check_worthiness=worthiness,
            kept=True,
            rank=rank,
            score=float(self.ranking.sentence_scores[place]),
            tier=TIERS[self.ranking.sentence_tiers[place]],
            matches=self._related(place, self._matches(place, near), near),
            nearest=next(iter(self._matches(place, pairs[:1].tolist() if not near else [])), None),
        )

    def _matches(self, place: int, pairs: Sequence[int]) -> tuple[Match, ...]:
        """Return the matches of some pairs of one sentence, their articles explained together."""
        claims = [int(self.inputs.claim[pair]) for pair in pairs]
        keys = self.explainers.explain(self.index, self.spoken.texts[place], self.vectors[place], claims)
        return tuple(self._match(pair, rank, key) for rank, (pair, key) in enumerate(zip(pairs, keys, strict=True), 1))

    def _related(self, place: int, matches: tuple[Match, ...], pairs: Sequence[int]) -> tuple[Match, ...]:
        """Return the matches, the best one with how its article stands to the sentence: reading costs most of all."""
        if not matches or self.relater is None or self.nli is None:
            return matches
        said = (self.spoken.texts[place], self.vectors[place])
        claim = int(self.inputs.claim[pairs[0]])
        relation = self.relater.relate(self.index, self.nli, self.explainers, said, claim)
        return (replace(matches[0], relation=relation), *matches[1:])

    def _match(self, pair: int, rank: int, keys: tuple[KeySentence, ...]) -> Match:
        place, claim = int(self.inputs.sentence[pair]), int(self.inputs.claim[pair])
        text, statement = self.spoken.texts[place], self.index.statements[claim]
        measures, days = self.inputs.measures[pair], (self.spoken.event_day, int(self.index.claim_days[claim]))
        contributions = zip(self.ranking.contribution_names, self.ranking.contributions[pair].tolist(), strict=True)
        sure = zip(self.ranking.contribution_names, self.ranking.sure_parts.get(pair, ()), strict=False)
        return Match(
            claim=self.index.claim(claim),
            rank=rank,
            score=float(self.ranking.pair_scores[pair]),
            tier=TIERS[self.ranking.pair_tiers[pair]],
            measures=tuple(measures.tolist()),
            contributions={name: value for name, value in contributions if value},
            stance=Stance(str(self.ranking.stances[pair])),
            agreement={part: Agreement(value) for part, value in agreement(text, statement, *days).items()},
            key_sentences=keys,
            sureness={name: float(value) for name, value in sure if value},
            against=self.ranking.conflicts.get(pair, ()),
        )
