"""Reads the verified claims of a database: by id, by words, as counts, and what was withdrawn.

Also the last attempt to fetch a claim's article, because the article is a part of the claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any

import sqlalchemy as sa

from assistant.claims import claim_sources, claim_versions, current_reviews, withdrawals
from assistant.claims.claim_fields import digest, statement_key
from assistant.claims.claim_rows import BATCH_ROWS, CLAIM_FIELDS, chunks, read_claim
from assistant.claims.records import (
    Attempt,
    ClaimVersion,
    CurrentReview,
    StoreStatus,
    Withdrawal,
    WithoutArticle,
)
from assistant.claims.stored_tables import articles, claims
from assistant.core.database import Database
from assistant.core.domain import OWN_NOTE, VerifiedClaim

SAMPLE_SOURCE = "samples"
_CONTENT_DIGEST_CHARACTERS = 32
ATTEMPT_COLUMNS = ("outcome", "note", "asked_at", "tries", "fetched_at", "source_url")
_has_own_article = claims.c.body_length > 0
_has_fetched_article = articles.c.body_length > 0
_article = sa.case(
    (_has_own_article, claims.c.body), else_=sa.func.coalesce(articles.c.body, "")
).label("body")
_claim_columns = [_article if name == "body" else claims.c[name] for name in CLAIM_FIELDS]
_attempt_columns = [articles.c[name] for name in ATTEMPT_COLUMNS]
_claims_and_articles = claims.outerjoin(articles, claims.c.url == articles.c.url)
_newest_review_first = sa.func.coalesce(claims.c.review_date, datetime.min.date()).desc()


class ClaimReader(Database):
    """The claims and articles of one database, to read."""

    def versions(self, claim_id: str) -> list[ClaimVersion]:
        """Return the words of a claim before each change of statement or rating, oldest first."""
        with self._reading() as connection:
            return claim_versions.read_versions(connection, claim_id)

    def withdrawn(self, claim_ids: Iterable[str] | None = None) -> list[Withdrawal]:
        """Return the withdrawn claims, newest first; only those with these ids, if given."""
        with self._reading() as connection:
            return withdrawals.read(connection, claim_ids)

    def ids_of_source(self, source: str) -> list[str]:
        """Return the claims that only this source brought."""
        with self._reading() as connection:
            return claim_sources.ids_of_source(connection, source)

    def current_reviews(self, claim_ids: Iterable[str]) -> dict[str, CurrentReview]:
        """Return statement, rating and date of claims as they are now, or that they are withdrawn.

        By id; unknown ids are left out.
        """
        with self._reading() as connection:
            return current_reviews.read(connection, claim_ids)

    def get(self, claim_id: str) -> VerifiedClaim | None:
        """Return the claim with an id, or None."""
        return self.many((claim_id,)).get(claim_id)

    def many(self, ids: Iterable[str]) -> dict[str, VerifiedClaim]:
        """Return claims by id, in the order of ``ids``, without unknown ids."""
        requested_ids = list(ids)
        claim_by_id: dict[str, VerifiedClaim] = {}
        query = sa.select(*_claim_columns).select_from(_claims_and_articles)
        with self._reading() as connection:
            for batch in chunks(requested_ids):
                query_of_batch = query.where(claims.c.id.in_(batch))
                for row in connection.execute(query_of_batch):
                    claim_by_id[row.id] = read_claim(row)
        # The database returns the rows in any order.
        found_ids = [claim_id for claim_id in requested_ids if claim_id in claim_by_id]
        return {claim_id: claim_by_id[claim_id] for claim_id in found_ids}

    def fingerprints(self) -> dict[str, str]:
        """Return id and digest of every claim, in the order of their ids.

        A digest changes with any field, and with the article that was fetched for a claim that
        came without one.
        """
        with self._reading(in_batches=True) as connection:
            return dict(_ids_and_digests(connection))

    def digest(self) -> str:
        """Return 32 hexadecimal digits for the whole content, independent of the import order."""
        digest_of_claims = sha256()
        with self._reading(in_batches=True) as connection:
            separator = b""  # none before the first claim
            for claim_id, claim_digest in _ids_and_digests(connection):
                digest_of_claims.update(separator + f"{claim_id} {claim_digest}".encode())
                separator = b"\x1f"
        return digest_of_claims.hexdigest()[:_CONTENT_DIGEST_CHARACTERS]

    def search(self, text: str, *, limit: int = 20, offset: int = 0) -> list[VerifiedClaim]:
        """Find the claims that have a word beginning with every word of the text.

        Statement and claimant are searched. Claims with the text as a phrase come first, then the
        newest reviews; without words, the newest reviews.
        """
        search_words = statement_key(text).split()
        # The column has a space before each word, so that a search finds beginnings of words.
        has_phrase = claims.c.words.contains(" " + " ".join(search_words), autoescape=True)
        has_words = [claims.c.words.contains(" " + word, autoescape=True) for word in search_words]
        whole_phrase_first = sa.case((has_phrase, 0), else_=1)
        query = (
            sa.select(*_claim_columns)
            .select_from(_claims_and_articles)
            .where(*has_words)
            .order_by(whole_phrase_first, _newest_review_first, claims.c.id)
            .limit(limit)
            .offset(offset)
        )
        with self._reading() as connection:
            return [read_claim(row) for row in connection.execute(query)]

    def size(self) -> tuple[int, date | None]:
        """Return the number of claims and the day of the newest review; this is always fast."""
        query = sa.select(sa.func.count(), sa.func.max(claims.c.review_date)).select_from(claims)
        with self._reading() as connection:
            return tuple(connection.execute(query).one())

    def status(self) -> StoreStatus:
        """Count claims, publishers and articles, and compute the digest of all claims."""
        has_only_fetched_article = sa.and_(sa.not_(_has_own_article), _has_fetched_article)
        is_note = claims.c.publisher == OWN_NOTE
        published_by = sa.case((is_note, None), else_=claims.c.publisher)
        query = sa.select(
            sa.func.count().label("claims"),
            sa.func.count(sa.distinct(published_by)).label("publishers"),
            _count_where(is_note).label("notes"),
            _count_where(_has_own_article).label("own_articles"),
            _count_where(has_only_fetched_article).label("fetched_articles"),
            sa.func.max(claims.c.review_date).label("newest_review_date"),
        ).select_from(_claims_and_articles)
        with self._reading() as connection:
            totals = connection.execute(query).one()
        sources = self.counts("source")
        return StoreStatus(
            claims=totals.claims,
            publishers=totals.publishers,
            with_body=totals.own_articles + totals.fetched_articles,
            fetched=totals.fetched_articles,
            newest_review_date=totals.newest_review_date,
            sources=sources,
            digest=self.digest(),
            samples=sources.get(SAMPLE_SOURCE, 0),
            notes=totals.notes,
        )

    def counts(self, field: str) -> dict[str, int]:
        """Count the claims by the text of a column, such as ``publisher``, most frequent first."""
        return self._counts_of(claims.c[field])

    def review_days(self) -> dict[date | None, int]:
        """Count the claims that were checked on each day, most frequent first; None: unknown."""
        return self._counts_of(claims.c.review_date)

    def _counts_of(self, column: sa.Column[Any]) -> dict[Any, int]:
        """Count the claims by the values of a column, most frequent first."""
        claim_count = sa.func.count()
        query = sa.select(column, claim_count).group_by(column)
        query = query.order_by(claim_count.desc(), column)
        with self._reading() as connection:
            return {value: number for value, number in connection.execute(query)}

    def without_article(
        self, ids: Iterable[str] | None = None, *, publisher: str = ""
    ) -> list[WithoutArticle]:
        """List the claims that came without an article and have an address, newest reviews first.

        ``ids``: only these claims. ``publisher``: only the claims of one publisher. Each has the
        last attempt at its article.
        """
        query = (
            sa.select(claims.c.id, claims.c.url, *_attempt_columns)
            .select_from(_claims_and_articles)
            .where(sa.not_(_has_own_article), claims.c.url != "")
            .order_by(_newest_review_first, claims.c.id)
        )
        if publisher:
            query = query.where(claims.c.publisher == publisher)
        with self._reading() as connection:
            rows = connection.execute(query).all()
        all_without_article = [
            WithoutArticle(row.id, row.url, _attempt_in_row(row)) for row in rows
        ]
        if ids is None:
            return all_without_article
        requested_ids = set(ids)
        return [claim for claim in all_without_article if claim.id in requested_ids]

    def attempt(self, claim_id: str) -> Attempt | None:
        """Return the last attempt to fetch a claim's article.

        None if there was no attempt or the article came with the claim.
        """
        query = (
            sa.select(*_attempt_columns)
            .join(claims, claims.c.url == articles.c.url)
            .where(claims.c.id == claim_id, sa.not_(_has_own_article))
        )
        with self._reading() as connection:
            row = connection.execute(query).first()
        return _attempt_in_row(row) if row else None


def _count_where(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    """Return the SQL expression for the number of rows that meet a condition."""
    one_or_zero = sa.case((condition, 1), else_=0)
    return sa.func.coalesce(sa.func.sum(one_or_zero), 0)


def _ids_and_digests(connection: sa.Connection) -> Iterator[tuple[str, str]]:
    """Yield id and digest of every claim, in the order of their ids, in constant memory.

    The digest of a claim that came without an article includes the fetched article.
    """
    fetched_query = (
        sa.select(claims.c.id, articles.c.digest)
        .join(articles, claims.c.url == articles.c.url)
        .where(_has_fetched_article, sa.not_(_has_own_article))
    )
    article_digests = dict(connection.execute(fetched_query).all())
    # All claims in batches, so that they are not in memory at once
    claim_query = sa.select(claims.c.id, claims.c.digest).order_by(claims.c.id)
    batched_connection = connection.execution_options(yield_per=BATCH_ROWS)
    for claim_id, claim_digest in batched_connection.execute(claim_query):
        if claim_id in article_digests:
            yield claim_id, digest(claim_digest, article_digests[claim_id])
        else:
            yield claim_id, claim_digest


def _attempt_in_row(row: sa.Row[Any]) -> Attempt | None:
    """Return the attempt in a row, if there was one. SQLite forgets that times are in UTC."""
    if row.outcome is None:
        return None
    values = {name: getattr(row, name) for name in ATTEMPT_COLUMNS}
    for name in ("asked_at", "fetched_at"):
        if values[name]:
            values[name] = values[name].replace(tzinfo=UTC)
    return Attempt(**values)
