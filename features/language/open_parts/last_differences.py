"""The difference of two texts to name if no rule on uncovered parts finds one.

Figures that nearly agree, a hedge of "twice", and otherwise the phrase that only one text has.
These differences are too small or too unsure to weaken a match: they only fill an empty note.
"""

from __future__ import annotations

import re
from itertools import product
from math import floor, log10

from features.language.agreement import particulars
from features.language.figures.numbers import COUNT, MONEY, MULTIPLE, PERCENT, Figure
from features.language.figures.rounding import NOT_EQUAL, SMALL_COUNT, figure_agreement
from features.language.open_parts.degrees import hedge_before
from features.language.open_parts.figures import figure_phrase
from features.language.open_parts.likely_phrases import leftover_clash
from features.language.word_clashes import Clash

MAX_COUNT_RATIO = 2.0  # ratio of two counts of one thing
MAX_NEAR_RATIO = 1.1  # ratio of two values of which one may be taken for the other
_ROUGH_SUM_PATTERN = re.compile(
    r"\b(?:(?:hundreds|tens|dozens) of (?:thousands|millions|billions|trillions)|"
    r"(?:many,? ){1,3}(?:millions|billions|trillions)|"
    r"(?:thousands|millions|billions|trillions)(?: and (?:thousands|millions|billions|trillions))?)"
    r" of dollars\b",
    re.I,
)
_UNITS_OF_ANYTHING = frozenset("other year people american".split())
_KINDS_OF_VALUES = frozenset((COUNT, MONEY, PERCENT))


def last_difference(sentence: str, statement: str) -> Clash | None:
    """Return the words by which two texts differ when no part is uncovered, or None."""
    return (
        differing_values_of_one_thing(sentence, statement)
        or hedged_multiple_clash(sentence, statement)
        or leftover_clash(sentence, statement)
    )


def differing_values_of_one_thing(sentence: str, statement: str) -> Clash | None:
    """Return two near values, a rough and an exact sum, or two counts of one noun, or None."""
    return (
        near_values_clash(sentence, statement)
        or rough_sum_clash(sentence, statement)
        or counts_clash(sentence, statement)
    )


def counts_clash(sentence: str, statement: str) -> Clash | None:
    """Return "27 ports" and "31 ports" if each of two texts counts a noun of both once, or None."""
    said_counts = _counts(sentence)
    checked_counts = _counts(statement)
    pairs = [
        (figure, other)
        for figure, other in product(said_counts, checked_counts)
        if figure.units & other.units - _UNITS_OF_ANYTHING
    ]
    if len(pairs) != 1:
        return None
    [(figure, other)] = pairs
    smaller, larger = sorted((figure.high, other.high))
    agree = figure_agreement(figure, other) != NOT_EQUAL
    if agree or larger > MAX_COUNT_RATIO * smaller:
        return None
    said = figure_phrase(sentence, figure).rstrip("-– ")
    return Clash(said, figure_phrase(statement, other).rstrip("-– "))


def _counts(text: str) -> list[Figure]:
    """Return the counts of a text that are not small."""
    return [
        figure
        for figure in particulars(text).numbers
        if figure.kind == COUNT and figure.high >= SMALL_COUNT and not figure.hedge
    ]


def near_values_clash(sentence: str, statement: str) -> Clash | None:
    """Return "94 million" and "93 million", the only near values of two texts, or None."""
    near_pairs = [
        (figure, other)
        for figure, other in product(particulars(sentence).numbers, particulars(statement).numbers)
        if _are_near_values(figure, other)
    ]
    if len(near_pairs) != 1:
        return None
    [(figure, other)] = near_pairs
    return Clash(figure.text, other.text)


def _are_near_values(figure: Figure, other: Figure) -> bool:
    """Return whether two exact figures differ a little, and neither is a rounding of the other."""
    if figure.kind != other.kind or figure.kind not in _KINDS_OF_VALUES:
        return False
    for value in (figure, other):
        is_range = value.low < value.high
        is_small = value.kind == COUNT and value.high < SMALL_COUNT
        # "Two-thirds" is near "70 percent".
        is_rough = value.is_rough and value.kind != PERCENT
        if is_range or is_small or is_rough or value.hedge or value.low <= 0:
            return False
    smaller, larger = sorted((figure.low, other.low))
    if smaller == larger or larger > MAX_NEAR_RATIO * smaller:
        return False
    return not _is_rounding(smaller, larger) and not _is_rounding(larger, smaller)


def _is_rounding(value: float, exact_value: float) -> bool:
    """Return whether a value is another one with fewer digits: 50,000 of 51,200."""
    for digits in range(1, 5):
        step = 10 ** (floor(log10(exact_value)) + 1 - digits)
        if value % step == 0 and abs(exact_value - value) < step / 2:
            return True
    return False


def rough_sum_clash(sentence: str, statement: str) -> Clash | None:
    """Return "hundreds of billions" and "$360 billion" if only one of two texts has an exact sum.

    Each text has a single sum.
    """
    said_sums = list(_ROUGH_SUM_PATTERN.finditer(sentence))
    checked_sums = list(_ROUGH_SUM_PATTERN.finditer(statement))
    said_figures = _sums(sentence)
    checked_figures = _sums(statement)
    if len(said_sums) == 1 and not said_figures and len(checked_figures) == 1 and not checked_sums:
        return Clash(said_sums[0][0], checked_figures[0].text)
    if len(checked_sums) == 1 and not checked_figures and len(said_figures) == 1 and not said_sums:
        return Clash(said_figures[0].text, checked_sums[0][0])
    return None


def _sums(text: str) -> list[Figure]:
    """Return the sums of money of a text that have a number."""
    return [figure for figure in particulars(text).numbers if figure.kind == MONEY]


def hedged_multiple_clash(sentence: str, statement: str) -> Clash | None:
    """Return "twice" and "almost twice" if only one of two texts hedges the same multiple."""
    for figure, other in product(particulars(sentence).numbers, particulars(statement).numbers):
        if figure.kind != MULTIPLE or other.kind != MULTIPLE or figure.low != other.low:
            continue
        said_hedge = hedge_before(sentence, figure)
        checked_hedge = hedge_before(statement, other)
        if bool(said_hedge) != bool(checked_hedge):
            return Clash(said_hedge + figure.text, checked_hedge + other.text)
    return None
