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
    ROUNDED,
    SAME_CONTEXT,
    SMALL_COUNT,
    agree_by_chance,
    figure_agreement,
)
from features.language.sentence_parts import looks_like_verb
from features.language.word_clashes import Clash

MIN_NAMED_ROUNDING = 0.02  # share of the larger figure, from which a rounding is named
MAX_HEDGED_DIFFERENCE = 0.08  # share of the larger figure that "over" or "close to" explains
MAX_VALUE_RATIO = 5.0  # ratio of two values of one thing
MAX_NEAR_RATIO = 1.3  # ratio of two values of one thing whose contexts share no word
MIN_SHARED_CONTEXT = 0.3  # share of the shorter context, from which two figures may be of one thing
MIN_SHARED_CONTEXT_OF_ROUGH = 0.6  # the same if one of them is a simple fraction
MIN_CONTEXT_OF_OTHER_KIND = 2  # words around a figure, from which its thing is known
MAX_PHRASE_WORDS = 6  # after a figure
SMALL_BARE_COUNT = 1_000  # below it, a number of nothing may be a year: "in fifty-four"
MIN_SHARE_TOTAL = 20  # from which "35 out of 50 states" counts all of them
MAX_RATE_CHARACTERS = 25  # between a figure and its "a year"
LIST_CHARACTERS = 4  # between two figures of a list: ", ", " or "

_PHRASE_WORD_PATTERN = re.compile(r"\s{1,5}([A-Za-z][\w'’-]{0,40})")
_WORDS_ENDING_PHRASE = frozenset(
    "and or but because which who that against when while in on at for from by to with without "
    "into than "
    "as if so since until after before during below above under over back between among almost "
    "nearly about around is are was were be been being has have had do does did will would can "
    "could should may might must cannot not out less more every each what where how why whom whose "
    "now today ago right they we he she it i you there this come comes came go goes went".split()
)
_WORDS_NEVER_LAST = frozenset("of the a an our their its his her my your these those".split())
# "20 years talking" and "$300 billion poured" end before the verb, "15 working ferries" does not.
_VERB_ENDING_PATTERN = re.compile(r"(?:[a-z]ed|[a-z]ing)$", re.I)
_RATE_PATTERN = re.compile(
    r"\b(?:every|per|an?|each) (?:single )?(?P<period>hour|day|week|month|year)\b"
    r"(?!-| (?:later|earlier|ago|before|after|old|from now)\b)|"
    r"\b(?P<adverb>hourly|daily|weekly|monthly|yearly|annually)\b",
    re.I,
)
_YEARLY_PATTERN = re.compile(r"\b(?:a|per|each|every) year\b|\bannually\b", re.I)
_SINGLE_YEAR_PATTERN = re.compile(r"\b(?:last|this|next) year\b|\bin (?:19|20)\d\d\b", re.I)
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
_CHANGE_BEFORE_PATTERN = re.compile(
    r"\bby (?:(?:about|around|almost|nearly|over|more than|at least|roughly|up to|some) )?$", re.I
)
_PERIOD_OF_ADVERB = {"daily": "day", "annually": "year"}


@lru_cache(maxsize=1 << 12)
def amounts(text: str) -> tuple[Figure, ...]:
    """Return the figures of a text without "half a century", "a year later" and "from 6 to 9"."""
    range_end_spans = [match.span("low") for match in _FROM_PATTERN.finditer(text)]
    range_end_spans += [match.span("high") for match in _FROM_PATTERN.finditer(text)]
    figures = []
    for figure in particulars(text).numbers:
        if any(figure.start < end and start < figure.end for start, end in range_end_spans):
            continue
        is_whole_of_fraction = _FRACTION_BEFORE_PATTERN.search(text[: figure.start])
        is_date = _DATE_AFTER_PATTERN.match(text[figure.end :])
        if not is_whole_of_fraction and not is_date:
            figures.append(figure)
    return tuple(figures)


class ComparedFigures(NamedTuple):
    """The figures of a text that another text lacks, and those that it has in some value."""

    new: tuple[Figure, ...]
    paired: tuple[Figure, ...]


def differing_values(
    figures: Sequence[Figure], other_figures: Sequence[Figure]
) -> list[tuple[Figure, Figure]]:
    """Return the figures of two texts that give one thing another value, in pairs."""
    equal_pairs, unpaired_figures, other_unpaired_figures = pair_figures(figures, other_figures)
    differing_pairs = []
    for figure, other_figure, kind_of_agreement in equal_pairs:
        if kind_of_agreement != EXACT and _is_named_rounding(figure, other_figure):
            differing_pairs.append((figure, other_figure))
    for figure, other_figure in product(unpaired_figures, other_unpaired_figures):
        if _are_values_of_one_thing(figure, other_figure):
            differing_pairs.append((figure, other_figure))
    if not differing_pairs:
        differing_pairs = _near_values(unpaired_figures, other_unpaired_figures)
    return _best_pairs(differing_pairs)


def other_kind_clash(sentence: str, statement: str) -> Clash | None:
    """Return the only figures of two texts if they are of other kinds, or None.

    "36 million people cannot pay" and "one out of five cannot pay" may say the same, but only one
    of the figures was checked. Nearly all words around the two must be the same.
    """
    sentence_amounts = amounts(sentence)
    statement_amounts = amounts(statement)
    if len(sentence_amounts) != 1 or len(statement_amounts) != 1:
        return None
    figure = sentence_amounts[0]
    other = statement_amounts[0]
    kinds = {figure.kind, other.kind}
    # A share is of money only if both are changes: "rose by 20 percent", "rose by 500 dollars".
    are_changes = bool(_change_before(sentence, figure) and _change_before(statement, other))
    if kinds != {COUNT, PERCENT} and not (kinds == {MONEY, PERCENT} and are_changes):
        return None
    # "31 out of 50 ports" counts 31 of them.
    if _SHARE_PATTERN.fullmatch(figure.text) and _starts_with_count(figure, other):
        return None
    if _SHARE_PATTERN.fullmatch(other.text) and _starts_with_count(other, figure):
        return None
    # "Five of them" counts too little to stand for a share.
    is_small = any(amount.kind == COUNT and amount.high < SMALL_COUNT for amount in (figure, other))
    shorter_context = min(len(figure.context), len(other.context))
    is_unknown = shorter_context < MIN_CONTEXT_OF_OTHER_KIND
    if is_small or is_unknown or _shared_context(figure, other) < SAME_CONTEXT:
        return None
    return Clash(figure.text, other.text)


def _starts_with_count(share_figure: Figure, count_figure: Figure) -> bool:
    """Return whether a share such as "31 out of 50" begins with a count, 31."""
    return _value(share_figure.text.split()[0]) == count_figure.low


def share_clash(figures: Sequence[Figure], other_figures: Sequence[Figure]) -> Clash | None:
    """Return "35 out of 50 states" and "31 states", of which one is a share, or None."""
    for figure, other in product(figures, other_figures):
        if _is_other_count(figure, other) or _is_other_count(other, figure):
            return Clash(figure.text, other.text)
    return None


def _is_other_count(share_figure: Figure, count_figure: Figure) -> bool:
    """Return whether a count says otherwise than a share of the same things: "35 out of 50"."""
    # The share is "35 out of 50 states", the count "31 states".
    share_match = _SHARE_PATTERN.fullmatch(share_figure.text)
    if share_figure.kind != PERCENT or share_match is None:
        return False
    if count_figure.kind != COUNT or share_figure.units.isdisjoint(count_figure.units):
        return False
    part_figures = particulars(share_match["part"]).numbers
    total_figures = particulars(share_match["total"]).numbers
    if not part_figures or not total_figures:
        return False
    part_value = part_figures[0].low
    total_value = total_figures[0].low
    # "Four in five states" counts no states.
    return (
        total_value >= MIN_SHARE_TOTAL
        and count_figure.low <= total_value
        and count_figure.low != part_value
    )


def change_clash(sentence: str, statement: str) -> Clash | None:
    """Return "by 70 percent" and "70 percent of the fuel" if one figure is a change, or None."""
    # Pairing figures takes long, and few texts have a change.
    if "by " not in sentence + statement:
        return None
    shares = [figure for figure in amounts(sentence) if figure.kind == PERCENT]
    equal_pairs, _, _ = pair_figures(shares, amounts(statement))
    for figure, other, agreement in equal_pairs:
        if agreement != EXACT:
            continue
        # "cut by 70 percent" and "70 percent of the fuel"
        said_change = _change_before(sentence, figure)
        checked_change = _change_before(statement, other)
        if said_change and not checked_change and _is_share(statement, other):
            return Clash(said_change + figure.text, figure_phrase(statement, other))
        if checked_change and not said_change and _is_share(sentence, figure):
            return Clash(figure_phrase(sentence, figure), checked_change + other.text)
    return None


def _change_before(text: str, figure: Figure) -> str:
    """Return "by " before a figure, with a hedge between them, "" without it."""
    change_match = _CHANGE_BEFORE_PATTERN.search(text[: figure.start])
    return change_match[0] if change_match else ""


def _is_share(text: str, figure: Figure) -> bool:
    return text[figure.end :].startswith(" of ")


def part_of_total_clash(text: str, other_text: str) -> Clash | None:
    """Return "six of the top 10" and "seven of the 10" if both count some of a few, or None."""
    # "six of the top 10" and "seven of the 10"
    phrases = _PART_OF_TOTAL_PATTERN.finditer(text)
    other_phrases = _PART_OF_TOTAL_PATTERN.finditer(other_text)
    for phrase, other_phrase in product(phrases, other_phrases):
        part_value = _value(phrase["part"])
        other_part_value = _value(other_phrase["part"])
        are_numbers = bool(part_value and other_part_value)
        have_one_total = _value(phrase["total"]) == _value(other_phrase["total"])
        if have_one_total and are_numbers and part_value != other_part_value:
            return Clash(phrase[0], other_phrase[0])
    return None


def _value(word: str) -> float:
    """Return the value of a number in words or digits, 0 for another word."""
    numbers = particulars(word).numbers
    return numbers[0].low if numbers else 0


def _near_values(
    figures: Sequence[Figure], other_figures: Sequence[Figure]
) -> list[tuple[Figure, Figure]]:
    """Return the only large figures of a kind in two texts, if their values are near."""
    near_pairs = []
    for kind in (MONEY, PERCENT, COUNT):
        figure = _only_large(figures, kind)
        other_figure = _only_large(other_figures, kind)
        if figure is None or other_figure is None:
            continue
        if _ratio(figure, other_figure) <= MAX_NEAR_RATIO:
            near_pairs.append((figure, other_figure))
    return near_pairs


def _only_large(figures: Sequence[Figure], kind: str) -> Figure | None:
    """Return the large figure of a kind, None if there are several or none."""
    large_figures = [figure for figure in figures if figure.kind == kind and _is_large(figure)]
    return large_figures[0] if len(large_figures) == 1 else None


def _is_large(figure: Figure) -> bool:
    """Return whether a figure is so large that two near ones are seldom of different things."""
    is_small_count = figure.kind == COUNT and figure.high < SMALL_BARE_COUNT
    return not figure.is_rough and not is_small_count


def _best_pairs(pairs: Sequence[tuple[Figure, Figure]]) -> list[tuple[Figure, Figure]]:
    """Return pairs in which each figure occurs once: the nearest values come first."""
    best_pairs: list[tuple[Figure, Figure]] = []
    for figure, other_figure in sorted(pairs, key=_distance_of_pair):
        is_used = any(
            figure is used_figure or other_figure is other_used_figure
            for used_figure, other_used_figure in best_pairs
        )
        if not is_used:
            best_pairs.append((figure, other_figure))
    return sorted(best_pairs, key=lambda pair: pair[0].start)  # in the order of the text


def _distance_of_pair(pair: tuple[Figure, Figure]) -> tuple[float, float, int]:
    """Return the sort key by which the figures with the nearest values come first."""
    figure, other = pair
    return (_ratio(figure, other), -_shared_context(figure, other), figure.start)


def compared_figures(
    figures: Sequence[Figure], other_figures: Sequence[Figure], other_text: str
) -> ComparedFigures:
    """Return the figures of a text with those that another text has in this or another value."""
    # "5 of 12 ports closed" beside "5 ports closed": 5 is paired, 12 is new.
    paired_figures = _paired_figures(figures, other_figures, other_text)
    new_figures = []
    for position, figure in enumerate(figures):
        is_paired = any(figure is paired_figure for paired_figure in paired_figures)
        is_in_other_text = figure.text.casefold() in other_text.casefold()
        # "a decade" may stand for "ten years"
        may_be_paraphrased = figure.kind == TIME and _LONG_PERIOD_PATTERN.search(other_text)
        if is_paired or is_in_other_text or may_be_paraphrased:
            continue
        next_figure = figures[position + 1] if position + 1 < len(figures) else None
        if not _continues(figure, next_figure) and _says_an_amount(figure):
            new_figures.append(figure)
    return ComparedFigures(tuple(new_figures), tuple(paired_figures))


def _paired_figures(
    figures: Sequence[Figure], other_figures: Sequence[Figure], other_text: str
) -> list[Figure]:
    """Return the figures of a text that another text has, or to which it gives another value."""
    equal_pairs, _, _ = pair_figures(figures, other_figures)
    paired_figures = [figure for figure, _, _ in equal_pairs]
    # A sentence may repeat a figure that the other text has once: "five years, so five years".
    other_particulars = particulars(other_text)
    paired_figures += [figure for figure in figures if _has_equal(other_particulars, figure)]
    paired_figures += [figure for figure, _ in differing_values(figures, other_figures)]
    return paired_figures


def _has_equal(text: Particulars, searched: Figure) -> bool:
    """Return whether a text has a figure of the same kind and value, rounded or within a range."""
    for figure in text.numbers:
        agreement = figure_agreement(searched, figure)
        if agreement == EXACT:
            return True
        # "90 percent" beside "70 to 90 percent", and "92 percent" beside 92.3
        difference = _relative_difference(searched.low, figure.low)
        is_rounded = agreement == ROUNDED and difference <= MIN_NAMED_ROUNDING
        is_within = searched.kind == figure.kind and figure.low <= searched.low <= figure.high
        if is_rounded or (is_within and not figure.is_rough):
            return True
    # "5 years before the election" is a date that lies five years back.
    periods = [abs(date_mention.period.first_day) for date_mention in text.dates]
    return searched.kind == TIME and searched.low in periods


def _continues(figure: Figure, next_figure: Figure | None) -> bool:
    """Return whether a bare number is only the first of two: "28, 29 hours"."""
    is_bare = figure.kind == COUNT and not figure.units
    if not is_bare or next_figure is None:
        return False
    return next_figure.start - figure.end <= LIST_CHARACTERS


def figure_phrase(text: str, figure: Figure) -> str:
    """Return a figure with the words that say what it counts: "38,000 people"."""
    word_end = figure.end
    phrase_end = figure.end  # the end of the last word that may end the phrase
    for _ in range(MAX_PHRASE_WORDS):
        word_match = _PHRASE_WORD_PATTERN.match(text, word_end)
        if word_match is None:
            break
        word = word_match[1]
        if word.casefold() in _WORDS_ENDING_PHRASE:
            break
        word_end = word_match.end()
        # "60 million dockers depend"
        follows_plural = text[: word_match.start()].endswith("s")
        is_plural_verb = follows_plural and word[-1] != "s" and looks_like_verb(word)
        is_verb = is_plural_verb or _VERB_ENDING_PATTERN.search(word) is not None
        if not is_verb and word.casefold() not in _WORDS_NEVER_LAST:
            phrase_end = word_end
    return text[figure.start : phrase_end]


def unsaid_phrase(text: str, figure: Figure) -> str:
    """Return a figure as a note quotes it beside a sentence without figures, "" if it is a name.

    "747 Air" counts nothing, and "not once, not twice, but four times" counts four.
    """
    is_small_count = figure.kind == COUNT and figure.high < SMALL_BARE_COUNT
    next_characters = text[figure.end : figure.end + 2].strip()
    is_name = is_small_count and next_characters.isupper()  # "747 Air"
    is_denied = text[: figure.start].casefold().endswith("not ")  # "not once"
    is_compound = figure.text.isdigit() and text[figure.end : figure.end + 1] == "-"  # "100-watt"
    if is_name or is_denied or is_compound:
        return ""
    if figure.kind == TIME:  # without the other words of "18 months putting it together"
        return figure.text
    phrase = figure_phrase(text, figure)
    text_after = text[figure.start + len(phrase) :]
    # "40 percent of small and mid-size banks" would be cut after "small".
    is_cut = " of " in phrase and re.match(r" (?:and|or)\b", text_after) is not None
    return figure.text if is_cut else phrase


def rate_clash(sentence: str, statement: str) -> Clash | None:
    """Return the periods for which two texts give an amount, "a month" and "a year", or None.

    A year that only one text names does not count: it is often left out.
    """
    # words such as "a month" or "annually"
    sentence_rate_match = _RATE_PATTERN.search(sentence)
    statement_rate_match = _RATE_PATTERN.search(statement)
    sentence_period = _period(sentence_rate_match) if sentence_rate_match else ""
    statement_period = _period(statement_rate_match) if statement_rate_match else ""
    # "$5 million" may be "$5 million a year".
    only_one_is_yearly = {sentence_period, statement_period} == {"year", ""}
    if sentence_period == statement_period or only_one_is_yearly:
        return None
    return Clash(
        in_sentence=sentence_rate_match[0] if sentence_rate_match else "",
        in_statement=statement_rate_match[0] if statement_rate_match else "",
    )


def open_period(sentence: str, statement: str) -> Clash | None:
    """Return "$5 million a year" and "Last year" for an amount of both texts, or None."""
    # "$5 million a year" beside "$5 million last year"
    rate = _YEARLY_PATTERN.search(sentence)
    single_year_match = _SINGLE_YEAR_PATTERN.search(statement)
    if rate is None or single_year_match is None:
        return None
    if _YEARLY_PATTERN.search(statement) or _SINGLE_YEAR_PATTERN.search(sentence):
        return None
    equal_pairs, _, _ = pair_figures(amounts(sentence), amounts(statement))
    for figure, other, agreement in equal_pairs:
        is_before_rate = 0 <= rate.start() - figure.end <= MAX_RATE_CHARACTERS
        if agreement == EXACT and is_before_rate and not other.is_rough:
            return Clash(sentence[figure.start : rate.end()], single_year_match[0])
    return None


def _period(rate: re.Match[str]) -> str:
    adverb = (rate["adverb"] or "").casefold()
    if adverb:
        return _PERIOD_OF_ADVERB.get(adverb, adverb.removesuffix("ly"))
    return rate["period"].casefold()


def _is_named_rounding(figure: Figure, other_figure: Figure) -> bool:
    """Return whether two figures that agree by rounding differ by more than a hedge explains."""
    if figure.is_rough or other_figure.is_rough or agree_by_chance(figure, other_figure):
        return False
    # "At least 11 million" is one end of "11 million to 12 million".
    if _is_within(figure, other_figure):
        return False
    low_difference = _relative_difference(figure.low, other_figure.low)
    high_difference = _relative_difference(figure.high, other_figure.high)
    largest_difference = max(low_difference, high_difference)
    # "Over 500" may be 505, but "over 600" isn't "over 700" and "close to 300" isn't 270.
    is_hedged = _is_hedged_towards(figure, other_figure) or _is_hedged_towards(other_figure, figure)
    if is_hedged and figure.hedge != other_figure.hedge:
        return largest_difference > MAX_HEDGED_DIFFERENCE
    return largest_difference > MIN_NAMED_ROUNDING


def _is_within(figure: Figure, wider_figure: Figure) -> bool:
    """Return whether a figure lies in a range of two values or at one of its ends."""
    is_range = wider_figure.low < wider_figure.high
    return is_range and wider_figure.low <= figure.low and figure.high <= wider_figure.high


def _relative_difference(value: float, other_value: float) -> float:
    """Return the difference of two values as a fraction of the larger one."""
    larger = max(value, other_value, 1e-9)  # never 0: a divisor
    return abs(value - other_value) / larger


def _is_hedged_towards(figure: Figure, other: Figure) -> bool:
    """Return whether the hedge of a figure points to the other: "over 500" to 505."""
    if figure.hedge == OVER:
        return other.low > figure.low
    return figure.hedge == UNDER and other.low < figure.low


def _are_values_of_one_thing(figure: Figure, other_figure: Figure) -> bool:
    """Return whether two figures without an equal may be values of one thing."""
    if figure.kind != other_figure.kind or figure.kind == RANK:
        return False
    # "Half" and "one in five" may be of anything, too. "1/10th of 1 percent" isn't a tenth.
    if figure.is_rough or other_figure.is_rough:
        is_share = figure.kind == PERCENT and "/" not in figure.text + other_figure.text
        return is_share and _shared_context(figure, other_figure) >= MIN_SHARED_CONTEXT_OF_ROUGH
    if not comparable(figure, other_figure) or _ratio(figure, other_figure) > MAX_VALUE_RATIO:
        return False
    have_units = bool(figure.units and other_figure.units)
    is_share_of_other = have_units and figure.units.isdisjoint(other_figure.units)
    if figure.kind == PERCENT and is_share_of_other:
        return False
    # A bare count may be of anything; "47 million Americans" and "46 million people" are not.
    if figure.kind == COUNT and not have_units:
        return False
    return _shared_context(figure, other_figure) >= MIN_SHARED_CONTEXT


def _shared_context(figure: Figure, other: Figure) -> float:
    """Return the fraction of the words around one figure that are around the other one, too."""
    shorter_context = min(len(figure.context), len(other.context))
    if not shorter_context:
        return 0.0
    return len(figure.context & other.context) / shorter_context


def _ratio(figure: Figure, other: Figure) -> float:
    """Return how many times the smaller figure the larger one is; above the limit for 0."""
    smaller = min(figure.low, other.low)
    larger = max(figure.high, other.high)
    return larger / smaller if smaller > 0 else MAX_VALUE_RATIO + 1


def _says_an_amount(figure: Figure) -> bool:
    """Return whether a figure is an amount, and not a rank, "two of them" or "one day"."""
    if figure.kind == RANK or figure.is_rough:
        return False
    if figure.kind == COUNT:
        smallest_amount = SMALL_COUNT if figure.units else SMALL_BARE_COUNT
        return figure.high >= smallest_amount
    if figure.kind == TIME:
        is_single_unit = re.match(r"an?\b|one\b|the\b", figure.text, re.I) is not None  # "a day"
        return not is_single_unit
    return True
