"""Offices of the United States: their holders by date, and mentions of offices in a text.

The table is ``offices.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from assistant.core.person_names import last_name

TABLE = Path(__file__).with_name("offices.toml")
_ARTICLE = r"(?:the|this|our|my|your|current|sitting) (?:current |sitting )?(?:u\.?s\.? )?"
_NAME_PATTERN = re.compile(r"(?: [A-Z][\w.'’-]+)+")


@dataclass(frozen=True, slots=True)
class Office:
    """An office of ``offices.toml``; ``terms`` are first day and name of each holder, in order."""

    called: str
    title: re.Pattern[str]
    terms: tuple[tuple[date, str], ...]
    alone: bool = True
    for_life: bool = False

    @classmethod
    def of(cls, entry: dict[str, Any]) -> Office:
        """Return the office of an entry of the table."""
        title = re.compile(rf"\b(?P<article>{_ARTICLE})?(?:{entry['title']})\b", re.I)
        terms = tuple((first_day, holder) for first_day, holder in entry["terms"])
        return cls(**{**entry, "title": title, "terms": terms})

    def holder(self, day: date) -> str:
        """Return the holder of the office on a day, "" before its first term in the table."""
        for first_day, holder in reversed(self.terms):
            if first_day <= day:
                return holder
        return ""

    def named(self, text: str, day: date) -> str:
        """Return the words of a text of a day that name this office, "" if there are none."""
        surname = last_name(self.holder(day))
        for title in self.title.finditer(text):
            name_after_title = _NAME_PATTERN.match(text, title.end())
            if name_after_title is None:
                # "the President", for an office that its title alone names
                if self.alone and title["article"]:
                    return title[0]
                continue
            # "President Joe Biden"; a title for life doesn't say that its holder has the office.
            name = name_after_title[0]
            if surname and surname in name and not self.for_life:
                first_names, _, _ = name.partition(surname)
                return title[0] + first_names + surname
        return ""


OFFICES = tuple(Office.of(entry) for entry in tomllib.loads(TABLE.read_text("utf-8"))["office"])


def changed_hands(text: str, text_day: date, later_day: date) -> Iterator[tuple[str, str, str]]:
    """Yield each office that a text names and that somebody else holds on a later day.

    Of each its words in the text, its holder on the day of the text, and its name.
    """
    for office in OFFICES:
        holder = office.holder(text_day)
        words = office.named(text, text_day)
        if words and holder and holder != office.holder(later_day):
            yield words, holder, office.called
