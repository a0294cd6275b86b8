"""Figures by which two texts differ: another value of one thing, or a figure that only one has.

A figure that is only a rounding of another, 5.6 for 6, is named, too: it agrees, and yet the reader
should see both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from features.language.agreement import Particulars, pair_figures, particulars
from features.language.figures.numbers import (
    COUNT,
    MONEY,
    OVER,
    PERCENT,
    RANK,
    TIME,
    UNDER,
    Figure,
    comparable,
)
from features.language.figures.rounding import (
    EXACT,
    SMALL_COUNT,
    agree_by_chance,
    figure_agreement,
)
from features.language.word_clashes import Clash

MIN_NAMED_ROUNDING = 0.02  # share of the larger figure, from which a rounding is named
MAX_VALUE_RATIO = 5.0  # ratio of two values of one thing
MAX_NEAR_RATIO = 1.3  # ratio of two values of one thing whose contexts share no word
MIN_SHARED_CONTEXT = 0.3  # share of the shorter context, from which two figures may be of one thing
MIN_SHARED_CONTEXT_OF_ROUGH = 0.6  # the same if one of them is a simple fraction
MAX_PHRASE_WORDS = 6  # after a figure
SMALL_BARE_COUNT = 1_000  # below it, a number of nothing may be a year: "in fifty-four"
MIN_SHARE_TOTAL = 20  # from which "35 out of 50 states" counts all of them
LIST_CHARACTERS = 4  # between two figures of a list: ", ", " or "

_PHRASE_WORD_PATTERN = re.compile(r"\s{1,5}([A-Za-z][\w'’-]{0,40})")
_WORDS_ENDING_PHRASE = frozenset(
    "and or but because which who that against when while in on at for from by to with without into than "
    "as if so since until after before during below above under over back between among almost "
    "nearly about around is are was were be been being has have had do does did will would can "
    "could should may might must cannot not out less more every each what where how why whom whose "
    "now today ago right they we he she it i you there this".split()
)
_WORDS_NEVER_LAST = frozenset("of the a an our their its his her my your these those".split())
# "20 years talking" and "$300 billion poured" end before the verb, "15 working ferries" does not.
_VERB_ENDING_PATTERN = re.compile(r"(?:[a-z]ed|[a-z]ing)$", re.I)
_RATE_PATTERN = re.compile(
    r"\b(?:every|per|an?|each) (?:single )?(?P<period>hour|day|week|month|year)\b|"
    r"\b(?P<adverb>hourly|daily|weekly|monthly|yearly|annually)\b",
    re.I,
)
_FRACTION_BEFORE_PATTERN = re.compile(
    r"\b(?:hal(?:f|ves)|quarters?|thirds?|(?:one-)?(?:four|fif|six|seven|eigh|nin|ten|hundred|"
    r"thousand)ths?|\d{1,6}(?:/\d{1,6})?ths?)(?: of)? (?:an? )?$",
    re.I,
)
# "From 60 to 90 percent" is a range or a change: neither of its figures is the value of a thing.
_FROM_PATTERN = re.compile(r"\bfrom (?P<low>\S{1,30}(?: \S{1,30}){0,3}?) to (?P<high>\S)", re.I)
_DATE_AFTER_PATTERN = re.compile(r" (?:later|earlier|ago|before|after|from now|old)\b|-old\b", re.I)
# "Half a century" is 50 years, and "two generations" may be.
_LONG_PERIOD_PATTERN = re.compile(r"\b(?:decade|century|centuries|generation)", re.I)
_SHARE_PATTERN = re.compile(
    r"(?P<part>\S{1,30}) (?:in|of|out of) (?:the )?(?P<total>\S{1,30})", re.I
)
_SMALL_NUMBER = (
    r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty)"
)
_PART_OF_TOTAL_PATTERN = re.compile(
    rf"\b(?P<part>{_SMALL_NUMBER}) (?:out )?of (?:the |our |its |[A-Z]\w+['’]s )?"
    rf"(?:(?:top|first|last) )?(?P<total>{_SMALL_NUMBER})\b(?! percent)",
    re.I,
)
_PERIOD_OF_ADVERB = {"daily": "day", "annually": "year"}


@lru_cache(maxsize=1 << 12)
def amounts(text: str) -> tuple[Figure, ...]:
    """Return the figures of a text, without "half a century", "twelve years later" and "from 6 to 9"."""
    ends = [match.span("low") for match in _FROM_PATTERN.finditer(text)]
    ends += [match.span("high") for match in _FROM_PATTERN.finditer(text)]
    figures = []
    for figure in particulars(text).numbers:
        if any(figure.start < end and start < figure.end for start, end in ends):
            continue
        is_whole = _FRACTION_BEFORE_PATTERN.search(text[: figure.start])
        is_date = _DATE_AFTER_PATTERN.match(text[figure.end :])
        if not is_whole and not is_date:
            figures.append(figure)
    return tuple(figures)


class ComparedFigures(NamedTuple):
    """The figures of a text that another text lacks, and those that it has in some value."""

    new: tuple[Figure, ...]
    paired: tuple[Figure, ...]


def other_values(
    figures: Sequence[Figure], other_figures: Sequence[Figure]
) -> list[tuple[Figure, Figure]]:
    """Return the figures of two texts that give one thing another value, in pairs."""
    equal_pairs, left_figures, left_other_figures = pair_figures(figures, other_figures)
    pairs = []
    for figure, other, kind_of_agreement in equal_pairs:
        if kind_of_agreement != EXACT and _is_named_rounding(figure, other):
            pairs.append((figure, other))
    for figure, other in product(left_figures, left_other_figures):
        if _are_values_of_one_thing(figure, other):
            pairs.append((figure, other))
    if not pairs:
        pairs = _near_values(left_figures, left_other_figures)
    return _best_pairs(pairs)


def other_share(figures: Sequence[Figure], other_figures: Sequence[Figure]) -> Clash | None:
    """Return "35 out of 50 states" and "31 states", of which one is a share, or None."""
    for figure, other in product(figures, other_figures):
        if _is_other_count(figure, other) or _is_other_count(other, figure):
            return Clash(figure.text, other.text)
    return None


def _is_other_count(share: Figure, count: Figure) -> bool:
    """Return whether a count says otherwise than a share of the same things: "35 out of 50"."""
    words = _SHARE_PATTERN.fullmatch(share.text)
    is_of_one_thing = count.kind == COUNT and not share.units.isdisjoint(count.units)
    if share.kind != PERCENT or words is None or not is_of_one_thing:
        return False
    parts = particulars(words["part"]).numbers
    totals = particulars(words["total"]).numbers
    # "Four in five states" counts no states.
    if not parts or not totals or totals[0].low < MIN_SHARE_TOTAL:
        return False
    return count.low <= totals[0].low and count.low != parts[0].low


def other_part_of_total(text: str, other_text: str) -> Clash | None:
    """Return "six of the top 10" and "seven of the 10" if two texts count some of a few, or None."""
    for phrase in _PART_OF_TOTAL_PATTERN.finditer(text):
        for other in _PART_OF_TOTAL_PATTERN.finditer(other_text):
            part = _value(phrase["part"])
            other_part = _value(other["part"])
            have_one_total = _value(phrase["total"]) == _value(other["total"])
            if have_one_total and part and other_part and part != other_part:
                return Clash(phrase[0], other[0])
    return None


def _value(word: str) -> float:
    """Return the value of a number in words or digits, 0 for another word."""
    numbers = particulars(word).numbers
    return numbers[0].low if numbers else 0


def _near_values(
    figures: Sequence[Figure], other_figures: Sequence[Figure]
) -> list[tuple[Figure, Figure]]:
    """Return the only large figures of a kind in two texts, if their values are near."""
    pairs = []
    for kind in (MONEY, PERCENT, COUNT):
        large = [figure for figure in figures if figure.kind == kind and _is_large(figure)]
        other_large = [
            figure for figure in other_figures if figure.kind == kind and _is_large(figure)
        ]
        if (
            len(large) == len(other_large) == 1
            and _ratio(large[0], other_large[0]) <= MAX_NEAR_RATIO
        ):
            pairs.append((large[0], other_large[0]))
    return pairs


def _is_large(figure: Figure) -> bool:
    """Return whether a figure is so large that two near ones are seldom of different things."""
    is_count = figure.kind == COUNT
    return not figure.rough and (not is_count or figure.high >= SMALL_BARE_COUNT)


def _best_pairs(pairs: Sequence[tuple[Figure, Figure]]) -> list[tuple[Figure, Figure]]:
    """Return pairs in which each figure occurs once: the nearest values come first."""
    best_first = sorted(
        pairs, key=lambda pair: (_ratio(*pair), -_shared_context(*pair), pair[0].start)
    )
    best: list[tuple[Figure, Figure]] = []
    for figure, other in best_first:
        is_used = any(figure is used or other is other_used for used, other_used in best)
        if not is_used:
            best.append((figure, other))
    return sorted(best, key=lambda pair: pair[0].start)


def compared_figures(
    figures: Sequence[Figure], other_figures: Sequence[Figure], other_text: str
) -> ComparedFigures:
    """Return the figures of a text with those that another text has in this or another value."""
    equal_pairs, _, _ = pair_figures(figures, other_figures)
    paired = [figure for figure, _, _ in equal_pairs]
    # A sentence may repeat a figure that the other text has once: "five years, so five years".
    other = particulars(other_text)
    paired += [figure for figure in figures if _has_equal(other, figure)]
    paired += [figure for figure, _ in other_values(figures, other_figures)]
    new = []
    for position, figure in enumerate(figures):
        is_paired = any(figure is other for other in paired)
        is_written_there = figure.text.casefold() in other_text.casefold()
        is_in_list = _continues(figure, figures[position + 1 : position + 2])
        may_be_paraphrased = figure.kind == TIME and _LONG_PERIOD_PATTERN.search(other_text)
        is_plain = not is_in_list and not may_be_paraphrased
        is_amount = is_plain and _says_an_amount(figure)
        if is_amount and not is_paired and not is_written_there:
            new.append(figure)
    return ComparedFigures(tuple(new), tuple(paired))


def _has_equal(text: Particulars, searched: Figure) -> bool:
    """Return whether a text has a figure of the same kind and value, in words or digits."""
    if any(figure_agreement(searched, figure) == EXACT for figure in text.numbers):
        return True
    # "5 years before the election" is a date that lies five years back.
    periods = [abs(date_mention.period.first_day) for date_mention in text.dates]
    return searched.kind == TIME and searched.low in periods


def _continues(figure: Figure, following: Sequence[Figure]) -> bool:
    """Return whether a bare number is only the first of two: "28, 29 hours"."""
    is_bare = figure.kind == COUNT and not figure.units
    return is_bare and any(other.start - figure.end <= LIST_CHARACTERS for other in following)


def figure_phrase(text: str, figure: Figure) -> str:
    """Return a figure with the words that say what it counts: "38,000 people"."""
    end = figure.end
    phrase_end = figure.end
    for _ in range(MAX_PHRASE_WORDS):
        word_match = _PHRASE_WORD_PATTERN.match(text, end)
        if word_match is None or word_match[1].casefold() in _WORDS_ENDING_PHRASE:
            break
        end = word_match.end()
        if word_match[1].casefold() not in _WORDS_NEVER_LAST:
            is_verb = _VERB_ENDING_PATTERN.search(word_match[1])
            phrase_end = phrase_end if is_verb else end
    return text[figure.start : phrase_end]


def unsaid_phrase(text: str, figure: Figure) -> str:
    """Return a figure as a note quotes it beside a sentence without figures, "" if it is a name.

    "747 Air" counts nothing, and "not once, not twice, but four times" counts four.
    """
    phrase = figure_phrase(text, figure)
    is_small_count = figure.kind == COUNT and figure.high < SMALL_BARE_COUNT
    is_name = is_small_count and text[figure.end : figure.end + 2].strip().isupper()
    is_denied = text[: figure.start].casefold().endswith("not ")
    if is_name or is_denied:
        return ""
    # "40 percent of small and mid-size banks" would be cut in the middle, as would "18 months
    # putting it together".
    is_cut = " of " in phrase and re.match(r" (?:and|or)\b", text[figure.start + len(phrase) :])
    return figure.text if is_cut or figure.kind == TIME else phrase


def other_rate(sentence: str, statement: str) -> Clash | None:
    """Return the periods for which two texts give an amount, "a month" and "a year", or None.

    A year that only one text names does not count: it is often left out.
    """
    rate = _RATE_PATTERN.search(sentence)
    other = _RATE_PATTERN.search(statement)
    if rate is None and other is None:
        return None
    if rate is not None and other is not None:
        is_same_period = _period(rate) == _period(other)
        return None if is_same_period else Clash(rate[0], other[0])
    only_rate = rate or other
    if only_rate is None or _period(only_rate) == "year":
        return None
    return Clash(rate[0] if rate else "", other[0] if other else "")


def _period(rate: re.Match[str]) -> str:
    adverb = (rate["adverb"] or "").casefold()
    if adverb:
        return _PERIOD_OF_ADVERB.get(adverb, adverb.removesuffix("ly"))
    return rate["period"].casefold()


def _is_named_rounding(figure: Figure, other: Figure) -> bool:
    """Return whether two figures that agree by rounding differ by more than a hedge explains."""
    if figure.rough or other.rough or agree_by_chance(figure, other):
        return False
    # "Over 500" may be 505, but "over 600" isn't "over 700".
    is_hedged = _is_hedged_towards(figure, other) or _is_hedged_towards(other, figure)
    if is_hedged and figure.hedge != other.hedge:
        return False
    low_difference = abs(figure.low - other.low) / max(figure.low, other.low, 1e-9)
    high_difference = abs(figure.high - other.high) / max(figure.high, other.high, 1e-9)
    return max(low_difference, high_difference) > MIN_NAMED_ROUNDING


def _is_hedged_towards(figure: Figure, other: Figure) -> bool:
    """Return whether the hedge of a figure points to the other: "over 500" to 505."""
    if figure.hedge == OVER:
        return other.low > figure.low
    return figure.hedge == UNDER and other.low < figure.low


def _are_values_of_one_thing(figure: Figure, other: Figure) -> bool:
    """Return whether two figures without an equal may be values of one thing."""
    if figure.kind != other.kind or figure.kind == RANK:
        return False
    # "Half" and "one in five" may be of anything, too. "1/10th of 1 percent" isn't a tenth.
    if figure.rough or other.rough:
        is_share = figure.kind == PERCENT and "/" not in figure.text + other.text
        return is_share and _shared_context(figure, other) >= MIN_SHARED_CONTEXT_OF_ROUGH
    if not comparable(figure, other) or _ratio(figure, other) > MAX_VALUE_RATIO:
        return False
    have_units = bool(figure.units and other.units)
    is_share_of_other = have_units and figure.units.isdisjoint(other.units)
    if figure.kind == PERCENT and is_share_of_other:
        return False
    # A bare count may be of anything; "47 million Americans" and "46 million people" are not.
    if figure.kind == COUNT and not have_units:
        return False
    return _shared_context(figure, other) >= MIN_SHARED_CONTEXT


def _shared_context(figure: Figure, other: Figure) -> float:
    context_words = min(len(figure.context), len(other.context))
    return len(figure.context & other.context) / context_words if context_words else 0.0


def _ratio(figure: Figure, other: Figure) -> float:
    smaller = min(figure.low, other.low)
    return max(figure.high, other.high) / smaller if smaller > 0 else MAX_VALUE_RATIO + 1


def _says_an_amount(figure: Figure) -> bool:
    """Return whether a figure is an amount, and not a rank, "two of them" or "one day"."""
    if figure.kind == RANK or figure.rough:
        return False
    smallest_count = SMALL_COUNT if figure.units else SMALL_BARE_COUNT
    if figure.kind == COUNT and figure.high < smallest_count:
        return False
    is_single_time = figure.kind == TIME and re.match(r"an?\b|one\b|the\b", figure.text, re.I)
    return not is_single_time
