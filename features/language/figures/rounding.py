"""Rounding of figures: are two the same, is one a rounding of the other, or do they clash?

A rounding differs by less than half the step of the rounder figure and by a tenth at most. A hedge
widens that: "over 60,000" may be 64,000, "nearly 120" may be 115; a simple fraction ("a third") is
within a tenth. Figures of one kind are about the same thing only if words around them are the
same: "a $10 a barrel tax" is no other figure for "oil was $54 a barrel".
"""

from __future__ import annotations

import math

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
NOT_EQUAL = ""
# Two figures that differ by less than this share of the larger may be a rounding of each other;
# a hedge allows more in its direction.
ROUNDING_TOLERANCE = 0.1
HEDGED_TOLERANCE = 0.15
HALF_STEP_TOLERANCE = 0.02  # below it, half a step is a rounding, too: 275 and 270
RANGE_TOLERANCE = 1.02  # factor by which a figure may exceed a range that it lies in
STEP_TOLERANCE = 1.0001  # factor for the error of floating point
WHOLE_PERCENT = 100.0  # "all" is no rounding of "nearly all"
# Shares of the context of two figures that both contexts have, counted on the side with fewer
# words. From the first on, the figures may be of the same thing; from the second on, even if the
# texts have no name in common; from the third on, whatever the texts and the sizes are.
SHARED_CONTEXT = 0.3
SHARED_CONTEXT_OF_OTHER_NAMES = 0.5
SAME_CONTEXT = 0.8
MAX_SIZE_RATIO_OF_SAME_THING = 30.0
FEW_CONTEXT_WORDS = 3  # with fewer, the context does not show what a figure is of
SMALL_COUNT = 20  # below it, counts are the same only if they may count the same thing
DAYS_PER_YEAR = 365.25
DAYS_PER_MONTH = 30.44


def figure_agreement(figure: Figure, other_figure: Figure) -> str:
    """Return ``EXACT``, ``ROUNDED`` or ``NOT_EQUAL``."""
    # "5 million" may be money said without its sign; other kinds never agree.
    may_be_money = {figure.kind, other_figure.kind} == {MONEY, COUNT}
    if figure.kind != other_figure.kind and not may_be_money:
        return NOT_EQUAL
    # Small counts are often equal by chance, if they count different things.
    is_small = min(figure.high, other_figure.high) < SMALL_COUNT
    if is_small and not comparable(figure, other_figure):
        return NOT_EQUAL
    if (figure.low, figure.high) == (other_figure.low, other_figure.high):
        return EXACT
    has_range = figure.low < figure.high or other_figure.low < other_figure.high
    if has_range:
        is_rounding = _ranges_meet(figure, other_figure)
    else:
        is_rounding = _is_rounding(figure, other_figure)
    return ROUNDED if is_rounding else NOT_EQUAL


def are_opposed(figure: Figure, other_figure: Figure, needed_share: float = SHARED_CONTEXT) -> bool:
    """Return whether two figures clash: one quantity of the same thing.

    ``needed_share`` is the share of their context that must be the same. With hardly any
    context, two figures may be about anything.
    """
    # "5 million jobs" and "3 million jobs", but not "5 million jobs" and "3 million people"
    if not comparable(figure, other_figure) or _are_of_different_wholes(figure, other_figure):
        return False
    # A context is the set of words around a figure.
    shorter_context_length = min(len(figure.context), len(other_figure.context))
    shared_context_share = 0.0
    if shorter_context_length:
        shared_word_count = len(figure.context & other_figure.context)
        shared_context_share = shared_word_count / shorter_context_length
    if shared_context_share >= SAME_CONTEXT:
        return True
    # Figures of very different size are hardly about one quantity.
    smaller_value = min(figure.low, other_figure.low)
    larger_value = max(figure.high, other_figure.high)
    if larger_value > MAX_SIZE_RATIO_OF_SAME_THING * smaller_value:
        return False
    has_short_context = shorter_context_length < FEW_CONTEXT_WORDS
    return shared_context_share >= needed_share or has_short_context


def _are_of_different_wholes(figure: Figure, other_figure: Figure) -> bool:
    """Return whether two shares are of different wholes, as of voters and of the budget."""
    if figure.kind != PERCENT or other_figure.kind != PERCENT:
        return False
    # The units of a share are the words after "of": "30 percent of voters".
    whole_topics = set(map(topic, figure.units)) - {""}
    other_whole_topics = set(map(topic, other_figure.units)) - {""}
    are_wholes_known = bool(whole_topics and other_whole_topics)
    return are_wholes_known and whole_topics.isdisjoint(other_whole_topics)


def agree_by_chance(figure: Figure, other: Figure) -> bool:
    """Return whether two figures that agree are of different things: their contexts share no word.

    Times are expressed in many ways ("in ten years", "over a decade"), and a figure with little
    context may be of anything.
    """
    context_words = min(len(figure.context), len(other.context))
    if context_words <= FEW_CONTEXT_WORDS or figure.kind == TIME:
        return False
    return figure.context.isdisjoint(other.context)


def _ranges_meet(figure: Figure, other_figure: Figure) -> bool:
    """Return whether a figure lies in a range, or two ranges have similar ends."""
    are_two_ranges = figure.low != figure.high and other_figure.low != other_figure.high
    if not are_two_ranges:
        # The ends of a single figure are equal.
        # Two intervals overlap if the higher lower end is below the lower upper end.
        higher_lower_end = max(figure.low, other_figure.low)
        lower_upper_end = min(figure.high, other_figure.high)
        return higher_lower_end <= lower_upper_end * RANGE_TOLERANCE
    low_difference = abs(figure.low - other_figure.low)
    high_difference = abs(figure.high - other_figure.high)
    are_lows_similar = low_difference <= ROUNDING_TOLERANCE * max(figure.low, other_figure.low)
    are_highs_similar = high_difference <= ROUNDING_TOLERANCE * max(figure.high, other_figure.high)
    return are_lows_similar and are_highs_similar


def _is_rounding(figure: Figure, other_figure: Figure) -> bool:
    """Return whether one of two figures that are no ranges is a rounding of the other."""
    value = figure.low
    other_value = other_figure.low
    difference = abs(value - other_value)
    larger_size = max(abs(value), abs(other_value))
    # "99 percent" is not a rounding of "all".
    larger_figure = figure if value > other_value else other_figure
    if _is_everything(larger_figure) or difference > HEDGED_TOLERANCE * larger_size:
        return False
    # The step of a figure is the unit of its last digit: 10 for 230.
    rounding_step = max(_step(figure), _step(other_figure))
    # "over 60,000" may be 64,000, but not 56,000.
    if _hedge_allows(figure, other_value) or _hedge_allows(other_figure, value):
        return difference <= rounding_step
    if difference > ROUNDING_TOLERANCE * larger_size:
        return False
    # "230" is said for any number from 225 to 235.
    half_rounding_step = rounding_step / 2
    if figure.is_rough or other_figure.is_rough or difference < half_rounding_step:
        return True
    is_approximate = ABOUT in (figure.hedge, other_figure.hedge)
    if not is_approximate and difference > HALF_STEP_TOLERANCE * larger_size:
        return False
    return difference <= half_rounding_step * STEP_TOLERANCE


def _is_everything(figure: Figure) -> bool:
    is_whole = figure.kind == PERCENT and figure.low == WHOLE_PERCENT
    return is_whole and not figure.hedge


def _step(figure: Figure) -> float:
    unit = _unit(figure)
    return last_digit_unit(figure.low / unit) * unit


def _hedge_allows(figure: Figure, value: float) -> bool:
    """Return whether a value is on the side of a figure that its hedge points to."""
    if figure.hedge == OVER:
        return value > figure.low
    return figure.hedge == UNDER and value < figure.low


def _unit(figure: Figure) -> float:
    """Return the unit of a time in days, so that "10 years" is round: year, month or day."""
    if figure.kind != TIME:
        return 1.0
    if figure.low >= DAYS_PER_YEAR:
        return DAYS_PER_YEAR
    return DAYS_PER_MONTH if figure.low >= DAYS_PER_MONTH else 1.0


def last_digit_unit(value: float) -> float:
    """Return the unit of the last digit that is not 0: 10 for 230, 5 for 25, .1 for 3.4."""
    if value == 0 or math.isinf(value):  # a number of hundreds of digits is infinite
        return 0.0
    # 230 is 2.300000000e+02: the digits "23", of which the last stands for tens.
    mantissa, _, exponent = f"{abs(value):.9e}".partition("e")
    digits = mantissa.replace(".", "").rstrip("0")
    last_exponent = int(exponent) - len(digits) + 1
    last_digit_value = 10.0**last_exponent
    # Figures such as 25 are counted in fives.
    ends_in_five = digits.endswith("5") and len(digits) > 1 and last_digit_value >= 1
    return last_digit_value * 5.0 if ends_in_five else last_digit_value
