"""Offices of the United States: who held which one when, and where a text speaks of one.

Reads ``offices.toml``.
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
_NAME = re.compile(r"(?: [A-Z][\w.'’-]+)+")


@dataclass(frozen=True, slots=True)
class Office:
    """An office as ``offices.toml`` describes it.

    ``terms`` are the first day and the name of each holder, in order.
    """

    called: str
    title: re.Pattern[str]
    terms: tuple[tuple[date, str], ...]
    alone: bool = True
    for_life: bool = False

    @classmethod
    def of(cls, row: dict[str, Any]) -> Office:
        """Return the office that a row of the table describes."""
        title = re.compile(rf"\b(?P<article>{_ARTICLE})?(?:{row['title']})\b", re.I)
        return cls(
            **{**row, "title": title, "terms": tuple((day, who) for day, who in row["terms"])}
        )

    def holder(self, day: date) -> str:
        """Return who held the office on a day, "" before the first term of the list."""
        return next((who for first, who in reversed(self.terms) if first <= day), "")

    def named(self, text: str, day: date) -> str:
        """Return the words with which a text of a day names this office, "" where it does not."""
        for title in self.title.finditer(text):
            name = _NAME.match(text, title.end())
            if name is None and self.alone and title["article"]:
                return title[0]
            surname = last_name(self.holder(day))
            if name and surname and surname in name[0] and not self.for_life:
                return title[0] + name[0].partition(surname)[0] + surname
        return ""


OFFICES = tuple(Office.of(row) for row in tomllib.loads(TABLE.read_text("utf-8"))["office"])


def changed_hands(text: str, then: date, now: date) -> Iterator[tuple[str, str, str]]:
    """Yield for each office that a text names and that has changed hands.

    Its words, who held it, what it is called.

    ``then``: the day of the text; ``now``: the day on which somebody else holds the office.
    """
    for office in OFFICES:
        before = office.holder(then)
        words = office.named(text, then)
        if words and before and before != office.holder(now):
            yield words, before, office.called
