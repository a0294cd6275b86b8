"""Abbreviations of names: initials, as "EPA", and a few short names that everybody uses.

Initials belong to a name if the capital letters of the name spell them: "NAFTA" and "North American
Free Trade Agreement". Where letters do not help ("Obamacare"), a table does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from features.language.word_clashes import Clash

MIN_INITIALS = 2
MAX_NAME_WORDS = 8  # a longer run of capitals is a heading
MAX_INITIALS_READ = 12  # different ones of a text, so that one in capitals costs no time
_WORDS_WITHOUT_INITIAL = frozenset("of the and for in on to with a an".split())
_SHORT_WORDS_NO_ABBREVIATIONS = frozenset(
    "a i ok it no so or in on at is he we tv am pm id oh".split()
)
# Names of the table that are also words in small letters.
_NAMES_ALSO_WORDS = frozenset("us fed snap un va ai stimulus".split())
_PHRASE_WORD_PATTERN = re.compile(r"[A-Za-z][\w'’-]*")
_INITIALS_PATTERN = re.compile(r"\b(?:[A-Z]\.){2,}|\b[A-Z]{2,6}\b")
# Letters said one by one, as a recogniser writes them: "the n h s".
_SAID_LETTERS_PATTERN = re.compile(r"(?<![\w'’.-])[A-Za-z](?: [A-Za-z]){2,5}(?![\w'’.-])")
_SMALL_INITIALS_PATTERN = re.compile(r"\b[a-z]{3,6}\b")
_NAME_WORD_PATTERN = re.compile(r"[A-Za-z]+")
_LONG_NAME_PATTERN = re.compile(
    r"[A-Z][\w'’-]{1,60}(?: (?:of|the|and|for|with|to|in|on|[A-Z][\w'’-]{1,60}))* [A-Z][\w'’-]{1,60}"
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
    u.s. = us = u s = usa = united states = america = american = americans
    uk = u.k. = u k = united kingdom = britain
    eu = e.u. = e u = european union
    un = u.n. = u n = united nations
    fed = federal reserve
    tarp = bank bailout
    stimulus = recovery act
    dod = pentagon = defense department
    hhs = health department
    doj = justice department
    dhs = homeland security
    irs = tax agency
    va = veterans affairs
    gdp = gross domestic product
    co2 = carbon dioxide
    isis = isil = islamic state
    ceos = chief executives
    ceo = chief executive officer = chief executive
    vp = vice president
    mps = members of parliament
    evs = electric vehicles = electric cars
    gmos = genetically modified organisms
    ivf = in vitro fertilization = in vitro fertilisation
    ptsd = post-traumatic stress disorder
    ai = artificial intelligence
    tv = television
    wmd = wmds = weapons of mass destruction
    h1b = h-1b
    covid = covid-19 = coronavirus
    black = african american = african-american
    blacks = african americans = african-americans
    native americans = american indians
    post office = postal service
    al qaeda = al-qaeda = al qaida = al-qaida
    minutemen = minute men
    puerto rico = puerto rican = puerto ricans
    costa rica = costa rican = costa ricans
"""


def _read_short_names() -> frozenset[frozenset[str]]:
    lines = _SHORT_NAMES.strip().splitlines()
    return frozenset(frozenset(name.strip() for name in line.split("=")) for line in lines)


_SAME_NAMES = _read_short_names()


def _lines_by_name() -> dict[str, list[int]]:
    """Return the lines of the table that have a name, by name."""
    lines: dict[str, list[int]] = {}
    for line, names in enumerate(sorted(_SAME_NAMES, key=sorted)):
        for name in names:
            lines.setdefault(name, []).append(line)
    return lines


_LINES_BY_NAME = _lines_by_name()
# Any name of the table as words of their own, the longest that fits.
_TABLE_PATTERN = re.compile(
    r"(?<![\w.])(?:"
    + "|".join(re.escape(name) for name in sorted(_LINES_BY_NAME, key=len, reverse=True))
    + r")(?!\w)",
    re.IGNORECASE,
)


def abbreviates(clash: Clash) -> bool:
    """Return whether the differing words of two texts are a name and its abbreviation."""
    return is_abbreviation(clash.in_sentence, clash.in_statement) or is_abbreviation(
        clash.in_statement, clash.in_sentence
    )


@lru_cache(maxsize=1 << 14)
def is_abbreviation(short: str, full: str) -> bool:
    """Return whether a phrase has the initials or the short name of a name in another phrase."""
    for word in _PHRASE_WORD_PATTERN.findall(short.replace(".", "")):
        if len(word) >= MIN_INITIALS and word.lower() in _initials(full):
            return True
    return _have_same_name(short.casefold(), full.casefold())


def _initials(phrase: str) -> set[str]:
    """Return the initials of every run of words of a phrase, without its small words, too."""
    # "The Bank of England" has "bank of england" and "of england": "boe", "be", "oe" and others.
    phrase_words = [word.lower() for word in re.findall(r"[A-Za-z]+", phrase)]
    all_initials = set()
    # Any words of the phrase that follow each other may be the name.
    for start in range(len(phrase_words)):
        last_end = min(len(phrase_words), start + MAX_NAME_WORDS)
        for end in range(start + MIN_INITIALS, last_end + 1):
            name_words = phrase_words[start:end]
            words_with_initial = [word for word in name_words if word not in _WORDS_WITHOUT_INITIAL]
            all_initials.add(_first_letters(name_words))
            all_initials.add(_first_letters(words_with_initial))
            # Some initials end with two letters of the last word.
            *first_words, last_word = name_words
            all_initials.add(_first_letters(first_words) + last_word[:2])
    return all_initials


def _have_same_name(short: str, full: str) -> bool:
    for names in _SAME_NAMES:
        in_short = any(_has_name(short, name) for name in names)
        if in_short and any(_has_name(full, name) for name in names):
            return True
    return False


def _has_name(phrase: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", phrase) is not None


def may_be_respelled(text: str) -> bool:
    """Return whether ``spelled_like`` may find a name or initials in a text.

    Unless both texts have one, the sentence stays as it is.
    """
    return bool(_written_initials(text) or _names_by_initials(text) or _names_in_table(text))


@lru_cache(maxsize=1 << 16)
def spelled_like(sentence: str, statement: str) -> str:
    """Return the sentence with abbreviations spelled as the statement spells them.

    "The EPA" becomes "The Environmental Protection Agency" beside a statement with that name, and
    the other way round. Other texts stay as they are.
    """
    respelled_sentence = sentence
    # The sentence has "EPA", and the statement the name
    for initials, full_name in _initials_and_names(sentence, statement):
        respelled_sentence = _with_name(respelled_sentence, initials, full_name)
    # The statement has "EPA", and the sentence the name
    for initials, full_name in _initials_and_names(statement, sentence):
        respelled_sentence = respelled_sentence.replace(full_name, initials)
    # Short and long names that a table has as the same
    for name_in_sentence, name_in_statement in _other_names(respelled_sentence, statement):
        respelled_sentence = _with_name(respelled_sentence, name_in_sentence, name_in_statement)
    return respelled_sentence


def _with_name(text: str, written: str, name: str) -> str:
    """Return the text with a name instead of each of its abbreviations, which stand as words."""
    return re.sub(rf"(?<![\w.]){re.escape(written)}(?!\w)", lambda _: name, text)


def _initials_and_names(short_text: str, full_text: str) -> list[tuple[str, str]]:
    """Return the initials as one text writes them, with the name in the other text."""
    name_by_initials = _names_by_initials(full_text)
    spellings = []
    for initials_as_written, plain_initials in _written_initials(short_text):
        if plain_initials in _SHORT_WORDS_NO_ABBREVIATIONS:
            continue
        is_in_full_text = re.search(rf"\b{re.escape(initials_as_written)}\b", full_text)
        if is_in_full_text:
            continue
        full_name = name_by_initials.get(plain_initials, "")
        if full_name:
            spellings.append((initials_as_written, full_name))
    return spellings


@lru_cache(maxsize=1 << 14)
def _written_initials(text: str) -> Sequence[tuple[str, str]]:
    """Return words of a text that may be initials, as they are written, with their letters.

    Of a text without any capital, as a recogniser may write it, each short word may be initials.
    """
    # "EPA" or "E.P.A.", and "e p a" as a recogniser may write it
    words_of_initials = set(_INITIALS_PATTERN.findall(text))
    words_of_initials |= set(_SAID_LETTERS_PATTERN.findall(text))
    if text.islower():
        words_of_initials |= set(_SMALL_INITIALS_PATTERN.findall(text))
    words_and_initials = []
    for word in sorted(words_of_initials)[:MAX_INITIALS_READ]:
        plain_initials = re.sub(r"[. ]", "", word).casefold()
        words_and_initials.append((word, plain_initials))
    return words_and_initials


def _other_names(sentence: str, statement: str) -> list[tuple[str, str]]:
    """Return names of the sentence that the table knows, each with its name in the statement."""
    # A line of the table has all names of one thing: "GOP", "Republican Party".
    statement_names_by_line = _names_in_table(statement)
    if not statement_names_by_line:
        return []
    name_pairs = []
    for table_line, sentence_names in _names_in_table(sentence).items():
        statement_names = statement_names_by_line.get(table_line, ())
        if not statement_names:
            continue
        lower_names = {name.casefold() for name in sentence_names}
        share_name = any(name.casefold() in lower_names for name in statement_names)
        if not share_name:
            name_pairs.append((max(sentence_names, key=len), max(statement_names, key=len)))
    return name_pairs


@lru_cache(maxsize=1 << 14)
def _names_in_table(text: str) -> Mapping[int, Sequence[str]]:
    """Return the names of a text that the table knows, as written, by line of the table.

    One that is also a word ("us", "snap") counts only if it has a capital.
    """
    # A line of the table has the names of one thing, such as "epa" and its whole name.
    names_by_line: dict[int, list[str]] = {}
    for match in _TABLE_PATTERN.finditer(text):
        name = match[0]
        if name in _NAMES_ALSO_WORDS:
            continue
        # A look-alike, as the dotless "ı", matches without case but is no name of the table.
        for table_line in _LINES_BY_NAME.get(name.casefold(), ()):
            names_by_line.setdefault(table_line, []).append(name)
    return names_by_line


@lru_cache(maxsize=1 << 14)
def _names_by_initials(text: str) -> Mapping[str, str]:
    """Return the names of a text by their initials, in small letters; the first of several."""
    # "National Rifle Association" is found by "nra".
    name_by_initials: dict[str, str] = {}
    for long_name in _LONG_NAME_PATTERN.findall(text):
        for name in _names_within(long_name):
            for initials in _initials_of_name(name):
                name_by_initials.setdefault(initials, name)
    return name_by_initials


def _names_within(long_name: str) -> list[str]:
    """Return all runs of words of a long name that may be a name of their own."""
    # "The New York Police Department" has "New York Police Department" and "Police Department".
    word_matches = list(_NAME_WORD_PATTERN.finditer(long_name))
    names = []
    for first, first_match in enumerate(word_matches):
        if first_match[0].casefold() in _WORDS_WITHOUT_INITIAL:
            continue
        for last_match in word_matches[first + MIN_INITIALS - 1 : first + MAX_NAME_WORDS]:
            names.append(long_name[first_match.start() : last_match.end()])
    return names


def _initials_of_name(name: str) -> set[str]:
    """Return the initials of a whole name, with and without its small words."""
    name_words = [word.casefold() for word in _NAME_WORD_PATTERN.findall(name)]
    words_with_initial = [word for word in name_words if word not in _WORDS_WITHOUT_INITIAL]
    possible_initials = {_first_letters(name_words), _first_letters(words_with_initial)}
    if len(words_with_initial) > MIN_INITIALS:
        # Some initials end with two letters of the last word.
        *first_words, last_word = words_with_initial
        possible_initials.add(_first_letters(first_words) + last_word[:2])
    return possible_initials


def _first_letters(words: Sequence[str]) -> str:
    """Join the first letters of words."""
    return "".join(word[0] for word in words)
