"""Comparisons by which two texts differ: standards, factors, ranks, times and aims of a deed.

"More than the Norwegians" beside "more than they pay in Denmark" has a standard of its own, "a
tenth of the price" is another factor than "12 times less", and "when he was mayor" is another time
than "when he ran for mayor".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from features.language.group_words import countries
from features.language.vocabulary import Vocabulary, content_words, vocabulary
from features.language.word_clashes import Clash

MIN_SHARED_TOPICS = 2  # words of both texts besides the times that they give
MAX_TIME_CHARACTERS = 90  # a longer clause of time would be cut in the middle
MIN_RATIO_DIFFERENCE = 0.02  # share of the larger ratio: 33 percent is a third

_NAMED_STANDARD_PATTERN = re.compile(
    r"\b(?:(?:far|much|even|way) )?(?:more|less|fewer|[a-z]{3,}er) than (?:in |under |the |our |"
    r"do |does ){0,3}"
    r"(?P<name>[A-Z][a-z]{2}[\w-]*)(?: [a-z]+s\b)?(?=$|[.,;:!?]| (?:who|that|which|do|does|did|"
    r"and)\b)"
)
_ALL_OTHERS_PATTERN = re.compile(
    r"\bthan (?:do |in |the people of |does )*(?:any|every|all)(?: other)?"
    r"(?: major| large| rich| developed| industrialized)? (?:country|countries|nations?|state|"
    r"states|city|cities)"
    r"(?: (?:on|in|of) (?:the )?[A-Za-z]+)?"
)
_ANY_GROUP_PATTERN = re.compile(
    r"\b(?:any|every|each|all|other|most|highest|largest|biggest|lowest|best|worst|world|earth)\b",
    re.I,
)
_COMPARISON_WITH_NAME_PATTERN = re.compile(
    r"\b(?:than|what|as) (?:they |people )?(?:\w+ ){0,3}?(?:in )?(?:the )?[A-Z]"
)
_RANKED_NOUNS = (
    "problem",
    "reason",
    "cause",
    "threat",
    "issue",
    "driver",
    "source",
    "danger",
    "challenge",
)
_PREDICATE_RANK_PATTERN = re.compile(
    r"\b(?P<rank>(?:the|our|their|his|her) (?:single |very )?(?:biggest|largest|greatest|worst|"
    r"main|leading|number one|"
    rf"most [a-z]+) (?:{'|'.join(_RANKED_NOUNS)})(?: of [a-z]+)?) "
    r"(?:is|was|are|were|remains) (?:the |our )?(?P<subject>[\w'’-]+)",
    re.I,
)
_ANY_RANK_PATTERN = re.compile(
    r"\b(?:[a-z]{3,}est|most|worst|main|mainly|leading|primary|primarily|number one|top|cause\w*|"
    r"only)\b",
    re.I,
)
_TIME_PATTERN = re.compile(
    r"\b(?P<opener>when|while|as soon as|by the time) "
    r"(?P<clause>(?:I|you|he|she|it|we|they|[A-Z]\w+)(?:['’]\w+)? [^.,;:!?…—–]*[^.,;:!?…—–\s])"
)
# "An increase to prevent wars": the noun before "to" has the aim.
_AIM_PATTERN = re.compile(
    r"(?P<main>.*\b(?P<noun>[a-z]{4,})) (?P<aim>to (?!the |an? |our |their |"
    r"be )(?:help )?[a-z]{3,} [^.,;:!?…—–]{4,80})[.!?\"'” ]*$"
)
_WORDS_WITH_INFINITIVE = frozenset(
    "able want wants wanted need needs needed going have ready willing likely used allowed try "
    "tries tried trying ability right chance power plan plans promise promises decision effort "
    "efforts order continue continues fail fails failed refuse refuses refused agree agrees agreed "
    "attempt attempts time here there access leads lead come comes came close back down over guts "
    "courage nerve audacity will compared according thing".split()
)
_FRACTIONS = {
    "half": 1 / 2,
    "one-half": 1 / 2,
    "a third": 1 / 3,
    "one-third": 1 / 3,
    "a quarter": 1 / 4,
    "one-quarter": 1 / 4,
    "one-fourth": 1 / 4,
    "a fifth": 1 / 5,
    "one-fifth": 1 / 5,
    "a tenth": 1 / 10,
    "one-tenth": 1 / 10,
}
_WORDS_OF_COUNT = "two three four five six seven eight nine ten eleven twelve".split()  # from 2 on
_FRACTION_PATTERN = re.compile(
    rf"\b(?P<fraction>{'|'.join(_FRACTIONS)}) (?:of )?(?:the (?:price|cost|rate|amount)|what|"
    rf"as much|as many)\b"
    r"(?: (?:of )?(?:we|they|you) [a-z]+)?",
    re.I,
)
_MULTIPLE_PATTERN = re.compile(
    rf"\b(?P<count>\d{{1,3}}|{'|'.join(_WORDS_OF_COUNT)}) times "
    r"(?P<direction>less|cheaper|lower|fewer|more|higher|greater|as much|as many|the (?:price|cost|"
    r"rate))\b",
    re.I,
)
_COUNT = rf"\d{{1,2}}|{'|'.join(_WORDS_OF_COUNT)}"
# "Than the next eight nations", "than the 16 biggest budgets"
_COUNTED_STANDARD_PATTERN = re.compile(
    rf"\bthan the (?:next |top |other )?(?P<count>{_COUNT})(?: (?:next|biggest|largest|highest|"
    rf"closest|leading|other))?"
    r"(?: [a-z]+)? [a-z]+s\b",
    re.I,
)
_ALL_BUT_PATTERN = re.compile(rf"\ball but (?P<count>one|{_COUNT}) (?P<noun>[a-z]{{3,}})\b", re.I)
_CAPITALISED = r"[A-Z][\w.-]{1,30}"
_COMBINED_STANDARD_PATTERN = re.compile(
    rf"\bthan (?P<names>{_CAPITALISED}(?:, {_CAPITALISED}(?: {_CAPITALISED})?){{0,8}},? and "
    rf"{_CAPITALISED}(?: {_CAPITALISED})?) combined\b"
)
_NAME_STANDARD_PATTERN = re.compile(r"\bthan (?P<name>[A-Z][\w-]+)")
# "The most powerful nation"
_PROPERTY_PATTERN = re.compile(
    r"\bthe (?P<degree>most|least) (?P<property>[a-z]{4,}) (?P<noun>[a-z]{3,})\b", re.I
)
_SYNONYMS_OF_NOUN = {"nation": "country"}
_WORDS_OF_LESS = frozenset(("less", "cheaper", "lower", "fewer"))


def uncovered_standards(text: str, other_text: str, other_vocabulary: Vocabulary) -> Iterator[str]:
    """Yield "more than the Norwegians" of a text if another compares only with others."""
    if " than " not in text or not _COMPARISON_WITH_NAME_PATTERN.search(other_text):
        return
    for standard_match in _NAMED_STANDARD_PATTERN.finditer(text):
        name = standard_match["name"]
        # "The Norwegians" are the people of "Norway".
        named_countries = countries(name.casefold()).keys()
        is_known_country = not named_countries.isdisjoint(countries(other_text.casefold()))
        if not is_known_country and not other_vocabulary.has(name):
            yield standard_match[0]
    all_match = _ALL_OTHERS_PATTERN.search(text)
    if all_match and not _ANY_GROUP_PATTERN.search(other_text):
        yield all_match[0]


def uncovered_ranks(text: str, other_text: str, other_vocabulary: Vocabulary) -> Iterator[str]:
    """Yield "the biggest problem" of "the biggest problem is the pier" if another ranks nothing."""
    if not any(noun in text for noun in _RANKED_NOUNS) or _ANY_RANK_PATTERN.search(other_text):
        return
    for rank_match in _PREDICATE_RANK_PATTERN.finditer(text):
        if other_vocabulary.has(rank_match["subject"]):
            yield rank_match["rank"]


def time_clash(sentence: str, statement: str) -> Clash | None:
    """Return "when he was mayor" and "when he ran for mayor", each on another time, or None."""
    if " when " not in f" {sentence.casefold()}" and " while " not in f" {sentence.casefold()}":
        return None
    said_match = _TIME_PATTERN.search(sentence)
    checked_match = _TIME_PATTERN.search(statement)
    if said_match is None or checked_match is None:
        return None
    if max(len(said_match[0]), len(checked_match[0])) > MAX_TIME_CHARACTERS:
        return None
    checked_words = vocabulary(checked_match["clause"])
    said_words = [match[0] for match in content_words(said_match["clause"])]
    have_words = bool(said_words and checked_words.topics)
    if not have_words or any(checked_words.has(word) for word in said_words):
        return None
    rest = sentence[: said_match.start()] + sentence[said_match.end() :]
    other_rest = statement[: checked_match.start()] + statement[checked_match.end() :]
    if len(vocabulary(other_rest).shared_topics(rest)) < MIN_SHARED_TOPICS:
        return None
    return Clash(said_match[0], checked_match[0])


def aim_clash(sentence: str, statement: str) -> Clash | None:
    """Return "to prevent wars" and "to pay the troops", the aims of one deed, or None."""
    if " to " not in sentence or " to " not in statement:
        return None
    said_match = _AIM_PATTERN.match(sentence)
    checked_match = _AIM_PATTERN.match(statement)
    if said_match is None or checked_match is None:
        return None
    if not _WORDS_WITH_INFINITIVE.isdisjoint((said_match["noun"], checked_match["noun"])):
        return None
    checked_aim_words = vocabulary(checked_match["aim"])
    said_aim_words = [match[0] for match in content_words(said_match["aim"])]
    have_words = bool(said_aim_words and checked_aim_words.topics)
    if not have_words or any(checked_aim_words.has(word) for word in said_aim_words):
        return None
    # The deed is the same if its noun is.
    checked_deed_words = vocabulary(checked_match["main"])
    shared_topics = checked_deed_words.shared_topics(said_match["main"])
    if len(shared_topics) < MIN_SHARED_TOPICS or not checked_deed_words.has(said_match["noun"]):
        return None
    return Clash(said_match["aim"], checked_match["aim"])


def factor_clash(sentence: str, statement: str) -> Clash | None:
    """Return "one-tenth the price" and "12 times less" if the factors differ, or None."""
    said = _factor(sentence)
    checked = _factor(statement) if said else None
    if said is None or checked is None:
        return None
    said_ratio = max(said[1], 1 / said[1])
    checked_ratio = max(checked[1], 1 / checked[1])
    if abs(said_ratio - checked_ratio) <= MIN_RATIO_DIFFERENCE * max(said_ratio, checked_ratio):
        return None
    return Clash(said[0], checked[0])


def counted_standard_clash(sentence: str, statement: str) -> Clash | None:
    """Return "than the next eight nations" and "than the 16 biggest budgets", or None."""
    if " than the " not in sentence:
        return None
    said_match = _COUNTED_STANDARD_PATTERN.search(sentence)
    checked_match = _COUNTED_STANDARD_PATTERN.search(statement) if said_match else None
    if said_match is None or checked_match is None:
        return None
    if _count_of_word(said_match["count"]) == _count_of_word(checked_match["count"]):
        return None
    return Clash(said_match[0], checked_match[0])


def all_but_clash(sentence: str, statement: str) -> Clash | None:
    """Return "all but one state" and "all but 4 states" if the counts differ, or None."""
    said_match = _ALL_BUT_PATTERN.search(sentence) if " all but " in sentence else None
    checked_match = _ALL_BUT_PATTERN.search(statement) if said_match else None
    if said_match is None or checked_match is None:
        return None
    have_one_noun = _singular_noun(said_match) == _singular_noun(checked_match)
    counts = [_count_of_word(match["count"]) for match in (said_match, checked_match)]
    if not have_one_noun or counts[0] == counts[1]:
        return None
    return Clash(said_match[0], checked_match[0])


def combined_standard_clash(sentence: str, statement: str) -> Clash | None:
    """Return "than Norway" and "than Norway and Iceland combined" of one comparison, or None."""
    if " combined" in sentence or " combined" not in statement:
        return None
    combined_match = _COMBINED_STANDARD_PATTERN.search(statement)
    if combined_match is None:
        return None
    for standard_match in _NAME_STANDARD_PATTERN.finditer(sentence):
        if standard_match["name"] in combined_match["names"]:
            return Clash(standard_match[0], combined_match[0])
    return None


def property_clash(sentence: str, statement: str) -> Clash | None:
    """Return "the most powerful nation" and "the most respected country", or None."""
    if " most " not in sentence and " least " not in sentence:
        return None
    said_matches = list(_PROPERTY_PATTERN.finditer(sentence))
    checked_matches = list(_PROPERTY_PATTERN.finditer(statement)) if said_matches else []
    # With several of them, each may belong to another one.
    if len(said_matches) != 1 or len(checked_matches) != 1:
        return None
    [said_match], [checked_match] = said_matches, checked_matches
    have_one_noun = _singular_noun(said_match) == _singular_noun(checked_match)
    have_one_property = vocabulary(checked_match["property"]).has(said_match["property"])
    if not have_one_noun or have_one_property:
        return None
    return Clash(said_match[0], checked_match[0])


def _singular_noun(phrase: re.Match[str]) -> str:
    noun = phrase["noun"].casefold().removesuffix("s")
    return _SYNONYMS_OF_NOUN.get(noun, noun)


def _count_of_word(word: str) -> int:
    """Return the number of "eight" or "8"."""
    if word.isdigit():
        return int(word)
    return 1 if word.casefold() == "one" else _WORDS_OF_COUNT.index(word.casefold()) + 2


def _factor(text: str) -> tuple[str, float] | None:
    """Return the first factor of a text, in words and as a ratio, or None."""
    fraction_match = _FRACTION_PATTERN.search(text)
    if fraction_match:
        return fraction_match[0], _FRACTIONS[fraction_match["fraction"].casefold()]
    multiple_match = _MULTIPLE_PATTERN.search(text)
    if multiple_match is None:
        return None
    count = _count_of_word(multiple_match["count"])
    if count <= 1:
        return None
    is_less = multiple_match["direction"].casefold() in _WORDS_OF_LESS
    return multiple_match[0], 1 / count if is_less else count
