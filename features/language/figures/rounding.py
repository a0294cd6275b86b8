"""Rounding of figures: are two the same, is one a rounding of the other, or do they clash?

A rounding differs by less than half the step of the rounder figure and by a tenth at most. A hedge
widens that: "over 60,000" may be 64,000, "nearly 120" may be 115; a simple fraction ("a third") is
within a tenth. Figures of one kind are about the same thing only if words around them are the
same: "a $10 a barrel tax" is no other figure for "oil was $54 a barrel".
"""

from __future__ import annotations

from features.language.figures.numbers import (
    ABOUT,
    COUNT,
    MONEY,
    OVER,
    PERCENT,
    TIME,
    UNDER,
    Figure,
    comparable,
)
from features.language.stems import topic

EXACT = "exact"
ROUNDED = "rounded"
APART = ""
# a rounding is this near at most, a hedged one in the direction of its hedge
NEAR = 0.1
HEDGED = 0.15
EVEN = 0.02  # so near, half a step is a rounding too: 275 and 270
WHOLE = 100.0  # percent: all of it is no rounding of nearly all
SHARED = 0.3  # of the words around two figures, counted on the side with fewer: from here on they may be of one thing
NAMED = 0.5  # the same, in texts that name nobody and nothing in common
CLOSE = 0.8  # from here on they are of one thing, whatever else the texts are about and be their sizes what they may
LIKE = 30.0  # below it, no figure is more than so many times another of its kind that is of the same thing
FEW = 3  # fewer words around a figure do not tell what it is of
SMALL = 20  # counts below it are the same only if they may count the same thing


def alike(one: Figure, other: Figure) -> str:
    """Return exact, rounded or nothing."""
    if one.kind != other.kind and {one.kind, other.kind} != {MONEY, COUNT}:
        return APART
    if not comparable(one, other) and min(one.high, other.high) < SMALL:
        return APART
    if (one.low, one.high) == (other.low, other.high):
        return EXACT
    if one.low < one.high or other.low < other.high:
        return ROUNDED if _ranges_meet(one, other) else APART
    return ROUNDED if _rounded(one, other) else APART


def opposed(one: Figure, other: Figure, needed: float = SHARED) -> bool:
    """Return whether two figures clash.

    The same quantity by kind and units, of the same thing by the words around.

    ``needed`` is the share of the words around them that must be the same. With hardly any words around them, two
    figures may be about anything.
    """
    if not comparable(one, other) or _of_other_wholes(one, other):
        return False
    fewer = min(len(one.around), len(other.around))
    near = len(one.around & other.around) / fewer if fewer else 0.0
    like = max(one.high, other.high) <= LIKE * min(one.low, other.low)
    return near >= CLOSE or (like and (near >= needed or fewer < FEW))


def _of_other_wholes(one: Figure, other: Figure) -> bool:
    """Whether two shares are of wholes that have no word in common.

    Of the voters, of the budget.
    """
    ours, theirs = ({topic(word) for word in figure.units} - {""} for figure in (one, other))
    return one.kind == other.kind == PERCENT and bool(ours and theirs) and ours.isdisjoint(theirs)


def by_chance(one: Figure, other: Figure) -> bool:
    """Return whether two figures that agree are of different things.

    No word around the one is around the other.

    Times are expressed in many ways ("in ten years", "over a decade"), and a figure with few words
    around it may be of anything.
    """
    described = min(len(one.around), len(other.around)) > FEW
    return described and one.kind != TIME and one.around.isdisjoint(other.around)


def _ranges_meet(one: Figure, other: Figure) -> bool:
    """Whether a figure lies in the range of the other, or the ends of two ranges are near each other."""
    if one.low == one.high or other.low == other.high:
        return max(one.low, other.low) <= min(one.high, other.high) * 1.02
    ends = ((one.low, other.low), (one.high, other.high))
    return all(abs(a - b) <= NEAR * max(a, b) for a, b in ends)


def _rounded(one: Figure, other: Figure) -> bool:
    a = one.low
    b = other.low
    apart = abs(a - b)
    size = max(abs(a), abs(b))
    half = max(step(a / _unit(one)) * _unit(one), step(b / _unit(other)) * _unit(other)) / 2
    larger = one if a > b else other
    if apart > HEDGED * size or (
        larger.kind == PERCENT and larger.low == WHOLE and not larger.hedge
    ):
        return False
    if _hedged(one, b) or _hedged(other, a):
        return apart <= 2 * half
    loose = ABOUT in (one.hedge, other.hedge) or one.rough or other.rough
    even = loose or apart <= EVEN * size
    return apart <= NEAR * size and (
        apart < half or (even and apart <= half * 1.0001) or one.rough or other.rough
    )


def _hedged(figure: Figure, value: float) -> bool:
    """Whether a value lies where the hedge of a figure points."""
    return (figure.hedge == OVER and value > figure.low) or (
        figure.hedge == UNDER and value < figure.low
    )


def _unit(figure: Figure) -> float:
    """Return the unit of a time in days, so that "10 years" is round.

    Years above one, else months or days.
    """
    if figure.kind != TIME:
        return 1.0
    return 365.25 if figure.low >= 365.25 else 30.44 if figure.low >= 30.44 else 1.0


def step(value: float) -> float:
    """Return the unit of the last digit that is not 0: 10 for 230, 5 for 25, .1 for 3.4."""
    if value == 0:
        return 0.0
    mantissa, _, exponent = f"{abs(value):.9e}".partition("e")
    digits = mantissa.replace(".", "").rstrip("0")
    size = 10.0 ** (int(exponent) - len(digits) + 1)
    return size * (5.0 if digits.endswith("5") and len(digits) > 1 and size >= 1 else 1.0)
