"""Statements, ratings and dates of fact-checks as they are now, or that they are withdrawn."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from assistant.claims import withdrawals
from assistant.claims.claim_sources import in_chunks
from assistant.claims.records import CurrentReview
from assistant.claims.stored_tables import claims
from assistant.core.domain import RatingClass


def read(connection: sa.Connection, claim_ids: Iterable[str]) -> dict[str, CurrentReview]:
    """Return the reviews of the claims with these ids, by id; unknown ids are left out."""
    distinct_ids = sorted(set(claim_ids))
    reviews = {}
    for withdrawal in withdrawals.read(connection, distinct_ids):
        claim = withdrawal.claim
        reviews[claim.id] = CurrentReview(
            claim.statement, claim.rating, claim.rating_class, claim.review_date, withdrawal
        )
    columns = claims.c
    query = sa.select(
        columns.id, columns.statement, columns.rating, columns.rating_class, columns.review_date
    )
    for id_batch in in_chunks(distinct_ids):
        # A claim that was imported again after its withdrawal is not withdrawn now.
        for claim_row in connection.execute(query.where(columns.id.in_(id_batch))):
            rating_class = RatingClass(claim_row.rating_class)
            reviews[claim_row.id] = CurrentReview(
                claim_row.statement, claim_row.rating, rating_class, claim_row.review_date
            )
    return reviews
