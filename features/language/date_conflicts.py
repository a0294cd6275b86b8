"""Conflicts of dates: other years or days in one text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from features.language.figures.date_comparison import compare, may_be_same_date
from features.language.figures.dates import DateMention
from features.language.text_pairs import AnalysedText, TextPair
from features.language.word_clashes import Clash

_DAY_PATTERN = re.compile(r"\b(?P<day>\d{1,2})(?:st|nd|rd|th)?\b")
_DATE_PREPOSITION_PATTERN = re.compile(r"\b(?:since|until|till|before|after|by|through)\s+$", re.I)


def years_conflict(pair: TextPair) -> Clash | None:
    """Return the dates of both texts if they differ, or None.

    In a repetition, a calendar date that only the sentence has is a conflict, and so is a relative
    date that the sentence leaves out or replaces.
    """
    sentence_dates, statement_dates = _without_same_anaphoric_dates(
        pair.sentence.particulars.dates, pair.statement.particulars.dates
    )
    sentence_fixed = [
        date_mention for date_mention in sentence_dates if date_mention.is_calendar_date
    ]
    statement_fixed = [
        date_mention for date_mention in statement_dates if date_mention.is_calendar_date
    ]
    if compare(sentence_fixed, statement_fixed).clashing:
        return _unshared_dates(pair, sentence_fixed, statement_fixed)
    if not pair.is_repetition:
        return None
    clash_of_days = _day_of_month_clash(sentence_dates, statement_dates)
    return clash_of_days or _repeated_dates_clash(pair, sentence_dates, statement_dates)


def _repeated_dates_clash(
    pair: TextPair, sentence_dates: Sequence[DateMention], statement_dates: Sequence[DateMention]
) -> Clash | None:
    """Return the dates that differ between a statement and its repetition, or None."""
    # In a repetition, relative dates count, too: "last year", seen from the day of each text.
    days = (pair.event_day, pair.claim_day)
    if compare(sentence_dates, statement_dates, *days).clashing:
        return _unshared_dates(pair, sentence_dates, statement_dates)
    added_dates = []
    for sentence_date in sentence_dates:
        may_be_in_statement = any(
            may_be_same_date(sentence_date, statement_date, *days)
            for statement_date in statement_dates
        )
        if not may_be_in_statement:
            added_dates.append(sentence_date)
    if any(sentence_date.is_calendar_date for sentence_date in added_dates):
        return _unshared_dates(pair, added_dates, ())
    # Without another date in its place, "in the last ten years" may simply be left out.
    if not added_dates and not pair.sentence_has_more_words:
        return None
    for statement_date in statement_dates:
        is_long_period = not statement_date.is_calendar_date and abs(statement_date.count) > 1
        may_be_in_sentence = any(
            may_be_same_date(sentence_date, statement_date, *days)
            for sentence_date in sentence_dates
        )
        if is_long_period and not may_be_in_sentence:
            return _unshared_dates(pair, added_dates, (statement_date,))
    return None


def _day_of_month_clash(
    sentence_dates: Sequence[DateMention], statement_dates: Sequence[DateMention]
) -> Clash | None:
    """Return "May 4" and "May 24", two days of one month without a year, or None."""
    sentence_days = {(date.month, _day_of_month(date)): date.text for date in sentence_dates}
    statement_days = {(date.month, _day_of_month(date)): date.text for date in statement_dates}
    if not sentence_days.keys().isdisjoint(statement_days):
        return None
    for (month, day), text in sentence_days.items():
        for (other_month, other_day), other_text in statement_days.items():
            if day and other_day and month == other_month:
                return Clash(text, other_text)
    return None


def _day_of_month(date: DateMention) -> int:
    """Return the day of a date without a year, 0 if it has none: 4 of "May 4"."""
    day = _DAY_PATTERN.search(date.text)
    return int(day["day"]) if day and date.month and not date.is_calendar_date else 0


def _without_same_anaphoric_dates(
    sentence_dates: Sequence[DateMention], statement_dates: Sequence[DateMention]
) -> tuple[Sequence[DateMention], Sequence[DateMention]]:
    """Return the dates of both texts without a "previous twelve years" that both have.

    Those years are counted from something in the text, and not from the day on which it was said.
    """
    lengths_in_sentence = {_anaphoric_length(date_mention) for date_mention in sentence_dates}
    lengths_in_statement = {_anaphoric_length(date_mention) for date_mention in statement_dates}
    shared_lengths = lengths_in_sentence & lengths_in_statement - {None}
    if not shared_lengths:
        return sentence_dates, statement_dates
    kept_dates = []
    for dates in (sentence_dates, statement_dates):
        kept_dates.append([date for date in dates if _anaphoric_length(date) not in shared_lengths])
    return kept_dates[0], kept_dates[1]


def _anaphoric_length(date_mention: DateMention) -> float | None:
    """Return the length of "the previous twelve years", None for any other date."""
    if date_mention.is_calendar_date or "previous" not in date_mention.text.casefold():
        return None
    return date_mention.count


def _unshared_dates(
    pair: TextPair,
    sentence_dates: Sequence[DateMention],
    statement_dates: Sequence[DateMention],
) -> Clash:
    """Return the first date of each text that the other one lacks."""

    def may_be_same(sentence_date: DateMention, statement_date: DateMention) -> bool | None:
        return may_be_same_date(sentence_date, statement_date, pair.event_day, pair.claim_day)

    only_in_sentence = [
        sentence_date
        for sentence_date in sentence_dates
        if not any(may_be_same(sentence_date, statement_date) for statement_date in statement_dates)
    ]
    only_in_statement = [
        statement_date
        for statement_date in statement_dates
        if not any(may_be_same(sentence_date, statement_date) for sentence_date in sentence_dates)
    ]
    return Clash(
        _date_with_role(pair.sentence, only_in_sentence[0]) if only_in_sentence else "",
        _date_with_role(pair.statement, only_in_statement[0]) if only_in_statement else "",
    )


def _date_with_role(text: AnalysedText, date_mention: DateMention) -> str:
    """Return a date as it is written, with "since" or "until" before it."""
    preceding = _DATE_PREPOSITION_PATTERN.search(text.text[: date_mention.start])
    start = preceding.start() if preceding else date_mention.start
    return text.text[start : date_mention.end].strip()
