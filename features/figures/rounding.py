"""Is one figure the other, or a rounding of it? Values in, a word out.

A rounding differs by less than half the step of the rounder figure and by a tenth at most. A hedge widens that: what is
"over 60,000" may be 64,000, what is "nearly 120" may be 115; a plain part of a whole ("a third") is within a tenth.
"""

from __future__ import annotations

from features.figures.numbers import ABOUT, COUNT, MONEY, OVER, PERCENT, TIME, UNDER, Figure, comparable

EXACT, ROUNDED, APART = "exact", "rounded", ""
NEAR, HEDGED = 0.1, 0.15  # a rounding is this near at most, a hedged one in the direction of its hedge
EVEN = 0.02  # so near, half a step is a rounding too: 275 and 270
WHOLE = 100.0  # percent: all of it is no rounding of nearly all
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


def _ranges_meet(one: Figure, other: Figure) -> bool:
    """Whether a figure lies in the range of the other, or two ranges share more than half of what they cover."""
    low, high = max(one.low, other.low), min(one.high, other.high)
    if one.low == one.high or other.low == other.high:
        return low <= high * 1.02
    return high - low > (max(one.high, other.high) - min(one.low, other.low)) / 2


def _rounded(one: Figure, other: Figure) -> bool:
    a, b = one.low, other.low
    apart, size = abs(a - b), max(abs(a), abs(b))
    half = max(step(a / _unit(one)) * _unit(one), step(b / _unit(other)) * _unit(other)) / 2
    larger = one if a > b else other
    if apart > HEDGED * size or (larger.kind == PERCENT and larger.low == WHOLE and not larger.hedge):
        return False
    if _hedged(one, b) or _hedged(other, a):
        return apart <= 2 * half
    loose = ABOUT in (one.hedge, other.hedge) or one.rough or other.rough
    even = loose or apart <= EVEN * size
    return apart <= NEAR * size and (apart < half or (even and apart <= half * 1.0001) or one.rough or other.rough)


def _hedged(figure: Figure, value: float) -> bool:
    """Whether a value lies where the hedge of a figure points."""
    return (figure.hedge == OVER and value > figure.low) or (figure.hedge == UNDER and value < figure.low)


def _unit(figure: Figure) -> float:
    """What a time is told in, so that "10 years" is round: years above one, else months or days."""
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
