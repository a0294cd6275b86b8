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

Vectors = NDArray[np.floating]
NEAR = 0.7  # least cosine of two statements with much the same meaning
ON_TOPIC = 300  # claims nearest to the topics that are compared
LISTED = 40


@dataclass(frozen=True, slots=True)
class Expected:
    """A fact-check that may come back.

    ``others``: how many more fact-checks of the same person are close to it.
    """

    claim: VerifiedClaim
    others: int


def briefing(
    index: ClaimIndex,
    encode: Callable[[Sequence[str]], Vectors],
    *,
    speakers: Sequence[str] = (),
    topics: Sequence[str] = (),
    limit: int = LISTED,
) -> list[Expected]:
    """Return the fact-checks most likely to come back, at most ``limit``.

    None without speakers and topics.

    ``encode`` turns topics into vectors (n, d) like those of the index's statements.
    """
    rows = _claims_of(index, speakers) if speakers else np.arange(len(index))
    if topics and len(rows):
        near = (index.statement_vectors[rows] @ encode(list(topics)).T).max(axis=1)
        rows = rows[np.argsort(-near, kind="stable")[:ON_TOPIC]]
    if not len(rows) or not (speakers or topics):
        return []
    close = _close(index, rows)
    others = close.sum(axis=1) - 1
    order = np.lexsort((rows, -index.review_days[rows], -others))
    listed: list[int] = []
    for place in order.tolist():
        if len(listed) == limit:
            break
        if not close[place, listed].any():
            listed.append(place)
    days = index.review_days[rows]
    newest = [int(np.argmax(np.where(close[place], days, -1))) for place in listed]
    return [
        Expected(index.claim(int(rows[i])), int(others[place]))
        for place, i in zip(listed, newest, strict=True)
    ]


def names(
    speakers: Sequence[str], topics: Sequence[str], expected: Sequence[Expected]
) -> tuple[str, ...]:
    """Return what a recogniser expects.

    Speakers and topics, then the names in the fact-checks, as many as it takes.
    """
    claims = [each.claim for each in expected]
    found = frequent_names(
        Counter(claim.statement for claim in claims),
        Counter(claim.claimant for claim in claims),
        min_fact_checks=1,
    )
    return fitting_names([*speakers, *topics, *found])


def _claims_of(index: ClaimIndex, speakers: Sequence[str]) -> NDArray[np.intp]:
    wanted = {speaker_surname(name) for name in speakers} - {""}
    return np.array(
        [i for i, name in enumerate(index.claimants) if wanted & claimant_surnames(name)], np.intp
    )


def _close(index: ClaimIndex, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which claims are close to each other and of the same person, (r, r).

    Each is close to itself.
    """
    vectors = index.statement_vectors[rows]
    who = np.array([index.claimants[i].casefold() for i in rows.tolist()])
    close = (vectors @ vectors.T >= NEAR) & (who[:, None] == who[None, :])
    np.fill_diagonal(close, True)
    return close
