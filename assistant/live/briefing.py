"""The briefing before an event.

The fact-checks most likely to come back, by its speakers and topics.

What somebody repeats is checked repeatedly, so claims are ordered by how many other fact-checks of
the same person are close in meaning, the newest first among equals; of a close group only the
newest is listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.claims.claim_index import ClaimIndex
from assistant.claims.likely_names import fitting_names, frequent_names
from assistant.core.domain import VerifiedClaim
from assistant.core.person_names import claimant_surnames, speaker_surname

StatementVectors = NDArray[np.floating]
SAME_MEANING_COSINE = 0.7  # least cosine of two statements with much the same meaning
TOPIC_CLAIMS = 300  # claims nearest to the topics that are compared
# Claims below it are of another topic. In 138 sample claims it keeps 10 for "energy" and for
# "climate"; in 19,250 claims, more than TOPIC_CLAIMS are above it for any common topic.
MIN_TOPIC_COSINE = 0.2
LISTED_CLAIMS = 40


@dataclass(frozen=True, slots=True)
class Expected:
    """A fact-check that may come back.

    ``others``: how many more fact-checks of the same person are close to it.
    """

    claim: VerifiedClaim
    others: int


def briefing(
    index: ClaimIndex,
    encode: Callable[[Sequence[str]], StatementVectors],
    *,
    speakers: Sequence[str] = (),
    topics: Sequence[str] = (),
    limit: int = LISTED_CLAIMS,
) -> list[Expected]:
    """Return the fact-checks most likely to come back, at most ``limit``.

    The list is empty without speakers and topics. ``encode`` turns topics into vectors (n, d) like
    the vectors of the index's statements.
    """
    if not speakers and not topics:
        return []
    positions = _positions_of_claims_by(index, speakers) if speakers else np.arange(len(index))
    if topics and len(positions):
        # The cosine of each claim (c,) with the nearest topic.
        cosines = index.statement_vectors[positions] @ encode(list(topics)).T
        topic_cosines = cosines.max(axis=1)
        nearest_first = np.argsort(-topic_cosines, kind="stable")[:TOPIC_CLAIMS]
        near = nearest_first[topic_cosines[nearest_first] >= MIN_TOPIC_COSINE]
        positions = positions[near]
    if not len(positions):
        return []
    # Sort by how often a claim was repeated, then by date, then by position; all (r,).
    are_close = _close_claims(index, positions)
    repeat_counts = are_close.sum(axis=1) - 1
    review_days = index.review_days[positions]
    order = np.lexsort((positions, -review_days, -repeat_counts))
    # Of a group of close claims, only the first in the order is listed.
    listed: list[int] = []
    for candidate in order.tolist():
        if len(listed) == limit:
            break
        if not are_close[candidate, listed].any():
            listed.append(candidate)
    expected = []
    for candidate in listed:
        # Of the claims close to it, the newest one is listed.
        newest = int(np.argmax(np.where(are_close[candidate], review_days, -1)))
        claim = index.claim(int(positions[newest]))
        expected.append(Expected(claim, int(repeat_counts[candidate])))
    return expected


def expected_names(
    speakers: Sequence[str], topics: Sequence[str], expected: Sequence[Expected]
) -> tuple[str, ...]:
    """Return what a recogniser expects.

    Speakers and topics, then the names in the fact-checks, as many as it takes.
    """
    claims = [expected_claim.claim for expected_claim in expected]
    # How many fact-checks have each statement, and each claimant
    statement_counts = Counter(claim.statement for claim in claims)
    claimant_counts = Counter(claim.claimant for claim in claims)
    # A name of a single fact-check is frequent enough: the fact-checks are few.
    names = frequent_names(statement_counts, claimant_counts, min_fact_checks=1)
    return fitting_names([*speakers, *topics, *names])


def _positions_of_claims_by(index: ClaimIndex, speakers: Sequence[str]) -> NDArray[np.intp]:
    surnames = {speaker_surname(name) for name in speakers} - {""}
    positions = []
    for position, claimant in enumerate(index.claimants):
        if surnames & claimant_surnames(claimant):
            positions.append(position)
    return np.array(positions, np.intp)


def _close_claims(index: ClaimIndex, positions: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which claims are close to each other and of the same person, (r, r).

    Each is close to itself.
    """
    # Unit vectors, (r, d), whose products are cosines
    vectors = index.statement_vectors[positions]
    claimants = np.array([index.claimants[i].casefold() for i in positions.tolist()])
    # Both masks compare each claim with each other, (r, r).
    has_same_meaning = vectors @ vectors.T >= SAME_MEANING_COSINE
    is_same_person = claimants[:, None] == claimants[None, :]
    are_close = has_same_meaning & is_same_person
    np.fill_diagonal(are_close, True)
    return are_close
