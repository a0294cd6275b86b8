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

SameDates = list[list[bool | None]]


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
    same_dates = _compare_dates_of_texts(
        sentence_mentions, statement_mentions, event_day, claim_day
    )
    date_clashes = _clashes(sentence_mentions, statement_mentions, same_dates)
    has_clash = any(any(clashes_of_date) for clashes_of_date in date_clashes)
    return ComparedDates(_count_shared(same_dates), int(has_clash))


def _count_shared(same_dates: SameDates) -> int:
    """Count the dates that both texts have, each one once."""
    # Each date of the sentence takes the first date of the statement that may be the same one
    # and that no earlier date has taken.
    taken_dates: set[int] = set()
    for is_same_by_statement_date in same_dates:
        for statement_index, may_be_same in enumerate(is_same_by_statement_date):
            if may_be_same and statement_index not in taken_dates:
                taken_dates.add(statement_index)
                break
    return len(taken_dates)


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
    same_dates = _compare_dates_of_texts(
        sentence_mentions, statement_mentions, event_day, claim_day
    )
    date_clashes = _clashes(sentence_mentions, statement_mentions, same_dates)
    sentence_verdicts = []
    for matches_of_date, clashes_of_date in zip(same_dates, date_clashes, strict=True):
        sentence_verdicts.append(_verdict(matches_of_date, clashes_of_date))
    statement_verdicts = []
    for statement_index in range(len(statement_mentions)):
        matches_of_date = [matches_row[statement_index] for matches_row in same_dates]
        clashes_of_date = [clashes_row[statement_index] for clashes_row in date_clashes]
        statement_verdicts.append(_verdict(matches_of_date, clashes_of_date))
    return sentence_verdicts, statement_verdicts


def _compare_dates_of_texts(
    sentence_mentions: Sequence[DateMention],
    statement_mentions: Sequence[DateMention],
    event_day: int,
    claim_day: int,
) -> SameDates:
    """Relate each date of the sentence (outer list) to each date of the statement."""
    same_dates = []
    for sentence_date in sentence_mentions:
        matches_of_date = [
            may_be_same_date(sentence_date, statement_date, event_day, claim_day)
            for statement_date in statement_mentions
        ]
        same_dates.append(matches_of_date)
    return same_dates


def _verdict(relations: Sequence[bool | None], clashes: Sequence[bool]) -> bool | None:
    if any(clashes):
        return False
    if True in relations:
        return True
    return None


def _clashes(
    sentence_mentions: Sequence[DateMention],
    statement_mentions: Sequence[DateMention],
    same_dates: SameDates,
) -> list[list[bool]]:
    """Return which dates of the sentence (outer list) clash with which dates of the statement.

    If none is shared, all that differ clash, else only those that replace each other.
    """
    # An entry is True if two dates may be the same, False if not, None if it is unknown.
    has_shared_date = any(True in matches_of_date for matches_of_date in same_dates)
    if has_shared_date:
        return _replaced_dates(sentence_mentions, statement_mentions, same_dates)
    date_clashes = []
    for matches_of_date in same_dates:
        date_clashes.append([may_be_same is False for may_be_same in matches_of_date])
    return date_clashes


def _replaced_dates(
    sentence_mentions: Sequence[DateMention],
    statement_mentions: Sequence[DateMention],
    same_dates: SameDates,
) -> list[list[bool]]:
    """Return which dates of the sentence (outer list) replace which dates of the statement."""
    # "From 2010 to 2014" and "from 2010 to 2016" share 2010, and 2014 replaces 2016.
    is_statement_date_shared = [
        any(matches_row[index] for matches_row in same_dates)
        for index in range(len(statement_mentions))
    ]
    date_clashes = []
    for sentence_date, matches_of_date in zip(sentence_mentions, same_dates, strict=True):
        is_sentence_date_shared = True in matches_of_date
        clashes_of_date = []
        for statement_date, is_other_shared in zip(
            statement_mentions, is_statement_date_shared, strict=True
        ):
            is_shared = is_sentence_date_shared or is_other_shared
            clashes_of_date.append(not is_shared and _replaces(sentence_date, statement_date))
        date_clashes.append(clashes_of_date)
    return date_clashes


def _replaces(sentence_date: DateMention, statement_date: DateMention) -> bool:
    """Return whether one calendar date replaces another: they have one length and one role."""
    # A fixed date, such as "in 2016", does not depend on the day of speaking.
    are_fixed = sentence_date.is_calendar_date and statement_date.is_calendar_date
    if not are_fixed or sentence_date.role != statement_date.role:
        return False
    length_difference = abs(sentence_date.length - statement_date.length)
    return length_difference < SIMILAR_LENGTH_DAYS


def may_be_same_date(
    sentence_date: DateMention, statement_date: DateMention, event_day: int = 0, claim_day: int = 0
) -> bool | None:
    """Return whether two dates may be the same, or None if they cannot be compared."""
    are_days_known = bool(event_day and claim_day)
    are_calendar_dates = sentence_date.is_calendar_date and statement_date.is_calendar_date
    are_relative = not sentence_date.is_calendar_date and not statement_date.is_calendar_date
    # "since November" and "in November", of an unknown year
    if sentence_date.month and statement_date.month and not are_days_known:
        return sentence_date.month == statement_date.month
    # "last year" and "in 2016", counted from the days on which the texts were spoken
    if are_days_known and not are_calendar_dates:
        sentence_days = sentence_date.days_for_speaker_on(event_day)
        statement_days = statement_date.days_for_speaker_on(claim_day)
        return _may_overlap(sentence_date, statement_date, sentence_days, statement_days)
    # "in 2015" and "on 3 May 2015", or "last year" and "a year ago": both count from one day.
    has_bare_month = bool(sentence_date.month or statement_date.month)
    if are_calendar_dates or (are_relative and not has_bare_month):
        sentence_days = sentence_date.period[:2]
        statement_days = statement_date.period[:2]
        return _may_overlap(sentence_date, statement_date, sentence_days, statement_days)
    # "in May" and "in May 2015"
    return _is_same_month(sentence_date, statement_date)


def _is_same_month(sentence_date: DateMention, statement_date: DateMention) -> bool | None:
    """Return whether a month without a year and one with a year have the same name."""
    # Only a month without a year has a ``month``; a calendar date has a period of days.
    bare_month = sentence_date if sentence_date.month else statement_date
    dated_month = statement_date if sentence_date.month else sentence_date
    dated_period = dated_month.period
    is_longer_than_month = dated_period.last_day - dated_period.first_day > LONGEST_MONTH_DAYS
    if not bare_month.month or not dated_month.is_calendar_date or is_longer_than_month:
        return None
    first_date = date.fromordinal(int(dated_period.first_day))
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
    are_calendar_dates = sentence_date.is_calendar_date and statement_date.is_calendar_date
    margin_days = 0.0 if are_calendar_dates else _margin_days(sentence_date, statement_date)
    if sentence_date.role == statement_date.role == SINCE and not are_calendar_dates:
        margin_days = max(margin_days, SINCE_MARGIN_DAYS)
    sentence_first, sentence_last = sentence_days
    statement_first, statement_last = statement_days
    # Two periods overlap if each begins before the other ends.
    begins_before_end = sentence_first <= statement_last + margin_days
    ends_after_beginning = statement_first <= sentence_last + margin_days
    return begins_before_end and ends_after_beginning


def _margin_days(sentence_date: DateMention, statement_date: DateMention) -> float:
    """Return half a unit of a relative date in days.

    "three years ago", "a decade ago" are not exact to the day.
    """
    margin_days = 0.0
    for date_mention in (sentence_date, statement_date):
        # "three years ago" is -3 years. One day, week or month is exact, one decade is not.
        unit = date_mention.unit.removesuffix("s")
        unit_count = abs(date_mention.count)
        is_rough = unit_count > 1 or (unit_count > 0 and unit in _LONG_UNITS)
        if not date_mention.is_calendar_date and is_rough:
            margin_days = max(margin_days, DAYS_OF_UNIT.get(unit, 0.0) / 2)
    return margin_days
