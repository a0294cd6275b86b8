"""Causes: "because of the tariffs", "thanks to the law", which only one of two texts may give."""

from __future__ import annotations

import re

from features.language.text_pairs import AnalysedText, TextPair
from features.language.word_clashes import Clash

_CAUSE_PATTERN = re.compile(
    r"\b(?:because(?: of)?|due to|thanks to|owing to|caused by|as a (?:direct )?(?:result|consequence)"
    r" of|on account of|driven by|brought on by|attributable to)\b [^,.;:!?—]*"
)


def cause_clash(pair: TextPair) -> Clash | None:
    """Return the cause that only one of two texts gives, or None."""
    if not pair.is_repetition:
        return None
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
