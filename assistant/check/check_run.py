"""A run of a check: everything that its later steps need besides the pairs."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.check.loaded_models import Models
from assistant.check.ranker_inputs import SpokenSentences
from assistant.claims.claim_index import ClaimIndex
from assistant.core.progress_callback import Progress, no_progress


@dataclass(frozen=True, slots=True)
class CheckRun:
    """The spoken sentences, the fact-checks, the models and the progress of one check."""

    spoken: SpokenSentences
    index: ClaimIndex
    models: Models
    progress: Progress = no_progress
