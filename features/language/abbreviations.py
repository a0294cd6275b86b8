"""Abbreviations of names: initials, as "EPA", and a few short names that everybody uses.

Initials belong to a name if the capital letters of the name spell them: "NAFTA" and "North American
Free Trade Agreement". Where letters do not help ("Obamacare"), a table does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from features.language.word_clashes import Clash

MIN_INITIALS = 2
MAX_NAME_WORDS = 8  # a longer run of capitals is a heading
MAX_INITIALS_READ = 12  # different ones of a text, so that one in capitals costs no time
_WORDS_WITHOUT_INITIAL = frozenset("of the and for in on to with a an".split())
_SHORT_WORDS_NO_ABBREVIATIONS = frozenset(
    "a i ok it no so or in on at is he we tv am pm id oh".split()
)
_PHRASE_WORD_PATTERN = re.compile(r"[A-Za-z][\w'’-]*")
_INITIALS_PATTERN = re.compile(r"\b(?:[A-Z]\.){2,}|\b[A-Z]{2,6}\b")
_NAME_WORD_PATTERN = re.compile(r"[A-Za-z]+")
_LONG_NAME_PATTERN = re.compile(
    r"[A-Z][\w'’-]+(?: (?:of|the|and|for|with|to|in|on|[A-Z][\w'’-]+))* [A-Z][\w'’-]+"
)
# Short names and the names that they stand for, all in small letters; the long name comes last.
_SHORT_NAMES = """
    obamacare = aca = affordable care act
    snap = food stamps = food stamp
    snap = supplemental nutrition assistance program
    gop = republican party
    gop = republicans
    dreamers = daca
    medicare for all = single payer
    scotus = supreme court
    potus = president
    mmr = measles
    mmr vaccine = measles vaccine
    u.s. = us = usa = united states = america = american = americans
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
    for word in _PHRASE_WORD_PATTERN.findall(short.replace(".", "")):
        if len(word) >= MIN_INITIALS and word.lower() in _initials(full):
            return True
    return _have_same_name(short.casefold(), full.casefold())


def _initials(phrase: str) -> set[str]:
    """Return the initials of every run of words of a phrase, without its small words, too."""
    words = [word.lower() for word in re.findall(r"[A-Za-z]+", phrase)]
    found = set()
    for start in range(len(words)):
        last_end = min(len(words), start + MAX_NAME_WORDS)
        for end in range(start + MIN_INITIALS, last_end + 1):
            run = words[start:end]
            found.add("".join(word[0] for word in run))
            found.add("".join(word[0] for word in run if word not in _WORDS_WITHOUT_INITIAL))
            # The last word of "NAFTA" gives two letters.
            found.add("".join(word[0] for word in run[:-1]) + run[-1][:2])
    return found


def _have_same_name(short: str, full: str) -> bool:
    for names in _SAME_NAMES:
        if any(_has(short, name) for name in names) and any(_has(full, name) for name in names):
            return True
    return False


def _has(phrase: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", phrase) is not None


@lru_cache(maxsize=1 << 16)
def spelled_like(sentence: str, statement: str) -> str:
    """Return the sentence with abbreviations spelled as the statement spells them.

    "The EPA" becomes "The Environmental Protection Agency" beside a statement with that name, and
    the other way round. Other texts stay as they are.
    """
    spelled = sentence
    for initials, name in _initials_and_names(sentence, statement):
        spelled = re.sub(rf"(?<![\w.]){re.escape(initials)}(?![\w])", name, spelled)
    for initials, name in _initials_and_names(statement, sentence):
        spelled = spelled.replace(name, initials)
    return spelled


def _initials_and_names(short_text: str, full_text: str) -> list[tuple[str, str]]:
    """Return the initials in one text with the name in the other text that they stand for."""
    found = []
    names = _names_by_initials(full_text)
    for initials in sorted(set(_INITIALS_PATTERN.findall(short_text)))[:MAX_INITIALS_READ]:
        letters = initials.replace(".", "").casefold()
        if letters in _SHORT_WORDS_NO_ABBREVIATIONS or re.search(
            rf"\b{re.escape(initials)}\b", full_text
        ):
            continue
        name = names.get(letters, "")
        if name:
            found.append((initials, name))
    return found


@lru_cache(maxsize=1 << 14)
def _names_by_initials(text: str) -> Mapping[str, str]:
    """Return the names of a text by their initials, in small letters; the first of several."""
    names: dict[str, str] = {}
    for match in _LONG_NAME_PATTERN.finditer(text):
        words = list(_NAME_WORD_PATTERN.finditer(match[0]))
        for start in range(len(words)):
            if words[start][0].casefold() in _WORDS_WITHOUT_INITIAL:
                continue
            last_end = min(len(words), start + MAX_NAME_WORDS)
            for end in range(start + MIN_INITIALS, last_end + 1):
                phrase = match[0][words[start].start() : words[end - 1].end()]
                for letters in _initials_of_name(phrase):
                    names.setdefault(letters, phrase)
    return names


def _initials_of_name(name: str) -> set[str]:
    """Return the initials of a whole name, with and without its small words."""
    words = [word.casefold() for word in _NAME_WORD_PATTERN.findall(name)]
    large_words = [word for word in words if word not in _WORDS_WITHOUT_INITIAL]
    found = {"".join(word[0] for word in words), "".join(word[0] for word in large_words)}
    if len(large_words) > MIN_INITIALS:
        # The last word of "NAFTA" gives two letters.
        found.add("".join(word[0] for word in large_words[:-1]) + large_words[-1][:2])
    return found
