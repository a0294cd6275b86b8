"""Short phrases that only one of two texts has: a superlative, "the only", "since 1963"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from features.language.agreement import particulars
from features.language.figures.numbers import RANK, TIME
from features.language.open_parts.word_kinds import NO_SUPERLATIVES
from features.language.vocabulary import Vocabulary

_SUPERLATIVE_PHRASE_PATTERN = re.compile(
    r"\b(?:one of )?(?:the|our|its|their|his|her|my|[A-Za-z]+['’]s) "
    r"(?:(?:second|third|single|very) )?"
    r"(?P<word>only|sole|first|worst|best|most|least|[a-z]{3,}est)\b"
    r"(?P<rest>(?: [a-z][\w'’-]*){1,4})",
    re.I,
)
_REACH_PATTERN = re.compile(
    r" since (?:the )?(?:[A-Z][\w’'-]*|\d{4}|[a-z]+)(?: [A-Z][\w’'-]*){0,2}| ever\b|"
    r" in (?:the )?(?:world|country|history|state)\b"
)
_ONLY_ONE_PATTERN = re.compile(
    r"\bthe only (?:one|ones|person|man|woman|candidate)(?: (?:on|in|of|at) (?:this|the|"
    r"our) [a-z]+)?\b"
)
_AGO_PATTERN = re.compile(r"\b[\w-]+ (?:days|weeks|months|years|decades) ago\b", re.I)
_NOUNS_OF_ANYTHING = frozenset("way thing things time reason problem question one ones".split())
# Any of them in the other text may say the same as a superlative: "no other country is as poor".
_WORDS_OF_RANK_PATTERN = re.compile(
    r"\b(?:only|sole|first|worst|best|most|least|last|top|bottom|leading|number one|no\. ?1|never|"
    r"ever|no other|any other|every other|all other|unlike|alone|unprecedented|record|rank\w*|"
    r"lead\w*|"
    r"more|less|\d+(?:st|nd|rd|th)|"
    r"\w{2,}er than|[a-z]{3,}est)\b",
    re.I,
)
_WORDS_AFTER_NOUN = frozenset(
    "that who which of in on at for to from by with and or but is are was were has have had we i "
    "he she it they you when as than up here there this we've i've you've they've you're they're "
    "he's she's it's since until ever".split()
)
_PERIOD_PREPOSITION_PATTERN = re.compile(r"\b(?:since|until|till|before|after)\s+$", re.I)


def uncovered_superlatives(
    text: str, other_text: str, other_vocabulary: Vocabulary
) -> Iterator[str]:
    """Yield the superlatives of a text if another text, with the same noun, ranks nothing."""
    if _WORDS_OF_RANK_PATTERN.search(other_text):
        return
    # "the only one"
    for only_one_match in _ONLY_ONE_PATTERN.finditer(text):
        yield only_one_match[0]
    # "the longest pier in the world" beside a text about a pier, "the only pier" beside any text
    for superlative_match in _SUPERLATIVE_PHRASE_PATTERN.finditer(text):
        superlative = superlative_match["word"].casefold()
        noun_words = _noun_words(superlative_match["rest"])
        if superlative in NO_SUPERLATIVES or superlative == "nearest" or not noun_words:
            continue
        if noun_words[0].casefold() in _NOUNS_OF_ANYTHING:
            continue
        is_single = superlative in ("only", "sole")
        noun_phrase = " ".join(["", *noun_words])
        phrase_end = superlative_match.start("rest") + len(noun_phrase)
        reach = _REACH_PATTERN.match(text, phrase_end)
        # "One of the worst deals ever" ranks whatever both texts are about.
        if is_single or reach or any(other_vocabulary.has(word) for word in noun_words):
            yield text[superlative_match.start() : reach.end() if reach else phrase_end]


def uncovered_periods(text: str, other_text: str) -> Iterator[str]:
    """Yield "since 1963" and the like if another text has no date and no period at all."""
    other_particulars = particulars(other_text)
    has_period = any(figure.kind in (TIME, RANK) for figure in other_particulars.numbers)
    if other_particulars.dates or has_period:
        return
    for date_mention in particulars(text).dates:
        preposition = _PERIOD_PREPOSITION_PATTERN.search(text[: date_mention.start])
        if date_mention.is_calendar_date and preposition:
            yield text[preposition.start() : date_mention.end]


def uncovered_dates_ago(text: str, other_text: str) -> Iterator[str]:
    """Yield "three years ago" of a text if another text is on other years alone."""
    other_dates = {date_match[0].casefold() for date_match in _AGO_PATTERN.finditer(other_text)}
    if not other_dates:
        return
    for date_match in _AGO_PATTERN.finditer(text):
        if date_match[0].casefold() not in other_dates:
            yield date_match[0]


def _noun_words(words: str) -> list[str]:
    """Return the words up to the first that begins another phrase."""
    noun_words = []
    for word in words.split():
        if word.casefold() in _WORDS_AFTER_NOUN:
            break
        noun_words.append(word)
    return noun_words
