"""Matching of new fact-checks with the sentences near them: the pairs that are matches, with tiers.

An alert is about a *likely* match, and whether a pair is likely depends on nothing else in the
database. So a pair passes a list of filters, the cheapest first, only as long as it can become
likely: by stored vectors and words, by check-worthiness, by token states, by the cross-encoder.
Pairs that pass them all are compared and ranked as in a check, among the nearest other fact-checks
of their sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple, Protocol

import numpy as np

from assistant.check import candidates, name_spelling, pair_features
from assistant.check.candidates import Depths
from assistant.check.loaded_models import Models
from assistant.check.pairs import Floats, Ints, Pairs
from assistant.check.ranker_inputs import SpokenSentences, add_input, add_inputs, log_odds
from assistant.check.rankers import TIERS
from assistant.check.ranking_steps import rank_pairs
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import Stance
from assistant.core.progress_callback import no_progress
from features.similarity import bertscore, cosines
from features.similarity.catalogue import COLUMN
from features.similarity.context_window import Texts

# the other fact-checks that a pair is ranked among
NEIGHBOUR_DEPTHS = Depths(statement_cosine=10, title_cosine=0, statement=10, title=0, body=0)
# more than half precision changes a cosine of SBERT, or of SimCSE, which is made from such vectors
HALF_PRECISION_ERROR = 0.01
BERTSCORE = "bertscore"
WORTHINESS = "check_worthiness"
CROSS_ENCODED = ("nli_entailment", "nli_contradiction", "same_claim")


class StoredSentence(Protocol):
    """A sentence of the archive, as it is stored."""

    id: int
    transcript: int
    text: str
    speaker: str
    event_date: date | None


NearClaims = Mapping[int, set[int]]  # positions of the fact-checks near a sentence, by its id
AlertMatch = tuple[StoredSentence, int, str]  # a sentence, the position of a fact-check, the tier


class Filter(NamedTuple):
    """A step that computes inputs of pairs and lets through those that can still be likely.

    ``unknown_inputs``: the inputs that are not known yet after this step.
    """

    name: str
    compute: Callable[[Pairs], Pairs]
    unknown_inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AlertMatcher:
    """Matches sentences with the fact-checks near them.

    ``said_before`` returns the sentences before each of some sentences of one transcript.
    """

    models: Models
    index: ClaimIndex
    near_claims: NearClaims
    said_before: Callable[[Sequence[StoredSentence]], Sequence[Texts]]

    def matches(
        self, debates: Sequence[Sequence[StoredSentence]], vectors: Mapping[int, Floats]
    ) -> Iterator[AlertMatch]:
        """Yield the matches in some debates. ``vectors`` (d,): as they are stored, by sentence."""
        batch = _Batch(self, debates, vectors)
        pairs = batch.pairs()
        for step in batch.filters():
            pairs = step.compute(pairs)
            pairs = pairs.only(self.models.may_be_likely(pairs.inputs, step.unknown_inputs))
        left = np.unique(pairs.sentence_index)
        first = 0
        for debate in debates:
            end = first + len(debate)
            of_debate = left[(left >= first) & (left < end)]
            if len(of_debate):
                yield from self._ranked(*batch.selected(of_debate))
            first = end

    def _ranked(
        self,
        sentences: Sequence[StoredSentence],
        worthiness: Floats,
        encoded: pair_features.Encoded,
    ) -> Iterator[AlertMatch]:
        """Yield the matches of some sentences of one debate by all features."""
        texts = [sentence.text for sentence in sentences]
        spoken = _spoken(sentences, worthiness, self.said_before(sentences))
        pairs = self._with_neighbours(sentences, encoded[0])
        pairs = name_spelling.compare(pairs, texts, self.index, self.models, encoded=encoded)
        pairs, ranking = rank_pairs(pairs, spoken, self.index, self.models)
        for pair in np.flatnonzero(ranking.pair_tiers).tolist():
            sentence = sentences[int(pairs.sentence_index[pair])]
            claim = int(pairs.claim_index[pair])
            is_near = claim in self.near_claims[sentence.id]
            if is_near and ranking.stances[pair] != Stance.CONTRADICTS:
                yield sentence, claim, str(TIERS[ranking.pair_tiers[pair]])

    def _with_neighbours(self, sentences: Sequence[StoredSentence], vectors: Floats) -> Pairs:
        """Return the pairs of sentences with their near claims and with the nearest others."""
        texts = [sentence.text for sentence in sentences]
        nearest = candidates.search(texts, vectors, self.index, depths=NEIGHBOUR_DEPTHS)
        claims_by_sentence = []
        for sentence, run in zip(sentences, nearest.slices(), strict=True):
            near = sorted(self.near_claims[sentence.id])
            claims_by_sentence.append(np.union1d(nearest.claim_index[run], near))
        return Pairs.of_claims(claims_by_sentence)


@dataclass(slots=True)
class _Batch:
    """The sentences of some debates that are matched together, and the results of the filters.

    ``worthiness`` (n,): 0 for a sentence that no filter has scored. ``encoded``: the encodings of
    the sentences ``encoded_index`` (e,), which rise.
    """

    matcher: AlertMatcher
    debates: Sequence[Sequence[StoredSentence]]
    vectors: Mapping[int, Floats]
    sentences: list[StoredSentence] = field(init=False)
    worthiness: Floats = field(init=False)
    encoded_index: Ints = field(init=False)
    encoded: pair_features.Encoded = field(init=False)

    def __post_init__(self) -> None:
        self.sentences = [sentence for debate in self.debates for sentence in debate]
        self.worthiness = np.zeros(len(self.sentences), np.float32)

    def pairs(self) -> Pairs:
        """Return the pairs of all sentences with their near claims."""
        near_claims = self.matcher.near_claims
        return Pairs.of_claims(
            [np.array(sorted(near_claims[sentence.id]), np.int32) for sentence in self.sentences]
        )

    def filters(self) -> tuple[Filter, ...]:
        """Return the filters, the cheapest first."""
        return (
            Filter(
                "stored vectors and words",
                self._add_stored_inputs,
                (WORTHINESS, BERTSCORE, *CROSS_ENCODED),
            ),
            Filter("check-worthiness", self._add_worthiness, (BERTSCORE, *CROSS_ENCODED)),
            Filter("token states", self._add_bertscore, CROSS_ENCODED),
            Filter("cross-encoder", self._add_cross_encoding, ()),
        )

    def selected(
        self, sentence_index: Ints
    ) -> tuple[list[StoredSentence], Floats, pair_features.Encoded]:
        """Return some encoded sentences, their check-worthiness and their encodings."""
        # The row of each sentence among the encoded ones, whose positions rise.
        vectors, states = self.encoded
        rows = np.searchsorted(self.encoded_index, sentence_index)
        return (
            [self.sentences[i] for i in sentence_index.tolist()],
            self.worthiness[sentence_index],
            (vectors[rows], [states[row] for row in rows.tolist()]),
        )

    def _add_stored_inputs(self, pairs: Pairs) -> Pairs:
        """Return the pairs with the inputs from vectors in half precision and from words."""
        matcher = self.matcher
        texts = [sentence.text for sentence in self.sentences]
        # (n, d) SBERT and SimCSE vectors of the sentences, (claims, d) vectors of the statements
        sbert = np.array([self.vectors[sentence.id] for sentence in self.sentences])
        simcse = matcher.models.encoders.simcse_vectors(texts, sbert)
        similarities = pairs.similarities.copy()
        claims, claim_row = np.unique(pairs.claim_index, return_inverse=True)
        for family, of_sentences in (("sbert", sbert), ("simcse", simcse)):
            statements = matcher.index.vectors(family, "statement")[claims]
            values = cosines.pair_cosines(of_sentences, statements, pairs.sentence_index, claim_row)
            similarities[:, COLUMN[f"{family}_statement"]] = values + HALF_PRECISION_ERROR
        pairs = replace(pairs, similarities=similarities)

        # Each debate has a date of its own, which some inputs depend on.
        inputs = []
        first = 0
        for debate in self.debates:
            end = first + len(debate)
            of_debate = pairs.only((pairs.sentence_index >= first) & (pairs.sentence_index < end))
            of_debate = replace(
                of_debate,
                sentence_count=len(debate),
                sentence_index=of_debate.sentence_index - first,
            )
            spoken = _spoken(debate, np.ones(len(debate), np.float32))
            word_weights = matcher.models.word_weights
            inputs.append(add_inputs(of_debate, spoken, matcher.index, word_weights).inputs)
            first = end
        return replace(pairs, inputs=np.concatenate(inputs))

    def _add_worthiness(self, pairs: Pairs) -> Pairs:
        """Return the pairs of check-worthy sentences, with the score of the sentence."""
        models = self.matcher.models
        sentence_index = np.unique(pairs.sentence_index)
        texts = [self.sentences[i].text for i in sentence_index.tolist()]
        self.worthiness[sentence_index] = models.checkworthiness.score(texts)
        pair_worthiness = self.worthiness[pairs.sentence_index]
        pairs = add_input(pairs, WORTHINESS, log_odds(pair_worthiness))
        return pairs.only(pair_worthiness >= models.worthiness_threshold)

    def _add_bertscore(self, pairs: Pairs) -> Pairs:
        """Return the pairs with BERTScore, and keep the encodings of their sentences."""
        index = self.matcher.index
        encoders = self.matcher.models.encoders
        self.encoded_index = np.unique(pairs.sentence_index)
        self.encoded = encoders.read([self.sentences[i].text for i in self.encoded_index.tolist()])
        # F1 of each pair, (p,): sentences by their row among the encoded ones, claims by position.
        index.read_states(np.unique(pairs.claim_index).tolist())
        scores = bertscore.pair_scores(
            self.encoded[1],
            index.statement_states,
            np.searchsorted(self.encoded_index, pairs.sentence_index),
            pairs.claim_index,
            baseline=encoders.baseline,
        )
        return add_input(pairs, BERTSCORE, scores)

    def _add_cross_encoding(self, pairs: Pairs) -> Pairs:
        """Return the pairs with the inputs from the cross-encoder."""
        statements = [self.matcher.index.statements[i] for i in pairs.claim_index.tolist()]
        spoken = [self.sentences[i].text for i in pairs.sentence_index.tolist()]
        labels, same_claim = pair_features.read_pairs(
            statements, spoken, self.matcher.models.encoders, no_progress
        )
        for name, column in zip(
            CROSS_ENCODED, (labels[:, 0], labels[:, 2], same_claim), strict=True
        ):
            pairs = add_input(pairs, name, column)
        return pairs


def _spoken(
    sentences: Sequence[StoredSentence], worthiness: Floats, said_before: Sequence[Texts] = ()
) -> SpokenSentences:
    """Return sentences of one debate in the form that the ranker inputs need."""
    event_date = sentences[0].event_date
    return SpokenSentences(
        texts=[sentence.text for sentence in sentences],
        speakers=[sentence.speaker or None for sentence in sentences],
        worthiness=worthiness,
        event_day=event_date.toordinal() if event_date else 0,
        before=said_before,
    )
