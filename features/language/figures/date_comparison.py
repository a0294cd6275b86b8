"""Comparison of the dates of two texts: the number they share, and the number that clash.

It follows the three rules of DeSePtion (Hidey et al. 2020): one date is within the other, a number
of years before or after a day, or directly the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from features.language.figures.dates import DAYS_OF_UNIT, SINCE, UNTIL, DateMention

LONGEST_MONTH_DAYS = 31
SINCE_MARGIN_DAYS = 200.0  # between the beginnings of two periods, unless both are calendar dates
SIMILAR_LENGTH_DAYS = 2
_LONG_UNITS = ("decade", "century")

Relations = list[list[bool | None]]


@dataclass(frozen=True, slots=True)
class ComparedDates:
    """The number of dates that two texts share, and the number that clash."""

    shared: int
    clashing: int


def compare(
    sentence_dates: Iterable[DateMention],
    statement_dates: Iterable[DateMention],
    event_day: int = 0,
    claim_day: int = 0,
) -> ComparedDates:
    """Count the dates that two texts share; days are ordinals, 0 if unknown.

    Without them, dates relative to the day of speaking are compared only with each other. Dates
    clash if both texts have comparable ones and share none, or if one has a year or day that the
    other lacks.
    """
    sentence_mentions = list(sentence_dates)
    statement_mentions = list(statement_dates)
    relations = _relations(sentence_mentions, statement_mentions, event_day, claim_day)
    # ``relations`` has a row for each date of the sentence and a column for each date of the
    # statement. Each date of the statement is paired with one date of the sentence at most.
    paired_columns: set[int] = set()
    for relations_of_date in relations:
        for column, may_be_same in enumerate(relations_of_date):
            if may_be_same and column not in paired_columns:
                paired_columns.add(column)
                break
    clashes = _clashes(sentence_mentions, statement_mentions, relations)
    has_clash = any(any(clashes_of_date) for clashes_of_date in clashes)
    return ComparedDates(len(paired_columns), int(has_clash))


def date_verdicts(
    sentence_dates: Iterable[DateMention],
    statement_dates: Iterable[DateMention],
    event_day: int = 0,
    claim_day: int = 0,
) -> tuple[list[bool | None], list[bool | None]]:
    """Return for each date of both texts: True if shared, False if it clashes, else None.

    There is a False if and only if ``compare`` says that dates clash.
    """
    sentence_mentions = list(sentence_dates)
    statement_mentions = list(statement_dates)
    # A row for each date of the sentence, with a value for each date of the statement
    relations = _relations(sentence_mentions, statement_mentions, event_day, claim_day)
    clashes = _clashes(sentence_mentions, statement_mentions, relations)
    sentence_verdicts = []
    for relations_of_date, clashes_of_date in zip(relations, clashes, strict=True):
        sentence_verdicts.append(_verdict(relations_of_date, clashes_of_date))
    statement_verdicts = []
    for column in range(len(statement_mentions)):
        relations_of_date = [relations_row[column] for relations_row in relations]
        clashes_of_date = [clashes_row[column] for clashes_row in clashes]
        statement_verdicts.append(_verdict(relations_of_date, clashes_of_date))
    return sentence_verdicts, statement_verdicts


def _relations(
    sentence_mentions: Sequence[DateMention],
    statement_mentions: Sequence[DateMention],
    event_day: int,
    claim_day: int,
) -> Relations:
    """Relate each date of the sentence (outer list) to each date of the statement."""
    relations = []
    for sentence_date in sentence_mentions:
        relations_of_date = [
            relation(sentence_date, statement_date, event_day, claim_day)
            for statement_date in statement_mentions
        ]
        relations.append(relations_of_date)
    return relations


def _verdict(relations: Sequence[bool | None], clashes: Sequence[bool]) -> bool | None:
    if any(clashes):
        return False
    if True in relations:
        return True
    return None


def _clashes(
    sentence_mentions: Sequence[DateMention],
    statement_mentions: Sequence[DateMention],
    relations: Relations,
) -> list[list[bool]]:
    """Return which dates of the sentence (outer list) clash with which dates of the statement.

    If none is shared, all that differ clash, else only those that replace each other.
    """
    # A relation is True if two dates may be the same, False if not, None if it is unknown.
    has_shared_date = any(True in relations_of_date for relations_of_date in relations)
    if not has_shared_date:
        # Without a date in common, every two dates that cannot be the same clash.
        clashes = []
        for relations_of_date in relations:
            clashes.append([may_be_same is False for may_be_same in relations_of_date])
        return clashes
    # The columns of the statement's dates that the sentence has, too
    shared_columns: set[int] = set()
    for relations_of_date in relations:
        for column, may_be_same in enumerate(relations_of_date):
            if may_be_same:
                shared_columns.add(column)
    clashes = []
    for sentence_date, relations_of_date in zip(sentence_mentions, relations, strict=True):
        is_sentence_date_shared = True in relations_of_date
        clashes_of_date = []
        for column, statement_date in enumerate(statement_mentions):
            is_shared = is_sentence_date_shared or column in shared_columns
            clashes_of_date.append(not is_shared and _replaces(sentence_date, statement_date))
        clashes.append(clashes_of_date)
    return clashes


def _replaces(sentence_date: DateMention, statement_date: DateMention) -> bool:
    """Return whether one calendar date replaces another: they have one length and one role."""
    # A fixed date, such as "in 2016", does not depend on the day of speaking.
    are_fixed = sentence_date.fixed and statement_date.fixed
    if not are_fixed or sentence_date.role != statement_date.role:
        return False
    length_difference = abs(sentence_date.length - statement_date.length)
    return length_difference < SIMILAR_LENGTH_DAYS


def relation(
    sentence_date: DateMention, statement_date: DateMention, event_day: int = 0, claim_day: int = 0
) -> bool | None:
    """Return whether two dates may be the same, or None if they cannot be compared."""
    are_days_known = bool(event_day and claim_day)
    # months without a year, "since November"
    if sentence_date.month and statement_date.month and not are_days_known:
        return sentence_date.month == statement_date.month
    are_fixed = sentence_date.fixed and statement_date.fixed
    if are_days_known and not are_fixed:
        # "last year", seen from the day of each text
        sentence_days = sentence_date.resolve(event_day)
        statement_days = statement_date.resolve(claim_day)
        return _may_overlap(sentence_date, statement_date, sentence_days, statement_days)
    are_relative = not sentence_date.fixed and not statement_date.fixed
    have_month = bool(sentence_date.month or statement_date.month)
    if are_fixed or (are_relative and not have_month):
        # both count from the same day: calendar days, or days from the day of speaking
        sentence_days = sentence_date.period[:2]
        statement_days = statement_date.period[:2]
        return _may_overlap(sentence_date, statement_date, sentence_days, statement_days)
    return _is_same_month(sentence_date, statement_date)


def _is_same_month(sentence_date: DateMention, statement_date: DateMention) -> bool | None:
    """Return whether a month without a year and one with a year have the same name."""
    # Only a month without a year has a ``month``; a fixed date has a period of days.
    bare_month = sentence_date if sentence_date.month else statement_date
    dated_month = statement_date if sentence_date.month else sentence_date
    period = dated_month.period
    is_longer_than_month = period.last_day - period.first_day > LONGEST_MONTH_DAYS
    if not bare_month.month or not dated_month.fixed or is_longer_than_month:
        return None
    first_date = date.fromordinal(int(period.first_day))
    return first_date.month == bare_month.month


def _may_overlap(
    sentence_date: DateMention,
    statement_date: DateMention,
    sentence_days: tuple[float, float],
    statement_days: tuple[float, float],
) -> bool:
    """Return whether two periods, each as its first and last day, overlap within their margin."""
    # "since 2016" and "until 2016" are two periods, whatever their days.
    if {sentence_date.role, statement_date.role} == {SINCE, UNTIL}:
        return False
    # "two years ago" and the like are not exact, so their days get a margin.
    both_fixed = sentence_date.fixed and statement_date.fixed
    margin = 0.0 if both_fixed else _margin_days(sentence_date, statement_date)
    if sentence_date.role == statement_date.role == SINCE and not both_fixed:
        margin = max(margin, SINCE_MARGIN_DAYS)
    sentence_first, sentence_last = sentence_days
    statement_first, statement_last = statement_days
    # Two periods overlap if each begins before the other ends.
    begins_in_time = sentence_first <= statement_last + margin
    ends_in_time = statement_first <= sentence_last + margin
    return begins_in_time and ends_in_time


def _margin_days(sentence_date: DateMention, statement_date: DateMention) -> float:
    """Return half a unit of a relative date in days.

    "three years ago", "a decade ago" are not exact to the day.
    """
    margin = 0.0
    for mention in (sentence_date, statement_date):
        # "three years ago" is -3 years. One day, week or month is exact, one decade is not.
        unit = mention.unit.removesuffix("s")
        count = abs(mention.count)
        is_rough = count > 1 or (count > 0 and unit in _LONG_UNITS)
        if not mention.fixed and is_rough:
            margin = max(margin, DAYS_OF_UNIT.get(unit, 0.0) / 2)
    return margin
