"""Who held which office of the United States when, and where a text speaks of an office. Facts, no I/O.

Terms from the public lists of the Senate (senate.gov, majority and minority leaders), the House (history.house.gov,
speakers and leaders) and the State Department (history.state.gov); presidents and vice presidents change on 20 January.
Who only acted in an office is left out. A term ends where the next begins; the last of a list goes on until somebody
adds the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from assistant.ground.names import last_name

_ARTICLE = r"(?:the|this|our|my|your|current|sitting) (?:current |sitting )?(?:u\.?s\.? )?"
_NAME = re.compile(r"(?: [A-Z][\w.'’-]+)+")


@dataclass(frozen=True, slots=True)
class Office:
    """An office: what to call it when it changes hands, its title in texts, and the first day of each holder, in order.

    ``alone``: its title without a name is this office, not one of a state or a company. ``for_life``: a holder keeps
    the title in speech, so that a name behind it tells nothing of the day.
    """

    called: str
    title: re.Pattern[str]
    terms: tuple[tuple[date, str], ...]
    alone: bool = True
    for_life: bool = False

    def holder(self, day: date) -> str:
        """Return who held the office on a day, "" before the first term of the list."""
        return next((who for first, who in reversed(self.terms) if first <= day), "")

    def named(self, text: str, day: date) -> str:
        """Return the words with which a text of a day speaks of this office, "" where it does not."""
        for found in self.title.finditer(text):
            name = _NAME.match(text, found.end())
            if name is None and self.alone and found["article"]:
                return found[0]
            surname = last_name(self.holder(day))
            if name and surname and surname in name[0] and not self.for_life:
                return found[0] + name[0].partition(surname)[0] + surname
        return ""


def changed_hands(text: str, then: date, now: date) -> Iterator[tuple[str, str, str]]:
    """Yield for each office that a text speaks of, and that changed hands: its words, who held it, what it is called.

    ``then``: the day of the text; ``now``: the day on which somebody else holds the office.
    """
    for office in OFFICES:
        before, words = office.holder(then), office.named(text, then)
        if words and before and before != office.holder(now):
            yield words, before, office.called


def _office(called: str, title: str, terms: str, *, alone: bool = True, for_life: bool = False) -> Office:
    rows = (line.split(maxsplit=1) for line in terms.strip().splitlines())
    held = tuple((date.fromisoformat(day), who) for day, who in rows)
    pattern = re.compile(rf"\b(?P<article>{_ARTICLE})?(?:{title})\b", re.I)
    return Office(called, pattern, held, alone, for_life)


OFFICES = (
    _office(
        "the presidency",
        r"(?<!vice )president(?![ -]elect)(?! of (?!the united states|the u\.?s|america))|administration|white house",
        """
        1981-01-20 Ronald Reagan
        1989-01-20 George H.W. Bush
        1993-01-20 Bill Clinton
        2001-01-20 George W. Bush
        2009-01-20 Barack Obama
        2017-01-20 Donald Trump
        2021-01-20 Joe Biden
        2025-01-20 Donald Trump
        """,
        for_life=True,
    ),
    _office(
        "the vice presidency",
        r"vice president(?![ -]elect)(?! of (?!the united states))",
        """
        1981-01-20 George H.W. Bush
        1989-01-20 Dan Quayle
        1993-01-20 Al Gore
        2001-01-20 Dick Cheney
        2009-01-20 Joe Biden
        2017-01-20 Mike Pence
        2021-01-20 Kamala Harris
        2025-01-20 JD Vance
        """,
        for_life=True,
    ),
    _office(
        "the office of Speaker of the House",
        r"(?:house )?speaker(?= (?-i:[A-Z]))|house speaker|speaker of the (?:u\.s\. )?house",
        """
        1987-01-06 Jim Wright
        1989-06-06 Tom Foley
        1995-01-04 Newt Gingrich
        1999-01-06 Dennis Hastert
        2007-01-04 Nancy Pelosi
        2011-01-05 John Boehner
        2015-10-29 Paul Ryan
        2019-01-03 Nancy Pelosi
        2023-01-07 Kevin McCarthy
        2023-10-25 Mike Johnson
        """,
    ),
    _office(
        "the leadership of the Senate's majority",
        r"(?:senate )?majority leader(?: of the (?:u\.s\. )?senate)?",
        """
        1989-01-03 George Mitchell
        1995-01-04 Bob Dole
        1996-06-12 Trent Lott
        2001-06-06 Tom Daschle
        2003-01-07 Bill Frist
        2007-01-04 Harry Reid
        2015-01-06 Mitch McConnell
        2021-01-20 Chuck Schumer
        2025-01-03 John Thune
        """,
        alone=False,
    ),
    _office(
        "the leadership of the Senate's minority",
        r"(?:senate )?minority leader(?: of the (?:u\.s\. )?senate)?",
        """
        1995-01-04 Tom Daschle
        2001-06-06 Trent Lott
        2003-01-07 Tom Daschle
        2005-01-04 Harry Reid
        2007-01-04 Mitch McConnell
        2015-01-06 Harry Reid
        2017-01-03 Chuck Schumer
        2021-01-20 Mitch McConnell
        2025-01-03 Chuck Schumer
        """,
        alone=False,
    ),
    _office(
        "the leadership of the House's majority",
        r"(?:house )?majority leader(?: of the (?:u\.s\. )?house)?",
        """
        1995-01-04 Dick Armey
        2003-01-07 Tom DeLay
        2006-02-02 John Boehner
        2007-01-04 Steny Hoyer
        2011-01-05 Eric Cantor
        2014-08-01 Kevin McCarthy
        2019-01-03 Steny Hoyer
        2023-01-03 Steve Scalise
        """,
        alone=False,
    ),
    _office(
        "the leadership of the House's minority",
        r"(?:house )?minority leader(?: of the (?:u\.s\. )?house)?",
        """
        2003-01-07 Nancy Pelosi
        2007-01-04 John Boehner
        2011-01-05 Nancy Pelosi
        2019-01-03 Kevin McCarthy
        2023-01-03 Hakeem Jeffries
        """,
        alone=False,
    ),
    _office(
        "the office of Secretary of State",
        r"secretary of state",
        """
        1993-01-20 Warren Christopher
        1997-01-23 Madeleine Albright
        2001-01-20 Colin Powell
        2005-01-26 Condoleezza Rice
        2009-01-21 Hillary Clinton
        2013-02-01 John Kerry
        2017-02-01 Rex Tillerson
        2018-04-26 Mike Pompeo
        2021-01-26 Antony Blinken
        2025-01-21 Marco Rubio
        """,
        alone=False,
    ),
)
