"""Denials that only set a limit or a date: "no senior pays more than $35", "not until 1971".

Another text may say the same without a denial: "the price is capped at $35", "only in 1971".
"""

from __future__ import annotations

import re

from features.language import agreement
from features.language.pattern_parts import any_of
from features.language.text_pairs import AnalysedText, TextPair

_DENIAL = r"(?:\b(?:no|not|none|nobody|never)\b|n't\b)"
_DENIED_EXCESS_PATTERN = re.compile(
    _DENIAL + r"[^.,;:]{0,60}?\b(?:more than|over|above|exceed\w*|even)\b"
)
_LIMIT_PATTERN = re.compile(
    any_of(
        r"\b(?:cap|caps|capped|limit|limits|limited|maximum)\b",
        r"\b(?:at most|up to|under|below|less than|fewer than|no more than|only)\b",
    )
)
_NOT_UNTIL_PATTERN = re.compile(_DENIAL + r"[^.;:]{0,80}?\b(?:until|till|before)\b")
_ONLY_THEN_PATTERN = re.compile(
    any_of(
        r"\bonly (?:in|since|after)\b",
        r"\b(?:took|waited|had to wait) (?:until|till)\b",
        r"\bfor the first time (?:in|since)\b",
    )
)
_NOT_SINCE_PATTERN = re.compile(_DENIAL + r"[^.;:]{0,80}?\bsince\b")
_LAST_TIME_PATTERN = re.compile(
    r"\bgo(?:ing)? (?:all the way )?back to\b|\bthe last time\b|\blast (?:did|had|was|were)\b"
)
_NOT_SINCE_THEN_PATTERN = re.compile(r"\bnot since\b[^.;:]{0,60}?\b(?:has|have|had|did|was|were)\b")
_FIRST_SINCE_PATTERN = re.compile(r"\bfirst\b[^.;:]{0,60}?\bsince\b")
# A denial of the first kind says the same as a text of the second kind about the same date.
_WAYS_TO_DATE = (
    (_NOT_UNTIL_PATTERN, _ONLY_THEN_PATTERN),
    (_NOT_SINCE_PATTERN, _LAST_TIME_PATTERN),
)


def sets_denied_limit(pair: TextPair) -> bool:
    """Return whether one text denies an excess or an earlier time, and the other gives the limit."""
    return denies_excess(pair) or denies_other_date(pair) or _are_first_since(pair)


def denies_excess(pair: TextPair) -> bool:
    """Return whether one text says "no more than $35" and the other "$35 at most"."""
    for text, other in ((pair.sentence, pair.statement), (pair.statement, pair.sentence)):
        if not _DENIED_EXCESS_PATTERN.search(text.lower_text):
            continue
        if not _LIMIT_PATTERN.search(other.lower_text):
            continue
        equal_pairs, _, _ = agreement.pair_figures(
            text.particulars.numbers, other.particulars.numbers
        )
        if equal_pairs:
            return True
    return False


def denies_other_date(pair: TextPair) -> bool:
    """Return whether one text says "not until 1971" and the other "only in 1971"."""
    for text, other in ((pair.sentence, pair.statement), (pair.statement, pair.sentence)):
        for denied, affirmed in _WAYS_TO_DATE:
            is_same_way = denied.search(text.lower_text) and affirmed.search(other.lower_text)
            if is_same_way and _share_date(text, other):
                return True
    return False


def _are_first_since(pair: TextPair) -> bool:
    """Return whether one text says "not since Moss had a mayor" and the other "first since Moss"."""
    for text, other in ((pair.sentence, pair.statement), (pair.statement, pair.sentence)):
        is_not_since = _NOT_SINCE_THEN_PATTERN.search(text.lower_text) is not None
        if is_not_since and _FIRST_SINCE_PATTERN.search(other.lower_text):
            return True
    return False


def _share_date(text: AnalysedText, other: AnalysedText) -> bool:
    """Return whether two texts name the same date, day for day."""
    periods = {mention.period for mention in text.particulars.dates}
    return any(mention.period in periods for mention in other.particulars.dates)
