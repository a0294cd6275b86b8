"""Comparison of the dates of two texts: how many they share, and how many clash.

It follows the three rules of DeSePtion (Hidey et al. 2020): one is within the other, so many years
before or after a day, or directly the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from features.language.figures.dates import DAYS, SINCE, UNTIL, When

_LONG = ("decade", "century")


@dataclass(frozen=True, slots=True)
class Compared:
    """How many dates two texts share, and how many clash."""

    shared: int
    clashing: int


def compare(
    ours: Iterable[When], theirs: Iterable[When], event: int = 0, claimed: int = 0
) -> Compared:
    """Return what two texts share in time; days are ordinals, 0 if unknown.

    Without them, dates relative to the day of speaking are compared only with each other. Dates
    clash where both texts have comparable ones and share none, or where one has a year or day that
    the other lacks.
    """
    left = list(ours)
    right = list(theirs)
    relations = [[relation(one, other, event, claimed) for other in right] for one in left]
    taken: set[int] = set()
    for row in relations:
        twin = next((j for j, same in enumerate(row) if same and j not in taken), None)
        taken |= {twin} if twin is not None else set()
    return Compared(len(taken), int(any(map(any, _clashes(left, right, relations)))))


def each(
    ours: Iterable[When], theirs: Iterable[When], event: int = 0, claimed: int = 0
) -> tuple[list[bool | None], list[bool | None]]:
    """Return for each date of both texts.

    True if the other text has it, False if it clashes with one there, or None.

    There is a False if and only if ``compare`` says that dates clash.
    """
    left = list(ours)
    right = list(theirs)
    relations = [[relation(one, other, event, claimed) for other in right] for one in left]
    clashes = _clashes(left, right, relations)
    rows = [_verdict(*both) for both in zip(relations, clashes, strict=True)]
    columns = [
        _verdict([row[j] for row in relations], [row[j] for row in clashes])
        for j in range(len(right))
    ]
    return rows, columns


def _verdict(relations: Sequence[bool | None], clashes: Sequence[bool]) -> bool | None:
    return False if any(clashes) else True if True in relations else None


def _clashes(
    ours: Sequence[When], theirs: Sequence[When], relations: Sequence[Sequence[bool | None]]
) -> list[list[bool]]:
    """Return which dates clash.

    All that differ where none is shared, else those that replace each other.
    """
    if not any(True in row for row in relations):
        return [[same is False for same in row] for row in relations]
    others = [all(row[j] is not True for row in relations) for j in range(len(theirs))]
    return [
        [True not in row and others[j] and _replaces(one, other) for j, other in enumerate(theirs)]
        for one, row in zip(ours, relations, strict=True)
    ]


def _replaces(one: When, other: When) -> bool:
    """Whether two fixed dates are of one length and one role, so that the one is in the place of the other."""
    return (
        one.fixed and other.fixed and one.role == other.role and abs(one.length - other.length) < 2
    )


def relation(one: When, other: When, event: int = 0, claimed: int = 0) -> bool | None:
    """Return whether two dates may be the same; None if they cannot be compared."""
    if one.month and other.month and not (event and claimed):
        return one.month == other.month
    if one.fixed and other.fixed:
        return _same(one, other, one.on(1), other.on(1))
    if event and claimed:
        return _same(one, other, one.on(event), other.on(claimed))
    if one.fixed or other.fixed or one.month or other.month:
        return _same_month(one, other)
    return _same(one, other, one.period[:2], other.period[:2])


def _same_month(one: When, other: When) -> bool | None:
    """A month without a year beside one with a year: the same if they have one name."""
    bare, full = (one, other) if one.month else (other, one)
    if not bare.month or not full.fixed or full.period.last - full.period.first > 31:
        return None
    return date.fromordinal(int(full.period.first)).month == bare.month


def _same(one: When, other: When, ours: tuple[float, float], theirs: tuple[float, float]) -> bool:
    if {one.role, other.role} == {SINCE, UNTIL}:
        return False
    slack = 0.0 if one.fixed and other.fixed else _slack(one, other)
    if one.role == other.role == SINCE and not (one.fixed and other.fixed):
        slack = max(slack, 200.0)
    return ours[0] <= theirs[1] + slack and theirs[0] <= ours[1] + slack


def _slack(one: When, other: When) -> float:
    """Half a unit of a relative date.

    "three years ago", "a decade ago" are not exact to the day.
    """
    counted = [
        (when.unit.removesuffix("s"), abs(when.count)) for when in (one, other) if not when.fixed
    ]
    rough = [unit for unit, count in counted if count > 1 or (count and unit in _LONG)]
    return max((DAYS.get(unit, 0.0) / 2 for unit in rough), default=0.0)
