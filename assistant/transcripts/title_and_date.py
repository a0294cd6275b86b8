"""Guesses a transcript's title and event date from the name of the file and the lines before the speech."""

from __future__ import annotations

import re
from datetime import date
from pathlib import PurePath

from features.language.figures import calendar
from features.language.figures.calendar import MONTHS

# from the first recorded debates to plain typing errors
FIRST_YEAR = 1858
LAST_YEAR = 2100

_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE_PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in [
        r"(?<!\d)(?P<year>\d{4})(?P<sep>[-_./ ]?)(?P<number>0[1-9]|1[0-2])(?P=sep)(?P<day>0[1-9]|[12]\d|3[01])(?!\d)",
        rf"(?<![a-z]){_MONTH}[\s_-]+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?[\s_-]+(?P<year>\d{{4}})(?!\d)",
        rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s_-]+(?:of\s+)?{_MONTH},?[\s_-]+(?P<year>\d{{4}})(?!\d)",
    ]
]
_SLASHED_DATE = re.compile(r"(?<!\d)(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?!\d)")
_FILE_NAME_NOISE = re.compile(r"(?i)\b(?:transcripts?|final|copy|en|eng|otter_ai)\b")


def dates(text: str) -> list[date]:
    """Return the dates written in a text, first the ones with a name or the year first.

    Ambiguous ones are left out.
    """
    days = [(m.start(), _matched_date(m)) for form in _DATE_PATTERNS for m in form.finditer(text)]
    days += [
        (m.start(), _plausible(calendar.day_of_figures(*map(int, m.groups()))))
        for m in _SLASHED_DATE.finditer(text)
    ]
    return [day for _, day in sorted(days, key=lambda placed: placed[0]) if day]


def guess_date(name: str, heading: str) -> tuple[date | None, str]:
    """Return the event date and a warning that says where it was found, or that none was.

    ``heading`` is the text before the speech; a date inside the speech is no date of the event.
    """
    for text, where in (
        (PurePath(name).stem, "the name of the file"),
        (heading, "the heading of the file"),
    ):
        days = sorted(set(dates(text)))
        if len(days) == 1:
            return days[0], f"the event date {days[0]} was taken from {where}"
        if days:
            shown = ", ".join(map(str, days[:3]))
            return None, f"{where} has several dates ({shown}); give the event date yourself"
    return (
        None,
        "no event date was found; give it, so that fact-checks can be placed before or after the event",
    )


def guess_title(name: str) -> str:
    """Return a title made from the name of a file.

    ``2016-09-26_first-debate.txt`` gives ``First debate``.
    """
    stem = PurePath(name).stem
    for form in _DATE_PATTERNS:
        stem = form.sub(" ", stem)
    words = " ".join(_FILE_NAME_NOISE.sub(" ", re.sub(r"[_\-.+]+", " ", stem)).split())
    title = words or " ".join(re.sub(r"[_]+", " ", PurePath(name).stem).split())
    return title[:1].upper() + title[1:]


def _matched_date(match: re.Match[str]) -> date | None:
    parts = match.groupdict()
    month = int(parts["number"]) if "number" in parts else MONTHS[parts["month"][:3].lower()]
    return _plausible(calendar.day(int(parts["year"]), month, int(parts["day"])))


def _plausible(made: date | None) -> date | None:
    return made if made and FIRST_YEAR <= made.year <= LAST_YEAR else None
