"""The models of a check, loaded once a process.

The only place where a profile's names of models become models.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from assistant.check import checkworthiness, rankers
from assistant.check.checkworthiness import CheckWorthiness
from assistant.check.pairs import Floats, Mask
from assistant.check.ranker_inputs import WORTHINESS_RANGE
from assistant.check.rankers import Ranker
from assistant.core.errors import ModelUnavailable
from assistant.core.settings import EMBEDDED, MODEL_PARTS, Profile
from assistant.explain import key_sentences
from assistant.explain.key_sentences import Explainers
from assistant.report.measured_strength import (
    MEASURED_RANKER,
    StrengthThresholds,
    measured_strength,
)
from features.models import model_spec, reranker
from features.models.profile_models import SHOWN_DIGEST_DIGITS, Encoders
from features.models.reranker import Reranker
from features.models.weight_files import reranker_folder
from features.similarity.coverage import WordWeights, load_word_weights
from features.similarity.input_catalogue import NAMES
from ranking.tier_thresholds import Thresholds

# the least and the greatest value of inputs that cost a network
UNKNOWN_RANGES = {"bertscore": (0.0, 1.0), "check_worthiness": WORTHINESS_RANGE}


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
        if self.profile.check_worthiness is None:
            return self.checkworthiness.threshold
        return self.profile.check_worthiness

    @property
    def thresholds(self) -> Thresholds:
        """Return the smallest scores of the tiers, from the profile or else from the ranker."""
        # The profile may replace the thresholds that were stored with the ranker.
        ranker_thresholds = self.ranker.thresholds
        likely = self.profile.likely
        if likely is None:
            likely = ranker_thresholds.likely
        possible = self.profile.possible
        if possible is None:
            possible = ranker_thresholds.possible
        # A likely match is possible, too.
        return ranker_thresholds._replace(likely=likely, possible=min(likely, possible))

    @property
    def strength_thresholds(self) -> StrengthThresholds | None:
        """Return the smallest log-odds of each strength, None for a ranker without log-odds."""
        if self.ranker.name != MEASURED_RANKER:
            return None
        return measured_strength(self.profile.reranker).thresholds

    def names_and_digests(self) -> dict[str, str]:
        """Return for each model its name and the first digits of its digest."""
        names_and_digests = self.encoders.names_and_digests()
        ranker_digest = self.ranker.digest[:SHOWN_DIGEST_DIGITS]
        names_and_digests["check_worthiness"] = self.checkworthiness.digest[:SHOWN_DIGEST_DIGITS]
        names_and_digests["ranker"] = f"{self.ranker.name} {ranker_digest}"
        if self.reranker:
            names_and_digests["reranker"] = self.reranker.digest[:SHOWN_DIGEST_DIGITS]
        names_and_digests.update(self.explainers.digests)
        return names_and_digests

    def unfamiliar(self) -> tuple[str, ...]:
        """Return the parts of the profile whose models are not those that the ranker was trained with."""
        return tuple(part for part in MODEL_PARTS if not self._is_ranker_trained_with(part))

    def _is_ranker_trained_with(self, model_role: str) -> bool:
        """Return whether the ranker was trained with the model of a part of the profile."""
        # The card of the ranker has the beginning of the digest of each model.
        digest_start = self.ranker.trained_with.get(model_role)
        if digest_start is None:
            # An older card does not name the cross-encoder: it was the embedded one.
            return getattr(self.profile, model_role) == getattr(EMBEDDED, model_role)
        used_model = getattr(self.encoders, model_role)
        return str(used_model.digest).startswith(digest_start)

    def may_be_likely(self, inputs: Floats, unknown: Sequence[str]) -> Mask:
        """Return which pairs (p,) can be *likely*, before the re-ranker has read any.

        ``inputs`` (p, f): their ranker inputs; those of title and article, which no ranker of
        *likely* uses, may be wrong. ``unknown``: inputs of ``UNKNOWN_RANGES`` and of the
        cross-encoder that are not known yet.
        """
        inputs = inputs.copy()
        inputs[:, [NAMES.index(name) for name in unknown]] = np.nan
        ranges = UNKNOWN_RANGES | self.cross_encoder_ranges()
        unknown_ranges = {name: ranges[name] for name in unknown}
        return self.ranker.may_be_likely(inputs, unknown_ranges, self.thresholds)

    def cross_encoder_ranges(self) -> dict[str, tuple[float, float]]:
        """Return the least and the greatest value of each input that the cross-encoder gives."""
        return {
            "nli_entailment": (0.0, 1.0),
            "nli_contradiction": (0.0, 1.0),
            "same_claim": self.encoders.nli.same_range,
        }


@lru_cache(maxsize=4)
def encoders(profile: Profile) -> Encoders:
    """Return the encoders of a profile; each is loaded when it is first used."""
    return Encoders(**{part: getattr(profile, part) for part in MODEL_PARTS})


@lru_cache(maxsize=4)
def load(profile: Profile, ranker: str | None = None) -> Models:
    """Return the models of a profile. ``ranker``: another ranker than the profile's."""
    folder = reranker_folder(profile.reranker)
    loaded_ranker = rankers.load(ranker or profile.ranker, folder)
    loaded_reranker = None
    if loaded_ranker.thresholds.rereading < np.inf:
        loaded_reranker = reranker.load(profile.reranker)
    return Models(
        profile=profile,
        encoders=encoders(profile),
        checkworthiness=checkworthiness.load(),
        ranker=loaded_ranker,
        word_weights=load_word_weights(),
        explainers=key_sentences.load(profile),
        reranker=loaded_reranker,
    )


@contextmanager
def missing_models_reported() -> Iterator[None]:
    """Turn the lack of any model, at its first use, into the error that a user reads."""
    try:
        yield
    except model_spec.ModelUnavailable as error:
        raise ModelUnavailable(str(error)) from error
