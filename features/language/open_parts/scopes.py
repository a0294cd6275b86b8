"""Scopes by which two texts differ: a kind, a reach, a period, or a group of unknown size.

"The trade deficit in goods" is less than "the trade deficit", "worldwide" is more than nothing on
where, and "every day" is more than nothing on when.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from features.language.agreement import particulars
from features.language.figures.numbers import COUNT, MONEY, MULTIPLE, RANK, TIME
from features.language.function_words import FUNCTION_WORDS
from features.language.sentence_parts import looks_like_verb
from features.language.vocabulary import Vocabulary, vocabulary, word_topic
from features.language.word_clashes import Clash, in_other_order

MAX_ROUGH_COUNT_WORDS = 4  # that say what "thousands of" counts

_RESTRICTION_PATTERN = re.compile(
    r"\b(?P<noun>(?!(?:less|more|most|least|fewer)\b)(?:^[A-Z]|"
    r"[a-z])[a-z]{3,}) (?P<restriction>(?:in|among|on(?= the )) "
    r"(?P<article>the |our )?"
    r"(?P<kind>[a-z][a-z'’-]{2,}(?: [a-z][a-z'’-]{2,})?))\b(?! years?\b)"
)
# Two names, or one in the middle of a text, before a plural: "the Harbour Line pilots"
_NAMED_KIND_PATTERN = re.compile(
    r"(?P<names>[A-Z][a-z]{2,} [A-Z][a-z]{2,}|(?<=[a-z] )[A-Z][a-z]{3,}) (?P<noun>[a-z]{3,}s)\b"
)
_OPEN_NO_NAME = ("The ", "Says ", "Said ", "These ", "Those ", "Our ", "When ", "Every ")
_WORDS_OF_NO_KIND = frozenset(
    "last next first year years month months week weeks day days decade decades century time times "
    "history moment "
    "past future morning evening night today instance example fact general particular case order "
    "office power person place cases places cash total return sure free good term terms addition "
    "part "
    "record numbers number amounts droves large great".split()
)
_PREPOSITION_AFTER_PATTERN = re.compile(
    r"\s+(?:in|among|for|of|on|with|to|from|between|against|by)\b"
)
_KINDS = (
    "federal|local|global|corporate|business|income|property|payroll|sales|estate|personal|"
    "individual|household|foreign|domestic|"
    "violent|pregnant|male|female|black|white|hispanic|latino|asian|african-american|african "
    "american|youth|"
    "elderly|middle-class|low-income|"
    "private|public|urban|rural|agricultural|industrial|civilian|adult|juvenile|married|legal|"
    "illegal|undocumented|"
    "projected|estimated|proposed|planned|expected|alleged|attempted|potential|median|average"
)
_KIND_PATTERN = re.compile(
    rf"\b(?P<kind>(?:{_KINDS})(?: (?:{_KINDS}))*) (?P<noun>[a-z]{{3,}}(?: [a-z]{{3,}})?)\b",
    re.I,
)
# Said in a debate of a country, they are those of the federation without the word.
_NATIONAL_NOUNS = frozenset(
    "budget budgets deficit deficits debt government spending law laws code tax taxes "
    "income".split()
)
_ANYWHERE_PATTERN = re.compile(
    r"\b(?:worldwide|nationwide|statewide|countrywide|globally|everywhere|"
    r"anywhere(?! from| between| close| near)|"
    r"(?:all )?(?:around|across|throughout|all over|over) (?:the|this|our) (?:whole |entire )?"
    r"(?:world|globe|country|nation|state|continent|region)|"
    r"in every (?:single )?(?:country|state|county|city|town|district)|"
    r"in (?:all )?(?:50|fifty) states)\b",
    re.I,
)
_ANY_SCOPE_PATTERN = re.compile(
    r"\b(?:world\w*|nation\w*|countr\w+|glob\w+|states?|statewide|everywhere|anywhere|earth|"
    r"planet|america\w*|universal\w*|every|all|any|international\w*)\b|\bU\.S\b",
    re.I,
)
_NUMBER_WORD = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|few|several|many|couple of)"
_PERIOD_PATTERN = re.compile(
    r"\b(?:every (?:single )?(?:minute|hour|day|night|week|weekend|month|year)|"
    r"(?:day after day|week after week|month after month|year after year)|"
    r"(?:over|in|for|during|throughout) the (?:last|past) "
    rf"(?:{_NUMBER_WORD} )?(?:hours?|days?|weeks?|months?|years?|decades?|century|centuries|"
    r"generations?)|"
    rf"for (?:(?:{_NUMBER_WORD}|so many|too many) )?(?:days|weeks|months|years|decades|centuries|"
    r"generations)|for (?:a|an entire|a whole|half a) (?:decade|century|generation|year|month)|"
    r"in recent (?:weeks|months|years|decades))\b",
    re.I,
)
_ANY_PERIOD_PATTERN = re.compile(
    r"\b(?:minutes?|hours?|hourly|days?|daily|nights?|nightly|weeks?|weekly|months?|monthly|years?|"
    r"yearly|annual\w*|decades?|century|centuries|generations?|always|never|ever|constant\w*|"
    r"continu\w*|repeated\w*|regular\w*|long|recent\w*|since)\b",
    re.I,
)
_ROUGH_COUNT_PATTERN = re.compile(
    r"\b(?P<count>(?:(?:many|tens of|hundreds of) ){0,3}"
    r"(?:dozens|hundreds|thousands|millions|billions|trillions)"
    r"(?:(?:,| and) (?:hundreds|thousands|millions|billions|trillions)){0,3}) of "
    r"(?P<counted>[a-z][\w'’-]*(?: [a-z][\w'’-]*){0,3})",
    re.I,
)
_ROUGH_WORD_PATTERN = re.compile(
    r"\b(?:dozens|hundreds|thousands|millions|billions|trillions)\b", re.I
)
_MAGNITUDES = ("dozen", "hundred", "thousand", "million", "billion", "trillion")
_ANY_COUNT_PATTERN = re.compile(
    r"\b(?:dozens?|hundreds?|thousands?|millions?|billions?|trillions?|most|many|all|every|"
    r"majority|half|lots?|numbers?)\b",
    re.I,
)
_ANY_SUM_PATTERN = re.compile(r"\b(?:thousands?|millions?|billions?|trillions?)\b", re.I)
_RANGE_PATTERN = re.compile(r"(?<!\S)\S+ (?:to|and) \S.*", re.I)
_CHANGE_PATTERN = re.compile(
    r"(?<!anywhere )(?<!somewhere )\bfrom (?P<low>\S{1,30}(?: \S{1,30}){0,4}?)"
    r" to (?P<high>(?:(?:an?|about|almost|over) ){0,2}"
    r"\S{1,30}(?: percent| million| billion| trillion| dollars| cents)?)",
    re.I,
)


def kind_clash(text: str, other_text: str, other_vocabulary: Vocabulary) -> Clash | None:
    """Return "deficit in goods" and "deficit" if only one of two texts narrows it, or None."""
    text_vocabulary = vocabulary(text)
    for rule in (_restriction_clash, _kind_phrase_clash, _named_kind_clash):
        clash = rule(text, other_text, other_vocabulary) or in_other_order(
            rule(other_text, text, text_vocabulary)
        )
        if clash is not None:
            return clash
    return None


def _restriction_clash(text: str, other_text: str, other_vocabulary: Vocabulary) -> Clash | None:
    """Return "deficit in goods" of a text and "deficit" of another that lacks goods, or None."""
    # "the deficit in goods" beside "the deficit"
    for restriction_match in _RESTRICTION_PATTERN.finditer(text):
        noun = restriction_match["noun"]
        kind_words = _kind_words(restriction_match["kind"])
        if not kind_words or not word_topic(noun) or _may_be_verb(noun):
            continue
        # "In secret" and "in full" name nothing.
        is_kind = restriction_match["article"] or kind_words[-1].endswith("s")
        if not is_kind or any(other_vocabulary.has(word) for word in kind_words):
            continue
        noun_match = re.search(rf"\b{re.escape(noun)}\b", other_text, re.I)
        if noun_match is not None and not _is_restricted(noun_match):
            restriction = restriction_match["restriction"]
            kind_end = restriction.rindex(kind_words[-1]) + len(kind_words[-1])
            return Clash(f"{noun} {restriction[:kind_end]}", noun_match[0])
    return None


def _is_restricted(noun_match: re.Match[str]) -> bool:
    # "pilots | of the harbour"
    return _PREPOSITION_AFTER_PATTERN.match(noun_match.string, noun_match.end()) is not None


def _kind_words(words: str) -> list[str]:
    """Return the words of a kind up to the first that belongs to another phrase."""
    kind_words = []
    for word in words.split():
        names_no_kind = word in FUNCTION_WORDS or word in _WORDS_OF_NO_KIND
        if names_no_kind or _may_be_verb(word) or not word_topic(word):
            break
        kind_words.append(word)
    return kind_words


def _may_be_verb(word: str) -> bool:
    return looks_like_verb(word) or word.endswith(("ed", "ing", "ly"))


def _kind_phrase_clash(text: str, other_text: str, other_vocabulary: Vocabulary) -> Clash | None:
    """Return "business tax rate" and "tax rate" of a text without kinds, or None."""
    # "the business tax rate" beside "the tax rate"
    other_kind_matches = _kinds(other_text)
    for kind_match in _kinds(text):
        kind = kind_match["kind"]
        noun = " ".join(_kind_words(kind_match["noun"]))
        if not noun or kind.casefold() in other_text.casefold() or other_vocabulary.has(kind):
            continue
        noun_words = noun.casefold().split()
        # "Black unemployment and Hispanic unemployment" names the kinds one by one.
        if _kind_count(noun_words[0], text) > 1:
            continue
        if kind.casefold() == "federal" and not _NATIONAL_NOUNS.isdisjoint(noun_words):
            continue
        if other_kind_matches:
            bare_noun = _wider_noun_phrase(kind, noun, other_kind_matches)
        else:
            bare_noun = _bare_noun(noun, other_text)
        if bare_noun:
            return Clash(f"{kind} {noun}", bare_noun)
    return None


def _kind_count(noun: str, text: str) -> int:
    """Count the kinds of a noun in a text."""
    kinds = {
        match["kind"].casefold()
        for match in _kinds(text)
        if match["noun"].casefold().split()[0] == noun
    }
    return len(kinds)


def _wider_noun_phrase(kind: str, noun: str, other_kind_matches: Sequence[re.Match[str]]) -> str:
    """Return "income tax" for "corporate income tax", "" if another text has only other kinds."""
    kind_words = set(kind.casefold().split())
    for other_match in other_kind_matches:
        other_noun = other_match["noun"].split()[0]
        is_wider = kind_words > set(other_match["kind"].casefold().split())
        if is_wider and other_noun == noun.split()[0]:
            return f"{other_match['kind']} {other_noun}"
    return ""


@lru_cache(maxsize=1 << 12)
def _kinds(text: str) -> tuple[re.Match[str], ...]:
    """Return the kinds of a text, each with the noun after it."""
    return tuple(_KIND_PATTERN.finditer(text))


def _bare_noun(noun: str, text: str) -> str:
    """Return "taxes" of a text for "tax rate", "" if it has neither the noun nor its first word."""
    first_word = re.escape(noun.split()[0])
    for pattern in (re.escape(noun), rf"{first_word}(?:e?s)?"):
        noun_match = re.search(
            rf"(?:^|(?<!\bto)\s)(?P<noun>{pattern})\b(?! [a-z]{{3,}}ing\b)", text, re.I
        )
        if noun_match:
            return noun_match["noun"]
    return ""


def _named_kind_clash(text: str, other_text: str, other_vocabulary: Vocabulary) -> Clash | None:
    """Return "Harbour Line pilots" of a text and "pilots" of another without the name, or None."""
    # "Harbour Line pilots" beside "pilots"
    for kind_match in _NAMED_KIND_PATTERN.finditer(text):
        noun = kind_match["noun"]
        names = kind_match["names"].split()
        if not word_topic(noun) or _may_be_verb(noun):
            continue
        if kind_match["names"].startswith(_OPEN_NO_NAME):
            continue
        if any(other_vocabulary.has(name) or not word_topic(name) for name in names):
            continue
        # The noun behind a word in small letters: "the pilots"
        noun_match = re.search(
            rf"(?<![A-Z-])\b(?:[a-z]+) (?P<noun>{re.escape(noun)})\b", other_text
        )
        if noun_match is not None and not _is_restricted(noun_match):
            return Clash(f"{kind_match['names']} {noun}", noun_match["noun"])
    return None


def uncovered_reaches(text: str, other_text: str) -> Iterator[str]:
    """Yield "worldwide" and "in every state" if another text has no scope of any kind."""
    if _ANY_SCOPE_PATTERN.search(other_text):
        return
    for reach_match in _ANYWHERE_PATTERN.finditer(text):
        yield reach_match[0]


def uncovered_repeated_periods(text: str, other_text: str) -> Iterator[str]:
    """Yield "every day" and "over the last decade" if another text has no time of any kind."""
    other_particulars = particulars(other_text)
    has_period = any(figure.kind in (TIME, RANK, MULTIPLE) for figure in other_particulars.numbers)
    if other_particulars.dates or has_period or _ANY_PERIOD_PATTERN.search(other_text):
        return
    for period_match in _PERIOD_PATTERN.finditer(text):
        yield period_match[0]


def uncovered_rough_counts(text: str, other_text: str) -> Iterator[str]:
    """Yield "thousands of people" if another text counts nothing."""
    other_kinds = {figure.kind for figure in particulars(other_text).numbers}
    if other_kinds & {COUNT, MONEY} or _ANY_SUM_PATTERN.search(other_text):
        return
    has_count = _ANY_COUNT_PATTERN.search(other_text) is not None
    for count_match in _ROUGH_COUNT_PATTERN.finditer(text):
        counted_words = _counted_words(count_match["counted"])
        # "Many pilots" counts no dollars.
        is_money = counted_words[-1:] in (["dollars"], ["dollar"])
        if counted_words and (is_money or not has_count):
            yield f"{count_match['count']} of {' '.join(counted_words)}"


def has_rough_count(text: str) -> bool:
    """Return whether a text counts in dozens, hundreds or thousands."""
    return _ROUGH_WORD_PATTERN.search(text) is not None


def magnitude_clash(text: str, other_text: str) -> Clash | None:
    """Return "hundreds of accidents" and "thousands of accidents", or None."""
    # "hundreds of road accidents" and "thousands of accidents"
    for count_match in _ROUGH_COUNT_PATTERN.finditer(text):
        counted_words = _counted_words(count_match["counted"])
        for other_match in _ROUGH_COUNT_PATTERN.finditer(other_text):
            other_counted_words = _counted_words(other_match["counted"])
            # The last word is the noun.
            is_same_thing = bool(counted_words) and counted_words[-1:] == other_counted_words[-1:]
            if is_same_thing and _magnitude(count_match) != _magnitude(other_match):
                quotation = f"{count_match['count']} of {' '.join(counted_words)}"
                return Clash(
                    quotation, f"{other_match['count']} of {' '.join(other_counted_words)}"
                )
    return None


def _magnitude(phrase: re.Match[str]) -> list[str]:
    """Return the magnitudes in a rough count: hundred and thousand of "hundreds of thousands"."""
    count = phrase["count"].casefold()
    return [magnitude for magnitude in _MAGNITUDES if magnitude in count]


def _counted_words(words: str) -> list[str]:
    """Return the words up to the first that belongs to another phrase."""
    counted_words = []
    for word in words.split():
        if word.casefold() in FUNCTION_WORDS or looks_like_verb(word):
            break
        counted_words.append(word)
    return counted_words


def uncovered_value_ranges(text: str, other_text: str) -> Iterator[str]:
    """Yield "from 70 to 90 percent of it" if another text has no figure of the kind."""
    other_kinds = {figure.kind for figure in particulars(other_text).numbers}
    for figure in particulars(text).numbers:
        is_range = figure.high > figure.low and _RANGE_PATTERN.fullmatch(figure.text)
        preceding = text[: figure.start].casefold()
        if is_range and preceding.endswith("from ") and figure.kind not in other_kinds:
            yield f"from {figure.text}"


def uncovered_changes(text: str, other_text: str) -> Iterator[str]:
    """Yield "from 35 percent to 15 percent" if another text has one of the figures alone."""
    if _CHANGE_PATTERN.search(other_text):
        return
    # "from 35 percent to 15 percent" beside "35 percent"
    other_kinds_and_values = {
        (figure.kind, figure.low) for figure in particulars(other_text).numbers
    }
    other_values = {value for _, value in other_kinds_and_values}
    for change_match in _CHANGE_PATTERN.finditer(text):
        start_values = {figure.low for figure in particulars(change_match["low"]).numbers}
        end_figures = particulars(change_match["high"]).numbers
        end_kinds_and_values = {(figure.kind, figure.low) for figure in end_figures}
        is_start_known = not start_values.isdisjoint(other_values)
        is_end_known = not end_kinds_and_values.isdisjoint(other_kinds_and_values)
        if is_start_known and end_kinds_and_values and not is_end_known:
            yield change_match[0].rstrip(".,;:!?")


def unsaid_changes(statement: str, sentence: str) -> Iterator[str]:
    """Yield "from 35 percent to 15 percent" of a statement if a sentence has one of the two."""
    if "from " not in statement or _CHANGE_PATTERN.search(sentence):
        return
    said_values = {(figure.kind, figure.low) for figure in particulars(sentence).numbers}
    for change_match in _CHANGE_PATTERN.finditer(statement):
        change = change_match[0].rstrip('.,;:!?"”')
        values = {(figure.kind, figure.low) for figure in particulars(change).numbers}
        if len(values) == 2 and len(values & said_values) == 1:
            following_words = statement[change_match.end() :].split()[:MAX_ROUGH_COUNT_WORDS]
            ends_phrase = change != change_match[0]
            counted_words = [] if ends_phrase else _counted_words(" ".join(following_words))
            yield " ".join([change, *counted_words]).rstrip('.,;:!?"”')
