"""The dates and periods of a text, resolved against the day it was said.

A date is a period of days. A calendar date ("March 2016", "the 1990s", "between 2001 and 2008") is
fixed; a relative one ("three years ago", "last year", "in the past decade") is resolved once the
day of speaking is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from features.language.figures.calendar import MONTHS
from features.language.figures.spelling import (
    WORDS_BELOW_TWENTY,
    WORDS_FOR_TENS,
    read_number,
    tokens,
)

LATEST_YEAR = 9998  # so that the month after any month is a date
LAST_DAY_OF_ALL_MONTHS = 28
EARLIEST_SPOKEN_YEAR = 1800
LATEST_SPOKEN_YEAR = 2099
ROLE_CHARACTERS = 24  # before a date, in which "since" and "until" are looked for
IN = "in"
SINCE = "since"
UNTIL = "until"
DAYS_OF_UNIT = {
    "day": 1.0,
    "week": 7.0,
    "month": 30.44,
    "quarter": 91.3,
    "year": 365.25,
    "decade": 3652.5,
    "century": 36525.0,
}
_NUMBERS = (
    r"(?:\d+(?:\.\d+)?|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|"
    r"hundred|dozen|couple of|"
    r"couple|few|several|half a)"
)
_COUNT = (
    rf"(?P<count>{_NUMBERS}(?:[ -]{_NUMBERS}){{0,7}}(?:[ -]and a half)?)(?:-plus|-some)?"
    rf"(?:(?: or | to |-){_NUMBERS})?"
)
_UNIT = r"(?P<unit>day|week|month|quarter|year|decade|centur(?:y|ie))s?"
_MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_YEAR = r"(?:1[6-9]\d\d|20\d\d)"
_NOUNS_ALWAYS_COUNTED = "people|jobs|votes|pages"
_NOT_MORE = (
    rf"(?![\d%]|,\d|\.\d| ?(?:percent|dollars|million|billion|thousand|{_NOUNS_ALWAYS_COUNTED})\b)"
)
# Before these, four digits count: "1600 workers"; in "in 2016 workers earned less" they are still
# a year.
_COUNTED_NOUN_PATTERN = re.compile(
    rf"(?: \w+)? (?:{_NOUNS_ALWAYS_COUNTED}|workers|employees|cases|deaths|murders|families|households|"
    rf"troops|soldiers|"
    r"veterans|refugees|immigrants|migrants|prisoners|inmates|students|teachers|nurses|doctors|"
    r"patients|officers|"
    r"children|kids|women|men|americans|citizens|voters|members|homes|houses|schools|companies|"
    r"businesses|plants|cars|"
    r"guns|miles|feet|acres|pounds|tons|gallons|barrels|calories|hours|days|weeks|months|years|"
    r"times)\b",
    re.I,
)
_WORD_BEFORE_YEAR_PATTERN = re.compile(
    r"\b(?:in|since|until|till|during|before|after|the|of|by|from|through|and|to)\s*$", re.I
)
_SPOKEN_YEAR = (
    r"(?:(?:nineteen|twenty) (?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    r"eighteen|nineteen|"
    r"twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|"
    r"seven|eight|nine))?|"
    r"two thousand(?: and)? (?:one|two|three|four|five|six|seven|eight|nine|ten))"
    r"(?! (?:percent|thousand|hundred|million|billion|dollars|people|jobs|years))|"
    r"(?:nineteen|twenty) oh[ -](?:one|two|three|four|five|six|seven|eight|nine)|"
    r"(?:(?<=in )|(?<=since )|(?<=until )|(?<=before )|(?<=after ))(?:two thousand|(?:eight|"
    r"nine)teen hundred)"
    r"(?=[,.;:!?]|$| (?:the|a|an|we|he|she|they|it|i|you|there|but|to|when|until|through|alone|by|"
    r"for|in|on|that|was|"
    r"were|had|with|from|his|her|our|my|their)\b| and (?!\w+(?:teen|ty)\b))"
)
# A year is "in fifty-two, which was", but not "in fifty-two countries" or "one in fifty-two".
_SPOKEN_SHORT_YEAR = (
    r"(?:(?<=in )|(?<=since )|(?<=until ))"
    r"(?P<tens>thirty|forty|fifty|sixty|seventy|eighty|ninety)[ -]"
    r"(?P<ones>one|two|three|four|five|six|seven|eight|nine)"
    r"(?=[,.;:!?]|$| (?:the|we|he|she|they|it|i|you|there|but|when|was|were|had)\b)"
)
_RATIO_PATTERN = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|\d+) (?:out |is |are )?in $", re.I
)
# The first year of a decade in its century.
_FIRST_YEAR_OF_DECADE = {
    "twenties": 20,
    "thirties": 30,
    "forties": 40,
    "fifties": 50,
    "sixties": 60,
    "seventies": 70,
    "eighties": 80,
    "nineties": 90,
}
_SINCE_BEFORE_DATE_PATTERN = re.compile(
    r"\b(?:since|from|starting in|beginning in|as of|after)(?: about| around| the| late| early| "
    r"fiscal year)*\s*$"
)
_UNTIL_BEFORE_DATE_PATTERN = re.compile(
    r"\b(?:until|till|by|before|through|prior to)(?: about| around| the)*\s*$"
)
_WORDS_BEFORE_MONTH = frozenset(
    "in of since last by until this next on through and before after from early late".split()
)
_POSSESSIVE_BEFORE_DATE_PATTERN = re.compile(r"\b(?:my|your|his|her|its|our|their)\s*$", re.I)
_LAST = r"(?:last|past|previous)"
_IN_THE = (
    r"(?:in|over|during|for|within|through|of)? ?(?:just |only )?(?:the|these|this|our|his|her|my)"
)
_YEARS_OF_DECADE_SECTION = {"early": (0, 4), "mid": (3, 7), "late": (5, 9)}  # first and last year
_NUMBER_OF_QUARTER = {"first": 1, "second": 2, "third": 3, "fourth": 4}
# Names of months in small letters, by how often they are other words.
_MONTHS_NEVER_OTHER_WORDS = frozenset(
    "january february september october november december".split()
)
_MONTHS_RARELY_OTHER_WORDS = frozenset("april june july august".split())
_MONTHS_OFTEN_OTHER_WORDS = frozenset("march may mar".split())


class Period(NamedTuple):
    """A period in days.

    The days are ordinals if ``is_calendar_date``, else counted from the day of speaking (day 0).
    """

    first_day: float
    last_day: float
    is_calendar_date: bool


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date in a text: its period, its role, its position and its words.

    The role says whether it stands alone or is the beginning or the end of a period. ``unit`` and
    ``count`` describe a relative date: "last year" is (year, -1). ``month`` (1..12) is set for a
    month without a year.
    """

    period: Period
    role: str
    start: int
    end: int
    text: str
    unit: str = ""
    count: float = 0.0
    month: int = 0

    @property
    def is_calendar_date(self) -> bool:
        """Return whether it is a calendar date."""
        return self.period.is_calendar_date

    @property
    def length(self) -> float:
        """Return the number of days in the period, less one."""
        return self.period.last_day - self.period.first_day

    def days_for_speaker_on(self, speaking_day: int) -> tuple[float, float]:
        """Return the first and last day as ordinals, for a text said on ``speaking_day``."""
        if self.is_calendar_date:
            return self.period.first_day, self.period.last_day
        today = date.fromordinal(speaking_day)
        if self.month:
            # "in March", said in February, is March of the year before.
            year = today.year
            if self.month > today.month:
                year -= 1
            return _month_days(year, self.month)
        if self.unit == "year":
            year = today.year + int(self.count)
            return _year_days(year, year)
        if self.unit == "month":
            # Months since the beginning of year 0, of which January is 0.
            month_number = today.year * 12 + (today.month - 1) + int(self.count)
            year, months_before = divmod(month_number, 12)
            return _month_days(year, months_before + 1)
        # Other periods count in days from the day of speaking.
        return speaking_day + self.period.first_day, speaking_day + self.period.last_day


def dates(text: str) -> tuple[DateMention, ...]:
    """Return the dates and periods of a text in their order."""
    plain_text = text.replace("’", "'").replace("‘", "'").replace("–", "-")
    lower_text = plain_text.lower()
    # A look-alike, as the dotless "ı", matches a pattern without case, but no word.
    is_ascii = plain_text.isascii()
    if is_ascii and not _has_any(lower_text, _WORDS_OF_DATES):
        return ()
    # The most exact patterns come first, so "3 May 2017" is not read as the year 2017.
    date_mentions: list[DateMention] = []
    for kind in _DATE_KINDS:
        if is_ascii and not _has_any(lower_text, kind.words):
            continue
        for match in kind.pattern.finditer(plain_text):
            is_read_already = any(
                match.start() < read_mention.end and read_mention.start < match.end()
                for read_mention in date_mentions
            )
            if is_read_already:
                continue
            # None for words that turn out to be no date
            date_mention = kind.read(match, plain_text)
            if date_mention:
                date_mentions.append(date_mention)
    return tuple(sorted(date_mentions, key=lambda date_mention: date_mention.start))


def _has_any(text: str, words: Iterable[str]) -> bool:
    # A loop, because a generator takes twice the time.
    for word in words:
        if word in text:
            return True
    return False


def _year_days(first_year: int, last_year: int) -> tuple[float, float]:
    """Return the first and last day of a period of whole years, as far as the calendar has them."""
    first_day = date(_possible_year(first_year), 1, 1).toordinal()
    last_day = date(_possible_year(last_year), 12, 31).toordinal()
    return float(first_day), float(last_day)


def _possible_year(year: int) -> int:
    return min(max(year, 1), LATEST_YEAR)


def _month_days(year: int, month: int) -> tuple[float, float]:
    """Return the first and last day of a month."""
    possible_year = _possible_year(year)
    first_day = date(possible_year, month, 1)
    if month == 12:
        first_day_of_next_month = date(possible_year + 1, 1, 1)
    else:
        first_day_of_next_month = date(possible_year, month + 1, 1)
    return float(first_day.toordinal()), float(first_day_of_next_month.toordinal() - 1)


def _single_day(year: int, month: int, day: int) -> tuple[float, float]:
    """Return a day as a period, its first and its last day."""
    day_number = float(date(year, month, day).toordinal())
    return day_number, day_number


def _role_of_date(match: re.Match[str], text: str) -> str:
    """Return whether the words before a date make it the beginning or the end of a period."""
    preceding = text[max(0, match.start() - ROLE_CHARACTERS) : match.start()].casefold()
    if _SINCE_BEFORE_DATE_PATTERN.search(preceding):
        return SINCE
    return UNTIL if _UNTIL_BEFORE_DATE_PATTERN.search(preceding) else IN


def _calendar_date(
    match: re.Match[str], text: str, days: tuple[float, float], role: str = ""
) -> DateMention:
    return DateMention(
        period=Period(*days, is_calendar_date=True),
        role=role or _role_of_date(match, text),
        start=match.start(),
        end=match.end(),
        text=match[0],
    )


def _relative_date(
    match: re.Match[str], days: tuple[float, float], role: str, unit: str, count: float
) -> DateMention:
    return DateMention(
        period=Period(*days, is_calendar_date=False),
        role=role,
        start=match.start(),
        end=match.end(),
        text=match[0],
        unit=unit,
        count=count,
    )


def _month_without_year(match: re.Match[str], role: str, month: int) -> DateMention:
    mention = _relative_date(match, (0.0, 0.0), role, unit="", count=0.0)
    return replace(mention, month=month)


def _read_year_range(match: re.Match[str], text: str) -> DateMention | None:
    """Read "between 2001 and 2008", "2009-10"."""
    first_year = int(match["first"])
    last_year = int(match["last"])
    if len(match["last"]) < 4:
        # "2009-10": the last year is in the century of the first.
        century = first_year // 100 * 100
        last_year += century
    if first_year >= last_year:
        return None
    return _calendar_date(match, text, _year_days(first_year, last_year), IN)


def _read_month_of_year(match: re.Match[str], text: str) -> DateMention | None:
    """Read "March 2016", "March 11, 2009"."""
    year = int(match["year"])
    month = MONTHS[match["month"].casefold()]
    if match["day"] and 1 <= int(match["day"]) <= LAST_DAY_OF_ALL_MONTHS:
        return _calendar_date(match, text, _single_day(year, month, int(match["day"])))
    return _calendar_date(match, text, _month_days(year, month))


def _read_september_11(match: re.Match[str], text: str) -> DateMention:
    """Read "9/11", a day and not a fraction."""
    return _calendar_date(match, text, _single_day(2001, 9, 11))


def _read_slashed(match: re.Match[str], text: str) -> DateMention | None:
    """Read "6/19/2007"."""
    month = int(match["month"])
    day = int(match["day"])
    year = int(match["year"])
    # "6/19/07" is in this century, "6/19/97" in the last one.
    if year < 50:
        year += 2000
    elif year <= 99:
        year += 1900
    if not 1 <= month <= 12 or day > 31:
        return None
    if 1 <= day <= LAST_DAY_OF_ALL_MONTHS:
        return _calendar_date(match, text, _single_day(year, month, day))
    # Not every month has this day: only the year counts.
    return _calendar_date(match, text, _year_days(year, year))


def _read_bare_month(match: re.Match[str], text: str) -> DateMention | None:
    """Read a month without a year: "since November", "March 11"."""
    month_name = match["month"]
    has_day = match["day"] is not None and int(match["day"]) <= 31
    if not has_day:
        # "may" and "march" in small letters are often other words.
        if month_name in _MONTHS_OFTEN_OTHER_WORDS:
            return None
        is_rarely_other_word = month_name in _MONTHS_NEVER_OTHER_WORDS | _MONTHS_RARELY_OTHER_WORDS
        if month_name[0].islower() and not is_rarely_other_word:
            return None
        preceding_words = text[: match.start()].casefold().split()
        if not preceding_words or preceding_words[-1] not in _WORDS_BEFORE_MONTH:
            return None
    return _month_without_year(match, _role_of_date(match, text), MONTHS[month_name.casefold()])


def _read_decade(match: re.Match[str], text: str) -> DateMention:
    """Read "the 1990s", "early eighties", "the '90s"."""
    if match["short"]:
        first_year = 1900 + int(match["short"])
        return _calendar_date(match, text, _year_days(first_year, first_year + 9))
    if match["word"]:
        first_year = 1900 + _FIRST_YEAR_OF_DECADE[match["word"].casefold()]
    else:
        first_year = int(match["digits"])
        if first_year <= 99:
            first_year += 1900
    # "early", "mid" or "late"; the years count from the beginning of the decade.
    section_word = (match["section"] or "").casefold().strip(" -")
    section_start, section_end = _YEARS_OF_DECADE_SECTION.get(section_word, (0, 9))
    days = _year_days(first_year + section_start, first_year + section_end)
    return _calendar_date(match, text, days)


def _read_century(match: re.Match[str], text: str) -> DateMention:
    # The 19th century is 1801 to 1900.
    last_year = int(match["ordinal"]) * 100
    return _calendar_date(match, text, _year_days(last_year - 99, last_year))


def _read_year(match: re.Match[str], text: str) -> DateMention | None:
    """Read four digits as a year, unless they count something: "1600 workers"."""
    counts_something = _COUNTED_NOUN_PATTERN.match(text, match.end())
    if counts_something and not _WORD_BEFORE_YEAR_PATTERN.search(text[: match.start()]):
        return None
    year = int(match["year"])
    return _calendar_date(match, text, _year_days(year, year))


def _read_short_year(match: re.Match[str], text: str) -> DateMention:
    """Read "'08"."""
    year = int(match["year"])
    year += 2000 if year < 30 else 1900
    return _calendar_date(match, text, _year_days(year, year))


def _read_spoken_year(match: re.Match[str], text: str) -> DateMention | None:
    """Read "twenty twelve", "nineteen oh five"."""
    words = tuple(token.word for token in tokens(match[0]))
    if words[1] == "oh":
        # "nineteen oh five"
        first_word, _, final_word = words[:3]
        century = 1900 if first_word == "nineteen" else 2000
        year = century + WORDS_BELOW_TWENTY[final_word]
        return _calendar_date(match, text, _year_days(year, year))
    # "twenty twelve" is read as the number 2012.
    number_and_end = read_number(words, 0)
    if number_and_end is None:
        return None
    number, _ = number_and_end
    if not EARLIEST_SPOKEN_YEAR <= number <= LATEST_SPOKEN_YEAR:
        return None
    year = int(number)
    return _calendar_date(match, text, _year_days(year, year))


def _read_spoken_short_year(match: re.Match[str], text: str) -> DateMention | None:
    """Read "fifty-two" behind "in" as a year, and not in "one in fifty-two"."""
    if _RATIO_PATTERN.search(text[: match.start()]):
        return None
    tens = WORDS_FOR_TENS[match["tens"].casefold()]
    year = 1900 + tens + WORDS_BELOW_TWENTY[match["ones"].casefold()]
    return _calendar_date(match, text, _year_days(year, year))


def _read_quarter(match: re.Match[str], text: str) -> DateMention | None:
    """Read "the third quarter of 2010"; without a year, it is the quarter's last month."""
    quarter = _NUMBER_OF_QUARTER[match["ordinal"].casefold()]
    last_month = quarter * 3
    if not match["year"]:
        # Without its year, a quarter is compared by its last month.
        return _month_without_year(match, IN, last_month)
    year = int(match["year"])
    first_month = last_month - 2
    first_day, _ = _month_days(year, first_month)
    _, last_day = _month_days(year, last_month)
    return _calendar_date(match, text, (first_day, last_day), IN)


def _counted_units(match: re.Match[str]) -> float:
    """Return how many units a relative date counts."""
    counting_phrase = match["count"].casefold().replace("-", " ")
    if "couple" in counting_phrase:
        return 2.0
    if "few" in counting_phrase or "several" in counting_phrase:
        return 4.0
    if counting_phrase.strip() in ("a", "an"):
        return 1.0
    words = tuple(counting_phrase.split())
    if words == ("half", "a", "dozen"):
        return 6.0
    if words == ("dozen",):  # "the last dozen years"
        return 12.0
    if words[:2] == ("half", "a"):
        return 0.5
    number_and_end = read_number(words, 0)
    if number_and_end is None:
        return 1.0
    count, _ = number_and_end
    return count


def _unit_of(match: re.Match[str]) -> str:
    unit = match["unit"].casefold()
    return "century" if unit.startswith("centur") else unit


def _read_from_year(match: re.Match[str], text: str) -> DateMention:
    """Read "three years before 2016", "a decade after 1998": another year."""
    distance = round(_counted_units(match) * DAYS_OF_UNIT[_unit_of(match)] / DAYS_OF_UNIT["year"])
    if match["side"].casefold() not in ("after", "later than"):
        distance = -distance
    year = int(match["year"]) + distance
    return _calendar_date(match, text, _year_days(year, year))


def _days_back(match: re.Match[str]) -> tuple[float, float]:
    """Return the days of "three years ago", a longer period if the count is rough."""
    unit_days = DAYS_OF_UNIT[_unit_of(match)]
    days = -unit_days * _counted_units(match)
    is_rough = re.search(r"few|several|couple", match["count"]) is not None
    margin_days = unit_days if is_rough else 0.0
    return days - margin_days, days + margin_days


def _read_ago(match: re.Match[str], text: str) -> DateMention:
    """Read "three years ago"."""
    unit = _unit_of(match)
    unit_count = _counted_units(match)
    role = _role_of_date(match, text)
    # "a year ago" is in the calendar year before, so it has no margin.
    if unit in ("year", "month") and unit_count == 1:
        days_back = -DAYS_OF_UNIT[unit] * unit_count
        return _relative_date(match, (days_back, days_back), role, unit, -1.0)
    return _relative_date(match, _days_back(match), role, unit, -unit_count)


def _read_past(match: re.Match[str], text: str) -> DateMention:
    """Read "in the last three years": since three years ago."""
    return _relative_date(
        match, _days_back(match), SINCE, f"{_unit_of(match)}s", -_counted_units(match)
    )


def _read_past_one(match: re.Match[str], text: str) -> DateMention:
    """Read "over the past decade"."""
    unit = match["unit"].casefold()
    days = -DAYS_OF_UNIT[unit]
    return _relative_date(match, (days, days), SINCE, f"{unit}s", -1.0)


def _read_coming(match: re.Match[str], text: str) -> DateMention:
    """Read "in the next two years", "two years from now"."""
    unit = _unit_of(match)
    count = _counted_units(match)
    days = DAYS_OF_UNIT[unit] * count
    return _relative_date(match, (days, days), UNTIL, f"{unit}s", count)


def _read_named(match: re.Match[str], text: str) -> DateMention | None:
    """Read "last year", but not "the year" or "his last year"."""
    # "last", "this past", "this", "next", "the previous" or "the"
    determiner = match["which"].casefold()
    is_bare_article = determiner == "the" and not match["before"]
    if is_bare_article or _POSSESSIVE_BEFORE_DATE_PATTERN.search(text[: match.start()]):
        return None
    first_word = determiner.split()[0]
    if first_word == "this":
        periods_from_now = 0
    elif first_word == "next":
        periods_from_now = 1
    elif first_word == "the" and "before" in match[0]:
        periods_from_now = -2  # "the year before"
    else:
        periods_from_now = -1
    unit = _unit_of(match)
    unit_days = DAYS_OF_UNIT[unit]
    middle_day = unit_days * periods_from_now
    period_days = (middle_day - unit_days / 2, middle_day + unit_days / 2)
    return _relative_date(
        match, period_days, _role_of_date(match, text), unit, float(periods_from_now)
    )


def _read_near_day(match: re.Match[str], text: str) -> DateMention:
    days_from_today = {"yesterday": -1.0, "tomorrow": 1.0}[match[0].casefold()]
    period = (days_from_today, days_from_today)
    return _relative_date(match, period, IN, "day", days_from_today)


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w$.,])(?:{pattern})", re.I)


_DateReader = Callable[[re.Match[str], str], DateMention | None]


class _DateKind(NamedTuple):
    """How dates of one kind are written.

    Each of them has one of ``words`` in it. To look for these takes far less time than the pattern.
    """

    pattern: re.Pattern[str]
    read: _DateReader
    words: tuple[str, ...]


_DIGITS = tuple("0123456789")
_CENTURIES = ("16", "17", "18", "19", "20")  # the first figures of a year
_MONTH_BEGINNINGS = tuple(sorted({name[:3] for name in MONTHS}))
_UNIT_BEGINNINGS = ("day", "week", "month", "quarter", "year", "decade", "centur")
_SPOKEN_CENTURIES = ("eighteen", "nineteen", "twenty", "two thousand")
_TENS_OF_SHORT_YEARS = ("thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS_OF_LAST = ("last", "past", "previous")
# In order of precedence: a date that overlaps one read before it is left out.
_DATE_KINDS = (
    _DateKind(
        _pattern(rf"{_COUNT} (?P<unit>year|decade|centur(?:y|ie))s? (?P<side>before|after|prior to|"
                 rf"(?:earli|lat)er than) "
                 rf"(?:the year )?(?P<year>{_YEAR})\b{_NOT_MORE}"),
        _read_from_year,
        ("before", "after", "prior to", "er than"),
    ),
    _DateKind(
        _pattern(rf"(?:9/11|sept(?:ember|\.)? 11(?:th)?)\b(?!/|,? {_YEAR})"),
        _read_september_11,
        ("9/11", "sept"),
    ),
    _DateKind(
        _pattern(r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4}|\d\d)\b"),
        _read_slashed,
        ("/",),
    ),
    _DateKind(
        _pattern(rf"{_MONTH}(?: (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?)?(?:,? of|,)? "
                 rf"(?P<year>{_YEAR})\b"),
        _read_month_of_year,
        _MONTH_BEGINNINGS,
    ),
    _DateKind(
        _pattern(rf"(?:between|from) (?P<first>{_YEAR}) (?:and|to|through|until|till) "
                 rf"(?P<last>{_YEAR})\b"),
        _read_year_range,
        ("between", "from"),
    ),
    _DateKind(
        _pattern(rf"(?P<first>{_YEAR}) ?(?:-|to|through) ?(?P<last>{_YEAR}|\d\d)\b(?![\d%]|"
                 rf",\d)"),
        _read_year_range,
        _CENTURIES,
    ),
    _DateKind(
        _pattern(r"(?P<section>early |mid-?|mid |late )?(?:the )?(?:(?P<digits>(?:1[6-9]|20)\d0)'?s|"
                 r"'(?P<short>\d0)s|"
                 r"the (?P<word>" + "|".join(_FIRST_YEAR_OF_DECADE) + r"))\b"),
        _read_decade,
        ("0s", "0's", *_FIRST_YEAR_OF_DECADE),
    ),
    _DateKind(
        _pattern(r"(?P<ordinal>1\d|2[01])(?:st|th)[ -]century\b"),
        _read_century,
        ("century",),
    ),
    _DateKind(
        _pattern(rf"(?:the )?(?P<ordinal>first|second|third|fourth) quarters?\b(?: of "
                 rf"(?P<year>{_YEAR}))?"),
        _read_quarter,
        ("quarter",),
    ),
    _DateKind(
        _pattern(rf"{_COUNT} {_UNIT} (?:ago|back|earlier|before)\b"),
        _read_ago,
        ("ago", "back", "earlier", "before"),
    ),
    _DateKind(
        _pattern(rf"{_IN_THE} {_LAST} {_COUNT}[ -]{_UNIT}\b(?! of\b)"),
        _read_past,
        _WORDS_OF_LAST,
    ),
    _DateKind(
        _pattern(rf"(?:over|in|during|for) (?:the )?{_LAST} (?P<unit>decade|"
                 rf"century)\b"),
        _read_past_one,
        _WORDS_OF_LAST,
    ),
    _DateKind(
        _pattern(rf"(?:in|over|during|within|for) (?:the|our|my|his|her) (?:next|coming) {_COUNT}[ "
                 rf"-]{_UNIT}\b"),
        _read_coming,
        ("next", "coming"),
    ),
    _DateKind(
        _pattern(rf"{_COUNT}[ -]{_UNIT} from now\b"),
        _read_coming,
        ("from now",),
    ),
    _DateKind(
        _pattern(r"(?P<which>last|this past|this|next|the (?:previous|prior|past|last)|the) "
                 r"(?P<unit>year|month|week|quarter|decade)(?P<before> before(?: that)?)?\b"
                 r"(?! (?:before|of|that|old|in (?:office|power|which|charge))\b)"),
        _read_named,
        _UNIT_BEGINNINGS,
    ),
    _DateKind(
        _pattern(r"yesterday|tomorrow"),
        _read_near_day,
        ("yesterday", "tomorrow"),
    ),
    _DateKind(
        _pattern(rf"(?P<year>{_YEAR})\b{_NOT_MORE}"),
        _read_year,
        _CENTURIES,
    ),
    _DateKind(
        _pattern(_SPOKEN_YEAR),
        _read_spoken_year,
        _SPOKEN_CENTURIES,
    ),
    _DateKind(
        _pattern(_SPOKEN_SHORT_YEAR),
        _read_spoken_short_year,
        _TENS_OF_SHORT_YEARS,
    ),
    _DateKind(
        re.compile(r"(?<![\w'])'(?P<year>\d\d)\b(?!s)"),
        _read_short_year,
        tuple(f"'{digit}" for digit in _DIGITS),
    ),
    _DateKind(
        _pattern(rf"{_MONTH}(?: (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:, \d{{1,2}})*(?:,? and "
                 rf"\d{{1,2}})?\b"
                 r"(?! ?(?:percent|%|million|billion)))?(?![\w-])"),
        _read_bare_month,
        _MONTH_BEGINNINGS,
    ),
)  # fmt: skip
# Every date has one of these. Most sentences have none.
_WORDS_OF_DATES = (
    *_DIGITS,
    *_UNIT_BEGINNINGS,
    *_MONTH_BEGINNINGS,
    *_FIRST_YEAR_OF_DECADE,
    *_SPOKEN_CENTURIES,
    *_TENS_OF_SHORT_YEARS,
    "yesterday",
    "tomorrow",
)
