"""The manifest of a report: the program, models, database and settings that made it."""

from __future__ import annotations

from assistant import __version__
from assistant.check.loaded_models import Models
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import Manifest
from features.similarity.context_window import Window


def of_check(models: Models, index: ClaimIndex, *, as_of_event: bool, window: Window) -> Manifest:
    """Return the manifest of a check.

    ``window``: the sentences of context that the search reads.
    """
    newest_review = index.newest_review
    thresholds = models.thresholds
    return Manifest(
        lectern=__version__,
        profile=models.profile.name,
        models=models.names_and_digests(),
        database={
            "claims": len(index),
            "newest_review_date": newest_review.isoformat() if newest_review else None,
            "digest": index.digest,
        },
        settings={
            "as_of_event": as_of_event,
            "ranker": models.ranker.name,
            "check_worthiness": round(models.worthiness_threshold, 6),
            "likely": round(thresholds.likely, 6),
            "possible": round(thresholds.possible, 6),
            "nli_candidates": models.profile.nli_candidates,
            "searched_with_sentences_before": window.before,
            "searched_with_sentences_after": window.after,
            "matches_shown": models.profile.matches_shown,
        },
    )
