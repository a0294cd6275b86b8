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
    said = list(sentence_dates)
    claimed = list(statement_dates)
    relations = _relations(said, claimed, event_day, claim_day)
    # Each date of the statement is paired with one date of the sentence at most.
    paired_columns: set[int] = set()
    for relations_of_date in relations:
        for column, may_be_same in enumerate(relations_of_date):
            if may_be_same and column not in paired_columns:
                paired_columns.add(column)
                break
    has_clash = any(any(clashes) for clashes in _clashes(said, claimed, relations))
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
    said = list(sentence_dates)
    claimed = list(statement_dates)
    relations = _relations(said, claimed, event_day, claim_day)
    clashes = _clashes(said, claimed, relations)
    sentence_verdicts = []
    for relations_of_date, clashes_of_date in zip(relations, clashes, strict=True):
        sentence_verdicts.append(_verdict(relations_of_date, clashes_of_date))
    statement_verdicts = []
    for column in range(len(claimed)):
        relations_of_date = [relations_row[column] for relations_row in relations]
        clashes_of_date = [clashes_row[column] for clashes_row in clashes]
        statement_verdicts.append(_verdict(relations_of_date, clashes_of_date))
    return sentence_verdicts, statement_verdicts


def _relations(
    said: Sequence[DateMention], claimed: Sequence[DateMention], event_day: int, claim_day: int
) -> Relations:
    """Relate each date of the sentence (outer list) to each date of the statement."""
    return [[relation(one, other, event_day, claim_day) for other in claimed] for one in said]


def _verdict(relations: Sequence[bool | None], clashes: Sequence[bool]) -> bool | None:
    if any(clashes):
        return False
    return True if True in relations else None


def _clashes(
    said: Sequence[DateMention], claimed: Sequence[DateMention], relations: Relations
) -> list[list[bool]]:
    """Return which dates of the sentence (outer list) clash with which dates of the statement.

    If none is shared, all that differ clash, else only those that replace each other.
    """
    if not any(True in relations_of_date for relations_of_date in relations):
        return [
            [may_be_same is False for may_be_same in relations_of_date]
            for relations_of_date in relations
        ]
    claimed_is_shared = [
        any(relations_of_date[column] is True for relations_of_date in relations)
        for column in range(len(claimed))
    ]
    clashes = []
    for said_date, relations_of_date in zip(said, relations, strict=True):
        said_is_shared = True in relations_of_date
        clashes_of_date = []
        for claimed_date, is_shared in zip(claimed, claimed_is_shared, strict=True):
            both_alone = not said_is_shared and not is_shared
            clashes_of_date.append(both_alone and _replaces(said_date, claimed_date))
        clashes.append(clashes_of_date)
    return clashes


def _replaces(said: DateMention, claimed: DateMention) -> bool:
    """Return whether one calendar date replaces another: they have one length and one role."""
    if not said.fixed or not claimed.fixed or said.role != claimed.role:
        return False
    return abs(said.length - claimed.length) < SIMILAR_LENGTH_DAYS


def relation(
    said: DateMention, claimed: DateMention, event_day: int = 0, claim_day: int = 0
) -> bool | None:
    """Return whether two dates may be the same, or None if they cannot be compared."""
    days_known = bool(event_day and claim_day)
    if said.month and claimed.month and not days_known:
        return said.month == claimed.month
    if said.fixed and claimed.fixed:
        return _may_overlap(said, claimed, said.period[:2], claimed.period[:2])
    if days_known:
        return _may_overlap(said, claimed, said.resolve(event_day), claimed.resolve(claim_day))
    if said.fixed or claimed.fixed or said.month or claimed.month:
        return _is_same_month(said, claimed)
    return _may_overlap(said, claimed, said.period[:2], claimed.period[:2])


def _is_same_month(said: DateMention, claimed: DateMention) -> bool | None:
    """Return whether a month without a year and one with a year have the same name."""
    bare = said if said.month else claimed
    full = claimed if said.month else said
    days = full.period.last_day - full.period.first_day
    if not bare.month or not full.fixed or days > LONGEST_MONTH_DAYS:
        return None
    return date.fromordinal(int(full.period.first_day)).month == bare.month


def _may_overlap(
    said: DateMention,
    claimed: DateMention,
    said_days: tuple[float, float],
    claimed_days: tuple[float, float],
) -> bool:
    """Return whether two periods, each as its first and last day, overlap within their margin."""
    if {said.role, claimed.role} == {SINCE, UNTIL}:
        return False
    both_fixed = said.fixed and claimed.fixed
    margin = 0.0 if both_fixed else _margin(said, claimed)
    if said.role == claimed.role == SINCE and not both_fixed:
        margin = max(margin, SINCE_MARGIN_DAYS)
    said_first, said_last = said_days
    claimed_first, claimed_last = claimed_days
    return said_first <= claimed_last + margin and claimed_first <= said_last + margin


def _margin(said: DateMention, claimed: DateMention) -> float:
    """Return half a unit of a relative date in days.

    "three years ago", "a decade ago" are not exact to the day.
    """
    margin = 0.0
    for mention in (said, claimed):
        unit = mention.unit.removesuffix("s")
        count = abs(mention.count)
        is_rough = count > 1 or (count and unit in _LONG_UNITS)
        if not mention.fixed and is_rough:
            margin = max(margin, DAYS_OF_UNIT.get(unit, 0.0) / 2)
    return margin
