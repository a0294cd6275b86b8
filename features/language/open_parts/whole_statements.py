"""Whether a sentence says the whole of a statement, or a part or another version of it.

A claim is repeated by a sentence that says all of it. More that the sentence says takes nothing
from the claim.
"""

from __future__ import annotations

import re
from functools import lru_cache

from features.language.agreement import are_comparable, particulars
from features.language.function_words import FUNCTION_WORDS
from features.language.open_parts.degrees import STATEMENT_BREAK_PATTERN
from features.language.open_parts.partial_coverage import (
    FIGURES,
    PLAN,
    REMAINDER,
    STRENGTH,
    SUPPOSITION,
    UNCHECKED,
    UNSAID,
    uncovered_parts,
)
from features.language.same_words import same_words
from features.language.stems import topic

MAX_CACHED_PAIRS = 16_384
MIN_SAID_SHARE = 0.6  # words of each sentence of a statement that are said
MIN_WORDS_OF_SENTENCE = 2  # a shorter one in a statement says nothing by itself
_PARTS_OF_FIRST_TEXT = (UNCHECKED, REMAINDER)
_PARTS_OF_STATEMENT = (FIGURES, PLAN, STRENGTH, SUPPOSITION, UNSAID)
# "Many more than 60,000" and "almost twice" are other claims than "60,000" and "twice".
_BOUND_PATTERN = re.compile(
    r"\b(?:(?:many|far|much|well|way) (?:more|less|fewer|over|above|beyond|under|below)|"
    r"almost|nearly|close to|not quite)\b",
    re.I,
)


@lru_cache(maxsize=MAX_CACHED_PAIRS)
def says_whole_statement(sentence: str, statement: str) -> bool:
    """Return whether a sentence leaves nothing of a statement out and changes none of it.

    A text that is too long to compare is not.
    """
    if not are_comparable(sentence, statement):
        return False
    sentence_has_bound = _BOUND_PATTERN.search(sentence) is not None
    statement_has_bound = _BOUND_PATTERN.search(statement) is not None
    if sentence_has_bound != statement_has_bound:
        return False
    if f" {same_words(statement)} " in f" {same_words(sentence)} ":
        return True
    if not _says_each_sentence(sentence, statement):
        return False
    for kind, _ in uncovered_parts(sentence, statement):
        if kind in _PARTS_OF_STATEMENT:
            return False
    # With the texts exchanged, the first one is the statement.
    exchanged_parts = uncovered_parts(statement, sentence)
    return not any(kind in _PARTS_OF_FIRST_TEXT for kind, _ in exchanged_parts)


def _says_each_sentence(sentence: str, statement: str) -> bool:
    """Return whether a sentence has most words and all names of each sentence of a statement.

    A statement of one sentence is not looked at: "she" may stand for the name that it has.
    """
    texts = [
        text
        for text in STATEMENT_BREAK_PATTERN.split(statement)
        if len(_topics_and_figures(text)) >= MIN_WORDS_OF_SENTENCE
    ]
    if len(texts) < 2:
        return True
    said_topics = _topics_and_figures(sentence)
    for text in texts:
        topics = _topics_and_figures(text)
        names = {topic(name) or name for name in particulars(text).names}
        if len(topics & said_topics) < MIN_SAID_SHARE * len(topics) or names - said_topics:
            return False
    return True


def _topics_and_figures(text: str) -> set[str]:
    """Return the topics of the words of a text, and its figures as they are."""
    words = [word for word in same_words(text).split() if word not in FUNCTION_WORDS]
    return {topic(word) or word for word in words}
