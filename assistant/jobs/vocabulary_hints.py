"""The terms with which a recording is heard again.

Those of the fact-checks that the settings name, where there are.
"""

from __future__ import annotations

from assistant.check.progress import Progress
from assistant.claims.likely_terms import TermsSaid
from assistant.core.errors import ClaimIndexError, ModelUnavailable, StoreError
from assistant.core.settings import Settings


def load(settings: Settings, progress: Progress | None = None) -> TermsSaid | None:
    """Return what names the terms of something heard.

    None without fact-checks, or before they have been indexed.
    """
    from assistant import pipeline

    try:
        return TermsSaid(pipeline.open_index(settings, progress=progress))
    except (StoreError, ClaimIndexError, ModelUnavailable):
        return None
