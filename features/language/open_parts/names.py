"""Names that only one of two texts has: "Arizona", "Duke Energy and Tampa Electric"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from features.language.figures.calendar import MONTHS
from features.language.function_words import NON_NAME_WORDS
from features.language.group_words import countries
from features.language.open_parts.lists import precedes_noun
from features.language.vocabulary import Vocabulary, word_topic

MIN_NAME_LETTERS = 3

_WORD = r"[A-Z][\w’'&-]*"
_NAME = rf"{_WORD}(?: (?:of (?:the )?)?{_WORD})*"
_NAMES_PATTERN = re.compile(rf"(?P<names>{_NAME}(?:(?:, | and |, and | or ){_NAME})*)")
_SINGLE_NAME_PATTERN = re.compile(_NAME)
_SENTENCE_OPENING_PATTERN = re.compile(
    r"(?:^|[.!?:;…—–-]\s*|[\"“”‘(]\s*|^(?:and|but|so|or) )$", re.I
)
_PLACE_OR_COMPANION_PATTERN = re.compile(
    r"\b(?:in|from|at|with|on|and|states|countries|cities|places|companies)(?: the| our|,)? $",
    re.I,
)
_DIRECTION_BEFORE_PATTERN = re.compile(r"\b(?:to|into)(?: the)? $", re.I)
_SPAN_END_PATTERN = re.compile(rf" to {_NAME}")
_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_WORDS_OF_NO_NAME = frozenset(
    "god lord christmas easter thanksgiving internet i'm i've i'll i'd tv ok okay mr mrs ms dr "
    "congress senate house administration america american americans united states white "
    "commander chief states earth washington capitol hill nation republic father mother bible "
    "constitution".split()
)
# Capitals that stand for their governments.
_COUNTRY_OF_CAPITAL = {
    "tehran": "iran",
    "moscow": "russia",
    "kremlin": "russia",
    "beijing": "china",
    "berlin": "germany",
    "paris": "france",
    "london": "britain",
    "tokyo": "japan",
    "seoul": "korea",
    "pyongyang": "korea",
    "damascus": "syria",
    "baghdad": "iraq",
    "kabul": "afghanistan",
    "jerusalem": "israel",
    "riyadh": "saudi",
    "havana": "cuba",
    "caracas": "venezuela",
    "ottawa": "canada",
    "kyiv": "ukraine",
    "kiev": "ukraine",
    "benghazi": "libya",
    "tripoli": "libya",
}


def uncovered_names(
    text: str, other_text: str, other_vocabulary: Vocabulary, claimant: str
) -> Iterator[str]:
    """Yield the names of a text that another text lacks, with those that they are joined to.

    A name counts only beside a preposition or in a list, where it says of what or with whom. The
    ``claimant`` of the other text is known there as "I".
    """
    known_words = {word.casefold() for word in claimant.split()}
    for names_match in _NAMES_PATTERN.finditer(text):
        if not _says_of_what(text, names_match):
            continue
        names = _SINGLE_NAME_PATTERN.findall(names_match[0])
        if all(_is_new(name, other_text, other_vocabulary, known_words) for name in names):
            span_match = _SPAN_END_PATTERN.match(text, names_match.end())
            # "From Bergen to Oslo" is one part.
            if span_match and text[: names_match.start()].casefold().endswith("from "):
                yield text[names_match.start() - len("from ") : span_match.end()]
            else:
                yield _with_article(text, names_match)


def _says_of_what(text: str, names_match: re.Match[str]) -> bool:
    """Return whether a name stands where it narrows a statement down."""
    text_before = text[: names_match.start()]
    if precedes_noun(text, names_match.end()):
        return False
    if _SENTENCE_OPENING_PATTERN.search(text_before):
        return False
    if _PLACE_OR_COMPANION_PATTERN.search(text_before):
        return True
    # "Exports to Norway", but not "said to Norris"
    is_country = bool(countries(names_match[0].casefold()))
    return is_country and _DIRECTION_BEFORE_PATTERN.search(text_before) is not None


def _is_new(
    name: str, other_text: str, other_vocabulary: Vocabulary, known_words: set[str]
) -> bool:
    """Return whether no word of a name is in another text, nor the country that it stands for."""
    # Words that don't name a person, place or organisation
    lower_words = [word.casefold().removesuffix("'s") for word in name.split()]
    # "The Union" is the country, but the Soviet Union is another one.
    if (
        name == "Union"
        or len(name) < MIN_NAME_LETTERS
        or not any(word_topic(word) for word in lower_words)
    ):
        return False
    if any(word in NON_NAME_WORDS or word in _WORDS_OF_NO_NAME for word in lower_words):
        return False
    if any(word in MONTHS or word in _WEEKDAYS for word in lower_words):
        return False
    # Names that the other text has, or its claimant
    lower_other_text = other_text.casefold()
    if any(word in known_words for word in lower_words) or name.casefold() in lower_other_text:
        return False
    if any(other_vocabulary.has(word) for word in name.split()):
        return False
    # "Berlin" may stand for "Germany".
    country_names = [_COUNTRY_OF_CAPITAL.get(word, word) for word in lower_words]
    named_countries = countries(" ".join(country_names)).keys()
    return named_countries.isdisjoint(countries(lower_other_text))


def _with_article(text: str, group: re.Match[str]) -> str:
    """Return a name with "the" before it, if the text has it."""
    start = group.start()
    if text[:start].casefold().endswith(" the "):
        start -= len("the ")
    return text[start : group.end()].removesuffix("'s").removesuffix("’s")
