"""The words of claims before their publishers changed them, with their dates."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import sqlalchemy as sa

from assistant.claims.records import ClaimVersion
from assistant.claims.stored_claims import StoredClaim
from assistant.claims.stored_tables import claim_versions
from assistant.core.domain import RatingClass


def store_replaced(
    connection: sa.Connection, stored_claims: Iterable[StoredClaim], source: str, now: datetime
) -> None:
    """Store the words that an import of a source has replaced."""
    for stored in stored_claims:
        if not stored.replaced:
            continue
        next_version = _newest_version(connection, stored.id) + 1
        version_rows = []
        for version, claim in enumerate(stored.replaced, next_version):
            version_rows.append(
                {
                    "claim_id": stored.id,
                    "version": version,
                    "replaced_at": now,
                    "source": source,
                    "statement": claim.statement,
                    "rating": claim.rating,
                    "rating_class": claim.rating_class.value,
                    "review_date": claim.review_date,
                }
            )
        connection.execute(claim_versions.insert(), version_rows)


def read_versions(connection: sa.Connection, claim_id: str) -> list[ClaimVersion]:
    """Return the former words of a claim, oldest first."""
    columns = claim_versions.c
    query = sa.select(claim_versions).where(columns.claim_id == claim_id).order_by(columns.version)
    return [
        ClaimVersion(
            statement=version_row.statement,
            rating=version_row.rating,
            rating_class=RatingClass(version_row.rating_class),
            review_date=version_row.review_date,
            replaced_at=version_row.replaced_at.replace(tzinfo=UTC),
        )
        for version_row in connection.execute(query)
    ]


def _newest_version(connection: sa.Connection, claim_id: str) -> int:
    columns = claim_versions.c
    query = sa.select(sa.func.max(columns.version)).where(columns.claim_id == claim_id)
    return connection.execute(query).scalar() or 0
