"""A feed whose publishers have changed and retracted some reviews, imported a second time.

How long does the second import take, and are all changed and missing fact-checks right?

``python -m bench.reimport [--reviews 93000] [--json FILE]``. Expected: less than 2 minutes, and no
fact-check that is wrong. One review of a hundred has another rating, one of a thousand is missing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from assistant.claims.claim_store import ClaimStore
from assistant.core.domain import RatingClass, VerifiedClaim
from bench.command import command, option, table
from bench.million import Recombined

PUBLISHERS = 60
CHANGED_EVERY = 100
MISSING_EVERY = 1000
SOURCE = "feed"
FIRST_RATING = "False"
SECOND_RATING = "Mostly True"
SECOND_DAY = date(2025, 1, 1)


def reviews(total: int) -> Iterator[VerifiedClaim]:
    """Yield the fact-checks of the first day."""
    statements = Recombined(total)
    for number in range(total):
        site = f"https://checker-{number % PUBLISHERS}.example.org"
        yield VerifiedClaim(
            id=f"check-{number}",
            statement=statements.statement(number),
            rating=FIRST_RATING,
            rating_class=RatingClass.FALSE,
            review_date=date(2024, 1, 1 + number % 28),
            publisher=f"Checker {number % PUBLISHERS}",
            url=f"{site}/check/{number}",
        )


def later_reviews(total: int) -> Iterator[VerifiedClaim]:
    """Yield the fact-checks of the second day: some have another rating, some are missing."""
    for number, vclaim in enumerate(reviews(total)):
        if is_missing(number):
            continue
        if is_changed(number):
            rated = {"rating": SECOND_RATING, "rating_class": RatingClass.TRUE}
            yield replace(vclaim, **rated, review_date=SECOND_DAY)
        else:
            yield vclaim


def is_missing(number: int) -> bool:
    """Return whether the publisher has retracted a review by the second day."""
    return number % MISSING_EVERY == 1


def is_changed(number: int) -> bool:
    """Return whether the publisher has changed a review by the second day."""
    return number % CHANGED_EVERY == 2


def wrong_checks(store: ClaimStore, total: int) -> int:
    """Count the fact-checks whose words, history or withdrawal is wrong."""
    wrong = 0
    current = store.current_reviews(f"check-{number}" for number in range(total))
    for number in range(total):
        claim_id = f"check-{number}"
        review = current[claim_id]
        rating = SECOND_RATING if is_changed(number) else FIRST_RATING
        is_right = review.rating == rating and bool(review.withdrawn) == is_missing(number)
        if is_changed(number):
            former_ratings = [version.rating for version in store.versions(claim_id)]
            is_right = is_right and former_ratings == [FIRST_RATING]
        wrong += not is_right
    return wrong


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Import the feed of both days, and withdraw what the second lacks."""
    with (
        tempfile.TemporaryDirectory(prefix="lectern-") as name,
        ClaimStore.open(f"sqlite:///{Path(name) / 'lectern.db'}") as store,
    ):
        began = time.perf_counter()
        store.upsert(reviews(options.reviews), source=SOURCE, whole_source=True)
        first_s = time.perf_counter() - began
        began = time.perf_counter()
        began_cpu = time.process_time()
        report = store.upsert(later_reviews(options.reviews), source=SOURCE, whole_source=True)
        store.withdraw(report.missing_ids, why="retracted", withdrawn_by="bench")
        second_s = time.perf_counter() - began
        second_cpu_s = time.process_time() - began_cpu
        bench_row = {
            "reviews": options.reviews,
            "first import, s": round(first_s, 1),
            "second import, s": round(second_s, 1),
            "second import, CPU s": round(second_cpu_s, 1),
            "changed": report.changed,
            "missing": len(report.missing_ids),
            "wrong": wrong_checks(store, options.reviews),
        }
    print(table([bench_row]))
    return {"rows": [bench_row]}


main = command(measure, option("--reviews", type=int, default=93_000))

if __name__ == "__main__":
    sys.exit(main())
