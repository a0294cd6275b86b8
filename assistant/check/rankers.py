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

from assistant.check.ranker_inputs import PairInputs
from assistant.check.reranking import Rereading
from assistant.core.domain import Stance, Tier
from assistant.core.errors import ModelUnavailable, SettingsError
from features.models.weight_files import MODELS
from features.similarity.catalogue import COLUMN
from features.similarity.catalogue import NAMES as MEASURES
from features.similarity.input_catalogue import NAMES, REREAD
from ranking import tier_thresholds
from ranking.claim_ranker import BASE, ClaimRanker
from ranking.pooling import (
    best_of_groups,
    first_of_groups,
    largest,
    maximum,
    place_in_group,
    scale,
    side_by_side,
)
from ranking.tier_thresholds import Thresholds

if TYPE_CHECKING:
    from ranking.ranksvm import RankSVM

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]
Ranges = Mapping[str, tuple[float, float]]
LECTERN = "lectern"
RANKSVM = "ranksvm-max-skip"
TIERS: tuple[Tier | None, ...] = (
    None,
    Tier.POSSIBLE,
    Tier.LIKELY,
)  # by the numbers of ranking.tier_thresholds
STANCES = f"<U{max(map(len, Stance))}"  # the type of an array of stances
SHORT = 5  # a sentence of fewer words is never likely
AT_ONCE = 1  # pairs of a sentence that are read before it is looked at again which others matter
ROUNDING = 1e-6
NOTHING = -20.0  # log-odds of a sentence without any candidate that may lift it


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
    unclear until ``check.tiers`` has read the texts, and ``conflicts``, keyed by pair, are the names of what it
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
    on_topic: NDArray[np.bool_]
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

    def rank(self, inputs: PairInputs, *, thresholds: Thresholds | None = None) -> Ranking:
        """Return the ranking of the sentences of one event.

        ``thresholds`` replace those stored with the ranker.
        """
        ...

    def reread(
        self,
        ranking: Ranking,
        inputs: PairInputs,
        pairs: Ints,
        odds: Floats,
        *,
        thresholds: Thresholds | None = None,
    ) -> Ranking:
        """Return the ranking after the re-ranker has read some ``pairs`` (r,), with its log-odds (r, 2)."""
        ...

    def undecided(
        self, inputs: PairInputs, unread: Mask, ranges: Ranges, thresholds: Thresholds
    ) -> Mask:
        """Return which unread pairs (p,) the cross-encoder has to read next.

        None, once all it could change is known.

        ``ranges``: the least and the greatest value of each input that it gives.
        """
        ...

    def may_be_likely(self, values: Floats, ranges: Ranges, thresholds: Thresholds) -> Mask:
        """Return which pairs (p,) can be *likely*, whatever else their database contains.

        ``values`` (p, f): what is known of them, NaN where it is not. ``ranges``: as for ``undecided``.
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
    rereading: Rereading | None = None
    trained_with: Mapping[str, str] = field(default_factory=dict)

    def rank(self, inputs: PairInputs, *, thresholds: Thresholds | None = None) -> Ranking:
        """Return the ranking; contributions are exact."""
        order = self.order.contributions(inputs.values, inputs.kind)
        first = first_of_groups(order.sum(axis=1), inputs.sentence, inputs.lifts)
        parts = (
            self.claim_ranker.contributions(inputs.values[first], inputs.kind[first])
            + order
            - order[first]
        )
        scores = parts.sum(axis=1)
        own = self.claim_ranker.score(inputs.values, inputs.kind)
        lifted = best_of_groups(
            scores[inputs.lifts], inputs.sentence[inputs.lifts], inputs.n, empty=NOTHING
        )
        sure = self.sureness.score(inputs.values, inputs.kind) if self.sureness else None
        own = (
            own if sure is None else np.maximum(own, sure)
        )  # a further claim trails the first one in every lead
        named = parts, (*inputs.names, BASE)
        ranking = _ranking(inputs, lifted, scores, named, thresholds or self.thresholds, sure, own)
        return replace(
            ranking, sure_parts=self._sure_parts(inputs, np.flatnonzero(ranking.pair_tiers))
        )

    def undecided(
        self, inputs: PairInputs, unread: Mask, ranges: Ranges, thresholds: Thresholds
    ) -> Mask:
        """Return the unread pairs that may still come first in their sentence, the ``AT_ONCE`` most promising of each;
        where that is settled, those that may still be shown.
        """
        known = self.order.score(inputs.values, inputs.kind)
        highest = known.copy()
        highest[unread] = (
            self.order.most(inputs.values[unread], inputs.kind[unread], ranges) + ROUNDING
        )
        may_lead = unread & (highest >= _best_of(known, inputs, ~unread))
        may_lead |= (
            unread & inputs.lifts & (highest >= _best_of(known, inputs, ~unread & inputs.lifts))
        )
        rows = np.flatnonzero(may_lead)
        rows = rows[np.lexsort((rows, -highest[rows], inputs.sentence[rows]))]
        needed = np.zeros(len(inputs), bool)
        needed[rows[place_in_group(inputs.sentence[rows]) < AT_ONCE]] = True
        first = first_of_groups(known, inputs.sentence, inputs.lifts)
        lead = self.claim_ranker.score(inputs.values[first], inputs.kind[first]) - known[first]
        border = (
            thresholds.rereading if self.rereading else min(thresholds.topic, thresholds.possible)
        )
        near = lead + highest >= border
        return needed | (unread & near & ~np.isin(inputs.sentence, inputs.sentence[rows]))

    def reread(
        self,
        ranking: Ranking,
        inputs: PairInputs,
        pairs: Ints,
        odds: Floats,
        *,
        thresholds: Thresholds | None = None,
    ) -> Ranking:
        """Return the ranking after the re-ranker has read some ``pairs`` (r,), with its log-odds (r, 2).

        It says how sure a match is, not which claim comes first: all pairs of a sentence move by
        what it says of the first that may lift it. Every score still is the sum of its
        contributions, one more of which is ``REREAD``.
        """
        if self.rereading is None:
            return ranking
        odds = self.rereading.odds(len(inputs), pairs, odds)
        first = ranking.best_pair[inputs.sentence]
        of_first = np.where(first[:, None] >= 0, odds[first], self.rereading.usual)
        score = self.rereading.score
        scores = score.after(ranking.pair_scores, of_first)
        own = score.after(ranking.own_scores, odds)
        sureness = self.rereading.sureness.after(ranking.sureness, odds)
        sentences = best_of_groups(
            scores[inputs.lifts], inputs.sentence[inputs.lifts], inputs.n, empty=NOTHING
        )
        names = (*ranking.contribution_names, REREAD)
        parts = self.rereading.moved(ranking.contributions, of_first, score)
        again = _ranking(
            inputs, sentences, scores, (parts, names), thresholds or self.thresholds, sureness, own
        )
        shown = np.flatnonzero(again.pair_tiers)
        sure = self._sure_parts(inputs, shown)
        if not sure:
            return replace(again, sure_parts={})
        parts = np.array(list(sure.values()))
        moved = self.rereading.moved(parts, odds[shown], self.rereading.sureness)
        return replace(again, sure_parts=dict(zip(sure, moved, strict=True)))

    def may_be_likely(self, values: Floats, ranges: Ranges, thresholds: Thresholds) -> Mask:
        """Return which pairs can be sure enough, as a claim with an article or as a statement alone."""
        if self.sureness is None:
            return np.ones(len(values), bool)
        kinds = [np.full(len(values), kind) for kind in range(len(self.sureness.kinds))]
        most = np.max([self.sureness.most(values, kind, ranges) for kind in kinds], axis=0)
        most = self.rereading.most_sure(most) if self.rereading else most
        return most + ROUNDING >= thresholds.likely

    def _sure_parts(self, inputs: PairInputs, shown: Ints) -> dict[int, Floats]:
        if self.sureness is None:
            return {}
        parts = self.sureness.contributions(inputs.values[shown], inputs.kind[shown])
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

    def rows(self, inputs: PairInputs) -> Floats:
        """Return a row for each sentence, (n, inputs)."""
        X, there, lifts = as_block(inputs)
        return self.pool(X, there & lifts if self.skip else there)

    def pool(self, X: Floats, usable: NDArray[np.bool_]) -> Floats:
        """Return rows from measures X (n, k, 19), in the order of the candidates, and which of those count, (n, k)."""
        X = X[:, :, [COLUMN[name] for name in self.used]]
        return {"text": maximum, "code": largest, "retrieved": side_by_side}[self.reading](
            X, usable, self.depth
        )

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

    def rank(self, inputs: PairInputs, *, thresholds: Thresholds | None = None) -> Ranking:
        """Return the ranking; contributions are exact for the linear kernel, none for the other."""
        sentences = self.score_rows(self.pooling.rows(inputs))
        if not len(inputs):
            return _ranking(
                inputs,
                sentences,
                np.zeros(0),
                (np.zeros((0, 0)), ()),
                thresholds or self.thresholds,
            )
        alone = self.pooling.pool(inputs.measures[:, None, :], np.ones((len(inputs), 1), bool))
        parts = np.zeros((len(inputs), 0))
        names: tuple[str, ...] = ()
        if self.svm.kernel == "linear":
            parts = self._scaled(alone) * self.svm.coef_
            names = self.pooling.names()
        scores = parts.sum(axis=1) if names else self.svm.decision_function(self._scaled(alone))
        return _ranking(inputs, sentences, scores, (parts, names), thresholds or self.thresholds)

    def undecided(
        self, inputs: PairInputs, unread: Mask, ranges: Ranges, thresholds: Thresholds
    ) -> Mask:
        """Return the unread pairs: each may be the largest value of a measure."""
        return unread

    def reread(
        self,
        ranking: Ranking,
        inputs: PairInputs,
        pairs: Ints,
        odds: Floats,
        *,
        thresholds: Thresholds | None = None,
    ) -> Ranking:
        """Return the ranking as it is: the published method reads no pair again."""
        return ranking

    def may_be_likely(self, values: Floats, ranges: Ranges, thresholds: Thresholds) -> Mask:
        """Return all pairs: what a score can become is not known."""
        return np.ones(len(values), bool)

    def score_rows(self, rows: Floats) -> Floats:
        """Return the scores of sentences (n,) from their pooled rows (n, inputs)."""
        return self.svm.decision_function(self._scaled(rows))

    def _scaled(self, rows: Floats) -> Floats:
        return scale(rows, self.low, self.high)


def _best_of(scores: Floats, inputs: PairInputs, counted: Mask) -> Floats:
    """Return for each pair (p,) the highest score of the counted pairs of its sentence, -inf where there is none."""
    return best_of_groups(scores[counted], inputs.sentence[counted], inputs.n)[inputs.sentence]


def as_block(inputs: PairInputs) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the measures (n, k, 19) of the candidates that sentences find without their windows, and two masks (n, k):
    where there is a candidate, and which may lift its sentence. The highest BM25 of the article
    comes first.
    """
    order = np.lexsort((inputs.place, -inputs.measures[:, COLUMN["bm25_body"]], inputs.sentence))
    order = order[inputs.alone[order]]
    sentence = inputs.sentence[order]
    starts = np.searchsorted(sentence, np.arange(inputs.n))
    place = np.arange(len(order)) - starts[sentence]
    shape = inputs.n, int(place.max(initial=-1)) + 1
    X = np.zeros((*shape, inputs.measures.shape[1]), np.float32)
    there = np.zeros(shape, bool)
    lifts = np.zeros(shape, bool)
    X[sentence, place], there[sentence, place], lifts[sentence, place] = (
        inputs.measures[order],
        True,
        inputs.lifts[order],
    )
    return X, there, lifts


def _ranking(
    inputs: PairInputs,
    sentences: Floats,
    scores: Floats,
    contributions: tuple[Floats, tuple[str, ...]],
    thresholds: Thresholds,
    sureness: Floats | None = None,
    own: Floats | None = None,
) -> Ranking:
    sureness = scores if sureness is None else sureness
    own = scores if own is None else own
    long_enough = inputs.words[inputs.sentence] >= SHORT
    pair_tiers = tier_thresholds.assign(
        np.minimum(scores, own), thresholds, sureness=sureness, may_be_likely=long_enough
    )
    best = np.full(inputs.n, -1)
    for pair in np.lexsort(
        (-np.arange(len(scores)), scores)
    ):  # the last one written is the best, the first of equals
        if inputs.lifts[pair]:
            best[inputs.sentence[pair]] = pair
    sentence_tiers = np.full(inputs.n, tier_thresholds.NONE)
    np.maximum.at(sentence_tiers, inputs.sentence[inputs.lifts], pair_tiers[inputs.lifts])
    unread = np.full(len(scores), Stance.UNCLEAR.value, dtype=STANCES)
    on_topic = scores >= min(thresholds.topic, thresholds.possible)
    return Ranking(
        sentences,
        sentence_tiers,
        scores,
        pair_tiers,
        best,
        unread,
        *contributions,
        sureness,
        own,
        on_topic,
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
    rereading = Rereading.from_json(given) if given else None
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
