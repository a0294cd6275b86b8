"""The models of a check, loaded once a process.

The only place where a profile's names of models become models.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from assistant.check import checkworthiness, match_tiers, rankers
from assistant.check.candidates import Candidates
from assistant.check.checkworthiness import CheckWorthiness
from assistant.check.cross_encoding import read_in_turns, reread
from assistant.check.pair_features import Context, Measured, context_gains, readable
from assistant.check.progress import Progress, no_progress
from assistant.check.ranker_inputs import (
    WORTHINESS_RANGE,
    Floats,
    Ints,
    Mask,
    PairInputs,
    Spoken,
    pair_inputs,
    with_context,
)
from assistant.check.rankers import Ranker, Ranking
from assistant.claims.claim_index import ClaimIndex
from assistant.core.errors import ModelUnavailable
from assistant.core.settings import EMBEDDED, PARTS, Profile
from assistant.explain import key_sentences
from assistant.explain.key_sentences import Explainers
from features.models import model_spec, reranker
from features.models.profile_models import Encoders
from features.models.reranker import Reranker
from features.similarity.coverage import WordWeights, load_word_weights
from features.similarity.input_catalogue import NAMES
from ranking.tier_thresholds import Thresholds

UNKNOWN = {
    "bertscore": (0.0, 1.0),
    "check_worthiness": WORTHINESS_RANGE,
}  # the ends of inputs that cost a network


@dataclass(frozen=True, slots=True)
class Models:
    """What a check needs beside a transcript and an index."""

    profile: Profile
    encoders: Encoders
    checkworthiness: CheckWorthiness
    ranker: Ranker
    word_weights: WordWeights
    explainers: Explainers
    reranker: Reranker | None = None

    @property
    def worthiness_threshold(self) -> float:
        """Return the check-worthiness below which a sentence is dropped."""
        chosen = self.profile.check_worthiness
        return self.checkworthiness.threshold if chosen is None else chosen

    @property
    def thresholds(self) -> Thresholds:
        """Return the smallest scores of the tiers.

        Those of the profile, else those stored with the ranker.
        """
        stored = self.ranker.thresholds
        profile = self.profile
        likely = stored.likely if profile.likely is None else profile.likely
        possible = min(likely, stored.possible if profile.possible is None else profile.possible)
        return stored._replace(likely=likely, possible=possible)

    def digests(self) -> dict[str, str]:
        """Return for each model its name and the first digits of its digest."""
        return {
            **self.encoders.digests(),
            "check_worthiness": self.checkworthiness.digest[:12],
            "ranker": f"{self.ranker.name} {self.ranker.digest[:12]}",
            **({"reranker": self.reranker.digest[:12]} if self.reranker else {}),
            **self.explainers.digests,
        }

    def unfamiliar(self) -> tuple[str, ...]:
        """Return the parts of the profile whose models are not those that the ranker was trained with."""
        return tuple(part for part in PARTS if not self._trained_with(part))

    def _trained_with(self, part: str) -> bool:
        recorded = self.ranker.trained_with.get(part)
        if recorded is None:  # a card that does not name the cross-encoder: it was the embedded one
            return getattr(self.profile, part) == getattr(EMBEDDED, part)
        return str(getattr(self.encoders, part).digest).startswith(recorded)

    def rank_unread(
        self,
        spoken: Spoken,
        index: ClaimIndex,
        candidates: Candidates,
        X: Floats,
        *,
        alone: Ints | None = None,
    ) -> tuple[PairInputs, Ranking]:
        """Return the inputs of all pairs and their ranking before the cross-encoder has read any.

        See ``rank``.
        """
        unread = Measured(X, np.full(candidates.shape, np.nan, np.float32))
        inputs = pair_inputs(spoken, index, candidates, unread, self.word_weights, alone=alone)
        return inputs, self.ranker.rank(inputs)

    def rank(
        self,
        spoken: Spoken,
        index: ClaimIndex,
        candidates: Candidates,
        X: Floats,
        *,
        alone: Ints | None = None,
        context: Context | None = None,
        read_all: bool = False,
        progress: Progress = no_progress,
    ) -> tuple[PairInputs, Ranking]:
        """Return the inputs of all pairs and their ranking, with tiers and stances.

        ``X`` (n, k, 19): the measures but NLI's. The cross-encoder costs most of all, so it reads the best pairs of
        those sentences only that the other inputs do not leave far below the list, and of these only what can change
        scores, tiers or what is shown; ``read_all``: the best pairs of every sentence. The ``context``, where it is
        known, is compared for the same sentences. The pairs that come near the list are read again by the re-ranker.
        ``alone``: as for ``pair_inputs``.
        """
        inputs, before = self.rank_unread(spoken, index, candidates, X, alone=alone)
        least = -np.inf if read_all else self.ranker.thresholds.reading
        worth_it = before.sentence_scores >= least
        if context is not None:
            inputs = with_context(inputs, context_gains(context, index, candidates, worth_it))
        may_read = readable(X, candidates, self.profile.nli_candidates) & worth_it[:, None]
        unread_pairs = may_read[inputs.sentence, inputs.place]
        choose = partial(self._undecided, everything=read_all)
        inputs = read_in_turns(spoken, index, self.encoders, inputs, unread_pairs, choose, progress)
        progress("ranking", 0, inputs.n)
        scored = self.ranker.rank(inputs, thresholds=self.thresholds)
        if self.reranker:
            again = np.flatnonzero(scored.pair_scores >= self.thresholds.rereading)
            odds = reread(spoken, index, self.reranker, inputs, again, progress)
            scored = self.ranker.reread(scored, inputs, again, odds, thresholds=self.thresholds)
        days = match_tiers.Days(spoken.event_day, index.claim_days)
        return inputs, match_tiers.capped(scored, inputs, spoken.texts, index.statements, days)

    def may_be_likely(self, values: Floats, unknown: Sequence[str]) -> Mask:
        """Return which pairs (p,) can be *likely*, before the re-ranker has read any.

        ``values`` (p, f): their inputs; those of title and article, by which no ranker of *likely* goes, may be wrong.
        ``unknown``: inputs of ``UNKNOWN`` and of the cross-encoder that are not known yet.
        """
        values = values.copy()
        values[:, [NAMES.index(name) for name in unknown]] = np.nan
        ranges = UNKNOWN | self._ranges()
        return self.ranker.may_be_likely(
            values, {name: ranges[name] for name in unknown}, self.thresholds
        )

    def _undecided(self, inputs: PairInputs, unread: Mask, *, everything: bool) -> Mask:
        return (
            unread
            if everything
            else self.ranker.undecided(inputs, unread, self._ranges(), self.thresholds)
        )

    def _ranges(self) -> dict[str, tuple[float, float]]:
        """Return the least and the greatest value of each input that the cross-encoder gives."""
        ranges = {"nli_entailment": (0.0, 1.0), "nli_contradiction": (0.0, 1.0)}
        return ranges | {"same_claim": self.encoders.nli.same_range}


@lru_cache(maxsize=4)
def encoders(profile: Profile) -> Encoders:
    """Return the encoders of a profile; each is loaded when it is first used."""
    return Encoders(**{part: getattr(profile, part) for part in PARTS})


@lru_cache(maxsize=4)
def load(profile: Profile, ranker: str | None = None) -> Models:
    """Return the models of a profile. ``ranker``: another ranker than the profile's."""
    chosen = rankers.load(ranker or profile.ranker)
    return Models(
        profile=profile,
        encoders=encoders(profile),
        checkworthiness=checkworthiness.load(),
        ranker=chosen,
        word_weights=load_word_weights(),
        explainers=key_sentences.load(profile),
        reranker=reranker.load() if chosen.thresholds.rereading < np.inf else None,
    )


@contextmanager
def missing_models_reported() -> Iterator[None]:
    """Turn a missing model, whichever it is and whenever it is first used, into the error that a user reads."""
    try:
        yield
    except model_spec.ModelUnavailable as error:
        raise ModelUnavailable(str(error)) from error
