"""The rankers by name: from the inputs of pairs to the order of sentences and matches, and tiers.

``lectern`` scores pairs first and pools second, with three linear rankers. The first orders the
claims of a sentence. The second gives the log-odds that the first claim is a match, which is the
sentence's score. The third, which reads no article and no title, decides whether a match is
*likely*, so that this does not depend on the rest of a database. The effect of the re-ranker on
the pairs that come near the list is then added to score and confidence.

``ranksvm-max-skip`` is the published method: the features of the candidates that a sentence finds
without its context window are pooled, half-true claims skipped, and a RankSVM scores the pooled
row. A pair has the score that its features would get alone.

Weights and thresholds are in ``models/``, made by ``training/ranker/train.py`` and
``training/ranker/sureness.py``, and the re-ranker's effect by ``training/reranker/borders.py``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assistant.check.pairs import Floats, Ints, Mask, Pairs
from assistant.check.reranking import RerankerEffect
from assistant.core.domain import Stance, Tier
from assistant.core.errors import ModelUnavailable, SettingsError
from features.language.word_clashes import Clash
from features.models.weight_files import MODELS
from features.similarity.catalogue import COLUMN
from features.similarity.catalogue import NAMES as MEASURES
from features.similarity.input_catalogue import NAMES, RERANKER_GAIN
from ranking import tier_thresholds
from ranking.claim_ranker import BASE_SCORE, ClaimRanker
from ranking.pooling import (
    best_rows_of_groups,
    highest_of_groups,
    largest,
    maximum,
    position_in_group,
    scale,
    side_by_side,
)
from ranking.tier_thresholds import Thresholds

if TYPE_CHECKING:
    from ranking.ranksvm import RankSVM

Ranges = Mapping[str, tuple[float, float]]
LECTERN = "lectern"
RANKSVM = "ranksvm-max-skip"
# By the numbers of ranking.tier_thresholds.
TIERS: tuple[Tier | None, ...] = (None, Tier.POSSIBLE, Tier.LIKELY)
STANCES = f"<U{max(map(len, Stance))}"  # the type of an array of stances
LIKELY_MIN_WORDS = 5  # a sentence of fewer words is never likely
READ_AT_ONCE = 1  # pairs per sentence that are read before the others are pruned again
ROUNDING = 1e-6
NO_CANDIDATE = -20.0  # log-odds of a sentence without any candidate that may lift it


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scores, tiers and reasons of n sentences and p pairs.

    ``sentence_scores`` (n,) order the sentences, ``pair_scores`` (p,) the matches of each, higher
    first. ``sentence_tiers`` (n,) and ``pair_tiers`` (p,) are positions in ``TIERS``.
    ``best_pair`` (n,): the pair that lifts a sentence, else -1.

    ``contributions`` (p, c), named by ``contribution_names``, sum to the pair's score; (p, 0) if
    there are none. ``sureness`` (p,) decides which pair is *likely*. ``confidence_contributions``, named as the
    contributions and keyed by shown pair, sum to it; empty if it is the score. ``standalone_scores``
    (p,): how likely each pair is a match by itself, so that a further one is shown only for its
    own sake. ``on_topic`` (p,): whether a pair is at least about the same topic.

    ``stances`` (p,) are values of ``Stance``, unclear until ``check.match_tiers`` has read the
    texts; ``conflicts``, keyed by pair, are the conflicts that it found by name.
    """

    sentence_scores: Floats
    sentence_tiers: Ints
    pair_scores: Floats
    pair_tiers: Ints
    best_pair: Ints
    stances: NDArray[np.str_]
    contributions: Floats
    contribution_names: tuple[str, ...]
    sureness: Floats
    standalone_scores: Floats
    on_topic: Mask
    confidence_contributions: Mapping[int, Floats] = field(default_factory=dict)
    conflicts: Mapping[int, Mapping[str, Clash]] = field(default_factory=dict)

    def order(self) -> Ints:
        """Return the sentences best first, equal scores in reading order."""
        return np.argsort(-self.sentence_scores, kind="stable")


@dataclass(frozen=True, slots=True)
class PairScores:
    """The scores of p pairs, as in ``Ranking``, before they have tiers."""

    scores: Floats
    contributions: Floats
    contribution_names: tuple[str, ...]
    sureness: Floats
    standalone_scores: Floats


class Ranker(Protocol):
    """A sentence ranker with its claim ranker and thresholds."""

    @property
    def name(self) -> str:
        """Return the name of the ranker in the settings."""
        ...

    @property
    def thresholds(self) -> Thresholds:
        """Return the smallest scores of the tiers."""
        ...

    @property
    def digest(self) -> str:
        """Return the digest of the ranker's file."""
        ...

    @property
    def spells_names(self) -> bool:
        """Return whether sentences are read with names spelled as the claim spells them."""
        ...

    @property
    def trained_with(self) -> Mapping[str, str]:
        """Return the first digits of each model's digest by part of a profile, if recorded."""
        ...

    def rank(self, pairs: Pairs, *, thresholds: Thresholds | None = None) -> Ranking:
        """Return the ranking of the sentences of one event.

        ``thresholds`` replace those stored with the ranker.
        """
        ...

    def rerank(
        self,
        ranking: Ranking,
        pairs: Pairs,
        reranked: Ints,
        odds: Floats,
        *,
        thresholds: Thresholds | None = None,
    ) -> Ranking:
        """Return the ranking with the re-ranker's log-odds (r, 2) of the ``reranked`` pairs (r,)."""
        ...

    def undecided(self, pairs: Pairs, unread: Mask, ranges: Ranges, thresholds: Thresholds) -> Mask:
        """Return which unread pairs (p,) the cross-encoder has to read next.

        None, once all that it could change is known. ``ranges``: the least and the greatest value
        of each input that it gives.
        """
        ...

    def may_be_likely(self, inputs: Floats, ranges: Ranges, thresholds: Thresholds) -> Mask:
        """Return which pairs (p,) can be *likely*, whatever else their database contains.

        ``inputs`` (p, f): their ranker inputs, NaN if not known. ``ranges``: as for ``undecided``.
        """
        ...


@dataclass(frozen=True, slots=True)
class PairsFirst:
    """Lectern's ranker, pairs first.

    The first claim by ``order`` that may lift its sentence gets the log-odds of ``claim_ranker``,
    and so does its sentence. Every other claim gets that score plus its distance from the first by
    ``order``, and is shown if the claim ranker or ``sureness`` alone would show it, too.
    ``sureness``, or else the score, decides which pair is *likely*. ``rereading``: the effect of
    the re-ranker on both.
    """

    claim_ranker: ClaimRanker
    order: ClaimRanker
    thresholds: Thresholds
    digest: str = ""
    name: str = LECTERN
    sureness: ClaimRanker | None = None
    rereading: RerankerEffect | None = None
    trained_with: Mapping[str, str] = field(default_factory=dict)
    spells_names: bool = True

    def rank(self, pairs: Pairs, *, thresholds: Thresholds | None = None) -> Ranking:
        """Return the ranking; contributions are exact."""
        # The contributions of the inputs to the order of each pair, (p, f + 1), and for each pair
        # the position of the first pair of its sentence, (p,).
        order_contributions = self.order.contributions(pairs.inputs, pairs.claim_kind)
        order_scores = order_contributions.sum(axis=1)
        first_pair_of_sentence = best_rows_of_groups(
            order_scores, pairs.sentence_index, pairs.may_raise_sentence
        )
        # A pair's score is the first pair's log-odds plus its distance from the first by order.
        contributions_of_first = self.claim_ranker.contributions(
            pairs.inputs[first_pair_of_sentence], pairs.claim_kind[first_pair_of_sentence]
        )
        contributions = (
            contributions_of_first
            + order_contributions
            - order_contributions[first_pair_of_sentence]
        )
        scores = contributions.sum(axis=1)
        standalone_scores = self.claim_ranker.score(pairs.inputs, pairs.claim_kind)
        sureness = scores
        if self.sureness:
            sureness = self.sureness.score(pairs.inputs, pairs.claim_kind)
            # The claim ranker alone is unfair to a further claim: it trails the first in all leads.
            standalone_scores = np.maximum(standalone_scores, sureness)
        input_names = (*NAMES, BASE_SCORE)
        pair_scores = PairScores(scores, contributions, input_names, sureness, standalone_scores)
        ranking = _with_tiers(
            pairs, _best_raising_scores(scores, pairs), pair_scores, thresholds or self.thresholds
        )
        matching_pairs = np.flatnonzero(ranking.pair_tiers)
        return replace(
            ranking, confidence_contributions=self._confidence_contributions(pairs, matching_pairs)
        )

    def undecided(self, pairs: Pairs, unread: Mask, ranges: Ranges, thresholds: Thresholds) -> Mask:
        """Return the unread pairs that may still come first in their sentence.

        They are the ``READ_AT_ONCE`` most promising of each sentence or, once the first pair of a
        sentence is certain, the ones that may still be shown.
        """
        sentence = pairs.sentence_index
        # The order score of each pair by its known inputs, and the highest it can still get, (p,).
        score = self.order.score(pairs.inputs, pairs.claim_kind)
        highest_score = score.copy()
        highest_unread = self.order.highest_scores(
            pairs.inputs[unread], pairs.claim_kind[unread], ranges
        )
        highest_score[unread] = highest_unread + ROUNDING

        # A pair may come first if it can reach the best of all pairs that were read, or, if it may
        # lift its sentence, the best of those that may.
        may_be_first = unread & (highest_score >= _best_of(score, pairs, ~unread))
        reaches_best_lifting = highest_score >= _best_of(
            score, pairs, ~unread & pairs.may_raise_sentence
        )
        may_be_first |= unread & pairs.may_raise_sentence & reaches_best_lifting

        # Of these, the most promising ones of each sentence are next.
        contenders = np.flatnonzero(may_be_first)
        most_promising_first = np.lexsort(
            (contenders, -highest_score[contenders], sentence[contenders])
        )
        contenders = contenders[most_promising_first]
        rank_in_sentence = position_in_group(sentence[contenders])
        is_next = np.zeros(len(pairs), bool)
        is_next[contenders[rank_in_sentence < READ_AT_ONCE]] = True

        # In the other sentences the first pair is certain: read the pairs that may be shown.
        first = best_rows_of_groups(score, sentence, pairs.may_raise_sentence)
        score_of_first = self.claim_ranker.score(pairs.inputs[first], pairs.claim_kind[first])
        distance = score_of_first - score[first]
        if self.rereading:
            threshold = thresholds.rereading
        else:
            threshold = min(thresholds.topic, thresholds.possible)
        may_be_shown = distance + highest_score >= threshold
        first_is_certain = ~np.isin(sentence, sentence[contenders])
        return is_next | (unread & may_be_shown & first_is_certain)

    def rerank(
        self,
        ranking: Ranking,
        pairs: Pairs,
        reranked: Ints,
        odds: Floats,
        *,
        thresholds: Thresholds | None = None,
    ) -> Ranking:
        """Return the ranking with the re-ranker's log-odds (r, 2) of the ``reranked`` pairs (r,).

        They say how likely a match is, not which claim comes first: all pairs of a sentence move
        by the log-odds of the first that may lift it. Every score is still the sum of its
        contributions, and ``RERANKER_GAIN`` is one more of these.
        """
        if self.rereading is None:
            return ranking
        # The re-ranker's log-odds (p, 2) of each pair, and of the first pair of its sentence, (p, 2);
        # the usual log-odds stand for a sentence without a pair that may raise it (-1).
        all_odds = self.rereading.odds(len(pairs), reranked, odds)
        first_pair = ranking.best_pair[pairs.sentence_index]
        has_first_pair = first_pair[:, None] >= 0
        odds_of_first = np.where(has_first_pair, all_odds[first_pair], self.rereading.usual)
        # The score and the sureness, the confidence that a match is likely, change with them.
        effect_on_score = self.rereading.score
        effect_on_sureness = self.rereading.sureness
        scores = effect_on_score.after(ranking.pair_scores, odds_of_first)
        contributions = self.rereading.moved(ranking.contributions, odds_of_first, effect_on_score)
        pair_scores = PairScores(
            scores=scores,
            contributions=contributions,
            contribution_names=(*ranking.contribution_names, RERANKER_GAIN),
            sureness=effect_on_sureness.after(ranking.sureness, all_odds),
            standalone_scores=effect_on_score.after(ranking.standalone_scores, all_odds),
        )
        reranked_ranking = _with_tiers(
            pairs, _best_raising_scores(scores, pairs), pair_scores, thresholds or self.thresholds
        )
        # The contributions to the confidence of the pairs shown now, (shown, c), move as well.
        shown = np.flatnonzero(reranked_ranking.pair_tiers)
        confidence_contributions = self._confidence_contributions(pairs, shown)
        if not confidence_contributions:
            return reranked_ranking
        parts = np.array(list(confidence_contributions.values()))
        moved = self.rereading.moved(parts, all_odds[shown], effect_on_sureness)
        moved_parts = dict(zip(confidence_contributions, moved, strict=True))
        return replace(reranked_ranking, confidence_contributions=moved_parts)

    def may_be_likely(self, inputs: Floats, input_ranges: Ranges, thresholds: Thresholds) -> Mask:
        """Return which pairs can be sure enough, with an article or as a statement alone."""
        if self.sureness is None:
            return np.ones(len(inputs), bool)
        # The highest confidence that each pair can have as a pair of either kind, (p,): with an
        # article, or as a statement alone. ``input_ranges`` limits the inputs that are not known
        # yet by their least and their greatest value.
        highest_confidence_by_kind = []
        for kind in range(len(self.sureness.kinds)):
            kind_of_all = np.full(len(inputs), kind)
            highest_confidence_by_kind.append(
                self.sureness.highest_scores(inputs, kind_of_all, input_ranges)
            )
        highest_confidence = np.max(highest_confidence_by_kind, axis=0)
        if self.rereading:
            highest_confidence = self.rereading.most_sure(highest_confidence)
        return highest_confidence + ROUNDING >= thresholds.likely

    def _confidence_contributions(self, pairs: Pairs, shown: Ints) -> dict[int, Floats]:
        """Return the contributions to the confidence of the shown pairs, keyed by pair."""
        if self.sureness is None:
            return {}
        parts = self.sureness.contributions(pairs.inputs[shown], pairs.claim_kind[shown])
        return dict(zip(shown.tolist(), parts, strict=True))

    def to_json(self) -> dict[str, Any]:
        """Return the weights and thresholds as plain values, in the form of the ranker's file."""
        values: dict[str, Any] = {
            "weights": self.claim_ranker.to_json(),
            "order": self.order.to_json(),
        }
        if self.sureness:
            values["sureness"] = self.sureness.to_json()
        if self.rereading:
            values["rereading"] = self.rereading.to_json()
        values["thresholds"] = self.thresholds.to_json()
        return values


@dataclass(frozen=True, slots=True)
class Pooling:
    """How the features of a sentence's candidates become one row.

    ``reading`` of the published method: text (its words: the maximum of each feature over the
    first ``depth`` candidates by BM25 of the article), code (its scripts: the ``depth`` largest
    values of each feature) or retrieved (the first ``depth`` candidates side by side). ``skip``:
    half-true claims are left out (text) or count 0. ``used``: names of the features.
    """

    reading: str
    depth: int
    skip: bool = True
    used: tuple[str, ...] = MEASURES

    def rows(self, pairs: Pairs) -> Floats:
        """Return one pooled row per sentence, (n, inputs)."""
        block, filled, may_raise_sentence = padded_by_sentence(pairs)
        usable = filled
        if self.skip:
            usable = filled & may_raise_sentence
        return self.pool(block, usable)

    def pool(self, block: Floats, usable: Mask) -> Floats:
        """Return the pooled rows of candidates.

        ``block`` (n, k, 19): their similarity features; ``usable`` (n, k): which of them count.
        """
        columns = [COLUMN[name] for name in self.used]
        pooled_by_reading = {"text": maximum, "code": largest, "retrieved": side_by_side}
        pooled = pooled_by_reading[self.reading]
        return pooled(block[:, :, columns], usable, self.depth)

    def names(self) -> tuple[str, ...]:
        """Return the names of the pooled inputs: the features, numbered if there are several."""
        # The paper's text pools all candidates to one value per feature, its maximum.
        if self.reading == "text":
            return self.used
        # The paper's scripts put the largest values of one feature next to each other. The third
        # reading puts all features of one candidate next to each other.
        numbered_names = []
        numbers = range(1, self.depth + 1)
        if self.reading == "code":
            for name in self.used:
                numbered_names += [f"{name}_{number}" for number in numbers]
        else:
            for number in numbers:
                numbered_names += [f"{name}_{number}" for name in self.used]
        return tuple(numbered_names)


@dataclass(frozen=True, slots=True)
class MaxSkip:
    """RankSVM-Max with half-true skipping (Shaar et al.).

    ``low`` and ``high`` (inputs,): the values of the training sentences that become -1 and 1.
    """

    svm: RankSVM
    pooling: Pooling
    low: Floats
    high: Floats
    thresholds: Thresholds
    digest: str = ""
    name: str = RANKSVM
    trained_with: Mapping[str, str] = field(default_factory=dict)
    spells_names: bool = False

    def rank(self, pairs: Pairs, *, thresholds: Thresholds | None = None) -> Ranking:
        """Return the ranking; contributions are exact for the linear kernel, none for the other."""
        thresholds = thresholds or self.thresholds
        sentence_scores = self.score_rows(self.pooling.rows(pairs))
        if not len(pairs):
            no_scores = np.zeros(0)
            no_contributions = np.zeros((0, 0))
            no_pair_scores = PairScores(no_scores, no_contributions, (), no_scores, no_scores)
            return _with_tiers(pairs, sentence_scores, no_pair_scores, thresholds)
        # Each pair as the only candidate of a sentence: a block (p, 1, 19), pooled to (p, inputs).
        usable = np.ones((len(pairs), 1), bool)
        pooled_inputs = self._scale_inputs(
            self.pooling.pool(pairs.similarities[:, None, :], usable)
        )
        contributions = np.zeros((len(pairs), 0))
        input_names: tuple[str, ...] = ()
        if self.svm.kernel == "linear":
            contributions = pooled_inputs * self.svm.coef_
            input_names = self.pooling.names()
            scores = contributions.sum(axis=1)
        else:
            scores = self.svm.decision_function(pooled_inputs)
        pair_scores = PairScores(
            scores, contributions, input_names, sureness=scores, standalone_scores=scores
        )
        return _with_tiers(pairs, sentence_scores, pair_scores, thresholds)

    def undecided(self, pairs: Pairs, unread: Mask, ranges: Ranges, thresholds: Thresholds) -> Mask:
        """Return the unread pairs: each may be the largest value of a feature."""
        return unread

    def rerank(
        self,
        ranking: Ranking,
        pairs: Pairs,
        reranked: Ints,
        odds: Floats,
        *,
        thresholds: Thresholds | None = None,
    ) -> Ranking:
        """Return the ranking as it is: the published method has no re-ranker."""
        return ranking

    def may_be_likely(self, inputs: Floats, ranges: Ranges, thresholds: Thresholds) -> Mask:
        """Return all pairs: the range of the scores is not known."""
        return np.ones(len(inputs), bool)

    def score_rows(self, rows: Floats) -> Floats:
        """Return the scores of sentences (n,) from their pooled rows (n, inputs)."""
        return self.svm.decision_function(self._scale_inputs(rows))

    def _scale_inputs(self, rows: Floats) -> Floats:
        return scale(rows, self.low, self.high)


def _best_of(scores: Floats, pairs: Pairs, counted: Mask) -> Floats:
    """Return for each pair (p,) the highest score of the counted pairs of its sentence, or -inf."""
    best = highest_of_groups(scores[counted], pairs.sentence_index[counted], pairs.sentence_count)
    return best[pairs.sentence_index]


def padded_by_sentence(pairs: Pairs) -> tuple[Floats, Mask, Mask]:
    """Return the candidates that sentences find alone as blocks, k slots per sentence.

    The similarity features (n, k, 19), and two masks (n, k): whether a slot has a candidate, and
    whether the candidate may lift its sentence. The highest BM25 of the article comes first.
    """
    # The pairs by sentence, each with its highest BM25 first, without those from the context.
    bm25_body = pairs.similarities[:, COLUMN["bm25_body"]]
    pair_order = np.lexsort((-bm25_body, pairs.sentence_index))  # the last key counts first
    pair_order = pair_order[pairs.found_without_context[pair_order]]
    # A block has a row for each sentence and a slot for each of its pairs; a sentence with fewer
    # pairs leaves slots empty.
    sentence_of_pair = pairs.sentence_index[pair_order]
    slot_of_pair = position_in_group(sentence_of_pair)
    slot_count = int(slot_of_pair.max(initial=-1)) + 1  # 0 without any pair
    padded_shape = (pairs.sentence_count, slot_count)
    padded_similarities = np.zeros((*padded_shape, pairs.similarities.shape[1]), np.float32)
    is_filled = np.zeros(padded_shape, bool)
    may_raise_sentence = np.zeros(padded_shape, bool)
    padded_similarities[sentence_of_pair, slot_of_pair] = pairs.similarities[pair_order]
    is_filled[sentence_of_pair, slot_of_pair] = True
    may_raise_sentence[sentence_of_pair, slot_of_pair] = pairs.may_raise_sentence[pair_order]
    return padded_similarities, is_filled, may_raise_sentence


def _best_raising_scores(scores: Floats, pairs: Pairs) -> Floats:
    """Return the highest score of the pairs that may lift each sentence, (n,)."""
    is_lifting = pairs.may_raise_sentence
    sentence = pairs.sentence_index[is_lifting]
    return highest_of_groups(scores[is_lifting], sentence, pairs.sentence_count, empty=NO_CANDIDATE)


def _with_tiers(
    pairs: Pairs, sentence_scores: Floats, pair_scores: PairScores, thresholds: Thresholds
) -> Ranking:
    """Return a ranking with the tiers of pairs and sentences."""
    scores = pair_scores.scores
    pair_tiers = tier_thresholds.assign(
        np.minimum(scores, pair_scores.standalone_scores),
        thresholds,
        sureness=pair_scores.sureness,
        may_be_likely=pairs.word_count >= LIKELY_MIN_WORDS,
    )
    # A sentence has the highest tier of the pairs that may lift it, (n,).
    may_raise = pairs.may_raise_sentence
    sentence_tiers = np.full(pairs.sentence_count, tier_thresholds.NONE)
    np.maximum.at(sentence_tiers, pairs.sentence_index[may_raise], pair_tiers[may_raise])
    return Ranking(
        sentence_scores=sentence_scores,
        sentence_tiers=sentence_tiers,
        pair_scores=scores,
        pair_tiers=pair_tiers,
        best_pair=_best_raising_pair(scores, pairs),
        stances=np.full(len(scores), Stance.UNCLEAR.value, dtype=STANCES),
        contributions=pair_scores.contributions,
        contribution_names=pair_scores.contribution_names,
        sureness=pair_scores.sureness,
        standalone_scores=pair_scores.standalone_scores,
        on_topic=scores >= min(thresholds.topic, thresholds.possible),
    )


def _best_raising_pair(scores: Floats, pairs: Pairs) -> Ints:
    """Return the first pair with the highest score that may lift each sentence, or -1, (n,)."""
    best_pair = np.full(pairs.sentence_count, -1)  # -1: no pair may raise the sentence
    # From the lowest score to the highest, and of equal scores from the last pair to the first:
    # the pair that is written last for a sentence is its best.
    worst_first = np.lexsort((-np.arange(len(scores)), scores))
    # Some pairs must not make their sentence a match: those with a half-true rating.
    may_raise = pairs.may_raise_sentence[worst_first]
    for pair in worst_first[may_raise]:
        best_pair[pairs.sentence_index[pair]] = pair
    return best_pair


def load(ranker_name: str, folder: Path = MODELS) -> Ranker:
    """Return the ranker of a name from its files.

    ``folder``: the one of a re-ranker (``reranker_folder``). The published ranker has no re-ranker,
    and its files are always in the models folder.

    Raises: SettingsError for an unknown name, ModelUnavailable if a file is missing or made for
    other inputs.
    """
    if ranker_name not in (LECTERN, RANKSVM):
        raise SettingsError(
            f"there is no ranker named {ranker_name!r}.", remedy=f"Use one of {LECTERN}, {RANKSVM}."
        )
    if ranker_name == RANKSVM and not (folder / f"ranker-{RANKSVM}.json").is_file():
        folder = MODELS
    path = folder / f"ranker-{ranker_name}.json"
    # The time of the last change is a part of the cache key: a file trained anew is read again.
    changed_at_ns = path.stat().st_mtime_ns if path.is_file() else 0
    return _load_file(ranker_name, path, changed_at_ns)


@lru_cache(maxsize=4)
def _load_file(name: str, path: Path, changed_at_ns: int) -> Ranker:
    """Load a ranker; a new ``written``, the time of the file, makes the cache load it again."""
    ranker: PairsFirst | MaxSkip
    try:
        ranker_json = json.loads(path.read_text("utf-8"))
        if name == LECTERN:
            ranker = _pairs_first(ranker_json)
        else:
            ranker = _max_skip(ranker_json, path.with_suffix(".npz"))
        model_card = ranker_json.get("card", {})
        return replace(ranker, trained_with=model_card.get("measures", {}))
    except (OSError, ValueError, KeyError) as error:
        raise ModelUnavailable(
            f"the ranker {name} cannot be loaded ({error}).",
            where=str(path),
            remedy="Restore the models folder, or train the ranker again.",
        ) from error


def _pairs_first(ranker_json: Mapping[str, Any]) -> PairsFirst:
    """Build Lectern's ranker from the values of its file."""
    sureness = None
    if "sureness" in ranker_json:
        sureness = ClaimRanker.from_json(ranker_json["sureness"], NAMES)
    rereading = None
    if ranker_json.get("rereading"):
        rereading = RerankerEffect.from_json(ranker_json["rereading"])
    return PairsFirst(
        claim_ranker=ClaimRanker.from_json(ranker_json["weights"], NAMES),
        order=ClaimRanker.from_json(ranker_json["order"], NAMES),
        thresholds=Thresholds(**ranker_json["thresholds"]),
        digest=ranker_json["digest"],
        sureness=sureness,
        rereading=rereading,
    )


def _max_skip(ranker_json: Mapping[str, Any], weights_path: Path) -> MaxSkip:
    """Build the published ranker from the values of its file and the file of its weights."""
    from ranking.ranksvm import RankSVM  # brings scikit-learn, which takes seconds to import

    pooling = Pooling(
        ranker_json["reading"],
        ranker_json["depth"],
        ranker_json["skip"],
        tuple(ranker_json["used"]),
    )
    if list(ranker_json["inputs"]) != list(pooling.names()):
        raise ValueError(
            "the weights were trained on different features from those that this version uses"
        )
    with np.load(weights_path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    lowest_inputs = arrays.pop("low")
    highest_inputs = arrays.pop("high")
    return MaxSkip(
        svm=RankSVM.from_arrays(arrays),
        pooling=pooling,
        low=lowest_inputs,
        high=highest_inputs,
        thresholds=Thresholds(**ranker_json["thresholds"]),
        digest=ranker_json["digest"],
    )
