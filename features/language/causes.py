"""Causes: "because of the tariffs", "thanks to the law", which only one of two texts may give."""

from __future__ import annotations

import re

from features.language.text_pairs import AnalysedText, TextPair
from features.language.vocabulary import vocabulary
from features.language.word_clashes import Clash

_CAUSE_PATTERN = re.compile(
    r"\b(?:because(?: of)?|due to|thanks to|owing to|caused by|as a (?:direct )?(?:result|consequence)"
    r" of|on account of|driven by|brought on by|attributable to)\b [^,.;:!?—]*"
)
# A condition or an exception, which is not a cause of the same thing
_CONDITION_PATTERN = re.compile(
    r"\b(?:if|unless|without|except for|excluding|leaving out|despite|in spite of|regardless of|"
    r"even though|although|apart from|not counting)\b [^,.;:!?—]*"
)


def cause_clash(pair: TextPair) -> Clash | None:
    """Return the cause that only one of two texts gives, or None."""
    if not pair.is_about_same_thing:
        return None
    condition_clash = _condition_for_cause(pair)
    if condition_clash or not pair.is_repetition:
        return condition_clash
    sentence_cause = _cause(pair.sentence)
    statement_cause = _cause(pair.statement)
    only_one_gives_cause = bool(sentence_cause) != bool(statement_cause)
    if not only_one_gives_cause:
        return None
    if sentence_cause:
        is_in_statement = _is_worded_otherwise(sentence_cause, pair.statement)
        if is_in_statement or not _follows_repetition(sentence_cause, pair):
            return None
    if statement_cause and _is_worded_otherwise(statement_cause, pair.sentence):
        return None
    return Clash(sentence_cause, statement_cause)


def _condition_for_cause(pair: TextPair) -> Clash | None:
    """Return the cause of one text and the condition that the other gives instead, or None.

    "Because of the rule", "if you leave out the rule"
    """
    clauses = []
    for text in (pair.sentence, pair.statement):
        condition = _CONDITION_PATTERN.search(text.lower_text)
        words = text.text[condition.start() : condition.end()].strip() if condition else ""
        clauses.append((_cause(text), words))
    (sentence_cause, sentence_condition), (statement_cause, statement_condition) = clauses
    if sentence_cause and statement_condition and not (statement_cause or sentence_condition):
        said, claimed = sentence_cause, statement_condition
    elif statement_cause and sentence_condition and not (sentence_cause or statement_condition):
        said, claimed = sentence_condition, statement_cause
    else:
        return None
    shares_words = bool(vocabulary(claimed).shared_topics(said))
    return Clash(said, claimed) if shares_words else None


def _cause(text: AnalysedText) -> str:
    match = _CAUSE_PATTERN.search(text.lower_text)
    return text.text[match.start() : match.end()].strip() if match else ""


def _follows_repetition(cause: str, pair: TextPair) -> bool:
    """Return whether a cause, "because of" something, directly follows the repeated words."""
    last_shared_word = pair.shared_runs[-1].sentence_end - 1
    repetition_end = pair.sentence.word_ends[last_shared_word]
    # "because prices rose" is a clause and not a phrase.
    is_phrase = not re.match(r"because (?!of\b)", cause.casefold())
    return is_phrase and pair.sentence.text[repetition_end:].strip().startswith(cause)


def _is_worded_otherwise(cause: str, text: AnalysedText) -> bool:
    """Return whether a text has most of the words of a cause, in another construction."""
    # Without the first word, "because" or the like, and without short words.
    words = [word for word in re.findall(r"[a-z]+", cause.casefold())[1:] if len(word) > 3]
    shared_words = [word for word in words if word in text.lower_text]
    return bool(words) and len(shared_words) > len(words) / 2
