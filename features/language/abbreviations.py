"""Abbreviations of names: initials, as "EPA", and a few short names that everybody uses.

Initials belong to a name if the capital letters of the name spell them: "NAFTA" and "North American
Free Trade Agreement". Where letters do not help ("Obamacare"), a table does.
"""

from __future__ import annotations

import re
from functools import lru_cache

from features.language.word_clashes import Clash

MIN_INITIALS = 2
_SMALL_WORDS = frozenset("of the and for in on to with a an".split())
_WORD = re.compile(r"[A-Za-z][\w'’-]*")
# Short names and the names that they stand for, all in small letters; the long name comes last.
_SHORT_NAMES = """
    obamacare = aca = affordable care act
    snap = food stamps
    snap = food stamp
    snap = supplemental nutrition assistance program
    gop = republican party
    gop = republicans
    dreamers = daca
    medicare for all = single payer
    scotus = supreme court
    potus = president
    mmr = measles
    mmr vaccine = measles vaccine
    u.s. = us = usa = united states
    uk = u.k. = united kingdom = britain
    eu = e.u. = european union
    un = u.n. = united nations
    fed = federal reserve
    tarp = bank bailout
    stimulus = recovery act
    dod = pentagon = defense department
    hhs = health department
    doj = justice department
    dhs = homeland security
    irs = tax agency
    va = veterans affairs
"""


def _read_short_names() -> frozenset[frozenset[str]]:
    lines = _SHORT_NAMES.strip().splitlines()
    return frozenset(frozenset(name.strip() for name in line.split("=")) for line in lines)


_SAME_NAMES = _read_short_names()


def abbreviates(clash: Clash) -> bool:
    """Return whether the differing words of two texts are a name and its abbreviation."""
    return is_abbreviation(clash.said, clash.claimed) or is_abbreviation(clash.claimed, clash.said)


@lru_cache(maxsize=1 << 14)
def is_abbreviation(short: str, full: str) -> bool:
    """Return whether a phrase has the initials or the short name of a name in another phrase."""
    for word in _WORD.findall(short.replace(".", "")):
        if len(word) >= MIN_INITIALS and word.lower() in _initials(full):
            return True
    return _have_same_name(short.casefold(), full.casefold())


def _initials(phrase: str) -> set[str]:
    """Return the initials of every run of words of a phrase, without its small words, too."""
    words = [word.lower() for word in re.findall(r"[A-Za-z]+", phrase)]
    found = set()
    for start in range(len(words)):
        for end in range(start + MIN_INITIALS, len(words) + 1):
            run = words[start:end]
            found.add("".join(word[0] for word in run))
            found.add("".join(word[0] for word in run if word not in _SMALL_WORDS))
            # "NAFTA" has the first letters of the free trade agreement and of America
            found.add("".join(word[0] for word in run[:-1]) + run[-1][:2])
    return found


def _have_same_name(short: str, full: str) -> bool:
    for names in _SAME_NAMES:
        if any(_has(short, name) for name in names) and any(_has(full, name) for name in names):
            return True
    return False


def _has(phrase: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", phrase) is not None
