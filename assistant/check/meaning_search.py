"""Search for fact-checks by meaning: those whose statements are nearest to a sentence."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from assistant.claims.claim_index import ClaimIndex
from assistant.core.settings import Profile
from features.similarity import nearest


class NearFactCheck(NamedTuple):
    """A fact-check found by meaning; ``similarity`` is the cosine with its statement."""

    claim_id: str
    similarity: float


def nearest_fact_checks(
    index: ClaimIndex,
    profile: Profile,
    sentence: str,
    *,
    limit: int,
    allowed_ids: Collection[str] | None = None,
) -> list[NearFactCheck]:
    """Return the fact-checks nearest to a sentence, nearest first.

    ``allowed_ids``: the only ones to search, all if it is None.
    """
    from assistant.check import loaded_models

    if not len(index) or not sentence.strip():
        return []
    # Whether each claim of the index may be found, (m,)
    is_allowed = np.ones(len(index), bool)
    if allowed_ids is not None:
        is_allowed = np.array([claim_id in allowed_ids for claim_id in index.ids], bool)
    sentence_vectors = loaded_models.encoders(profile).sbert.encode([sentence])  # (1, d)
    # One list of positions per vector: here a single one
    (claim_positions,) = index.nearest(sentence_vectors, "statement", limit, is_allowed)
    cosines = nearest.exact(sentence_vectors[0], index.statement_vectors[claim_positions])
    fact_checks = []
    for claim_position, cosine in zip(claim_positions.tolist(), cosines.tolist(), strict=True):
        fact_checks.append(NearFactCheck(str(index.ids[claim_position]), float(cosine)))
    return fact_checks
