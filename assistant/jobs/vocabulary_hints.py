"""Vocabulary hints for transcription: terms of the fact-checks in the database."""

from __future__ import annotations

from assistant.claims.likely_terms import LikelyTerms
from assistant.core.errors import ClaimIndexError, ModelUnavailable, StoreError
from assistant.core.progress_callback import Progress
from assistant.core.settings import Settings


def load(settings: Settings, progress: Progress | None = None) -> LikelyTerms | None:
    """Return the terms of the fact-checks, None without fact-checks or an index."""
    from assistant import pipeline

    try:
        return LikelyTerms(pipeline.open_index(settings, progress=progress))
    except (StoreError, ClaimIndexError, ModelUnavailable):
        return None
