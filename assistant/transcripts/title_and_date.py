"""Guesses the title and event date from the file name and the text before the speech."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import PurePath

from assistant.core.domain import Transcript
from features.language.figures import calendar
from features.language.figures.calendar import MONTHS

# from the first recorded debates to plain typing errors
FIRST_YEAR = 1858
LAST_YEAR = 2100
MAX_SHOWN_DATES = 3
FIRST_SHORT_YEAR_OF_1900S = 70  # an earlier year of two figures is after 2000
# The warnings that ask a person for the date.
NO_DATE_WARNING = "no event date was found"
DATE_REQUEST = "give the event date yourself"

_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])\.?"
)
_DAY_ORDINAL = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_DATE_PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in [
        # 2016-09-26
        r"(?<!\d)(?P<year>\d{4})(?P<separator>[-_./ ]?)(?P<number>0[1-9]|1[0-2])"
        r"(?P=separator)(?P<day>0[1-9]|[12]\d|3[01])(?!\d)",
        # September 26, 2016
        rf"(?<![a-z]){_MONTH}[\s_-]+{_DAY_ORDINAL},?[\s_-]+(?P<year>\d{{4}})(?!\d)",
        # 26 September 2016
        rf"(?<!\d){_DAY_ORDINAL}[\s_-]*(?:of\s+)?{_MONTH},?[\s_-]*(?P<year>\d{{4}})(?!\d)",
    ]
]
# 26/09/2016 or 09/26/2016
_SLASHED_DATE_PATTERN = re.compile(r"(?<!\d)(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?!\d)")
# Words in file names that are not part of a title
_FILE_NAME_NOISE_PATTERN = re.compile(r"(?i)\b(?:transcripts?|final|copy|en|eng|otter_ai)\b")
# Signs between the words of a file name
_WORD_SEPARATOR_PATTERN = re.compile(r"[_\-.+]+")
# The number of a video on YouTube: "[x2Tb7EIg1bk]", or eleven mixed letters
_VIDEO_NUMBER_PATTERN = re.compile(
    r"""
    [\[(][\w-]{11}[\])]
    | (?:(?<=[-_ ])|^)
      (?=[\w-]{0,10}[0-9])(?=[\w-]{0,10}[A-Z])(?=[\w-]{0,10}[a-z])  # a digit and both cases
      [\w-]{11}(?=$|\.)
    """,
    re.VERBOSE,
)
# A language behind the name: "debate.en-orig", "debate.de"
_LANGUAGE_END_PATTERN = re.compile(r"\.[a-z]{2,3}(?:[-_](?:[A-Za-z]{2}|orig|auto|[A-Z][a-z]{3}))?$")
# A number of a copy or a version, a time: "(1)", "v2", "T21-00-00Z"
_COPY_NUMBER_PATTERN = re.compile(
    r"""
    \s?\(\d{1,2}\)$
    | (?<![A-Za-z0-9])[vV]\d{1,2}(?![A-Za-z0-9])
    | T\d{2}[-_:]?\d{2}(?:[-_:]?\d{2})?Z?(?![A-Za-z0-9])
    """,
    re.VERBOSE,
)
# A time behind a date in the name of a recording: "20240312_140312-Meeting Recording"
_RECORDING_TIME_PATTERN = re.compile(r"(?<!\d)(?<=\d{8}[-_ ])\d{6}(?!\d)")
# 3/12/25, whose year and order are not clear
_SHORT_DATE_PATTERN = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(\d{2})(?![\d/])")
# Words beside a date: "Wednesday, March 12, 2025, 2:03PM"
_DAY_WORDS_PATTERN = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|at|\d{1,2}:\d{2}(?::\d{2})?\s?(?:[ap]\.?m)?|date)\b",
    re.IGNORECASE,
)
_LETTER_OR_DIGIT_PATTERN = re.compile(r"[^\W_]")
_PUBLICATION_PATTERN = re.compile(
    r"^[^\w\n]*(?:updated|published|posted|last (?:updated|modified)|first published|created)\b[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)


def day_words(day: date) -> str:
    """Return a day as a reader writes it: ``3 June 2024``."""
    return f"{day.day} {day:%B %Y}"


def dates_in_text(text: str) -> list[date]:
    """Return the dates in a text, in order. Ambiguous ones are left out."""
    # Each date with its character in the text, None for an impossible or ambiguous one
    positions_and_days: list[tuple[int, date | None]] = []
    for pattern in _DATE_PATTERNS:
        for match in pattern.finditer(text):
            positions_and_days.append((match.start(), _matched_date(match)))
    for match in _SLASHED_DATE_PATTERN.finditer(text):  # such as 3/5/2017
        first_figure, second_figure, year = (int(figure) for figure in match.groups())
        day = calendar.day_of_figures(first_figure, second_figure, year)
        positions_and_days.append((match.start(), _plausible(day)))

    def by_position(position_and_day: tuple[int, date | None]) -> int:
        position, _ = position_and_day
        return position

    return [day for _, day in sorted(positions_and_days, key=by_position) if day]


def only_date_in_text(text: str) -> date | None:
    """Return the date that a text contains, None if it contains none or several."""
    days = dates_in_text(text)
    return days[0] if len(days) == 1 else None


def is_date(text: str) -> bool:
    """Return whether a line is only a date, maybe with its weekday and a time."""
    if not dates_in_text(text):
        return False
    other_text = _SLASHED_DATE_PATTERN.sub(" ", text)
    for pattern in (*_DATE_PATTERNS, _DAY_WORDS_PATTERN):
        other_text = pattern.sub(" ", other_text)
    return _LETTER_OR_DIGIT_PATTERN.search(other_text) is None


def guess_date(file_name: str, heading: str) -> tuple[date | None, str]:
    """Return the event date and a warning that says where it was found, or that it is missing.

    ``heading`` is the text before the speech. A date inside the speech is not that of the event.
    """
    stem = PurePath(file_name).stem
    texts_and_their_names = ((stem, "the name of the file"), (heading, "the heading of the file"))
    for text, text_name in texts_and_their_names:
        days = sorted(set(event_dates(text)))
        if len(days) == 1:
            return days[0], f"the event date {day_words(days[0])} was taken from {text_name}"
        if days:
            sample = ", ".join(day_words(day) for day in days[:MAX_SHOWN_DATES])
            return None, f"{text_name} has several dates ({sample}); {DATE_REQUEST}"
    short_date = _SHORT_DATE_PATTERN.search(f"{stem}\n{heading}")
    if short_date:
        return None, _short_date_warning(short_date)
    return None, (
        f"{NO_DATE_WARNING}; give it, so that fact-checks can be placed before or after the event"
    )


def dated(transcript: Transcript, day: date | None) -> Transcript:
    """Return a transcript with an event date; warnings that ask for the date go once it is given."""
    warnings = transcript.warnings
    if day is not None:
        warnings = tuple(line for line in warnings if not _asks_for_date(line))
    return replace(transcript, event_date=day, warnings=warnings)


def _asks_for_date(warning: str) -> bool:
    return warning.startswith(NO_DATE_WARNING) or warning.endswith(DATE_REQUEST)


def _short_date_warning(match: re.Match[str]) -> str:
    """Return the warning about a date with two figures for its year."""
    first_figure, second_figure, short_year = (int(figure) for figure in match.groups())
    century = 2000 if short_year < FIRST_SHORT_YEAR_OF_1900S else 1900
    # "3/5/17" may be in March or in May.
    possible_days = []
    for month, day_of_month in ((first_figure, second_figure), (second_figure, first_figure)):
        day = _plausible(calendar.day(century + short_year, month, day_of_month))
        if day:
            possible_days.append(str(day))
    different_days = dict.fromkeys(possible_days)
    meanings = " or ".join(different_days) or "no day of the calendar"
    return f"the date {match.group()} may be {meanings}; {DATE_REQUEST}"


def event_dates(text: str) -> list[date]:
    """Return the dates in the text of a heading, without the dates of its publication."""
    return dates_in_text(_PUBLICATION_PATTERN.sub("", text)) or dates_in_text(text)


def guess_title(file_name: str) -> str:
    """Return a title made from the name of a file.

    ``2016-09-26_first-debate.txt`` becomes ``First debate``.
    """
    stem = _LANGUAGE_END_PATTERN.sub("", PurePath(file_name).stem)
    words_of_title = stem
    for pattern in (
        _VIDEO_NUMBER_PATTERN,
        _RECORDING_TIME_PATTERN,
        _COPY_NUMBER_PATTERN,
        *_DATE_PATTERNS,
        _WORD_SEPARATOR_PATTERN,
        _FILE_NAME_NOISE_PATTERN,
    ):
        words_of_title = pattern.sub(" ", words_of_title)
    words = words_of_title.split()
    if not words:
        words = stem.replace("_", " ").split()
    title = " ".join(words)
    return title[:1].upper() + title[1:]


def _matched_date(match: re.Match[str]) -> date | None:
    fields = match.groupdict()
    if "number" in fields:
        month = int(fields["number"])
    else:
        month = MONTHS[fields["month"][:3].lower()]
    return _plausible(calendar.day(int(fields["year"]), month, int(fields["day"])))


def _plausible(day: date | None) -> date | None:
    return day if day and FIRST_YEAR <= day.year <= LAST_YEAR else None
