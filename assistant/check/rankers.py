"""The rankers by name: from the inputs of pairs to the order of sentences and of their matches, and to the tiers.

``lectern`` scores pairs first and pools second, with three linear rankers: one orders the claims of a sentence; one
gives the log-odds that the first of them is a match, which is the sentence's score; and one, which reads no article and
no title, decides whether a match is *likely*, so that this does not depend on what else a database contains. What the
re-ranker says of the pairs that come near the list is then added to score and sureness.
``ranksvm-max-skip`` is the published method: the measures of the candidates that a sentence finds without its window
are pooled, half-true claims skipped, and a RankSVM scores the pooled row; a pair has the score that its measures would
get alone. Weights and thresholds are in ``models/``, made by ``training/ranker/train.py`` and
``training/ranker/sureness.py``, and the re-ranker's part by ``training/reranker/borders.py``.
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
from features.models.weight_files import MODELS
from features.similarity.catalogue import COLUMN
from features.similarity.catalogue import NAMES as MEASURES
from features.similarity.input_catalogue import NAMES, REREAD
from ranking import tier_thresholds
from ranking.claim_ranker import BASE, ClaimRanker
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
TIERS: tuple[Tier | None, ...] = (
    None,
    Tier.POSSIBLE,
    Tier.LIKELY,
)  # by the numbers of ranking.tier_thresholds
STANCES = f"<U{max(map(len, Stance))}"  # the type of an array of stances
LIKELY_MIN_WORDS = 5  # a sentence of fewer words is never likely
READ_AT_ONCE = 1  # pairs per sentence that are read before the others are pruned again
ROUNDING = 1e-6
NO_CANDIDATE = -20.0  # log-odds of a sentence without any candidate that may lift it


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scores, tiers and reasons of n sentences and p pairs.

    ``sentence_scores`` (n,) order the sentences, ``pair_scores`` (p,) the matches of each, higher first.
    ``sentence_tiers`` (n,) and ``pair_tiers`` (p,) are places in ``TIERS``; ``best_pair`` (n,) is the pair that
    lifts a sentence, else -1. ``contributions`` (p, c), named by ``contribution_names``, sum to the pair's score;
    (p, 0) where there are none. ``sureness`` (p,) decides what is *likely*; ``sure_parts``, named as the
    contributions, sum to it, keyed by shown pair, and are empty where it is the score. ``own_scores`` (p,): how
    sure each pair is by itself, by score or sureness, so that a further one is shown for its own sake only.
    ``on_topic`` (p,): whether a pair is at least about the same topic. ``stances`` (p,) are values of ``Stance``,
    unclear until ``check.match_tiers`` has read the texts, and ``conflicts``, keyed by pair, are the names of what it
    found against one.
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
    own_scores: Floats
    on_topic: Mask
    sure_parts: Mapping[int, Floats] = field(default_factory=dict)
    conflicts: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def order(self) -> Ints:
        """Return the sentences best first, equal scores in reading order."""
        return np.argsort(-self.sentence_scores, kind="stable")


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

    ``order`` finds the claim of a sentence, ``claim_ranker`` how sure it is.

        The first claim by ``order`` that may lift its sentence gets the log-odds of the claim ranker,
        and so does its sentence. Every other claim gets that score plus its distance from the first by
        ``order``, and is shown if the claim ranker or ``sureness`` alone would show it, too.
        ``sureness`` decides what is *likely*, or the score where there is none. ``rereading``: what
        reading a pair again does to both.
    """

    claim_ranker: ClaimRanker
    order: ClaimRanker
    thresholds: Thresholds
    digest: str = ""
    name: str = LECTERN
    sureness: ClaimRanker | None = None
    rereading: RerankerEffect | None = None
    trained_with: Mapping[str, str] = field(default_factory=dict)

    def rank(self, pairs: Pairs, *, thresholds: Thresholds | None = None) -> Ranking:
        """Return the ranking; contributions are exact."""
        by_order = self.order.contributions(pairs.inputs, pairs.claim_kind)
        first = best_rows_of_groups(by_order.sum(axis=1), pairs.sentence_index, pairs.may_lift)
        of_first = self.claim_ranker.contributions(pairs.inputs[first], pairs.claim_kind[first])
        contributions = of_first + by_order - by_order[first]
        scores = contributions.sum(axis=1)
        own_scores = self.claim_ranker.score(pairs.inputs, pairs.claim_kind)
        sureness = None
        if self.sureness:
            sureness = self.sureness.score(pairs.inputs, pairs.claim_kind)
            # a further claim trails the first one in every lead
            own_scores = np.maximum(own_scores, sureness)
        ranking = _ranking(
            pairs,
            _best_lifting(scores, pairs),
            scores,
            (contributions, (*NAMES, BASE)),
            thresholds or self.thresholds,
            sureness,
            own_scores,
        )
        shown = np.flatnonzero(ranking.pair_tiers)
        return replace(ranking, sure_parts=self._sure_parts(pairs, shown))

    def undecided(self, pairs: Pairs, unread: Mask, ranges: Ranges, thresholds: Thresholds) -> Mask:
        """Return the unread pairs that may still come first in their sentence.

        Of each sentence the ``READ_AT_ONCE`` most promising; if its first pair is certain, the
        pairs that may still be shown.
        """
        known = self.order.score(pairs.inputs, pairs.claim_kind)
        highest = known.copy()
        most = self.order.highest_scores(pairs.inputs[unread], pairs.claim_kind[unread], ranges)
        highest[unread] = most + ROUNDING
        may_lead = unread & (highest >= _best_of(known, pairs, ~unread))
        may_lead_lifting = highest >= _best_of(known, pairs, ~unread & pairs.may_lift)
        may_lead |= unread & pairs.may_lift & may_lead_lifting

        # the most promising pairs of each sentence that may lead
        leading = np.flatnonzero(may_lead)
        sentence = pairs.sentence_index
        leading = leading[np.lexsort((leading, -highest[leading], sentence[leading]))]
        next_pairs = leading[position_in_group(sentence[leading]) < READ_AT_ONCE]
        is_next = np.zeros(len(pairs), bool)
        is_next[next_pairs] = True

        # of the other sentences, the pairs that may be shown
        first = best_rows_of_groups(known, sentence, pairs.may_lift)
        score_of_first = self.claim_ranker.score(pairs.inputs[first], pairs.claim_kind[first])
        distance = score_of_first - known[first]
        if self.rereading:
            threshold = thresholds.rereading
        else:
            threshold = min(thresholds.topic, thresholds.possible)
        may_be_shown = distance + highest >= threshold
        is_settled = ~np.isin(sentence, sentence[leading])
        return is_next | (unread & may_be_shown & is_settled)

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

        They say how sure a match is, not which claim comes first: all pairs of a sentence move by
        the log-odds of the first that may lift it. Every score still is the sum of its
        contributions, one more of which is ``REREAD``.
        """
        if self.rereading is None:
            return ranking
        odds = self.rereading.odds(len(pairs), reranked, odds)
        first = ranking.best_pair[pairs.sentence_index]
        odds_of_first = np.where(first[:, None] >= 0, odds[first], self.rereading.usual)
        score = self.rereading.score
        scores = score.after(ranking.pair_scores, odds_of_first)
        contributions = self.rereading.moved(ranking.contributions, odds_of_first, score)
        again = _ranking(
            pairs,
            _best_lifting(scores, pairs),
            scores,
            (contributions, (*ranking.contribution_names, REREAD)),
            thresholds or self.thresholds,
            self.rereading.sureness.after(ranking.sureness, odds),
            score.after(ranking.own_scores, odds),
        )
        shown = np.flatnonzero(again.pair_tiers)
        sure_parts = self._sure_parts(pairs, shown)
        if not sure_parts:
            return replace(again, sure_parts={})
        parts = np.array(list(sure_parts.values()))
        moved = self.rereading.moved(parts, odds[shown], self.rereading.sureness)
        return replace(again, sure_parts=dict(zip(sure_parts, moved, strict=True)))

    def may_be_likely(self, inputs: Floats, ranges: Ranges, thresholds: Thresholds) -> Mask:
        """Return which pairs can be sure enough, with an article or as a statement alone."""
        if self.sureness is None:
            return np.ones(len(inputs), bool)
        kinds = [np.full(len(inputs), kind) for kind in range(len(self.sureness.kinds))]
        most_sure = np.max(
            [self.sureness.highest_scores(inputs, kind, ranges) for kind in kinds], axis=0
        )
        if self.rereading:
            most_sure = self.rereading.most_sure(most_sure)
        return most_sure + ROUNDING >= thresholds.likely

    def _sure_parts(self, pairs: Pairs, shown: Ints) -> dict[int, Floats]:
        """Return the contributions to the confidence of the shown pairs, keyed by pair."""
        if self.sureness is None:
            return {}
        parts = self.sureness.contributions(pairs.inputs[shown], pairs.claim_kind[shown])
        return dict(zip(shown.tolist(), parts, strict=True))

    def to_json(self) -> dict[str, Any]:
        """Return the weights and thresholds as plain values, in the form of the ranker's file."""
        parts = {"weights": self.claim_ranker, "order": self.order, "sureness": self.sureness}
        learnt: dict[str, Any] = {name: part.to_json() for name, part in parts.items() if part}
        if self.rereading:
            learnt["rereading"] = self.rereading.to_json()
        return {**learnt, "thresholds": self.thresholds.to_json()}


@dataclass(frozen=True, slots=True)
class Pooling:
    """How the measures of a sentence's candidates become one row.

    ``reading``: text (the paper's words: the maximum of each measure over the first ``depth`` candidates by BM25 of the
    article), code (the published scripts: the ``depth`` largest values of each measure), or retrieved (the first
    ``depth`` candidates side by side). ``skip``: half-true claims are left out (text) or count 0. ``used``: measures.
    """

    reading: str
    depth: int
    skip: bool = True
    used: tuple[str, ...] = MEASURES

    def rows(self, pairs: Pairs) -> Floats:
        """Return one pooled row per sentence, (n, inputs)."""
        block, filled, may_lift = as_block(pairs)
        usable = filled & may_lift if self.skip else filled
        return self.pool(block, usable)

    def pool(self, block: Floats, usable: Mask) -> Floats:
        """Return the pooled rows of candidates.

        ``block`` (n, k, 19): their similarity features; ``usable`` (n, k): which of them count.
        """
        columns = [COLUMN[name] for name in self.used]
        pool_by = {"text": maximum, "code": largest, "retrieved": side_by_side}[self.reading]
        return pool_by(block[:, :, columns], usable, self.depth)

    def names(self) -> tuple[str, ...]:
        """Return the names of the inputs.

        The measures, with their place where there are several.
        """
        places = range(1, self.depth + 1)
        if self.reading == "text":
            return self.used
        if self.reading == "code":
            return tuple(f"{name}_{place}" for name in self.used for place in places)
        return tuple(f"{name}_{place}" for place in places for name in self.used)


@dataclass(frozen=True, slots=True)
class MaxSkip:
    """RankSVM-Max with half-true skipping (Shaar et al.), on measures scaled to -1..1 over the training sentences."""

    svm: RankSVM
    pooling: Pooling
    low: Floats
    high: Floats
    thresholds: Thresholds
    digest: str = ""
    name: str = RANKSVM
    trained_with: Mapping[str, str] = field(default_factory=dict)

    def rank(self, pairs: Pairs, *, thresholds: Thresholds | None = None) -> Ranking:
        """Return the ranking; contributions are exact for the linear kernel, none for the other."""
        thresholds = thresholds or self.thresholds
        sentence_scores = self.score_rows(self.pooling.rows(pairs))
        if not len(pairs):
            nothing = (np.zeros((0, 0)), ())
            return _ranking(pairs, sentence_scores, np.zeros(0), nothing, thresholds)
        # each pair as the only candidate of a sentence
        usable = np.ones((len(pairs), 1), bool)
        rows = self._scaled(self.pooling.pool(pairs.similarities[:, None, :], usable))
        contributions = np.zeros((len(pairs), 0))
        names: tuple[str, ...] = ()
        if self.svm.kernel == "linear":
            contributions = rows * self.svm.coef_
            names = self.pooling.names()
            scores = contributions.sum(axis=1)
        else:
            scores = self.svm.decision_function(rows)
        return _ranking(pairs, sentence_scores, scores, (contributions, names), thresholds)

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
        return self.svm.decision_function(self._scaled(rows))

    def _scaled(self, rows: Floats) -> Floats:
        return scale(rows, self.low, self.high)


def _best_of(scores: Floats, pairs: Pairs, counted: Mask) -> Floats:
    """Return for each pair (p,) the highest score of the counted pairs of its sentence, or -inf."""
    best = highest_of_groups(scores[counted], pairs.sentence_index[counted], pairs.sentence_count)
    return best[pairs.sentence_index]


def as_block(pairs: Pairs) -> tuple[Floats, Mask, Mask]:
    """Return the candidates that sentences find alone as blocks, k slots per sentence.

    The similarity features (n, k, 19), and two masks (n, k): whether a slot has a candidate, and
    whether the candidate may lift its sentence. The highest BM25 of the article comes first.
    """
    bm25_body = pairs.similarities[:, COLUMN["bm25_body"]]
    order = np.lexsort((-bm25_body, pairs.sentence_index))
    order = order[pairs.found_alone[order]]
    sentence = pairs.sentence_index[order]
    slot = position_in_group(sentence)
    shape = (pairs.sentence_count, int(slot.max(initial=-1)) + 1)
    block = np.zeros((*shape, pairs.similarities.shape[1]), np.float32)
    filled = np.zeros(shape, bool)
    may_lift = np.zeros(shape, bool)
    block[sentence, slot] = pairs.similarities[order]
    filled[sentence, slot] = True
    may_lift[sentence, slot] = pairs.may_lift[order]
    return block, filled, may_lift


def _best_lifting(scores: Floats, pairs: Pairs) -> Floats:
    """Return the highest score of the pairs that may lift each sentence, (n,)."""
    lifting = pairs.may_lift
    sentence = pairs.sentence_index[lifting]
    return highest_of_groups(scores[lifting], sentence, pairs.sentence_count, empty=NO_CANDIDATE)


def _ranking(  # noqa: PLR0913
    pairs: Pairs,
    sentence_scores: Floats,
    scores: Floats,
    contributions: tuple[Floats, tuple[str, ...]],
    thresholds: Thresholds,
    sureness: Floats | None = None,
    own_scores: Floats | None = None,
) -> Ranking:
    """Return a ranking with the tiers of pairs and sentences.

    ``contributions``: their values (p, c) and names. ``sureness`` and ``own_scores`` (p,) are the
    scores by default.
    """
    if sureness is None:
        sureness = scores
    if own_scores is None:
        own_scores = scores
    long_enough = pairs.word_count >= LIKELY_MIN_WORDS
    pair_tiers = tier_thresholds.assign(
        np.minimum(scores, own_scores), thresholds, sureness=sureness, may_be_likely=long_enough
    )
    # (n,): the pair with the highest score that may lift its sentence, the first of equal ones
    best_pair = np.full(pairs.sentence_count, -1)
    rising = np.lexsort((-np.arange(len(scores)), scores))
    lifting = rising[pairs.may_lift[rising]]
    for pair in lifting:  # the last one written stays
        best_pair[pairs.sentence_index[pair]] = pair
    sentence_tiers = np.full(pairs.sentence_count, tier_thresholds.NONE)
    np.maximum.at(sentence_tiers, pairs.sentence_index[pairs.may_lift], pair_tiers[pairs.may_lift])
    return Ranking(
        sentence_scores=sentence_scores,
        sentence_tiers=sentence_tiers,
        pair_scores=scores,
        pair_tiers=pair_tiers,
        best_pair=best_pair,
        stances=np.full(len(scores), Stance.UNCLEAR.value, dtype=STANCES),
        contributions=contributions[0],
        contribution_names=contributions[1],
        sureness=sureness,
        own_scores=own_scores,
        on_topic=scores >= min(thresholds.topic, thresholds.possible),
    )


def load(name: str, folder: Path = MODELS) -> Ranker:
    """Return the ranker of a name from its files.

    Raises: SettingsError for an unknown name, ModelUnavailable if a file is missing or made for
    other inputs.
    """
    if name not in (LECTERN, RANKSVM):
        raise SettingsError(
            f"no ranker named {name!r}.", remedy=f"Use one of {LECTERN}, {RANKSVM}."
        )
    path = folder / f"ranker-{name}.json"
    return _load(name, path, path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=4)
def _load(name: str, path: Path, written: int) -> Ranker:
    """Load a ranker; ``written``, the time of the file, has one that was replaced read again."""
    try:
        card = json.loads(path.read_text("utf-8"))
        ranker = (
            _pairs_first(card) if name == LECTERN else _max_skip(card, path.with_suffix(".npz"))
        )
        return replace(ranker, trained_with=card.get("card", {}).get("measures", {}))
    except (OSError, ValueError, KeyError) as error:
        raise ModelUnavailable(
            f"the ranker {name} cannot be loaded ({error}).",
            where=str(path),
            remedy="Restore models/ or train it again.",
        ) from error


def _pairs_first(card: Mapping[str, Any]) -> PairsFirst:
    claims, order = (ClaimRanker.from_json(card[part], NAMES) for part in ("weights", "order"))
    sureness = ClaimRanker.from_json(card["sureness"], NAMES) if "sureness" in card else None
    given = card.get("rereading")
    rereading = RerankerEffect.from_json(given) if given else None
    thresholds = Thresholds(**card["thresholds"])
    return PairsFirst(
        claims, order, thresholds, card["digest"], sureness=sureness, rereading=rereading
    )


def _max_skip(card: Mapping[str, Any], weights: Path) -> MaxSkip:
    from ranking.ranksvm import RankSVM  # brings scikit-learn, which takes seconds to import

    pooling = Pooling(card["reading"], card["depth"], card["skip"], tuple(card["used"]))
    if list(card["inputs"]) != list(pooling.names()):
        raise ValueError("the weights are for other inputs")
    with np.load(weights, allow_pickle=False) as arrays:
        learnt = {name: arrays[name] for name in arrays.files}
    low = learnt.pop("low")
    high = learnt.pop("high")
    return MaxSkip(
        RankSVM.from_arrays(learnt),
        pooling,
        low,
        high,
        Thresholds(**card["thresholds"]),
        card["digest"],
    )
