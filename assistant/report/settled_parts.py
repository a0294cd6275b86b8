"""Settled parts of a compound sentence: those that its matches settle and those they leave open.

A match settles the part that its claim is about, and every part that its claim repeats almost
completely. A sentence is settled only if every part that states something has a strong or a
confirmed match: one half of a compound sentence does not answer the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from assistant.core.domain import CheckedSentence, Match
from assistant.passages.listing import is_confirmed
from features.language.sentence_parts import SentencePart, number_of_claimed_part, split
from features.language.text_pairs import analyse_text

MIN_REPEATED_SHARE = 0.6  # of a part's words, if a claim repeats the part
MIN_BROKEN_OFF_WORDS = 5  # words of a part that is broken off, from which it may state something
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_LEADING_WORDS_PATTERN = re.compile(r"^(?:[\s,;:—–-]+|(?:and|but|so|or|yet|plus)\b,?\s*)+", re.I)
_BROKEN_OFF_PATTERN = re.compile(r"(?:\.\.\.|…|--|—|–)\s*$")
_STATES_NOTHING_PATTERN = re.compile(
    r"^(?:and |but |so )*(?:i|we) (?:think|believe|hope|feel|wish|want|love|like|would|will|am|tell|mean)\b|\?$|"
    r"^(?:and |but |so )*(?:thank|let's|let me|look at|believe me)\b",
    re.I,
)


def is_settling(match: Match) -> bool:
    """Return whether a match is strong or confirmed, so that it settles the parts it is about."""
    return match.is_strong or is_confirmed(match)


def settles(sentence: str, statement: str) -> str:
    """Return the parts that a claim is about: ``the second part: “he voted for it”``.

    "" if it is about the whole sentence.
    """
    parts = split(sentence)
    indices = _partly_settled(parts, statement)
    if not indices:
        return ""
    ordinals = " and ".join(f"the {_ordinal(index)}" for index in indices)
    noun = "part" if len(indices) == 1 else "parts"
    quotes = "; ".join(f"“{parts[index].text}”" for index in indices)
    return f"{ordinals} {noun}: {quotes}"


def settled_parts(sentence: str, statement: str) -> tuple[SentencePart, ...]:
    """Return the parts that a claim is about, () if it is about the whole sentence."""
    parts = split(sentence)
    return tuple(parts[index] for index in _partly_settled(parts, statement))


def open_parts(checked: CheckedSentence) -> tuple[str, ...]:
    """Return the parts that no match settles, () if the sentence has one part."""
    settling = [match.claim.statement for match in checked.matches if is_settling(match)]
    return unsettled_parts(checked.sentence.text, settling)


def unsettled_parts(sentence: str, statements: Iterable[str]) -> tuple[str, ...]:
    """Return the parts of a sentence that no statement settles, () if it has one part."""
    parts = split(sentence)
    if len(parts) < 2:
        return ()
    settled_indices: set[int] = set()
    for statement in statements:
        settled_indices.update(_settled_indices(parts, statement))
    open_texts = []
    for index, part in enumerate(parts):
        if index not in settled_indices and _states_something(part):
            text = _LEADING_WORDS_PATTERN.sub("", part.text)
            open_texts.append(text.rstrip(" ,;:—–-"))
    return tuple(open_texts)


def left_open(checked: CheckedSentence) -> str:
    """Return the parts that strong matches leave open, in words, "" if there are none.

    Without a match that settles a part, the whole sentence is open, which needs no words.
    """
    if not any(is_settling(match) for match in checked.matches):
        return ""
    quotes = "; ".join(f"“{part}”" for part in open_parts(checked))
    return f"Not settled as a whole. No strong match for: {quotes}" if quotes else ""


def _partly_settled(parts: Sequence[SentencePart], statement: str) -> list[int]:
    """Return the indices of the parts that a claim settles, none if it settles all of them."""
    indices = _settled_indices(parts, statement)
    return indices if len(indices) < len(parts) else []


def _settled_indices(parts: Sequence[SentencePart], statement: str) -> list[int]:
    """Return the indices of the parts that a claim is about or repeats almost completely."""
    indices = set()
    # The number of the part, from 1; 0 if the claim is about none of them.
    number = number_of_claimed_part(parts, statement)
    if number:
        indices.add(number - 1)
    claim_words = set(analyse_text(statement).words)
    for index, part in enumerate(parts):
        part_words = set(analyse_text(part.text).words)
        repeated_count = len(part_words & claim_words)
        if part_words and repeated_count >= MIN_REPEATED_SHARE * len(part_words):
            indices.add(index)
    return sorted(indices)


def _states_something(part: SentencePart) -> bool:
    # "Who has said..."
    is_broken_off = _BROKEN_OFF_PATTERN.search(part.text) is not None
    if is_broken_off and len(part.text.split()) < MIN_BROKEN_OFF_WORDS:
        return False
    return bool(analyse_text(part.filled).words) and not _STATES_NOTHING_PATTERN.search(part.text)


def _ordinal(index: int) -> str:
    return _ORDINALS[index] if index < len(_ORDINALS) else f"{index + 1}th"
