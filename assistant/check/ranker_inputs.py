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
from numpy.typing import NDArray

from assistant.check.pair_features import Measured
from assistant.core.domain import MIXED, RatingClass, Transcript
from assistant.core.person_names import claimant_surnames, speaker_surname
from features.language import agreement
from features.similarity.catalogue import COLUMN
from features.similarity.context_window import Texts
from features.similarity.coverage import WordBag, WordWeights
from features.similarity.input_catalogue import ARTICLE, CONTEXT, INPUTS, LEADING, NAMES

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]
T = TypeVar("T")
# kinds of pair: the claim has an article or a title, or is a statement alone
WHOLE = 0
BARE = 1
_DIRECT = tuple(
    i.name for i in INPUTS if i.name == i.measure and i.group in ("bertscore", "simcse", "sbert")
)
_NOTHING = agreement.Overlap(0, 0)


@dataclass(frozen=True, slots=True)
class Spoken:
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
        cls, transcript: Transcript, worthiness: Floats, kept: Ints, before: Sequence[Texts] = ()
    ) -> Spoken:
        """Return the sentences of a transcript at the places ``kept``.

        ``worthiness`` is that of all its sentences.
        """
        sentences = [transcript.sentences[place] for place in kept]
        event = transcript.event_date
        return cls(
            texts=[sent.text for sent in sentences],
            speakers=[sent.speaker for sent in sentences],
            worthiness=worthiness[kept],
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


@dataclass(frozen=True, slots=True, eq=False)
class PairInputs:
    """The inputs of p pairs of n sentences.

    Values (p, f) in the order of ``names``, and the 19 measures (p, 19).

    For each pair (p,): positions of sentence and claim, place among the candidates, kind, whether
    the claim may lift its sentence, and whether the sentence finds it alone, without its window.
    ``words`` (n,): each sentence's length.
    """

    names: tuple[str, ...]
    values: Floats
    measures: Floats
    sentence: Ints
    claim: Ints
    place: Ints
    kind: Ints
    lifts: Mask
    alone: Mask
    words: Ints

    def __len__(self) -> int:
        return len(self.sentence)

    @property
    def n(self) -> int:
        """Return the number of sentences."""
        return len(self.words)


def pair_inputs(
    spoken: Spoken,
    claims: ClaimColumns,
    candidates: Ints,
    measured: Measured,
    weights: WordWeights,
    *,
    alone: Ints | None = None,
) -> PairInputs:
    """Return the inputs of every pair of a sentence and one of its candidates.

    ``candidates`` (n, k): positions of claims, -1 for none. ``alone`` (n,): how many of them, from the first, a
    sentence finds without its window; all by default.
    """
    X = measured.X
    sentence, place = np.nonzero(candidates >= 0)
    claim = candidates[sentence, place]
    measures = X[sentence, place]
    k = candidates.shape[1]
    by_itself = (candidates >= 0) & (np.arange(k) < (k if alone is None else alone[:, None]))
    columns = {
        **_measures(measures, claims, claim),
        **_cross_encoded(measures, measured.same_claim[sentence, place]),
        **_words(spoken, claims, (sentence, claim), measures, weights),
        **_agreement(spoken, claims, sentence, claim),
        **_circumstances(spoken, claims, sentence, claim),
        **_standing(by_itself, X, sentence, place),
        CONTEXT: np.full(len(sentence), np.nan),  # with_context finds it, where it pays
    }
    values = np.stack([columns[name] for name in NAMES], axis=1).astype(np.float32)
    bare = np.isnan(columns["sbert_title"]) & np.isnan(columns["sbert_body_1"])
    kind = np.where(bare, BARE, WHOLE)
    words = np.array([len(text.split()) for text in spoken.texts], np.int64)
    lifts = _holds(claims.rating_classes, claim, lambda rated: rated not in MIXED)
    return PairInputs(
        NAMES,
        values,
        measures,
        sentence,
        claim,
        place,
        kind,
        lifts,
        by_itself[sentence, place],
        words,
    )


def with_readings(
    inputs: PairInputs, worthiness: Floats, nli: Floats, same_claim: Floats
) -> PairInputs:
    """Return the pairs with new check-worthiness (n,), NLI probabilities (p, 3) and log-odds of the same claim (p,)."""
    values = inputs.values.copy()
    measures = inputs.measures.copy()
    measures[:, COLUMN["nli_entailment"] : COLUMN["nli_contradiction"] + 1] = nli
    columns = _cross_encoded(measures, same_claim) | {
        "check_worthiness": log_odds(worthiness)[inputs.sentence]
    }
    for name, column in columns.items():
        values[:, NAMES.index(name)] = column
    return replace(inputs, values=values, measures=measures)


def with_context(inputs: PairInputs, gains: Floats) -> PairInputs:
    """Return the pairs with what the sentences around add, (n, k).

    See ``measures.context_gains``.
    """
    values = inputs.values.copy()
    values[:, NAMES.index(CONTEXT)] = gains[inputs.sentence, inputs.place]
    return replace(inputs, values=values)


def _measures(measures: Floats, claims: ClaimColumns, claim: Ints) -> dict[str, Floats]:
    columns = {name: measures[:, COLUMN[name]].astype(float) for name in _DIRECT}
    untitled = _holds(claims.titles, claim, lambda title: not title)
    unbodied = columns["sbert_body_1"] == 0  # no article, or its vectors are not ready yet
    for name, column in columns.items():
        if name in ARTICLE:
            column[untitled if name.endswith("title") else unbodied] = np.nan
    return columns


def _holds(column: Sequence[T], claim: Ints, condition: Callable[[T], bool]) -> Mask:
    """Return for each pair (p,) whether its claim meets a condition, tested once for each claim."""
    used, row = np.unique(claim, return_inverse=True)
    return np.array([condition(column[i]) for i in used.tolist()], bool)[row]


def _cross_encoded(measures: Floats, same_claim: Floats) -> dict[str, Floats]:
    """Return what the cross-encoder found, unknown where it has not read the pair."""
    columns = [COLUMN[f"nli_{name}"] for name in ("entailment", "neutral", "contradiction")]
    unread = measures[:, columns].sum(axis=1) == 0
    values = {name: measures[:, COLUMN[name]] for name in ("nli_entailment", "nli_contradiction")}
    values["same_claim"] = same_claim
    return {name: np.where(unread, np.nan, column) for name, column in values.items()}


def log_odds(worthiness: Floats) -> Floats:
    """Return check-worthiness, 0 to 1, as the ranker reads it."""
    worth = np.clip(np.asarray(worthiness, float), 1e-3, 1 - 1e-3)
    return np.log(worth / (1 - worth))


# The least and the greatest value of the input ``check_worthiness``.
WORTHINESS_RANGE = float(log_odds(np.array(0.0))), float(log_odds(np.array(1.0)))


def _words(
    spoken: Spoken,
    claims: ClaimColumns,
    pairs: tuple[Ints, Ints],
    measures: Floats,
    weights: WordWeights,
) -> dict[str, Floats]:
    """Return BM25 per weight of the sentence's words, and the measures of the words in common."""
    sentence, claim = pairs
    used, row = np.unique(claim, return_inverse=True)
    bag = WordBag(spoken.texts, [claims.statements[i] for i in used], weights)
    titles = WordBag(spoken.texts, [claims.titles[i] for i in used], weights)
    shared = bag.compare(sentence, row)
    untitled = np.array([not claims.titles[i] for i in used], bool)[row]
    size = np.maximum(bag.weight_of_sentences, 1.0)[sentence]
    bm25 = {
        name: measures[:, COLUMN[name]] / size
        for name in ("bm25_statement", "bm25_title", "bm25_body")
    }
    bm25["bm25_title"] = np.where(untitled, np.nan, bm25["bm25_title"])
    unbodied = (measures[:, COLUMN["bm25_body"]] == 0) & (measures[:, COLUMN["sbert_body_1"]] == 0)
    bm25["bm25_body"] = np.where(unbodied, np.nan, bm25["bm25_body"])
    return {
        **bm25,
        "sentence_covered": shared.of_sentence,
        "statement_covered": shared.of_statement,
        "rarest_shared": shared.rarest,
        "words_in_row": shared.in_row,
        "title_shared": np.where(untitled, np.nan, titles.compare(sentence, row).of_sentence),
    }


def _agreement(
    spoken: Spoken, claims: ClaimColumns, sentence: Ints, claim: Ints
) -> dict[str, Floats]:
    spoken_facts = [agreement.particulars(text) for text in spoken.texts]
    used, row = np.unique(claim, return_inverse=True)
    claimed_facts = [_particulars(claims.statements[i]) for i in used]
    overlaps = np.zeros((len(sentence), 6))
    for place, compare in enumerate((agreement.numbers, agreement.names, agreement.dates)):
        in_sentence = np.array([compare(facts, facts) != _NOTHING for facts in spoken_facts], bool)[
            sentence
        ]
        in_claim = np.array([compare(facts, facts) != _NOTHING for facts in claimed_facts], bool)[
            row
        ]
        # A name in one text may be any word of the other; numbers and dates are recognised in
        # both.
        comparable = (
            in_sentence | in_claim if compare is agreement.names else in_sentence & in_claim
        )
        for pair in np.flatnonzero(comparable).tolist():
            overlap = compare(spoken_facts[sentence[pair]], claimed_facts[row[pair]])
            overlaps[pair, 2 * place : 2 * place + 2] = (
                min(overlap.shared, 3),
                min(overlap.clashing, 1),
            )
    names = [
        f"{part}_{side}" for part in ("numbers", "names", "dates") for side in ("shared", "clash")
    ]
    return dict(zip(names, overlaps.T, strict=True))


@lru_cache(maxsize=1 << 17)
def _particulars(statement: str) -> agreement.Particulars:
    return agreement.particulars(statement)


def _circumstances(
    spoken: Spoken, claims: ClaimColumns, sentence: Ints, claim: Ints
) -> dict[str, Floats]:
    speakers = [speaker_surname(name or "") for name in spoken.speakers]
    known = _all_surnames(claims.claimants)
    same = [
        float(speakers[s] in claimant_surnames(claims.claimants[c]))
        if speakers[s] in known
        else np.nan
        for s, c in zip(sentence.tolist(), claim.tolist(), strict=True)
    ]
    days = np.asarray(claims.claim_days)[claim].astype(float)
    dated = (days > 0) & (spoken.event_day > 0)
    apart = np.where(dated, np.log1p(np.abs(spoken.event_day - days)), np.nan)
    true = _holds(claims.rating_classes, claim, lambda rated: rated is RatingClass.TRUE)
    length = np.log1p([len(text.split()) for text in spoken.texts])
    return {
        "same_speaker": np.array(same),
        "days_apart": apart,
        "claim_after_event": np.where(dated, days >= spoken.event_day, np.nan),
        "rated_true": true.astype(float),
        "check_worthiness": log_odds(spoken.worthiness)[sentence],
        "sentence_length": length[sentence],
    }


def _standing(alone: Mask, X: Floats, sentence: Ints, place: Ints) -> dict[str, Floats]:
    """Return how far a candidate is above the mean, and above the best other one, of those that its sentence finds
    ``alone`` (n, k): what only the window finds does not change the others.
    """
    columns = {
        "sbert_standing": _above_mean(X[:, :, COLUMN["sbert_statement"]], alone),
        "bm25_standing": _above_mean(X[:, :, COLUMN["bm25_statement"]], alone),
        **{name: _lead(X[:, :, COLUMN[measure]], alone) for name, measure in LEADING.items()},
    }
    return {name: column[sentence, place] for name, column in columns.items()}


def _above_mean(values: Floats, there: Mask) -> Floats:
    count = np.maximum(there.sum(axis=1, keepdims=True), 1)
    mean = np.where(there, values, 0).sum(axis=1, keepdims=True) / count
    spread = np.sqrt(np.where(there, (values - mean) ** 2, 0).sum(axis=1, keepdims=True) / count)
    return np.divide(values - mean, spread, out=np.zeros(values.shape), where=spread > 1e-6)


def _lead(values: Floats, there: Mask) -> Floats:
    """Return each value less the largest of the others that are there.

    0 where there is no other.
    """
    shown = np.where(there, values, -np.inf)
    if values.shape[1] < 2:
        return np.zeros(values.shape)
    second, best = np.sort(shown, axis=1)[:, -2:].T[:, :, None]
    lead = values - np.where(shown == best, second, best)
    return np.where(np.isfinite(lead), lead, 0.0)


@lru_cache(maxsize=4)
def _all_surnames(claimants: Sequence[str]) -> frozenset[str]:
    """Return every surname of a claimant, gathered once for a database."""
    return frozenset().union(*(claimant_surnames(name) for name in set(claimants)))
