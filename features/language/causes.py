"""Causes: "because of the tariffs", "thanks to the law", which only one of two texts may give."""

from __future__ import annotations

import re

from features.language.text_pairs import AnalysedText, TextPair
from features.language.word_clashes import Clash

_CAUSE_PATTERN = re.compile(
    r"\b(?:because(?: of)?|due to|thanks to|owing to|caused by|as a (?:direct )?(?:result|consequence)"
    r" of|on account of|driven by|brought on by|attributable to)\b [^,.;:!?—]*"
)


def added_cause(pair: TextPair) -> Clash | None:
    """Return the cause that only one of two texts gives, or None."""
    if not pair.is_repetition:
        return None
    said = _cause(pair.sentence)
    claimed = _cause(pair.statement)
    if bool(said) == bool(claimed):
        return None
    if said and (_is_said_otherwise(said, pair.statement) or not _follows_repetition(said, pair)):
        return None
    if claimed and _is_said_otherwise(claimed, pair.sentence):
        return None
    return Clash(said, claimed)


def _cause(text: AnalysedText) -> str:
    match = _CAUSE_PATTERN.search(text.lower_text)
    return text.text[match.start() : match.end()].strip() if match else ""


def _follows_repetition(cause: str, pair: TextPair) -> bool:
    """Return whether a cause, "because of" something, directly follows the repeated words."""
    end = pair.sentence.word_ends[pair.shared_runs[-1].sentence_end - 1]
    is_phrase = not re.match(r"because (?!of\b)", cause.casefold())
    return is_phrase and pair.sentence.text[end:].strip().startswith(cause)


def _is_said_otherwise(cause: str, text: AnalysedText) -> bool:
    """Return whether a text has most of the words of a cause, in another construction."""
    words = [word for word in re.findall(r"[a-z]+", cause.casefold())[1:] if len(word) > 3]
    shared = [word for word in words if word in text.lower_text]
    return bool(words) and 2 * len(shared) > len(words)
