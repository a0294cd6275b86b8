"""From arrays back to values: the matches of a sentence, best first, each with the reasons for its rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assistant.claims.index import ClaimIndex
from assistant.domain import Agreement, CheckedSentence, KeySentence, Match, Sentence, Stance
from assistant.pairs import PairInputs, Spoken
from assistant.rankers import TIERS, Ranking
from features.agreement import agreement
from features.spec import Floats

KEY_SENTENCES = 3
WHY_NEAREST = "nearest in meaning to the sentence"


@dataclass(frozen=True, slots=True)
class Matcher:
    """Makes the matches of the sentences of one ranking. ``vectors`` (n, d) are the sentences' SBERT vectors."""

    index: ClaimIndex
    spoken: Spoken
    vectors: Floats
    inputs: PairInputs
    ranking: Ranking
    shown: int

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
            matches=tuple(self._match(pair, number) for number, pair in enumerate(near, 1)),
            nearest=self._match(int(pairs[0]), 1) if len(pairs) and not near else None,
        )

    def _match(self, pair: int, rank: int) -> Match:
        place, claim = int(self.inputs.sentence[pair]), int(self.inputs.claim[pair])
        text, statement = self.spoken.texts[place], self.index.statements[claim]
        measures = self.inputs.measures[pair]
        contributions = zip(self.ranking.contribution_names, self.ranking.contributions[pair].tolist(), strict=True)
        return Match(
            claim=self.index.claim(claim),
            rank=rank,
            score=float(self.ranking.pair_scores[pair]),
            tier=TIERS[self.ranking.pair_tiers[pair]],
            measures=tuple(measures.tolist()),
            contributions={name: value for name, value in contributions if value},
            stance=Stance(str(self.ranking.stances[pair])),
            agreement={part: Agreement(value) for part, value in agreement(text, statement).items()},
            key_sentences=self._nearest(place, claim),
        )

    def _nearest(self, place: int, claim: int) -> tuple[KeySentence, ...]:
        """Return the sentences of the article nearest to the sentence by SBERT, verbatim, best first."""
        vectors = self.index.body_vectors(claim)
        if not len(vectors):
            return ()
        scores = vectors @ self.vectors[place]
        spans, body = self.index.body_spans(claim), self.index.claim(claim).body
        return tuple(
            KeySentence(i, start, end, body[start:end], float(scores[i]), WHY_NEAREST)
            for i in np.argsort(-scores, kind="stable")[:KEY_SENTENCES].tolist()
            for start, end in [map(int, spans[i])]
        )
