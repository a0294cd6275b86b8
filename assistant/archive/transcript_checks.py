"""One unit of work: a transcript checked as of today and as of its event, in whatever process, and stored.

A process opens the database, the index and the models once; the large arrays of the index are
mapped, so that all processes of a machine share them.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
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
from assistant.core.domain import Report, Transcript
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
    option_items = tuple(sorted(options.items()))
    try:
        return _resources_for(unit, option_items).check(unit)
    except LecternError as error:
        return CheckOutcome(unit.transcript, str(error))
    except Exception as error:
        # A fault that one transcript brings to light must not stop a night's work.
        LOGGER.exception("transcript %s", unit.transcript)
        return CheckOutcome(unit.transcript, f"{type(error).__name__}: {error}")


def models_and_claims(chosen: settings.Settings, index: ClaimIndex) -> str:
    """Return a digest of everything that a check depends on apart from its transcript."""
    model_digests = loaded_models.load(chosen.profile).names_and_digests()
    return digest(
        __version__, repr(chosen.profile), repr(sorted(model_digests.items())), index.digest
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
            what = "this worker uses a different index, models or profile than the run."
            raise ClaimIndexError(
                what, where=str(self.settings.home), remedy="Use the same --home for both commands."
            )
        digest_and_transcript = self.store.transcript(unit.transcript)
        if digest_and_transcript is None:
            return CheckOutcome(unit.transcript)
        transcript_digest, transcript = digest_and_transcript
        profile = self.settings.profile
        started_at_s = time.perf_counter()
        report_today = pipeline.check(transcript, self.index, profile)
        report_at_event = None
        if transcript.event_date is not None:
            report_at_event = pipeline.check(transcript, self.index, profile, as_of_event=True)
        seconds = time.perf_counter() - started_at_s
        finished_check = FinishedCheck(
            transcript=unit.transcript,
            digest=transcript_digest,
            stamp=check_key(transcript_digest, self.models_and_claims),
            seconds=seconds,
            today=report_today,
            at_event=report_at_event,
            chances=self._chances(report_today),
        )
        is_stored = self.store.finish(finished_check)
        if not is_stored:
            # The transcript was changed or removed meanwhile.
            return CheckOutcome(unit.transcript)
        return CheckOutcome(unit.transcript, vectors=vectors_of(transcript, self.settings))

    def _chances(self, report: Report) -> Sequence[float | None]:
        """Return for each match in a report the chance that the sentence makes the claim."""
        matches = matches_in(report)
        statements = [match.claim.statement for _, match in matches]
        sentence_texts = [sentence.text for sentence, _ in matches]
        encoders = loaded_models.encoders(self.settings.profile)
        return same_claim.chances(statements, sentence_texts, encoders)


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
