"""The dates and periods of a text, resolved against the day it was said.

A date is a period of days. A calendar date ("March 2016", "the 1990s", "between 2001 and 2008") is
fixed; a relative one ("three years ago", "last year", "in the past decade") is resolved once the
day of speaking is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from features.language.figures.calendar import MONTHS
from features.language.figures.spelling import UNITS, number, tokens

IN = "in"
SINCE = "since"
UNTIL = "until"
DAYS = {
    "day": 1.0,
    "week": 7.0,
    "month": 30.44,
    "quarter": 91.3,
    "year": 365.25,
    "decade": 3652.5,
    "century": 36525.0,
}
_NUMBERS = (
    r"(?:\d+(?:\.\d+)?|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|couple of|"
    r"couple|few|several|half a)"
)
_COUNT = rf"(?P<count>{_NUMBERS}(?:[ -]{_NUMBERS}){{0,7}}(?:[ -]and a half)?)(?:-plus|-some)?(?:(?: or | to |-){_NUMBERS})?"
_UNIT = r"(?P<unit>day|week|month|quarter|year|decade|centur(?:y|ie))s?"
_MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_YEAR = r"(?:1[6-9]\d\d|20\d\d)"
_COUNTED_ALWAYS = "people|jobs|votes|pages"
_NOT_MORE = (
    rf"(?![\d%]|,\d|\.\d| ?(?:percent|dollars|million|billion|thousand|{_COUNTED_ALWAYS})\b)"
)
# Before these, four digits count: "1600 workers"; in "in 2016 workers earned less" they are still
# a year.
_COUNTED = re.compile(
    rf"(?: \w+)? (?:{_COUNTED_ALWAYS}|workers|employees|cases|deaths|murders|families|households|troops|soldiers|"
    r"veterans|refugees|immigrants|migrants|prisoners|inmates|students|teachers|nurses|doctors|patients|officers|"
    r"children|kids|women|men|americans|citizens|voters|members|homes|houses|schools|companies|businesses|plants|cars|"
    r"guns|miles|feet|acres|pounds|tons|gallons|barrels|calories|hours|days|weeks|months|years|times)\b",
    re.I,
)
_DATING = re.compile(
    r"\b(?:in|since|until|till|during|before|after|the|of|by|from|through|and|to)\s*$", re.I
)
_SPOKEN_YEAR = (
    r"(?:(?:nineteen|twenty) (?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|"
    r"twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|"
    r"two thousand(?: and)? (?:one|two|three|four|five|six|seven|eight|nine|ten))"
    r"(?! (?:percent|thousand|hundred|million|billion|dollars|people|jobs|years))|"
    r"(?:nineteen|twenty) oh[ -](?:one|two|three|four|five|six|seven|eight|nine)|"
    r"(?:(?<=in )|(?<=since )|(?<=until )|(?<=before )|(?<=after ))(?:two thousand|(?:eight|nine)teen hundred)"
    r"(?=[,.;:!?]|$| (?:the|a|an|we|he|she|they|it|i|you|there|but|to|when|until|through|alone|by|for|in|on|that|was|"
    r"were|had|with|from|his|her|our|my|their)\b| and (?!\w+(?:teen|ty)\b))"
)
_DECADES = dict(zip("twenties thirties forties fifties sixties seventies eighties nineties".split(), range(20, 100, 10),
                    strict=True))  # fmt: skip
_SINCE = re.compile(
    r"\b(?:since|from|starting in|beginning in|as of|after)(?: about| around| the| late| early| fiscal year)*\s*$"
)
_UNTIL = re.compile(r"\b(?:until|till|by|before|through|prior to)(?: about| around| the)*\s*$")
_PREPARING = frozenset(
    "in of since last by until this next on through and before after from early late".split()
)
_OWN = re.compile(r"\b(?:my|your|his|her|its|our|their)\s*$", re.I)
_LAST = r"(?:last|past|previous)"
_MY = (
    r"(?:in|over|during|for|within|through|of)? ?(?:just |only )?(?:the|these|this|our|his|her|my)"
)


class Found(NamedTuple):
    """A period in days: ordinals if ``fixed``, else counted from the day of speaking (which is 0)."""

    first: float
    last: float
    fixed: bool


@dataclass(frozen=True, slots=True)
class When:
    """A date: a period, its role (alone, the beginning or the end of a period), its words and their position.

    ``unit`` and ``count`` are those of a relative date: "last year" is (year, -1); ``month`` (1..12) has no year.
    """

    period: Found
    role: str
    start: int
    end: int
    text: str
    unit: str = ""
    count: float = 0.0
    month: int = 0

    @property
    def fixed(self) -> bool:
        """Return whether it is a calendar date."""
        return self.period.fixed

    @property
    def length(self) -> float:
        """Return how many days the period has, less one."""
        return self.period.last - self.period.first

    def on(self, day: int) -> tuple[float, float]:
        """Return the first and last day as ordinals, where the text was said on ``day``."""
        if self.fixed:
            return self.period.first, self.period.last
        today = date.fromordinal(day)
        if self.month:
            year = today.year - (self.month > today.month)
            return _month_of(year, self.month)
        if self.unit == "year":
            return _years(today.year + int(self.count), today.year + int(self.count))
        if self.unit == "month":
            place = today.year * 12 + today.month - 1 + int(self.count)
            return _month_of(place // 12, place % 12 + 1)
        return day + self.period.first, day + self.period.last


def dates(text: str) -> tuple[When, ...]:
    """Return the dates and periods of a text in their order."""
    plain = text.replace("’", "'").replace("‘", "'").replace("–", "-")
    periods: list[When] = []
    for pattern, read in _READERS:
        for match in pattern.finditer(plain):
            free = all(match.end() <= one.start or one.end <= match.start() for one in periods)
            when = read(match, plain) if free else None
            periods += [when] if when else []
    return tuple(sorted(periods, key=lambda one: one.start))


def _years(first: int, last: int) -> tuple[float, float]:
    return float(date(max(first, 1), 1, 1).toordinal()), float(
        date(min(last, 9998), 12, 31).toordinal()
    )


def _month_of(year: int, month: int) -> tuple[float, float]:
    year = min(max(year, 1), 9998)
    first = date(year, month, 1)
    last = date(year + (month == 12), month % 12 + 1, 1).toordinal() - 1
    return float(first.toordinal()), float(last)


def _role(match: re.Match[str], text: str) -> str:
    before = text[max(0, match.start() - 24) : match.start()].casefold()
    return SINCE if _SINCE.search(before) else UNTIL if _UNTIL.search(before) else IN


def _made(match: re.Match[str], text: str, days: tuple[float, float], role: str = "") -> When:
    return When(
        Found(*days, True), role or _role(match, text), match.start(), match.end(), match[0]
    )


def _told(
    match: re.Match[str],
    first: float,
    last: float,
    role: str,
    unit: str,
    count: float,
    month: int = 0,
) -> When:
    return When(
        Found(first, last, False), role, match.start(), match.end(), match[0], unit, count, month
    )


def _between(match: re.Match[str], text: str) -> When | None:
    first = int(match["first"])
    last = match["last"]
    other = int(last) if len(last) == 4 else first // 100 * 100 + int(last)
    return _made(match, text, _years(first, other), IN) if first < other else None


def _full(match: re.Match[str], text: str) -> When | None:
    month = MONTHS[match["month"].casefold()]
    if match["day"] and 1 <= int(match["day"]) <= 28:
        day = float(date(int(match["year"]), month, int(match["day"])).toordinal())
        return _made(match, text, (day, day))
    return _made(match, text, _month_of(int(match["year"]), month))


def _attacks(match: re.Match[str], text: str) -> When:
    """9/11 is a day, not a fraction."""
    day = float(date(2001, 9, 11).toordinal())
    return _made(match, text, (day, day))


def _slashed(match: re.Match[str], text: str) -> When | None:
    month, day, year = (int(match[name]) for name in ("month", "day", "year"))
    year += 0 if year > 99 else 2000 if year < 50 else 1900
    if not (1 <= month <= 12 and 1 <= day <= 28):
        return _made(match, text, _years(year, year)) if 1 <= month <= 12 and day <= 31 else None
    first = float(date(year, month, day).toordinal())
    return _made(match, text, (first, first))


def _bare_month(match: re.Match[str], text: str) -> When | None:
    name = match["month"]
    before = text[: match.start()].split()[-1:]
    prepared = bool(before) and before[0].casefold() in _PREPARING
    dated = match["day"] is not None and int(match["day"]) <= 31
    if name[0].islower() and name not in (
        "january",
        "february",
        "september",
        "october",
        "november",
        "december",
    ):
        prepared = prepared and name in ("april", "june", "july", "august")
    if not (prepared or dated) or (name in ("march", "may", "mar") and not dated):
        return None
    month = MONTHS[name.casefold()]
    return _told(match, 0.0, 0.0, _role(match, text), "", 0.0, month)


def _decade(match: re.Match[str], text: str) -> When:
    if match["word"]:
        first = 1900 + _DECADES[match["word"].casefold()]
    else:
        digits = int(match["digits"])
        first = digits if digits > 99 else 1900 + digits
    part = (match["part"] or "").casefold()
    begin, end = {"early": (0, 4), "mid": (3, 7), "late": (5, 9)}.get(part.strip(" -"), (0, 9))
    return _made(match, text, _years(first + begin, first + end))


def _century(match: re.Match[str], text: str) -> When:
    first = (int(match["place"]) - 1) * 100
    return _made(match, text, _years(first + 1, first + 100))


def _year(match: re.Match[str], text: str) -> When | None:
    if _COUNTED.match(text, match.end()) and not _DATING.search(text[: match.start()]):
        return None
    return _made(match, text, _years(int(match["year"]), int(match["year"])))


def _short_year(match: re.Match[str], text: str) -> When:
    year = int(match["year"])
    year += 2000 if year < 30 else 1900
    return _made(match, text, _years(year, year))


def _said_year(match: re.Match[str], text: str) -> When | None:
    words = tuple(token.word for token in tokens(match[0]))
    if words[1] == "oh":
        year = (1900 if words[0] == "nineteen" else 2000) + UNITS[words[2]]
        return _made(match, text, _years(year, year))
    spoken = number(words, 0)
    return (
        _made(match, text, _years(int(spoken[0]), int(spoken[0])))
        if spoken and 1800 <= spoken[0] < 2100
        else None
    )


def _quarter(match: re.Match[str], text: str) -> When | None:
    place = {"first": 1, "second": 2, "third": 3, "fourth": 4}[match["place"].casefold()]
    if not match["year"]:
        return _told(match, 0.0, 0.0, IN, "", 0.0, month=place * 3)
    year = int(match["year"])
    first = _month_of(year, place * 3 - 2)[0]
    last = _month_of(year, place * 3)[1]
    return _made(match, text, (first, last), IN)


def _how_many(match: re.Match[str]) -> float:
    count = match["count"].casefold().replace("-", " ")
    if "couple" in count:
        return 2.0
    if "few" in count or "several" in count:
        return 4.0
    words = tuple(count.split())
    if words[0] in ("a", "an") and len(words) == 1:
        return 1.0
    if words[:2] == ("half", "a"):
        return 0.5
    value = number(words, 0)
    return value[0] if value else 1.0


def _unit(match: re.Match[str]) -> str:
    unit = match["unit"].casefold()
    return "century" if unit.startswith("centur") else unit


def _from_year(match: re.Match[str], text: str) -> When:
    """ "Three years before 2016", "a decade after 1998": another year."""
    away = round(_how_many(match) * DAYS[_unit(match)] / DAYS["year"])
    year = int(match["year"]) + (
        away if match["side"].casefold() in ("after", "later than") else -away
    )
    return _made(match, text, _years(year, year))


def _ago(match: re.Match[str], text: str) -> When:
    unit = _unit(match)
    count = _how_many(match)
    days = -DAYS[unit] * count
    rough = DAYS[unit] * (1.0 if re.search(r"few|several|couple", match["count"]) else 0.0)
    ago = _told(match, days - rough, days + rough, _role(match, text), unit, -count)
    return (
        ago
        if unit not in ("year", "month") or count != 1
        else _told(match, days, days, ago.role, unit, -1.0)
    )


def _past(match: re.Match[str], text: str) -> When:
    """In the last three years: since three years ago."""
    unit = _unit(match)
    count = _how_many(match)
    days = -DAYS[unit] * count
    rough = DAYS[unit] * (1.0 if re.search(r"few|several|couple", match["count"]) else 0.0)
    return When(
        Found(days - rough, days + rough, False),
        SINCE,
        match.start(),
        match.end(),
        match[0],
        f"{unit}s",
        -count,
    )


def _past_one(match: re.Match[str], text: str) -> When:
    unit = match["unit"].casefold()
    days = -DAYS[unit]
    return _told(match, days, days, SINCE, f"{unit}s", -1.0)


def _coming(match: re.Match[str], text: str) -> When:
    unit = _unit(match)
    count = _how_many(match)
    return _told(match, DAYS[unit] * count, DAYS[unit] * count, UNTIL, f"{unit}s", count)


def _named(match: re.Match[str], text: str) -> When | None:
    """ "Last year", but not "the year", "his last year"."""
    which = match["which"].casefold().split()[0]
    unit = _unit(match)
    if (which == "the" and " " not in match["which"] and not match["before"]) or _OWN.search(
        text[: match.start()]
    ):
        return None
    count = {"this": 0, "next": 1, "the": -2}.get(which, -1)
    count = -1 if which == "the" and "before" not in match[0] else count
    days = DAYS[unit] * count
    return _told(
        match, days - DAYS[unit] / 2, days + DAYS[unit] / 2, _role(match, text), unit, float(count)
    )


def _near_day(match: re.Match[str], text: str) -> When:
    count = {"yesterday": -1.0, "tomorrow": 1.0}[match[0].casefold()]
    return _told(match, count, count, IN, "day", count)


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w$.,])(?:{pattern})", re.I)


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str], When | None]], ...] = (
    (_pattern(rf"{_COUNT} (?P<unit>year|decade|centur(?:y|ie))s? (?P<side>before|after|prior to|(?:earli|lat)er than) "
              rf"(?:the year )?(?P<year>{_YEAR})\b{_NOT_MORE}"), _from_year),
    (_pattern(rf"(?:9/11|sept(?:ember|\.)? 11(?:th)?)\b(?!/|,? {_YEAR})"), _attacks),
    (_pattern(r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4}|\d\d)\b"), _slashed),
    (_pattern(rf"{_MONTH}(?: (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?)?(?:,? of|,)? (?P<year>{_YEAR})\b"), _full),
    (_pattern(rf"(?:between|from) (?P<first>{_YEAR}) (?:and|to|through|until|till) (?P<last>{_YEAR})\b"), _between),
    (_pattern(rf"(?P<first>{_YEAR}) ?(?:-|to|through) ?(?P<last>{_YEAR}|\d\d)\b(?![\d%]|,\d)"), _between),
    (_pattern(r"(?P<part>early |mid-?|mid |late )?(?:the )?(?:(?P<digits>(?:1[6-9]|20)\d0)'?s|'(?P<d2>\d0)s|"
              r"the (?P<word>" + "|".join(_DECADES) + r"))\b"),
     lambda match, text: _decade(match, text) if not match["d2"] else _made(
         match, text, _years(1900 + int(match["d2"]), 1909 + int(match["d2"])))),
    (_pattern(r"(?P<place>1\d|2[01])(?:st|th)[ -]century\b"), _century),
    (_pattern(rf"(?:the )?(?P<place>first|second|third|fourth) quarters?\b(?: of (?P<year>{_YEAR}))?"), _quarter),
    (_pattern(rf"{_COUNT} {_UNIT} (?:ago|back|earlier|before)\b"), _ago),
    (_pattern(rf"{_MY} {_LAST} {_COUNT}[ -]{_UNIT}\b(?! of\b)"), _past),
    (_pattern(rf"(?:over|in|during|for) (?:the )?{_LAST} (?P<unit>decade|century)\b"), _past_one),
    (_pattern(rf"(?:in|over|during|within|for) (?:the|our|my|his|her) (?:next|coming) {_COUNT}[ -]{_UNIT}\b"), _coming),
    (_pattern(rf"{_COUNT}[ -]{_UNIT} from now\b"), _coming),
    (_pattern(r"(?P<which>last|this past|this|next|the (?:previous|prior|past|last)|the) "
              r"(?P<unit>year|month|week|quarter|decade)(?P<before> before(?: that)?)?\b"
              r"(?! (?:before|of|that|old|in (?:office|power|which|charge))\b)"), _named),
    (_pattern(r"yesterday|tomorrow"), _near_day),
    (_pattern(rf"(?P<year>{_YEAR})\b{_NOT_MORE}"), _year),
    (_pattern(_SPOKEN_YEAR), _said_year),
    (re.compile(r"(?<![\w'])'(?P<year>\d\d)\b(?!s)"), _short_year),
    (_pattern(rf"{_MONTH}(?: (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:, \d{{1,2}})*(?:,? and \d{{1,2}})?\b"
              r"(?! ?(?:percent|%|million|billion)))?(?![\w-])"), _bare_month),
)  # fmt: skip
