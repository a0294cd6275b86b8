"""Dates as people and programs write them, and the form of the dates of a whole column.

A date such as 3/4/2020 may have two meanings. The other dates of its column decide which of them
is meant. If they do not, the date is unread. Nothing is guessed: every value that could not be
read is counted with its reason.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any

from features.language.figures import calendar
from features.language.figures.calendar import MONTHS

EARLIEST_YEAR = 1900
FUTURE_DAYS = 2  # a time zone ahead, and a clock that is wrong
EXCEL_DAY_ZERO = date(1899, 12, 30)
MIN_EXCEL_DAY = 20_000  # 1954
YEAR_DIGITS = 4
MAX_EXAMPLES = 3
MAX_EXAMPLE_CHARACTERS = 60


class DateOrder(StrEnum):
    """The order of day and month in dates that consist of figures."""

    DAY_FIRST = "day/month/year"
    MONTH_FIRST = "month/day/year"


class DateProblem(StrEnum):
    """The reason why a value gives no date."""

    NO_DATE = "not a date"
    NO_DAY = "no day of the month"
    IMPOSSIBLE = "no such day"
    EARLY = f"before {EARLIEST_YEAR}"
    FUTURE = "in the future"
    AMBIGUOUS = "day and month could be swapped"
    SEVERAL = "several dates"


@dataclass(frozen=True, slots=True)
class DateReading:
    """The day of a value, or the reason why it has none.

    ``proven_order`` is the order of day and month that a date of figures proves. ``form`` is the
    form of an unusual date in words, such as a day number of Excel.
    """

    day: date | None = None
    problem: DateProblem | None = None
    proven_order: DateOrder | None = None
    form: str = ""


# Full names of months in languages other than English. Abbreviations are not unique.
_FOREIGN_MONTHS = (
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "januar februar mars april mai juni juli august september oktober november desember",
    "januar februar marts april maj juni juli august september oktober november december",
    "januari februari maret april mei juni juli agustus september oktober november desember",
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie"
    " decembrie",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "януари февруари март април май юни юли август септември октомври ноември декември",
    "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου"
    " οκτωβρίου νοεμβρίου δεκεμβρίου",
    # Without November, which is the Croatian October.
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października",
)
_MONTH_NUMBERS: dict[str, int] = dict(MONTHS)
for _names in _FOREIGN_MONTHS:
    for _number, _name in enumerate(_names.split(), start=1):
        _MONTH_NUMBERS.setdefault(_name, _number)
for _name, _number in {"mär": 3, "okt": 10, "dez": 12, "févr": 2, "avr": 4, "juil": 7}.items():
    _MONTH_NUMBERS[_name] = _number

_MONTH_WORD = r"[^\W\d_]{3,12}"
_YEAR = r"(?:\d{4}|['’]?\d{2})"
_ORDINAL = r"(?:st|nd|rd|th|er|º|\.)?"
_GAP = r"(?:\s{0,9}[-/.,]\s{0,9}|\s{1,9})"
# No year ends before a clock, nor before the real year: 11 Jan - 12 Feb 2024.
_YEAR_END = rf"(?![\d:]|\s{{0,9}},?\s{{1,9}}(?:{_MONTH_WORD}\.?\s{{1,9}})?\d{{4}}(?!\d))"
_YEAR_FIRST_PATTERN = re.compile(
    r"(?<!\d)(?P<year>\d{4})(?P<mark>[-/.])\s?(?P<month>\d{1,2})(?P=mark)\s?(?P<day>\d{1,2})"
    r"(?!\d)"
)
# Chinese and Japanese 2024年1月11日, Korean 2024년 1월 11일.
_YEAR_FIRST_IN_SIGNS_PATTERN = re.compile(
    r"(?<!\d)(?P<year>\d{4})\s?[年년]\s?(?P<month>\d{1,2})\s?[月월]\s?(?P<day>\d{1,2})\s?[日일号號]"
)
# The clock of Unix and of Twitter stands before the year: Thu Jan 11 10:30:00 UTC 2024.
_CLOCK_BEFORE_YEAR_PATTERN = re.compile(
    rf"(?<![^\W\d_])(?P<month>{_MONTH_WORD})\s{{1,9}}(?P<day>\d{{1,2}})\s{{1,9}}\d{{1,2}}:\d{{2}}(?::\d{{2}})?"
    r"\s{1,9}(?:[A-Z]{2,5}\s{1,9}|[+-]\d{4}\s{1,9})?(?P<year>\d{4})(?!\d)"
)
_COMPACT_PATTERN = re.compile(
    r"^(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})"
    r"(?:\.0|T\d{2,6}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?|\d{6})?$"
)
_DAY_MONTH_YEAR_PATTERN = re.compile(
    rf"(?<![\d.])(?P<day>\d{{1,2}}){_ORDINAL}{_GAP}?(?:(?:of|de|di)\s{{1,9}})?(?P<month>{_MONTH_WORD})\.?,?"
    rf"{_GAP}?(?:(?:of|de|di|del)\s{{1,9}})?(?P<year>{_YEAR}){_YEAR_END}"
)
_MONTH_DAY_YEAR_PATTERN = re.compile(
    rf"(?<![^\W\d_])(?P<month>{_MONTH_WORD})\.?{_GAP}(?:the\s{{1,9}})?(?P<day>\d{{1,2}}){_ORDINAL}"
    rf"(?:\s{{0,9}},\s{{0,9}}|\s{{1,9}}of\s{{1,9}}|{_GAP})(?P<year>{_YEAR}){_YEAR_END}"
)
_YEAR_MONTH_DAY_PATTERN = re.compile(
    rf"(?<!\d)(?P<year>\d{{4}}){_GAP}(?P<month>{_MONTH_WORD})\.?{_GAP}(?P<day>\d{{1,2}})(?![\d:])"
)
_WORD_FORMS = (
    _CLOCK_BEFORE_YEAR_PATTERN,
    _DAY_MONTH_YEAR_PATTERN,
    _MONTH_DAY_YEAR_PATTERN,
    _YEAR_MONTH_DAY_PATTERN,
)
_DAYS_BEFORE_PATTERN = re.compile(
    rf"(?<![\d:-])\d{{1,2}}\s*(?:{_MONTH_WORD}\.?\s*)?(?:[-–—]|to|until|and)\s*$"
)
_FIGURES_PATTERN = re.compile(
    r"(?<![\d./-])(?P<first>\d{1,2})\s?(?P<mark>[./-])\s?(?P<second>\d{1,2})\s?(?P=mark)\s?"
    r"(?P<year>\d{4}|\d{2})(?![\d/-]|\.\d)"
)
_DOTTED_DATE_PATTERN = re.compile(r"\d{1,2}\s?\.\s?\d{1,2}\s?\.\s?\d{2}")
_WHOLE_NUMBER_PATTERN = re.compile(r"^(?P<digits>\d+)(?:\.\d*)?$")
_MONTH_AND_YEAR_PATTERN = re.compile(
    rf"^\W*(?:{_MONTH_WORD}\.?[\s,/-]+'?\d{{2,4}}|\d{{4}}[-/.]\d{{1,2}}|\d{{4}})\W*$"
)
_MONTH_YEAR_FIGURES_PATTERN = re.compile(r"^\s*\d{1,2}[-/.]\d{4}\s*$")
_PUBLISHED_PATTERN = re.compile(
    r"\b(?:publi\w*|post\w*|stated|erschien\w*|veröffentlicht)\b[^\d\n]{0,24}$", re.I
)
_UPDATED_PATTERN = re.compile(
    r"\b(?:updat\w*|modifi\w*|correct\w*|revis\w*|edited|last|aktualisiert|mis à jour)\b[^\d\n]{0,24}$",
    re.I,
)
_CONTEXT_CHARACTERS = 40
_EPOCH_DIGITS = {9: 1, 10: 1, 12: 1000, 13: 1000, 16: 1_000_000}  # digits: units per second
_EXCEL_DIGITS = 5


def parse_day(value: Any, order: DateOrder | None = None) -> date | None:
    """Parse the date in a value; None if it has none, or an ambiguous or impossible one.

    ``order`` is the order of day and month in the value's column, if known.
    """
    return day_reading(value, order).day


def day_reading(value: Any, order: DateOrder | None = None) -> DateReading:
    """Parse a value as a date, and say why it cannot be read as one."""
    if isinstance(value, datetime):
        return DateReading(value.date())
    if isinstance(value, date):
        return DateReading(value)
    if isinstance(value, bool) or value is None:
        return DateReading(problem=DateProblem.NO_DATE)
    return _text_reading(str(value).strip(), order, datetime.now(UTC).date())


@lru_cache(maxsize=4096)
def _text_reading(text: str, order: DateOrder | None, today: date) -> DateReading:
    """Parse a text as a date."""
    # A number of eight digits is a day such as 20240111, not a moment.
    number_match = _WHOLE_NUMBER_PATTERN.match(text)
    if number_match and not _COMPACT_PATTERN.match(text):
        return _number_reading(number_match["digits"], today)
    dates_by_position = _dates_in(text, order)
    if not dates_by_position:
        return DateReading(problem=_reason_without_date(text))
    # The day of publication counts, not the day of an update.
    published_readings = []
    not_updated_readings = []
    all_readings = []
    for position, reading in dates_by_position:
        all_readings.append(reading)
        if _stands_after(_PUBLISHED_PATTERN, text, position):
            published_readings.append(reading)
        if not _stands_after(_UPDATED_PATTERN, text, position):
            not_updated_readings.append(reading)
    # The first list that is not empty
    readings = published_readings or not_updated_readings or all_readings
    distinct_days = {reading.day for reading in readings}
    if len(distinct_days) > 1:
        return DateReading(problem=DateProblem.SEVERAL)
    return _plausible_reading(readings[0], today)


def _dates_in(text: str, order: DateOrder | None) -> list[tuple[int, DateReading]]:
    """Return each date of a text with its place, in reading order."""
    compact_match = _COMPACT_PATTERN.match(text)
    if compact_match:
        return [(0, _unambiguous_reading(compact_match))]
    reading_by_position: dict[int, DateReading] = {}
    # Positions of the characters that belong to a date.
    covered_positions: set[int] = set()
    # A form that is easily mistaken comes after the others.
    patterns = (
        _YEAR_FIRST_PATTERN,
        _YEAR_FIRST_IN_SIGNS_PATTERN,
        *_WORD_FORMS,
        _FIGURES_PATTERN,
    )
    for pattern in patterns:
        for match in pattern.finditer(text):
            match_positions = set(range(match.start(), match.end()))
            if covered_positions & match_positions:
                continue
            reading = _date_reading_of_match(match, pattern, order)
            if reading is not None:
                reading_by_position[match.start()] = reading
                covered_positions |= match_positions
    return sorted(reading_by_position.items())


def _date_reading_of_match(
    match: re.Match[str], pattern: re.Pattern[str], order: DateOrder | None
) -> DateReading | None:
    """Return the date of a match; None if its word is not the name of a month."""
    if pattern is _FIGURES_PATTERN:
        return _figures_reading(match, order)
    if pattern in (_YEAR_FIRST_PATTERN, _YEAR_FIRST_IN_SIGNS_PATTERN):
        return _unambiguous_reading(match)
    if month_number(match["month"]) == 0:
        return None
    # The day ends a range: 11–12 January 2024.
    if pattern is _DAY_MONTH_YEAR_PATTERN and _DAYS_BEFORE_PATTERN.search(
        match.string, 0, match.start()
    ):
        return DateReading(problem=DateProblem.SEVERAL)
    return _unambiguous_reading(match)


def _unambiguous_reading(match: re.Match[str]) -> DateReading:
    """Return the date of a match in which day, month and year are told apart by their form."""
    # "3 May 2017" and "2017-05-03" can be read in one way only.
    month_text = match["month"]
    month = int(month_text) if month_text.isdecimal() else month_number(month_text)
    year = _full_year(match["year"])
    day = calendar.day(year, month, int(match["day"]))
    if day is None:
        return DateReading(problem=DateProblem.IMPOSSIBLE)
    return DateReading(day)


def _figures_reading(match: re.Match[str], order: DateOrder | None) -> DateReading:
    """Return the date of three figures, whose order of day and month may be open.

    With full stops the day comes first, as everywhere in Europe, unless the date proves the
    contrary. With hyphens and a year of two digits, the year may come first as well.
    """
    first_figure = int(match["first"])
    second_figure = int(match["second"])
    year = _full_year(match["year"])
    # "04-05-20" may have the year at either end.
    if match["mark"] == "-" and len(match["year"]) == 2:
        return DateReading(problem=DateProblem.AMBIGUOUS)
    # The date in each order of the figures, None if it does not exist.
    day_first = calendar.day(year, month=second_figure, number=first_figure)
    month_first = calendar.day(year, month=first_figure, number=second_figure)
    # "4/5/2020" is a date in both orders.
    if day_first and month_first and day_first != month_first:
        if order is DateOrder.MONTH_FIRST:
            return DateReading(month_first)
        if order is DateOrder.DAY_FIRST:
            return DateReading(day_first)
        if match["mark"] == ".":
            return DateReading(day_first, form="dates with full stops have the day first")
        return DateReading(problem=DateProblem.AMBIGUOUS)
    # "31/31/2020"
    if day_first is None and month_first is None:
        return DateReading(problem=DateProblem.IMPOSSIBLE)
    # "4/4/2020"
    if day_first == month_first:
        return DateReading(day_first)
    # "31/5/2020" shows the order of all dates of its column.
    if day_first:
        return DateReading(day_first, proven_order=DateOrder.DAY_FIRST)
    return DateReading(month_first, proven_order=DateOrder.MONTH_FIRST)


def _number_reading(digits: str, today: date) -> DateReading:
    """Return the date of a number: a day number of Excel, or seconds or milliseconds since 1970."""
    if len(digits) == _EXCEL_DIGITS and int(digits) >= MIN_EXCEL_DAY:
        day = EXCEL_DAY_ZERO + timedelta(days=int(digits))
        return _plausible_reading(DateReading(day, form="numbers are day numbers of Excel"), today)
    # Today a number of seconds since 1970 has 10 digits, a number of milliseconds 13.
    units_per_second = _EPOCH_DIGITS.get(len(digits))
    if units_per_second:
        moment = datetime.fromtimestamp(int(digits) / units_per_second, UTC)
        form = "numbers are seconds since 1970"
        if units_per_second > 1:
            form = "numbers are fractions of a second since 1970"
        return _plausible_reading(DateReading(moment.date(), form=form), today)
    return DateReading(problem=_reason_without_date(digits))


def _plausible_reading(reading: DateReading, today: date) -> DateReading:
    """Return a reading, without its day if that is too early or in the future."""
    if reading.day is None:
        return reading
    if reading.day.year < EARLIEST_YEAR:
        return DateReading(problem=DateProblem.EARLY)
    if reading.day > today + timedelta(days=FUTURE_DAYS):
        return DateReading(problem=DateProblem.FUTURE)
    return reading


def _reason_without_date(text: str) -> DateProblem:
    """Return why a text has no date: it names only a month or a year, or is something else."""
    if _MONTH_AND_YEAR_PATTERN.match(text) or _MONTH_YEAR_FIGURES_PATTERN.match(text):
        return DateProblem.NO_DAY
    return DateProblem.NO_DATE


def _stands_after(word_pattern: re.Pattern[str], text: str, position: int) -> bool:
    """Return whether a date at this position of a text follows one of some words."""
    context_start = max(0, position - _CONTEXT_CHARACTERS)
    return word_pattern.search(text[context_start:position]) is not None


def month_number(name: str) -> int:
    """Return the number of a month by its name in a European language, 0 if unknown."""
    lower_name = name.casefold().rstrip(".")
    number = _MONTH_NUMBERS.get(lower_name, 0)
    if number or not lower_name.isascii():
        return number
    # Months are cut anywhere: Septem., Janua.
    for full_name in calendar.MONTH_NAMES:
        if full_name.startswith(lower_name):
            return _MONTH_NUMBERS[full_name]
    return 0


def _full_year(digits: str) -> int:
    """Return a year; one of two digits is at most one year ahead, else in the century before."""
    year = int(digits.lstrip("'’"))
    if len(digits) == YEAR_DIGITS:
        return year
    this_year = datetime.now(UTC).year
    century_start = this_year - this_year % 100
    year_of_this_century = century_start + year
    if year_of_this_century <= this_year + 1:
        return year_of_this_century
    return year_of_this_century - 100


class DateMarks(StrEnum):
    """The marks between the figures of a date."""

    FULL_STOPS = "full stops"
    SLASHES = "slashes or hyphens"


def _no_votes() -> dict[DateMarks, Counter[DateOrder]]:
    return {marks: Counter() for marks in (DateMarks.SLASHES, DateMarks.FULL_STOPS)}


@dataclass(slots=True)
class DateColumn:
    """The dates of a column: the order of day and month, and the values that were not read.

    Dates with full stops are decided apart from dates with slashes and hyphens.
    """

    name: str
    order_votes: dict[DateMarks, Counter[DateOrder]] = field(default_factory=_no_votes)
    ambiguous_examples: dict[DateMarks, str] = field(default_factory=dict)
    forms: Counter[str] = field(default_factory=Counter)
    unread: Counter[DateProblem] = field(default_factory=Counter)
    unread_examples: dict[DateProblem, list[str]] = field(default_factory=dict)

    def survey(self, value: Any) -> None:
        """Look at a value of the column, to learn the order of day and month."""
        # Dates with slashes and dates with full stops may have different orders.
        reading = day_reading(value)
        separator_marks = _marks(value)
        if reading.proven_order:
            self.order_votes[separator_marks][reading.proven_order] += 1
        if reading.problem is DateProblem.AMBIGUOUS:
            self.ambiguous_examples.setdefault(separator_marks, _short_example(value))

    def order(self, marks: DateMarks = DateMarks.SLASHES) -> DateOrder | None:
        """Return the order that the dates prove; None if none does, or if they disagree."""
        proven_orders = list(self.order_votes[marks])
        return proven_orders[0] if len(proven_orders) == 1 else None

    def parse(self, value: Any) -> date | None:
        """Parse a value of the column, and count it if it cannot be read."""
        if value is None or not str(value).strip():
            return None
        reading = day_reading(value, self.order(_marks(value)))
        if reading.problem:
            self.unread[reading.problem] += 1
            examples = self.unread_examples.setdefault(reading.problem, [])
            if len(examples) < MAX_EXAMPLES:
                examples.append(_short_example(value))
        elif reading.form:
            self.forms[reading.form] += 1
        return reading.day

    def remarks(self) -> list[str]:
        """Say how the dates were read, and which were not."""
        column = f"column {self.name!r}"
        remark_lines = []
        for separator_marks, votes in self.order_votes.items():
            order = self.order(separator_marks)
            if order is not None:
                example = self.ambiguous_examples.get(separator_marks)
                example_words = f", {example!r} too" if example else ""
                remark_lines.append(f"{column}: dates were read as {order}{example_words}.")
            elif votes:
                remark_lines.append(f"{column}: its dates have day and month in both orders.")
        for form_remark in self.forms:
            remark_lines.append(f"{column}: {form_remark}.")
        for problem, count in self.unread.items():
            examples = ", ".join(repr(example) for example in self.unread_examples[problem])
            date_words = "date was" if count == 1 else "dates were"
            remark_lines.append(
                f"{column}: {count:,} {date_words} not read ({problem}), such as {examples}."
            )
        return remark_lines


def _marks(value: Any) -> DateMarks:
    """Return the marks of a date of figures."""
    is_dotted = _DOTTED_DATE_PATTERN.search(str(value)) is not None
    return DateMarks.FULL_STOPS if is_dotted else DateMarks.SLASHES


def _short_example(value: Any) -> str:
    """Return a value as an example: short, and one line."""
    return " ".join(str(value).split())[:MAX_EXAMPLE_CHARACTERS]
