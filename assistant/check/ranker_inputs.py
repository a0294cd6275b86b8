"""The ranker inputs of each pair of a sentence and a candidate.

One row of numbers a pair, named in the catalogue.

The table of the inputs is ``features/similarity/input_catalogue.py``; each of its rows has a
column here. Pipeline, training and benches share this code, which knows no model. An input that is
not known (no event date, no title, a pair that NLI has not read, a speaker without any checked
claim) is NaN and does not count.
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
from features.similarity.input_catalogue import ARTICLE, CONTEXT, INPUTS, LEADING, NAMES
from ranking.pooling import sums_of_groups, two_best_of_groups

T = TypeVar("T")
MOST_SHARED = 3  # numbers, names or dates: more of them count as many
# kinds of pair: the claim has an article or a title, or is a statement alone
WITH_ARTICLE = 0
STATEMENT_ONLY = 1
_SIMILARITIES_AS_THEY_ARE = tuple(
    i.name for i in INPUTS if i.name == i.measure and i.group in ("bertscore", "simcse", "sbert")
)
_NO_OVERLAP = agreement.Overlap(0, 0)


@dataclass(frozen=True, slots=True)
class SpokenSentences:
    """The spoken sentences of one event.

    ``worthiness`` (n,): 0 to 1; ``event_day``: an ordinal, 0 if unknown.

        ``before``: what was said before each sentence, for the re-ranker; empty where that is not known of any.
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
        """Return the sentences of a transcript at the places ``positions``.

        ``worthiness`` is that of all its sentences.
        """
        sentences = [transcript.sentences[position] for position in positions]
        event = transcript.event_date
        return cls(
            texts=[sent.text for sent in sentences],
            speakers=[sent.speaker for sent in sentences],
            worthiness=worthiness[positions],
            event_day=event.toordinal() if event else 0,
            before=before,
        )


class ClaimColumns(Protocol):
    """The columns of the claims that are read, by position.

    A ClaimIndex, or any object with these attributes.
    """

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
    pairs: Pairs, spoken: SpokenSentences, claims: ClaimColumns, weights: WordWeights
) -> Pairs:
    """Return the pairs with their ranker inputs, from their similarity features and their texts."""
    columns = {
        **_similarities(pairs, claims),
        **_cross_encoder_columns(pairs.similarities, pairs.same_claim),
        **_words(pairs, spoken, claims, weights),
        **_agreement(pairs, spoken, claims),
        **_circumstances(pairs, spoken, claims),
        **_standing(pairs),
        CONTEXT: np.full(len(pairs), np.nan),  # known after add_context
    }
    inputs = np.stack([columns[name] for name in NAMES], axis=1).astype(np.float32)
    no_article = np.isnan(columns["sbert_title"]) & np.isnan(columns["sbert_body_1"])
    word_counts = np.array([len(text.split()) for text in spoken.texts], np.int64)
    return replace(
        pairs,
        inputs=inputs,
        claim_kind=np.where(no_article, STATEMENT_ONLY, WITH_ARTICLE),
        may_lift=_holds(claims.rating_classes, pairs, lambda rated: rated not in MIXED),
        word_count=word_counts[pairs.sentence_index],
    )


def add_cross_encoding(pairs: Pairs, labels: Floats, same_claim: Floats) -> Pairs:
    """Return the pairs with NLI probabilities (p, 3) and log-odds of the same claim (p,)."""
    inputs = pairs.inputs.copy()
    similarities = pairs.similarities.copy()
    similarities[:, COLUMN["nli_entailment"] : COLUMN["nli_contradiction"] + 1] = labels
    for name, column in _cross_encoder_columns(similarities, same_claim).items():
        inputs[:, NAMES.index(name)] = column
    return replace(pairs, inputs=inputs, similarities=similarities, same_claim=same_claim)


def add_worthiness(pairs: Pairs, worthiness: Floats) -> Pairs:
    """Return the pairs with new check-worthiness of their sentences (n,), 0 to 1."""
    return add_input(pairs, "check_worthiness", log_odds(worthiness)[pairs.sentence_index])


def add_input(pairs: Pairs, name: str, column: Floats) -> Pairs:
    """Return the pairs with new values (p,) of one ranker input."""
    inputs = pairs.inputs.copy()
    inputs[:, NAMES.index(name)] = column
    return replace(pairs, inputs=inputs)


def _similarities(pairs: Pairs, claims: ClaimColumns) -> dict[str, Floats]:
    """Return the similarity features that are inputs as they are, NaN if the claim lacks the field."""
    columns = {
        name: pairs.similarities[:, COLUMN[name]].astype(float)
        for name in _SIMILARITIES_AS_THEY_ARE
    }
    no_title = _holds(claims.titles, pairs, lambda title: not title)
    no_body = columns["sbert_body_1"] == 0  # no article, or its vectors are not ready yet
    for name, column in columns.items():
        if name in ARTICLE:
            column[no_title if name.endswith("title") else no_body] = np.nan
    return columns


def _holds(column: Sequence[T], pairs: Pairs, condition: Callable[[T], bool]) -> Mask:
    """Return for each pair (p,) whether its claim meets a condition, tested once per claim."""
    claims, claim_row = np.unique(pairs.claim_index, return_inverse=True)
    return np.array([condition(column[i]) for i in claims.tolist()], bool)[claim_row]


def _cross_encoder_columns(similarities: Floats, same_claim: Floats) -> dict[str, Floats]:
    """Return the inputs from the cross-encoder, NaN for a pair that it has not read."""
    columns = [COLUMN[f"nli_{name}"] for name in ("entailment", "neutral", "contradiction")]
    unread = similarities[:, columns].sum(axis=1) == 0
    values = {
        "nli_entailment": similarities[:, COLUMN["nli_entailment"]],
        "nli_contradiction": similarities[:, COLUMN["nli_contradiction"]],
        "same_claim": same_claim,
    }
    return {name: np.where(unread, np.nan, column) for name, column in values.items()}


def log_odds(worthiness: Floats) -> Floats:
    """Return check-worthiness, 0 to 1, as the ranker reads it."""
    worth = np.clip(np.asarray(worthiness, float), 1e-3, 1 - 1e-3)
    return np.log(worth / (1 - worth))


# The least and the greatest value of the input ``check_worthiness``.
WORTHINESS_RANGE = float(log_odds(np.array(0.0))), float(log_odds(np.array(1.0)))


def _words(
    pairs: Pairs, spoken: SpokenSentences, claims: ClaimColumns, weights: WordWeights
) -> dict[str, Floats]:
    """Return BM25 per weight of the sentence's words, and the measures of the words in common."""
    used, claim_row = np.unique(pairs.claim_index, return_inverse=True)
    statements = WordBag(spoken.texts, [claims.statements[i] for i in used], weights)
    titles = WordBag(spoken.texts, [claims.titles[i] for i in used], weights)
    shared = statements.compare(pairs.sentence_index, claim_row)
    shared_with_title = titles.compare(pairs.sentence_index, claim_row)
    no_title = np.array([not claims.titles[i] for i in used], bool)[claim_row]
    bm25_body = pairs.similarities[:, COLUMN["bm25_body"]]
    no_body = (bm25_body == 0) & (pairs.similarities[:, COLUMN["sbert_body_1"]] == 0)
    # (p,): the weight of all words of the sentence
    weight = np.maximum(statements.weight_of_sentences, 1.0)[pairs.sentence_index]
    title_share = pairs.similarities[:, COLUMN["bm25_title"]] / weight
    return {
        "bm25_statement": pairs.similarities[:, COLUMN["bm25_statement"]] / weight,
        "bm25_title": np.where(no_title, np.nan, title_share),
        "bm25_body": np.where(no_body, np.nan, bm25_body / weight),
        "sentence_covered": shared.of_sentence,
        "statement_covered": shared.of_statement,
        "rarest_shared": shared.rarest,
        "words_in_row": shared.in_row,
        "title_shared": np.where(no_title, np.nan, shared_with_title.of_sentence),
    }


def _agreement(pairs: Pairs, spoken: SpokenSentences, claims: ClaimColumns) -> dict[str, Floats]:
    """Return how many numbers, names and dates both texts share, and whether they clash."""
    spoken_facts = [agreement.particulars(text) for text in spoken.texts]
    used, claim_row = np.unique(pairs.claim_index, return_inverse=True)
    claimed_facts = [_particulars(claims.statements[i]) for i in used]
    columns: dict[str, Floats] = {}
    comparisons = {
        "numbers": agreement.numbers,
        "names": agreement.names,
        "dates": agreement.dates,
    }
    for part, overlap_of in comparisons.items():
        # (n,) and (claims,), then (p,): whether either text has any such particular
        sentence_has = np.array([overlap_of(f, f) != _NO_OVERLAP for f in spoken_facts], bool)
        claim_has = np.array([overlap_of(f, f) != _NO_OVERLAP for f in claimed_facts], bool)
        in_sentence = sentence_has[pairs.sentence_index]
        in_claim = claim_has[claim_row]
        # A name in one text may be any word of the other; numbers and dates are recognised in
        # both.
        comparable = in_sentence | in_claim if part == "names" else in_sentence & in_claim
        shared = np.zeros(len(pairs))
        clashing = np.zeros(len(pairs))
        for pair in np.flatnonzero(comparable).tolist():
            facts = spoken_facts[pairs.sentence_index[pair]]
            overlap = overlap_of(facts, claimed_facts[claim_row[pair]])
            shared[pair] = min(overlap.shared, MOST_SHARED)
            clashing[pair] = min(overlap.clashing, 1)
        columns[f"{part}_shared"] = shared
        columns[f"{part}_clash"] = clashing
    return columns


@lru_cache(maxsize=1 << 17)
def _particulars(statement: str) -> agreement.Particulars:
    return agreement.particulars(statement)


def _circumstances(
    pairs: Pairs, spoken: SpokenSentences, claims: ClaimColumns
) -> dict[str, Floats]:
    """Return the inputs from speakers, days, ratings and the sentence itself."""
    days = np.asarray(claims.claim_days)[pairs.claim_index].astype(float)
    dated = (days > 0) & (spoken.event_day > 0)
    days_apart = np.where(dated, np.log1p(np.abs(spoken.event_day - days)), np.nan)
    rated_true = _holds(claims.rating_classes, pairs, lambda rated: rated is RatingClass.TRUE)
    length = np.log1p([len(text.split()) for text in spoken.texts])
    return {
        "same_speaker": _same_speaker(pairs, spoken, claims),
        "days_apart": days_apart,
        "claim_after_event": np.where(dated, days >= spoken.event_day, np.nan),
        "rated_true": rated_true.astype(float),
        "check_worthiness": log_odds(spoken.worthiness)[pairs.sentence_index],
        "sentence_length": length[pairs.sentence_index],
    }


def _same_speaker(pairs: Pairs, spoken: SpokenSentences, claims: ClaimColumns) -> Floats:
    """Return whether the speaker made the claim, NaN for a speaker without any checked claim."""
    surnames = [speaker_surname(name or "") for name in spoken.speakers]
    claimants = _all_surnames(claims.claimants)
    same = np.full(len(pairs), np.nan)
    positions = zip(pairs.sentence_index.tolist(), pairs.claim_index.tolist(), strict=True)
    for pair, (sentence, claim) in enumerate(positions):
        surname = surnames[sentence]
        if surname in claimants:
            same[pair] = surname in claimant_surnames(claims.claimants[claim])
    return same


def _standing(pairs: Pairs) -> dict[str, Floats]:
    """Return how far each pair is above the mean and above the best other pair of its sentence.

    Only pairs that the sentence finds alone count in mean and best, so that further candidates of
    its context do not change the others.
    """
    columns = {
        "sbert_standing": _above_mean(pairs, "sbert_statement"),
        "bm25_standing": _above_mean(pairs, "bm25_statement"),
    }
    for name, similarity in LEADING.items():
        columns[name] = _lead(pairs, similarity)
    return columns


def _above_mean(pairs: Pairs, similarity: str) -> Floats:
    """Return each value's distance from the mean of its sentence in standard deviations, (p,)."""
    values = pairs.similarities[:, COLUMN[similarity]]
    counted = pairs.found_alone
    sentence = pairs.sentence_index
    # (n,): number, mean and standard deviation of the counted pairs of each sentence
    count = np.maximum(np.bincount(sentence[counted], minlength=pairs.sentence_count), 1)
    mean = sums_of_groups(np.where(counted, values, 0), sentence, pairs.sentence_count) / count
    distance = values - mean[sentence]
    squares = np.where(counted, distance**2, 0)
    spread = np.sqrt(sums_of_groups(squares, sentence, pairs.sentence_count) / count)[sentence]
    return np.divide(distance, spread, out=np.zeros(len(pairs)), where=spread > 1e-6)


def _lead(pairs: Pairs, similarity: str) -> Floats:
    """Return each value less the largest other value of its sentence, 0 if it has no other, (p,)."""
    values = pairs.similarities[:, COLUMN[similarity]]
    sentence = pairs.sentence_index
    counted = np.where(pairs.found_alone, values, -np.inf)
    best, second = two_best_of_groups(counted, sentence, pairs.sentence_count)
    others = np.where(counted == best[sentence], second[sentence], best[sentence])
    lead = values - others
    return np.where(np.isfinite(lead), lead, 0.0)


@lru_cache(maxsize=4)
def _all_surnames(claimants: Sequence[str]) -> frozenset[str]:
    """Return every surname of a claimant, gathered once for a database."""
    return frozenset().union(*(claimant_surnames(name) for name in set(claimants)))
