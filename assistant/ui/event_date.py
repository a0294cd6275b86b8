"""The field for the date of an event: a person may write it in either order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

import streamlit as st

from assistant.transcripts import title_and_date
from assistant.transcripts.title_and_date import FIRST_YEAR, LAST_YEAR
from assistant.ui.shown_text import escape

DATE_KEY = "order_date"  # of the session state, as the next one
ORDER_KEY = "order_date_choice"
FIRST_SHORT_YEAR = 1970  # 70 to 99 are in the last century, 00 to 69 in this one
UNDATED = "Without a date Lectern can't say how old a fact-check was on the day."
_DATE_SEPARATOR = r"\s?[/.\- ]\s?"
# 3/5/2017 and 3.5.17: day and month in either order
_DAY_MONTH_YEAR_PATTERN = re.compile(
    rf"(?P<earlier>\d{{1,2}}){_DATE_SEPARATOR}(?P<later>\d{{1,2}}){_DATE_SEPARATOR}(?P<year>\d{{4}}|\d{{2}})"
)
# 2017-05-03
_YEAR_MONTH_DAY_PATTERN = re.compile(
    rf"(?P<year>\d{{4}}){_DATE_SEPARATOR}(?P<month>\d{{1,2}}){_DATE_SEPARATOR}(?P<day>\d{{1,2}})"
)


@dataclass(frozen=True, slots=True)
class TypedDate:
    """The date in a field, None if there is none yet. ``is_settled`` is False if it is unclear."""

    day: date | None
    is_settled: bool


def draw_date_field(guessed_day: date | None) -> TypedDate:
    """Draw the field, and the date that was understood with its weekday."""
    typed_text = st.text_input(
        "Date of the event",
        in_words(guessed_day) if guessed_day else "",
        key=DATE_KEY,
        placeholder="3 May 2017 or 2017-05-03",
    ).strip()
    days = typed_dates(typed_text)
    if not typed_text:
        st.html(f'<p class="lx-soft lx-tight">{UNDATED}</p>')
        return TypedDate(None, True)
    if not days:
        st.html(
            f'<p class="lx-warn">“{escape(typed_text)}” isn’t a date. Write it like 3 May 2017.</p>'
        )
        return TypedDate(None, False)
    if len(days) == 1:
        st.html(f'<p class="lx-soft lx-tight">{with_weekday(days[0])}</p>')
        return TypedDate(days[0], True)
    chosen_day = st.radio(
        "Which day is meant?", days, index=None, format_func=with_weekday, key=ORDER_KEY
    )
    return TypedDate(chosen_day, chosen_day is not None)


def typed_dates(text: str) -> list[date]:
    """Return the dates that a text may mean, none if it isn't a date.

    Two if day and month may be in either order: ``3/5/2017``.
    """
    text = text.strip()
    year_first = _YEAR_MONTH_DAY_PATTERN.fullmatch(text)
    if year_first:
        year = int(year_first["year"])
        return _valid_days([(year, int(year_first["month"]), int(year_first["day"]))])
    year_last = _DAY_MONTH_YEAR_PATTERN.fullmatch(text)
    if year_last:
        first_number = int(year_last["earlier"])
        second_number = int(year_last["later"])
        year = int(year_last["year"])
        if len(year_last["year"]) == 2:
            year = _full_year(year)
        # day before month, as in most countries, then month before day
        return _valid_days(
            [(year, second_number, first_number), (year, first_number, second_number)]
        )
    return sorted(set(title_and_date.dates_in_text(text)))


def in_words(day: date) -> str:
    """Return a date as ``3 May 2017``, which has one reading."""
    return f"{day.day} {day:%B} {day.year}"


def with_weekday(day: date) -> str:
    """Return a date as ``Wednesday 3 May 2017``."""
    return f"{day:%A} {in_words(day)}"


def _full_year(short_year: int) -> int:
    century = FIRST_SHORT_YEAR - FIRST_SHORT_YEAR % 100  # 1900
    year = century + short_year
    return year if year >= FIRST_SHORT_YEAR else year + 100


def _valid_days(years_months_days: list[tuple[int, int, int]]) -> list[date]:
    """Return the days of year, month and day that exist, each once."""
    days: list[date] = []
    for year, month, day in years_months_days:
        is_plausible = FIRST_YEAR <= year <= LAST_YEAR
        if not is_plausible:
            continue
        try:
            valid_day = date(year, month, day)
        except ValueError:
            continue
        if valid_day not in days:
            days.append(valid_day)
    return days
