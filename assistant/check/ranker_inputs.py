"""The ranker inputs of each pair of a sentence and a candidate: one row of numbers per pair.

``features/similarity/input_catalogue.py`` lists the inputs; each has a column here. Pipeline,
training and benches share this code, which knows no model. An input that is not known (no event
date, no title, a pair that the cross-encoder has not read, a speaker without any checked claim) is
NaN and does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol, TypeVar

import numpy as np

from assistant.check.pairs import Floats, Ints, Mask, Pairs
from assistant.core.domain import MIXED, RatingClass, Transcript
from assistant.core.person_names import claimant_surnames, speaker_surname
from features.language import agreement
from features.similarity.catalogue import COLUMN
from features.similarity.context_window import Texts
from features.similarity.coverage import WordBag, WordWeights
from features.similarity.input_catalogue import ARTICLE, CONTEXT, INPUTS, NAMES, SIMILARITY_BY_LEAD
from ranking.pooling import sums_of_groups, two_highest_of_groups

T = TypeVar("T")
CACHED_STATEMENTS = 1 << 17
MIN_DEVIATION = 1e-6  # a smaller standard deviation is only a rounding error
MAX_SHARED_FACTS = 3  # more shared numbers, names or dates count as this many
# Kinds of pair: the claim has an article or a title, or it is a statement alone.
WITH_ARTICLE = 0
STATEMENT_ONLY = 1
_UNCHANGED_SIMILARITIES = tuple(
    ranker_input.name
    for ranker_input in INPUTS
    if ranker_input.name == ranker_input.measure
    and ranker_input.group in ("bertscore", "simcse", "sbert")
)
_NO_OVERLAP = agreement.Overlap(0, 0)


@dataclass(frozen=True, slots=True)
class SpokenSentences:
    """The spoken sentences of one event.

    ``worthiness`` (n,): check-worthiness, 0 to 1. ``event_day``: an ordinal, 0 if unknown.
    ``before``: the sentences said before each one, for the re-ranker; empty if they are not known.
    """

    texts: Sequence[str]
    speakers: Sequence[str | None]
    worthiness: Floats
    event_day: int = 0
    before: Sequence[Texts] = ()

    @classmethod
    def of(
        cls,
        transcript: Transcript,
        worthiness: Floats,
        positions: Ints,
        before: Sequence[Texts] = (),
    ) -> SpokenSentences:
        """Return the sentences of a transcript at ``positions`` (n,).

        ``worthiness`` (s,): the check-worthiness of all its sentences.
        """
        sentences = [transcript.sentences[position] for position in positions]
        event_day = 0
        if transcript.event_date:
            event_day = transcript.event_date.toordinal()
        return cls(
            texts=[sent.text for sent in sentences],
            speakers=[sent.speaker for sent in sentences],
            worthiness=worthiness[positions],
            event_day=event_day,
            before=before,
        )


class ClaimColumns(Protocol):
    """The columns of m claims that the inputs need: of a ClaimIndex, or any object like it."""

    @property
    def statements(self) -> Sequence[str]:
        """Return the statement of each claim."""
        ...

    @property
    def titles(self) -> Sequence[str]:
        """Return the title of each article."""
        ...

    @property
    def claimants(self) -> Sequence[str]:
        """Return the name of each claimant."""
        ...

    @property
    def claim_days(self) -> Ints:
        """Return the day of each claim as an ordinal, 0 if unknown, (m,)."""
        ...

    @property
    def rating_classes(self) -> Sequence[RatingClass]:
        """Return the rating class of each claim."""
        ...


def add_inputs(
    pairs: Pairs, spoken_sentences: SpokenSentences, claims: ClaimColumns, word_weights: WordWeights
) -> Pairs:
    """Return the pairs with their ranker inputs, from their similarity features and their texts."""
    column_by_input = {
        **_similarity_columns(pairs, claims),
        **_cross_encoder_columns(pairs.similarities, pairs.same_claim),
        **_word_overlap(pairs, spoken_sentences, claims, word_weights),
        **_shared_fact_columns(pairs, spoken_sentences, claims),
        **_circumstance_columns(pairs, spoken_sentences, claims),
        **_margin_columns(pairs),
        CONTEXT: np.full(len(pairs), np.nan),  # known once the context is compared
    }
    # The columns (p,) side by side in the order of the catalogue, (p, f).
    inputs = np.stack([column_by_input[input_name] for input_name in NAMES], axis=1).astype(
        np.float32
    )
    has_no_article = np.isnan(column_by_input["sbert_title"]) & np.isnan(
        column_by_input["sbert_body_1"]
    )
    # A half-true rating does not lift a sentence in the list.
    has_clear_rating = _claim_meets(
        claims.rating_classes, pairs, lambda rating: rating not in MIXED
    )
    word_counts = np.array([len(text.split()) for text in spoken_sentences.texts], np.int64)
    return replace(
        pairs,
        inputs=inputs,
        claim_kind=np.where(has_no_article, STATEMENT_ONLY, WITH_ARTICLE),
        may_raise_sentence=has_clear_rating,
        word_count=word_counts[pairs.sentence_index],
    )


def add_cross_encoding(
    pairs: Pairs, label_probabilities: Floats, same_claim_log_odds: Floats
) -> Pairs:
    """Return the pairs with NLI probabilities (p, 3) and log-odds of the same claim (p,)."""
    similarities = pairs.similarities.copy()
    # The columns of the three labels stand together: entailment, neutral, contradiction.
    first_label_column = COLUMN["nli_entailment"]
    last_label_column = COLUMN["nli_contradiction"]
    similarities[:, first_label_column : last_label_column + 1] = label_probabilities
    inputs = pairs.inputs.copy()
    for input_name, input_values in _cross_encoder_columns(
        similarities, same_claim_log_odds
    ).items():
        input_column = NAMES.index(input_name)
        inputs[:, input_column] = input_values
    return replace(pairs, inputs=inputs, similarities=similarities, same_claim=same_claim_log_odds)


def add_worthiness(pairs: Pairs, worthiness: Floats) -> Pairs:
    """Return the pairs with new check-worthiness of their sentences (n,), 0 to 1."""
    return add_input(pairs, "check_worthiness", log_odds(worthiness)[pairs.sentence_index])


def add_input(pairs: Pairs, name: str, column: Floats) -> Pairs:
    """Return the pairs with new values (p,) of one ranker input."""
    inputs = pairs.inputs.copy()
    inputs[:, NAMES.index(name)] = column
    return replace(pairs, inputs=inputs)


def _similarity_columns(pairs: Pairs, claims: ClaimColumns) -> dict[str, Floats]:
    """Return the similarity features that are inputs unchanged, NaN if the claim lacks the field."""
    column_by_input: dict[str, Floats] = {}
    for input_name in _UNCHANGED_SIMILARITIES:
        column_by_input[input_name] = pairs.similarities[:, COLUMN[input_name]].astype(float)
    # A feature of a title or an article that the claim does not have is unknown.
    lacks_title = _claim_meets(claims.titles, pairs, lambda title: not title)
    # The cosine is 0 without an article, or if its vectors are not ready yet.
    lacks_body = column_by_input["sbert_body_1"] == 0
    for input_name, column in column_by_input.items():
        if input_name not in ARTICLE:
            continue
        is_unknown = lacks_title if input_name.endswith("title") else lacks_body
        column[is_unknown] = np.nan
    return column_by_input


def _claim_meets(column: Sequence[T], pairs: Pairs, condition: Callable[[T], bool]) -> Mask:
    """Return for each pair (p,) whether the value of its claim meets a condition.

    ``column`` has a value for each claim of the index. Each is tested once.
    """
    # The different claims (c,), and the claim of each pair as a row among them, (p,).
    distinct_claims, claim_row = np.unique(pairs.claim_index, return_inverse=True)
    meets = np.array([condition(column[claim]) for claim in distinct_claims.tolist()], bool)
    return meets[claim_row]


def _cross_encoder_columns(similarities: Floats, same_claim_log_odds: Floats) -> dict[str, Floats]:
    """Return the inputs from the cross-encoder, NaN for a pair that it has not read."""
    label_columns = [COLUMN["nli_entailment"], COLUMN["nli_neutral"], COLUMN["nli_contradiction"]]
    # The probabilities of a pair sum to 1; they are all 0 if it was not read.
    is_unread = similarities[:, label_columns].sum(axis=1) == 0
    entailment = similarities[:, COLUMN["nli_entailment"]]
    contradiction = similarities[:, COLUMN["nli_contradiction"]]
    return {
        "nli_entailment": np.where(is_unread, np.nan, entailment),
        "nli_contradiction": np.where(is_unread, np.nan, contradiction),
        "same_claim": np.where(is_unread, np.nan, same_claim_log_odds),
    }


def log_odds(worthiness: Floats) -> Floats:
    """Return check-worthiness, 0 to 1, as log-odds: the form in which it is a ranker input."""
    # log(p / (1 - p)), with p kept away from 0 and 1, so that the log-odds stay finite.
    probability = np.clip(np.asarray(worthiness, float), 1e-3, 1 - 1e-3)
    return np.log(probability / (1 - probability))


# The lowest and the highest value of the input ``check_worthiness``.
WORTHINESS_RANGE = float(log_odds(np.array(0.0))), float(log_odds(np.array(1.0)))


def _word_overlap(
    pairs: Pairs, spoken_sentences: SpokenSentences, claims: ClaimColumns, word_weights: WordWeights
) -> dict[str, Floats]:
    """Return BM25 per weight of the sentence's words, and the measures of the words in common."""
    # Several sentences may have one claim, whose words are counted once. The index of a pair's
    # claim is its row among the distinct claims, (p,).
    distinct_claims, distinct_claim_index = np.unique(pairs.claim_index, return_inverse=True)
    statement_texts = [claims.statements[claim] for claim in distinct_claims]
    title_texts = [claims.titles[claim] for claim in distinct_claims]
    statement_bag = WordBag(spoken_sentences.texts, statement_texts, word_weights)
    title_bag = WordBag(spoken_sentences.texts, title_texts, word_weights)
    shared_with_statement = statement_bag.compare(pairs.sentence_index, distinct_claim_index)
    shared_with_title = title_bag.compare(pairs.sentence_index, distinct_claim_index)

    # BM25 grows with the weight of all words of the sentence, (p,), so it is divided by that.
    sentence_weight = np.maximum(statement_bag.weight_of_sentences, 1.0)[pairs.sentence_index]
    bm25_statement = pairs.similarities[:, COLUMN["bm25_statement"]]
    bm25_title = pairs.similarities[:, COLUMN["bm25_title"]]
    bm25_body = pairs.similarities[:, COLUMN["bm25_body"]]
    # An input is NaN if the text that it compares is missing. Both measures of the body are
    # exactly 0 without an article.
    lacks_title = np.array([not title_text for title_text in title_texts], bool)
    pair_lacks_title = lacks_title[distinct_claim_index]
    sbert_body = pairs.similarities[:, COLUMN["sbert_body_1"]]
    pair_lacks_body = (bm25_body == 0) & (sbert_body == 0)
    return {
        "bm25_statement": bm25_statement / sentence_weight,
        "bm25_title": np.where(pair_lacks_title, np.nan, bm25_title / sentence_weight),
        "bm25_body": np.where(pair_lacks_body, np.nan, bm25_body / sentence_weight),
        "sentence_covered": shared_with_statement.of_sentence,
        "statement_covered": shared_with_statement.of_statement,
        "rarest_shared": shared_with_statement.rarest,
        "words_in_row": shared_with_statement.in_row,
        "title_shared": np.where(pair_lacks_title, np.nan, shared_with_title.of_sentence),
    }


def _shared_fact_columns(
    pairs: Pairs, spoken_sentences: SpokenSentences, claims: ClaimColumns
) -> dict[str, Floats]:
    """Return how many numbers, names and dates both texts share, and whether they clash."""
    spoken_facts = [agreement.particulars(text) for text in spoken_sentences.texts]
    distinct_claims, claim_row = np.unique(pairs.claim_index, return_inverse=True)
    claimed_facts = [_particulars(claims.statements[claim]) for claim in distinct_claims]
    comparisons = {
        "numbers": agreement.compare_numbers,
        "names": agreement.compare_names,
        "dates": agreement.compare_dates,
    }
    columns: dict[str, Floats] = {}
    for kind, overlap_of in comparisons.items():
        # Which sentences (n,) and which different claims have any fact of this kind: only these
        # overlap with themselves.
        sentence_has_fact = np.array([overlap_of(f, f) != _NO_OVERLAP for f in spoken_facts], bool)
        claim_has_fact = np.array([overlap_of(f, f) != _NO_OVERLAP for f in claimed_facts], bool)
        # The same for each pair, (p,).
        is_in_sentence = sentence_has_fact[pairs.sentence_index]
        is_in_claim = claim_has_fact[claim_row]
        # A name in one text may be any word of the other; numbers and dates must be in both.
        if kind == "names":
            is_comparable = is_in_sentence | is_in_claim
        else:
            is_comparable = is_in_sentence & is_in_claim
        shared = np.zeros(len(pairs))
        clashing = np.zeros(len(pairs))
        for pair in np.flatnonzero(is_comparable).tolist():
            sentence_facts = spoken_facts[pairs.sentence_index[pair]]
            overlap = overlap_of(sentence_facts, claimed_facts[claim_row[pair]])
            shared[pair] = min(overlap.shared, MAX_SHARED_FACTS)
            clashing[pair] = min(overlap.clashing, 1)
        columns[f"{kind}_shared"] = shared
        columns[f"{kind}_clash"] = clashing
    return columns


@lru_cache(maxsize=CACHED_STATEMENTS)
def _particulars(statement: str) -> agreement.Particulars:
    return agreement.particulars(statement)


def remember_facts(statement: str) -> None:
    """Read and cache the figures, names and dates of a statement before a check needs them."""
    _particulars(statement)


def _circumstance_columns(
    pairs: Pairs, spoken_sentences: SpokenSentences, claims: ClaimColumns
) -> dict[str, Floats]:
    """Return the inputs from speakers, days, ratings and the sentence itself."""
    # Values of each pair, (p,). Days are ordinals, 0 if unknown; the distance counts on a log
    # scale, log(1 + days).
    claim_days = np.asarray(claims.claim_days)[pairs.claim_index].astype(float)
    is_dated = (claim_days > 0) & (spoken_sentences.event_day > 0)
    log_days_apart = np.log1p(np.abs(spoken_sentences.event_day - claim_days))
    is_rated_true = _claim_meets(
        claims.rating_classes, pairs, lambda rating: rating is RatingClass.TRUE
    )
    # Values of each sentence, (n,).
    log_word_counts = np.log1p([len(text.split()) for text in spoken_sentences.texts])
    worthiness_log_odds = log_odds(spoken_sentences.worthiness)
    return {
        "same_speaker": _same_speaker(pairs, spoken_sentences, claims),
        "days_apart": np.where(is_dated, log_days_apart, np.nan),
        "claim_after_event": np.where(is_dated, claim_days >= spoken_sentences.event_day, np.nan),
        "rated_true": is_rated_true.astype(float),
        "check_worthiness": worthiness_log_odds[pairs.sentence_index],
        "sentence_length": log_word_counts[pairs.sentence_index],
    }


def _same_speaker(pairs: Pairs, spoken_sentences: SpokenSentences, claims: ClaimColumns) -> Floats:
    """Return whether the speaker made the claim, NaN for a speaker without a name.

    A person without any checked claim did not make this one. Where no claim has a claimant, nothing
    is known.
    """
    speaker_surnames = [speaker_surname(name or "") for name in spoken_sentences.speakers]
    known_surnames = _all_surnames(claims.claimants)
    # 1 for the same person, 0 for another, NaN for an unknown speaker, (p,).
    is_same_speaker = np.full(len(pairs), np.nan)
    sentences = pairs.sentence_index.tolist()
    claims_of_pairs = pairs.claim_index.tolist()
    for pair, (sentence, claim) in enumerate(zip(sentences, claims_of_pairs, strict=True)):
        surname = speaker_surnames[sentence]
        if surname and known_surnames:
            is_same_speaker[pair] = surname in claimant_surnames(claims.claimants[claim])
    return is_same_speaker


def _margin_columns(pairs: Pairs) -> dict[str, Floats]:
    """Return how far each pair is above the mean and above the best other pair of its sentence.

    Only pairs that the sentence finds alone count in the mean and as others, so that further
    candidates of its context do not change the inputs.
    """
    # How far a pair stands out among the pairs of its sentence.
    column_by_input = {
        "sbert_standing": _above_mean(pairs, "sbert_statement"),
        "bm25_standing": _above_mean(pairs, "bm25_statement"),
    }
    for input_name, similarity in SIMILARITY_BY_LEAD.items():
        column_by_input[input_name] = _lead_over_others(pairs, similarity)
    return column_by_input


def _above_mean(pairs: Pairs, similarity: str) -> Floats:
    """Return each value's distance from the mean of its sentence in standard deviations, (p,)."""
    # How many standard deviations each pair is above the mean of its sentence, (p,).
    similarities = pairs.similarities[:, COLUMN[similarity]]
    is_counted = pairs.found_without_context
    sentence_of_pair = pairs.sentence_index
    # The number, mean and variance of the counted pairs of each sentence, (n,).
    pair_count = np.bincount(sentence_of_pair[is_counted], minlength=pairs.sentence_count)
    pair_count = np.maximum(pair_count, 1)
    value_sum = sums_of_groups(
        np.where(is_counted, similarities, 0), sentence_of_pair, pairs.sentence_count
    )
    mean = value_sum / pair_count
    distance_from_mean = similarities - mean[sentence_of_pair]
    squared_distances = np.where(is_counted, distance_from_mean**2, 0)
    variance = (
        sums_of_groups(squared_distances, sentence_of_pair, pairs.sentence_count) / pair_count
    )
    standard_deviation = np.sqrt(variance)[sentence_of_pair]
    # A sentence whose pairs are all alike has no deviation to divide by: the distance is 0.
    has_deviation = standard_deviation > MIN_DEVIATION
    deviations_above_mean = np.zeros(len(pairs))
    return np.divide(
        distance_from_mean, standard_deviation, out=deviations_above_mean, where=has_deviation
    )


def _lead_over_others(pairs: Pairs, similarity: str) -> Floats:
    """Return each value minus the highest other value of its sentence, (p,); 0 without others."""
    similarities = pairs.similarities[:, COLUMN[similarity]]
    sentence_of_pair = pairs.sentence_index
    # Pairs that only the context finds are below all others, so that they are never the highest.
    ranked_values = np.where(pairs.found_without_context, similarities, -np.inf)
    highest, second_highest = two_highest_of_groups(
        ranked_values, sentence_of_pair, pairs.sentence_count
    )
    # The highest value is compared with the second highest, every other value with the highest.
    is_highest = ranked_values == highest[sentence_of_pair]
    highest_other = np.where(
        is_highest, second_highest[sentence_of_pair], highest[sentence_of_pair]
    )
    lead = similarities - highest_other
    return np.where(np.isfinite(lead), lead, 0.0)


@lru_cache(maxsize=4)
def _all_surnames(claimants: Sequence[str]) -> frozenset[str]:
    """Return every surname of a claimant, gathered once for a database."""
    surnames: set[str] = set()
    for name in set(claimants):
        surnames.update(claimant_surnames(name))
    return frozenset(surnames)
