"""Conflicts of figures: other numbers, times, units and bounds in one text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from features.language import agreement
from features.language.date_conflicts import years_conflict
from features.language.denied_limits import denies_other_date
from features.language.exchanged_partners import exchanged_partners
from features.language.figure_terms import unit_or_period_clash
from features.language.figures.numbers import (
    COUNT,
    MULTIPLE,
    OVER,
    RANK,
    TIME,
    UNDER,
    Figure,
    comparable,
)
from features.language.figures.rounding import EXACT, figure_agreement
from features.language.multiples import is_said_as_other_kind, multiple_clash
from features.language.past_states import past_state_clash
from features.language.role_exchange import exchanged_roles
from features.language.slot_clashes import same_number_clash, side_of_event_clash
from features.language.text_pairs import AnalysedText, TextPair
from features.language.word_clashes import Clash

_ORDINAL_OF_NUMBER = dict(
    enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1)
)
_MAGNITUDES = {1e3: "thousand", 1e6: "million", 1e9: "billion", 1e12: "trillion"}


def figures_conflict(pair: TextPair) -> Clash | None:
    """Return another figure of both texts for the same quantity, or None.

    In a repetition, a figure of the statement that the sentence leaves out is a conflict, too.
    """
    figures_in_sentence = _with_half_periods(pair.sentence)
    figures_in_statement = _with_half_periods(pair.statement)
    _, sentence_figures, statement_figures = agreement.pair_figures(
        figures_in_sentence, figures_in_statement
    )
    # One text may say a figure twice: "six banks, the largest six".
    sentence_figures = _unequalled(sentence_figures, figures_in_statement)
    statement_figures = _unequalled(statement_figures, figures_in_sentence)
    # These figures have no equal in the other text.
    is_same_quantity = comparable if pair.is_repetition else _is_same_quantity
    for sentence_figure, statement_figure in product(sentence_figures, statement_figures):
        if is_same_quantity(sentence_figure, statement_figure):
            return Clash(sentence_figure.text, statement_figure.text)
    if not pair.is_repetition:
        return None
    return _left_out_figure(pair, sentence_figures, statement_figures)


def _left_out_figure(
    pair: TextPair, sentence_figures: Sequence[Figure], statement_figures: Sequence[Figure]
) -> Clash | None:
    """Return a figure that only one of a statement and its repetition has, or None."""
    for figure in sentence_figures:
        if _is_age_limit(figure):
            return Clash(in_sentence=figure.text)
    for figure in statement_figures:
        if _is_age_limit(figure):
            return Clash(in_statement=figure.text)
    # A figure of the statement that the repetition leaves out, or replaces by its own ending.
    start, end = _shared_characters(pair)
    for figure in statement_figures:
        if _is_said_in_words(figure, pair) or is_said_as_other_kind(figure, pair):
            continue
        is_inside = start <= figure.start < end
        is_replaced_by_ending = pair.sentence_has_more_words and figure.start >= end
        if figure.kind != MULTIPLE and (is_inside or is_replaced_by_ending):
            replacements = [
                other.text
                for other in sentence_figures
                if comparable(other, figure) or _is_same_number(other, figure)
            ]
            return Clash(replacements[0] if replacements else "", figure.text)
    return None


def _is_said_in_words(figure: Figure, pair: TextPair) -> bool:
    """Return whether the sentence has a figure of the statement with another noun or in words.

    "Seventeen inmates" and "17 suicides", "the billion" and "$1 billion", "Ninth" and "9th".
    """
    for other in pair.sentence.particulars.numbers:
        if other.kind == figure.kind and _is_same_number(other, figure):
            return True
    text = pair.sentence.lower_text
    if figure.kind == RANK and figure.low == figure.high:
        ordinal = _ORDINAL_OF_NUMBER.get(int(figure.low), "")
        return bool(ordinal) and re.search(rf"\b{ordinal}\b", text) is not None
    magnitude = _MAGNITUDES.get(figure.low, "")
    return bool(magnitude) and re.search(rf"\b(?:the|that|this|a) {magnitude}\b", text) is not None


def _is_same_number(figure: Figure, other: Figure) -> bool:
    """Return whether two figures have the same number: "40 dollars", "40 percent"."""
    return (figure.low, figure.high) == (other.low, other.high)


def _unequalled(figures: Sequence[Figure], other_figures: Sequence[Figure]) -> list[Figure]:
    """Return the figures that none of the other text's equals exactly."""
    unequalled = []
    for figure in figures:
        if all(figure_agreement(figure, other) != EXACT for other in other_figures):
            unequalled.append(figure)
    return unequalled


def _is_same_quantity(figure: Figure, other: Figure) -> bool:
    """Return whether two figures are the same quantity even if their sentences differ.

    Counts must be of the same things.
    """
    if not comparable(figure, other) or figure.kind in (TIME, MULTIPLE):
        return False
    return figure.kind != COUNT or bool(figure.units & other.units)


def _with_half_periods(text: AnalysedText) -> list[Figure]:
    """Return the figures of a text, with 50 years for "half a century"."""
    figures = []
    for figure in text.particulars.numbers:
        is_period = figure.kind == TIME and figure.text.casefold().startswith("a ")
        if is_period and text.lower_text[: figure.start].endswith("half "):
            half_text = text.text[figure.start - len("half ") : figure.end]
            figure = replace(figure, low=figure.low / 2, high=figure.high / 2, text=half_text)
        figures.append(figure)
    return figures


def _is_age_limit(figure: Figure) -> bool:
    """Return whether a figure limits a statement to some ages: "over eighty", "under five"."""
    is_bare_count = figure.kind == COUNT and not figure.units
    return is_bare_count and figure.hedge in (OVER, UNDER) and figure.high < 100


def _shared_characters(pair: TextPair) -> tuple[int, int]:
    """Return the first and the end character of the part of the statement that is shared."""
    word_starts = pair.statement.word_starts
    first_word = pair.shared_runs[0].statement_start
    end_word = pair.shared_runs[-1].statement_end
    first_character = word_starts[first_word]
    if end_word < len(word_starts):
        return first_character, word_starts[end_word]
    # The shared words go on to the end: the beginning of the final word is enough.
    return first_character, word_starts[-1] + 1


def times_conflict(pair: TextPair) -> Clash | None:
    """Return other dates, other sides of an event or the past and today, or None."""
    # "Not before 1952" and "only after 1952" name the same time.
    if denies_other_date(pair):
        return past_state_clash(pair)
    return years_conflict(pair) or side_of_event_clash(pair) or past_state_clash(pair)


def roles_conflict(pair: TextPair) -> Clash | None:
    """Return the words of both texts that exchange their roles or places, or None."""
    return exchanged_roles(pair) or exchanged_partners(pair)


def units_conflict(pair: TextPair) -> Clash | None:
    """Return a figure of both texts with another unit, sign, period or factor, or None."""
    return unit_or_period_clash(pair) or same_number_clash(pair) or multiple_clash(pair)
