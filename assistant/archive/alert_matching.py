"""Sentences with the new fact-checks near them: which pairs are matches of what tier.

What leaves out most comes first.

An alert tells of a *likely* match, and whether a pair is likely depends on nothing else in the
database. So a pair is read only as long as it can become likely: first goes what stored vectors
and words tell, then check-worthiness, then token states, then what the cross-encoder says. What is
left goes through the measures and the ranker of a check, among its nearest other fact-checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assistant.check import candidates, pair_features
from assistant.check.candidates import Candidates, Depths
from assistant.check.loaded_models import Models
from assistant.check.pair_features import Measured
from assistant.check.progress import no_progress
from assistant.check.ranker_inputs import PairInputs, log_odds, pair_inputs
from assistant.check.ranker_inputs import Spoken as Wordings
from assistant.check.rankers import TIERS
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import Stance
from features.models.model_spec import Floats
from features.similarity import bertscore, cosines
from features.similarity.catalogue import COLUMN, MEASURES
from features.similarity.context_window import Texts
from features.similarity.input_catalogue import NAMES

BESIDE = Depths(
    statement_cosine=10, title_cosine=0, statement=10, title=0, body=0
)  # what a pair is ranked among
HALF = (
    0.01  # more than half precision changes a cosine, or SimCSE's, which is made from such vectors
)
BERTSCORE = "bertscore"
WORTHINESS = "check_worthiness"
CROSS_ENCODED = ("nli_entailment", "nli_contradiction", "same_claim")


class Said(Protocol):
    """A sentence of the archive, as it is stored."""

    id: int
    transcript: int
    text: str
    speaker: str
    event_date: date | None


Pairs = Mapping[int, set[int]]  # by sentence: the positions of the fact-checks near it
Match = tuple[Said, int, str]  # a sentence, the position of a fact-check, the tier


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the ``pairs`` of sentences and fact-checks.

    ``before`` tells what was said before some sentences.
    """

    models: Models
    index: ClaimIndex
    pairs: Pairs
    before: Callable[[Sequence[Said]], Sequence[Texts]]

    def matches(
        self, debates: Sequence[Sequence[Said]], vectors: Mapping[int, Floats]
    ) -> Iterator[Match]:
        """Yield the matches in some debates. ``vectors``: as they are stored, (d,) by sentence."""
        said = [row for debate in debates for row in debate]
        firsts = np.cumsum([0, *map(len, debates)]).tolist()
        inputs = self._inputs(debates, np.array([vectors[row.id] for row in said]))
        sentence = np.concatenate(
            [part.sentence + first for part, first in zip(inputs, firsts, strict=False)]
        )
        claim, values = (
            np.concatenate([getattr(part, name) for part in inputs]) for name in ("claim", "values")
        )
        able = np.flatnonzero(
            self.models.may_be_likely(values, (WORTHINESS, BERTSCORE, *CROSS_ENCODED))
        )

        worthiness = np.zeros(len(said), np.float32)
        places = np.unique(sentence[able])
        worthiness[places] = self.models.checkworthiness.score(
            [said[place].text for place in places]
        )
        values[:, NAMES.index(WORTHINESS)] = log_odds(worthiness)[sentence]
        able = able[worthiness[sentence[able]] >= self.models.worthiness_threshold]
        able = able[self.models.may_be_likely(values[able], (BERTSCORE, *CROSS_ENCODED))]

        places = np.unique(sentence[able])
        read, states = self.models.encoders.read([said[place].text for place in places])
        values[able, NAMES.index(BERTSCORE)] = self._bertscores(
            states, np.searchsorted(places, sentence[able]), claim[able]
        )
        able = able[self.models.may_be_likely(values[able], CROSS_ENCODED)]

        read_by_it = np.ix_(able, [NAMES.index(name) for name in CROSS_ENCODED])
        values[read_by_it] = self._cross_encoded(said, sentence[able], claim[able])
        kept = np.isin(places, sentence[able[self.models.may_be_likely(values[able], ())]])
        for first, last in pairwise(firsts):
            of_debate = np.flatnonzero(kept & (places >= first) & (places < last))
            if len(of_debate):
                chosen = places[of_debate]
                encoded = read[of_debate], [states[place] for place in of_debate]
                yield from self._ranked(
                    [said[place] for place in chosen], worthiness[chosen], encoded
                )

    def _inputs(self, debates: Sequence[Sequence[Said]], vectors: Floats) -> list[PairInputs]:
        """Return what vectors in half precision (n, d) and words tell of the pairs of each debate."""
        said = [row for debate in debates for row in debate]
        near = _padded([sorted(self.pairs[row.id]) for row in said])
        X = np.zeros((*near.shape, len(MEASURES)), np.float32)
        used = np.unique(near[near >= 0])
        places = np.where(near >= 0, np.searchsorted(used, near), -1).astype(np.int32)
        lifted = self.models.encoders.simcse_vectors([row.text for row in said], vectors)
        for family, of_sentences in (("sbert", vectors), ("simcse", lifted)):
            statements = self.index.vectors(family, "statement")[used]
            X[..., COLUMN[f"{family}_statement"]] = (
                cosines.pair_cosines(of_sentences, statements, places) + HALF
            )
        unread = np.full(near.shape, np.nan, np.float32)
        made = []
        first = 0
        for debate in debates:
            part = slice(first, first + len(debate))
            first = first + len(debate)
            wordings = _wordings(debate, np.ones(len(debate), np.float32))
            measured = Measured(X[part], unread[part])
            made.append(
                pair_inputs(wordings, self.index, near[part], measured, self.models.word_weights)
            )
        return made

    def _bertscores(
        self, states: Sequence[Floats], sentence: NDArray[np.intp], claim: NDArray[np.integer]
    ) -> Floats:
        """Return BERTScore of each pair of one of some sentences and a fact-check, (p,)."""
        self.index.read_states(np.unique(claim).tolist())
        read = self.index.statement_states
        base = self.models.encoders.baseline
        pairs = claim.astype(np.int32)[:, None]
        return bertscore.pair_scores(
            [states[place] for place in sentence], read, pairs, baseline=base
        )[:, 0]

    def _cross_encoded(
        self, said: Sequence[Said], sentence: NDArray[np.intp], claim: NDArray[np.integer]
    ) -> Floats:
        """Return what the cross-encoder says of each pair, (p, 3), in the order of ``CROSS_ENCODED``."""
        statements = [self.index.statements[place] for place in claim.tolist()]
        spoken = [said[place].text for place in sentence.tolist()]
        labels, same = pair_features.read_pairs(
            statements, spoken, self.models.encoders, no_progress
        )
        return np.column_stack((labels[:, 0], labels[:, 2], same))

    def _ranked(
        self, said: Sequence[Said], worthiness: Floats, encoded: pair_features.Encoded
    ) -> Iterator[Match]:
        """Yield the matches of some sentences of one debate by all measures."""
        texts = [row.text for row in said]
        wordings = _wordings(said, worthiness, self.before(said))
        nearest = candidates.search(texts, encoded[0], self.index, depths=BESIDE)
        of_sentences: list[list[int]] = []
        for sentence, positions in zip(said, nearest, strict=True):
            claims = np.union1d(positions[positions >= 0], sorted(self.pairs[sentence.id]))
            of_sentences.append(claims.tolist())
        read = _padded(of_sentences)
        X = pair_features.measure_without_nli(
            texts, self.index, self.models.encoders, read, encoded=encoded
        )
        inputs, ranking = self.models.rank(wordings, self.index, read, X)
        for pair in np.flatnonzero(ranking.pair_tiers).tolist():
            row = said[int(inputs.sentence[pair])]
            claim = int(inputs.claim[pair])
            if claim in self.pairs[row.id] and ranking.stances[pair] != Stance.CONTRADICTS:
                yield row, claim, str(TIERS[ranking.pair_tiers[pair]])


def _wordings(said: Sequence[Said], worthiness: Floats, before: Sequence[Texts] = ()) -> Wordings:
    day = said[0].event_date
    speakers = [row.speaker or None for row in said]
    return Wordings(
        [row.text for row in said], speakers, worthiness, day.toordinal() if day else 0, before
    )


def _padded(rows: Sequence[Sequence[int]]) -> Candidates:
    """Return rows of different lengths as one array (n, k), filled up with -1."""
    padded = np.full((len(rows), max(map(len, rows))), -1, np.int32)
    for place, row in enumerate(rows):
        padded[place, : len(row)] = row
    return padded
