"""The verified claims of the data folder as the product's values.

Their ids are those of the annotations.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from assistant.claims.ratings import classify
from assistant.core.domain import VerifiedClaim
from training.shared.loaders import rows

PUBLISHER = "PolitiFact"


def politifact(folder: Path) -> Iterator[VerifiedClaim]:
    """Yield the 19,250 claims of the data folder, in its order."""
    for record in rows(folder / "politifact" / "claims.jsonl.gz"):
        yield VerifiedClaim(
            id=record["id"],
            statement=record["statement"],
            title=record["title"],
            body=record["article"],
            claimant=record["speaker"],
            claim_date=date.fromisoformat(record["date_said"]),
            rating=record["rating"],
            rating_class=classify(record["rating"], PUBLISHER),
            review_date=date.fromisoformat(record["date_checked"]),
            publisher=PUBLISHER,
            url=record["url"],
        )
