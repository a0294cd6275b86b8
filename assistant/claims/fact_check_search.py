"""Search for stored fact-checks by words and by filters, one page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import sqlalchemy as sa

from assistant.claims.claim_fields import statement_key
from assistant.claims.stored_tables import claims
from assistant.core.database import Database
from assistant.core.domain import RatingClass


@dataclass(frozen=True, slots=True)
class FactCheckFilter:
    """The conditions of a search; an empty one is met by every fact-check.

    ``words``: statement and claimant have a word that begins with each of them. The days are the
    first and the last on which the fact-check was published.
    """

    words: str = ""
    publisher: str = ""
    claimant: str = ""
    rating_class: RatingClass | None = None
    language: str = ""
    reviewed_from: date | None = None
    reviewed_to: date | None = None

    @property
    def is_empty(self) -> bool:
        """Return whether every fact-check meets the conditions."""
        return self == FactCheckFilter()


class FactCheckSearch(Database):
    """The fact-checks of one database, by conditions."""

    def page(
        self, conditions: FactCheckFilter, *, limit: int, offset: int = 0
    ) -> tuple[list[str], int]:
        """Return the ids of one page of fact-checks, and the number of all that were found.

        Those with the words as a phrase come first, then the newest.
        """
        meets_conditions = _sql_condition(conditions)
        phrase = " ".join(statement_key(conditions.words).split())
        # The column has a space before each word. Rows are sorted by 0 with the phrase, else 1.
        has_phrase = claims.c.words.contains(" " + phrase, autoescape=True)
        whole_phrase_first = sa.case((has_phrase, 0), else_=1)
        newest_first = sa.func.coalesce(claims.c.review_date, date.min).desc()
        id_query = (
            sa.select(claims.c.id)
            .where(meets_conditions)
            .order_by(whole_phrase_first, newest_first, claims.c.id)
            .limit(limit)
            .offset(offset)
        )
        count_query = sa.select(sa.func.count()).select_from(claims).where(meets_conditions)
        with self._reading() as connection:
            ids = list(connection.execute(id_query).scalars())
            total_count = connection.execute(count_query).scalar_one()
        return ids, total_count

    def ids(self, conditions: FactCheckFilter) -> set[str]:
        """Return the ids of all fact-checks that meet the conditions."""
        with self._reading() as connection:
            return set(
                connection.execute(
                    sa.select(claims.c.id).where(_sql_condition(conditions))
                ).scalars()
            )


def _sql_condition(fact_check_filter: FactCheckFilter) -> sa.ColumnElement[bool]:
    """Return the condition of the rows that meet all conditions of a search."""
    columns = claims.c
    sql_conditions: list[Any] = [sa.true()]
    for word in statement_key(fact_check_filter.words).split():
        # The column has a space before each word: beginnings of words are searched.
        sql_conditions.append(columns.words.contains(" " + word, autoescape=True))
    if fact_check_filter.publisher:
        publisher = fact_check_filter.publisher.lower()
        sql_conditions.append(sa.func.lower(columns.publisher) == publisher)
    if fact_check_filter.claimant:
        pattern = fact_check_filter.claimant.lower()
        sql_conditions.append(sa.func.lower(columns.claimant).contains(pattern, autoescape=True))
    if fact_check_filter.rating_class is not None:
        sql_conditions.append(columns.rating_class == str(fact_check_filter.rating_class))
    if fact_check_filter.language:
        sql_conditions.append(columns.language == fact_check_filter.language)
    if fact_check_filter.reviewed_from is not None:
        sql_conditions.append(columns.review_date >= fact_check_filter.reviewed_from)
    if fact_check_filter.reviewed_to is not None:
        sql_conditions.append(columns.review_date <= fact_check_filter.reviewed_to)
    return sa.and_(*sql_conditions)
