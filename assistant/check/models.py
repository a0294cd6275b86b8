"""A profile becomes loaded models, once a process: the only place where a model's name turns into a model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

from assistant.check import checkworthiness, rankers
from assistant.check.checkworthiness import CheckWorthiness
from assistant.check.rankers import Ranker
from assistant.explain import key_sentences, relation
from assistant.explain.key_sentences import Explainers
from assistant.explain.relation import Relater
from assistant.ground.errors import ModelUnavailable
from assistant.ground.settings import PARTS, Profile
from features import encoders as models
from features.coverage import WordWeights, load_word_weights
from features.models import Encoders
from ranking.tiers import Thresholds


@dataclass(frozen=True, slots=True)
class Tools:
    """What a check needs beside a transcript and an index."""

    profile: Profile
    encoders: Encoders
    checkworthiness: CheckWorthiness
    ranker: Ranker
    word_weights: WordWeights
    explainers: Explainers
    relater: Relater | None = None

    @property
    def worthiness_threshold(self) -> float:
        """Return the check-worthiness under which a sentence is dropped."""
        own = self.profile.check_worthiness
        return self.checkworthiness.threshold if own is None else own

    @property
    def thresholds(self) -> Thresholds:
        """Return the smallest scores of the tiers: those of the profile, else those stored with the ranker."""
        stored, own = self.ranker.thresholds, self.profile
        likely = stored.likely if own.likely is None else own.likely
        return Thresholds(likely, min(likely, stored.possible if own.possible is None else own.possible))

    def digests(self) -> dict[str, str]:
        """Return for each model its name and the first digits of its digest."""
        return {
            **self.encoders.digests(),
            "check_worthiness": self.checkworthiness.digest[:12],
            "ranker": f"{self.ranker.name} {self.ranker.digest[:12]}",
            **self.explainers.digests,
            **({"relation": self.relater.digest} if self.relater else {}),
        }


@lru_cache(maxsize=4)
def encoders(profile: Profile) -> Encoders:
    """Return the encoders of a profile; each is loaded when it is first used."""
    return Encoders(**{part: getattr(profile, part) for part in PARTS})


@lru_cache(maxsize=4)
def build(profile: Profile, ranker: str | None = None) -> Tools:
    """Return the tools of a profile. ``ranker``: another ranker than the profile's."""
    held = encoders(profile)
    return Tools(
        profile=profile,
        encoders=held,
        checkworthiness=checkworthiness.load(held.sbert),
        ranker=rankers.load(ranker or profile.ranker),
        word_weights=load_word_weights(),
        explainers=key_sentences.load(profile),
        relater=relation.load(profile),
    )


@contextmanager
def missing_models_told() -> Iterator[None]:
    """Turn a missing model, of whatever part and whenever it is first used, into the error that a user reads."""
    try:
        yield
    except models.ModelUnavailable as error:
        raise ModelUnavailable(str(error)) from error
