"""Matching of new fact-checks with the sentences near them: the pairs that match, with strengths.

An alert is about a strong match, which is always *likely*, and whether a pair is likely depends on
nothing else in the database. So a pair passes a list of filters, the cheapest first, only as long
as it can become likely: by stored vectors and words, by check-worthiness, by token states, by the
cross-encoder. Pairs that pass them all are compared and ranked as in a check, among the nearest other fact-checks
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
from assistant.check.check_run import CheckRun
from assistant.check.loaded_models import Models
from assistant.check.match_building import pair_strength
from assistant.check.pairs import Floats, Ints, Pairs
from assistant.check.ranker_inputs import SpokenSentences, add_input, add_inputs, log_odds
from assistant.check.rankers import TIERS
from assistant.check.ranking_steps import rank_pairs
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import Stance
from assistant.core.progress_callback import no_progress
from assistant.report.measured_strength import NO_STRENGTH
from features.similarity import bertscore, cosines
from features.similarity.catalogue import COLUMN
from features.similarity.context_window import Texts

# How many other fact-checks a pair is ranked among, by each way to search them.
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


class AlertMatch(NamedTuple):
    """A sentence that matches a fact-check, which is given by its position in the index.

    ``strength`` is ``NO_STRENGTH`` if the ranker gives none.
    """

    sentence: StoredSentence
    claim_position: int
    tier: str
    strength: str


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
    near_claims_by_sentence: NearClaims
    said_before: Callable[[Sequence[StoredSentence]], Sequence[Texts]]

    def matches(
        self, debates: Sequence[Sequence[StoredSentence]], vectors: Mapping[int, Floats]
    ) -> Iterator[AlertMatch]:
        """Yield the matches in some debates. ``vectors`` (d,): as they are stored, by sentence."""
        batch = _Batch(self, debates, vectors)
        pairs = batch.pairs()
        for pair_filter in batch.filters():
            pairs = pair_filter.compute(pairs)
            may_be_likely = self.models.may_be_likely(pairs.inputs, pair_filter.unknown_inputs)
            pairs = pairs.only(may_be_likely)
        # Positions in the batch of the sentences that still have a pair, debate by debate.
        remaining_sentences = np.unique(pairs.sentence_index)
        for start, end in _debate_bounds(debates):
            is_of_debate = (remaining_sentences >= start) & (remaining_sentences < end)
            remaining_of_debate = remaining_sentences[is_of_debate]
            if len(remaining_of_debate):
                yield from self._ranked_matches(batch.selected(remaining_of_debate))

    def _ranked_matches(self, selection: _SelectedSentences) -> Iterator[AlertMatch]:
        """Yield the matches of some sentences of one debate by all features."""
        sentences = selection.sentences
        texts = [sentence.text for sentence in sentences]
        previous_texts = self.said_before(sentences)
        spoken = _spoken_sentences(sentences, selection.worthiness, previous_texts)
        sbert_vectors, _ = selection.encoded
        pairs = self._pairs_with_neighbours(sentences, sbert_vectors)
        pairs = name_spelling.compare(
            pairs, texts, self.index, self.models, encoded=selection.encoded
        )
        pairs, ranking = rank_pairs(pairs, spoken, self.index, self.models)
        run = CheckRun(spoken, self.index, self.models)
        # A tier says how sure a match is. Its number is 0 for a pair that doesn't match.
        for pair_index in np.flatnonzero(ranking.pair_tiers).tolist():
            sentence = sentences[int(pairs.sentence_index[pair_index])]
            claim_position = int(pairs.claim_index[pair_index])
            # The other claims only had their part in the ranking: their matches are not new.
            is_new_claim = claim_position in self.near_claims_by_sentence[sentence.id]
            if is_new_claim and ranking.stances[pair_index] != Stance.CONTRADICTS:
                tier = TIERS[ranking.pair_tiers[pair_index]]
                strength = pair_strength(pair_index, pairs, ranking, run)
                yield AlertMatch(sentence, claim_position, str(tier), str(strength or NO_STRENGTH))

    def _pairs_with_neighbours(self, sentences: Sequence[StoredSentence], vectors: Floats) -> Pairs:
        """Return the pairs of sentences with their near claims and with the nearest others."""
        texts = [sentence.text for sentence in sentences]
        # The ranker judges a claim in comparison with the others of its sentence, so the nearest
        # old claims are ranked together with the new ones.
        found_pairs = candidates.search(texts, vectors, self.index, depths=NEIGHBOUR_DEPTHS)
        claims_by_sentence = []
        for sentence, pair_slice in zip(sentences, found_pairs.slices(), strict=True):
            near_claims = sorted(self.near_claims_by_sentence[sentence.id])
            found_claims = found_pairs.claim_index[pair_slice]
            claims_by_sentence.append(np.union1d(found_claims, near_claims))
        return Pairs.from_claims(claims_by_sentence)


class _SelectedSentences(NamedTuple):
    """Some sentences of one debate, with their check-worthiness and their encodings."""

    sentences: list[StoredSentence]
    worthiness: Floats
    encoded: pair_features.Encoded


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
        near_claims = self.matcher.near_claims_by_sentence
        return Pairs.from_claims(
            [np.array(sorted(near_claims[sentence.id]), np.int32) for sentence in self.sentences]
        )

    def filters(self) -> tuple[Filter, ...]:
        """Return the filters, the cheapest first."""
        # Each filter computes inputs of the ranker, and drops pairs that can't be likely, whatever
        # their unknown inputs are.
        return (
            Filter(
                "stored vectors and words",
                self._add_stored_inputs,
                unknown_inputs=(WORTHINESS, BERTSCORE, *CROSS_ENCODED),
            ),
            Filter(
                "check-worthiness",
                self._add_worthiness,
                unknown_inputs=(BERTSCORE, *CROSS_ENCODED),
            ),
            Filter("token states", self._add_bertscore, unknown_inputs=CROSS_ENCODED),
            Filter("cross-encoder", self._add_cross_encoding, unknown_inputs=()),
        )

    def selected(self, sentence_index: Ints) -> _SelectedSentences:
        """Return some encoded sentences, their check-worthiness and their encodings."""
        vectors, token_states = self.encoded
        # Only some sentences of the batch are encoded. The row of each sentence among these, whose
        # positions rise.
        encoded_rows = np.searchsorted(self.encoded_index, sentence_index)
        selected_states = [token_states[row] for row in encoded_rows.tolist()]
        return _SelectedSentences(
            sentences=[self.sentences[position] for position in sentence_index.tolist()],
            worthiness=self.worthiness[sentence_index],
            encoded=(vectors[encoded_rows], selected_states),
        )

    def _texts_at(self, positions: Ints) -> list[str]:
        """Return the texts of the sentences at some positions of the batch."""
        return [self.sentences[position].text for position in positions.tolist()]

    def _add_stored_inputs(self, pairs: Pairs) -> Pairs:
        """Return the pairs with the inputs from vectors in half precision and from words."""
        pairs = self._add_statement_cosines(pairs)
        matcher = self.matcher
        # Each debate has a date of its own, which some inputs depend on. Its pairs are a run of
        # the pairs, whose sentences are counted from its first one.
        inputs_by_debate = []
        debate_bounds = _debate_bounds(self.debates)
        for debate, (start, end) in zip(self.debates, debate_bounds, strict=True):
            is_of_debate = (pairs.sentence_index >= start) & (pairs.sentence_index < end)
            debate_pairs = pairs.only(is_of_debate)
            debate_pairs = replace(
                debate_pairs,
                sentence_count=len(debate),
                sentence_index=debate_pairs.sentence_index - start,
            )
            # The check-worthiness is not known yet: a later filter computes its input.
            unknown_worthiness = np.ones(len(debate), np.float32)
            spoken = _spoken_sentences(debate, unknown_worthiness)
            debate_pairs = add_inputs(
                debate_pairs, spoken, matcher.index, matcher.models.word_weights
            )
            inputs_by_debate.append(debate_pairs.inputs)
        return replace(pairs, inputs=np.concatenate(inputs_by_debate))

    def _add_statement_cosines(self, pairs: Pairs) -> Pairs:
        """Return the pairs with the cosines of sentences and statements, by stored vectors."""
        matcher = self.matcher
        texts = [sentence.text for sentence in self.sentences]
        # SBERT and SimCSE vectors of the sentences, both (n, d).
        sbert = np.array([self.vectors[sentence.id] for sentence in self.sentences])
        simcse = matcher.models.encoders.simcse_vectors(texts, sbert)
        # The different claims (c,), and the claim of each pair as a row among them, (p,).
        distinct_claims, claim_row = np.unique(pairs.claim_index, return_inverse=True)
        similarities = pairs.similarities.copy()
        for family, sentence_vectors in (("sbert", sbert), ("simcse", simcse)):
            statement_vectors = matcher.index.vectors(family, "statement")[distinct_claims]
            pair_cosines = cosines.pair_cosines(
                sentence_vectors, statement_vectors, pairs.sentence_index, claim_row
            )
            # The stored vectors are in half precision: a pair that full precision would let
            # through must not be lost here.
            column = COLUMN[f"{family}_statement"]
            similarities[:, column] = pair_cosines + HALF_PRECISION_ERROR
        return replace(pairs, similarities=similarities)

    def _add_worthiness(self, pairs: Pairs) -> Pairs:
        """Return the pairs of check-worthy sentences, with the score of the sentence."""
        models = self.matcher.models
        # The sentences that still have pairs, (s,)
        remaining_sentences = np.unique(pairs.sentence_index)
        texts = self._texts_at(remaining_sentences)
        self.worthiness[remaining_sentences] = models.checkworthiness.score(texts)
        # The score of the sentence of each pair, (p,).
        pair_worthiness = self.worthiness[pairs.sentence_index]
        pairs = add_input(pairs, WORTHINESS, log_odds(pair_worthiness))
        return pairs.only(pair_worthiness >= models.worthiness_threshold)

    def _add_bertscore(self, pairs: Pairs) -> Pairs:
        """Return the pairs with BERTScore, and keep the encodings of their sentences."""
        index = self.matcher.index
        encoders = self.matcher.models.encoders
        self.encoded_index = np.unique(pairs.sentence_index)
        self.encoded = encoders.read(self._texts_at(self.encoded_index))
        _, token_states = self.encoded
        index.read_states(np.unique(pairs.claim_index).tolist())
        # F1 of each pair, (p,): sentences by their row among the encoded ones, claims by position.
        encoded_row = np.searchsorted(self.encoded_index, pairs.sentence_index)
        scores = bertscore.pair_scores(
            token_states,
            index.statement_states,
            encoded_row,
            pairs.claim_index,
            baseline=encoders.baseline,
        )
        return add_input(pairs, BERTSCORE, scores)

    def _add_cross_encoding(self, pairs: Pairs) -> Pairs:
        """Return the pairs with the inputs from the cross-encoder."""
        all_statements = self.matcher.index.statements
        statements = [all_statements[claim] for claim in pairs.claim_index.tolist()]
        # Chances of entailment, neutrality and contradiction (p, 3), and of the same claim (p,).
        label_chances, same_claim = pair_features.read_pairs(
            statements,
            self._texts_at(pairs.sentence_index),
            self.matcher.models.encoders,
            no_progress,
        )
        pairs = add_input(pairs, "nli_entailment", label_chances[:, 0])
        pairs = add_input(pairs, "nli_contradiction", label_chances[:, 2])
        return add_input(pairs, "same_claim", same_claim)


def _debate_bounds(debates: Sequence[Sequence[StoredSentence]]) -> list[tuple[int, int]]:
    """Return the first position of each debate's sentences in a batch, and the one behind them."""
    # The sentences of all debates are numbered through.
    bounds = []
    start = 0
    for debate in debates:
        end = start + len(debate)
        bounds.append((start, end))
        start = end
    return bounds


def _spoken_sentences(
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
