"""One unit of work: a transcript checked as of today and as of its event, in whatever process, and stored.

A process opens the database, the index and the models once; the large arrays of the index are
mapped, so that all processes of a machine share them.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assistant import __version__, pipeline
from assistant.archive.archive_store import ArchiveStore, FinishedCheck, check_key, matches_in
from assistant.check import loaded_models, same_claim
from assistant.claims.claim_fields import digest
from assistant.claims.claim_index import ClaimIndex
from assistant.core import settings
from assistant.core.domain import Transcript
from assistant.core.errors import ClaimIndexError, LecternError

LOGGER = logging.getLogger("lectern.archive")
SbertVectors = NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class CheckUnit:
    """What a worker is asked to do: a transcript by its number, with these claims and models."""

    transcript: int
    models_and_claims: str


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What a worker answers.

    ``vectors`` (n, d): the SBERT vectors of what was said, None if nothing was stored.
    """

    transcript: int
    error: str = ""
    vectors: SbertVectors | None = None


def check_unit(unit: CheckUnit, options: Mapping[str, str]) -> CheckOutcome:
    """Check a transcript and store its reports.

    Whatever goes wrong is said in the outcome, and the run goes on.

    ``options``: home folder, database URL and profile where the process is to look, those of its environment if empty.
    """
    try:
        return _resources_for(unit, tuple(sorted(options.items()))).check(unit)
    except LecternError as error:
        return CheckOutcome(unit.transcript, str(error))
    except (
        Exception
    ) as error:  # a fault that one transcript brings to light must not stop a night's work
        LOGGER.exception("transcript %s", unit.transcript)
        return CheckOutcome(unit.transcript, f"{type(error).__name__}: {error}")


def models_and_claims(chosen: settings.Settings, index: ClaimIndex) -> str:
    """Return what stands for all that a check depends on beside its transcript."""
    models = loaded_models.load(chosen.profile)
    return digest(
        __version__, repr(chosen.profile), repr(sorted(models.digests().items())), index.digest
    )


def vectors_of(transcript: Transcript, chosen: settings.Settings) -> SbertVectors:
    """Return the SBERT vectors of the sentences of a transcript, (n, d), in half precision."""
    texts = [sentence.text for sentence in transcript]
    return np.asarray(loaded_models.encoders(chosen.profile).sbert.encode(texts), np.float16)


@dataclass(frozen=True, slots=True)
class _OpenResources:
    """What a process needs for its work, opened once."""

    settings: settings.Settings
    store: ArchiveStore
    index: ClaimIndex
    models_and_claims: str

    def check(self, unit: CheckUnit) -> CheckOutcome:
        if unit.models_and_claims != self.models_and_claims:
            what = "this worker has another index, other models or another profile than the run."
            raise ClaimIndexError(
                what, where=str(self.settings.home), remedy="Give both the same --home."
            )
        stored = self.store.transcript(unit.transcript)
        if stored is None:
            return CheckOutcome(unit.transcript)
        now, transcript = stored
        began = time.perf_counter()
        today = pipeline.check(transcript, self.index, self.settings.profile)
        dated = transcript.event_date is not None
        before = None
        if dated:
            before = pipeline.check(transcript, self.index, self.settings.profile, as_of_event=True)
        seconds = time.perf_counter() - began
        found = matches_in(today)
        made_from = check_key(now, self.models_and_claims)
        texts = [match.claim.statement for _, match in found], [sent.text for sent, _ in found]
        chances = same_claim.chances(*texts, loaded_models.encoders(self.settings.profile))
        if not self.store.finish(
            FinishedCheck(unit.transcript, now, made_from, seconds, today, before, chances)
        ):
            return CheckOutcome(unit.transcript)  # it was changed or removed meanwhile
        return CheckOutcome(unit.transcript, vectors=vectors_of(transcript, self.settings))


def _resources_for(unit: CheckUnit, options: tuple[tuple[str, str], ...]) -> _OpenResources:
    """Return what this process has open, or opens anew if the run has other claims.

    Perhaps they came since.
    """
    resources = _open_resources(options)
    if resources.models_and_claims != unit.models_and_claims:
        resources.store.close()
        _open_resources.cache_clear()
    return _open_resources(options)


@lru_cache(maxsize=1)
def _open_resources(options: tuple[tuple[str, str], ...]) -> _OpenResources:
    chosen = settings.load(**dict(options))  # type: ignore[arg-type]
    index = pipeline.open_index(chosen)
    return _OpenResources(
        chosen, ArchiveStore.open(chosen.database), index, models_and_claims(chosen, index)
    )
