"""Words for all and for nearly all: "any major country" and "almost any major country".

A single exception settles a claim on all, and nothing of a claim on nearly all, so that the two are
other claims.
"""

from __future__ import annotations

import re

from features.language.stems import content_stem
from features.language.text_pairs import TextPair
from features.language.word_clashes import Clash

_UNIVERSAL = (
    r"any(?:one|body|thing|where)?|every(?:one|body|thing|where)?|all|each|none|no|nobody|nothing|"
    r"never|always|the (?:whole|entire)"
)
_HEDGE = r"almost|nearly|(?<!the )most(?= every| all\b)|virtually|practically|just about|pretty much|mostly"
_UNIVERSAL_PATTERN = re.compile(
    rf"\b(?P<hedge>(?:{_HEDGE}) )?(?P<universal>{_UNIVERSAL})\b(?! but\b)"
    rf"(?: (?:of|one|single|other|the|our|those|these)\b)*(?: (?P<next>[a-z][\w'-]*))?"
)
# "No more than" and "any more" say nothing of all.
_WORDS_AFTER_NO_UNIVERSAL = frozenset("more longer less fewer later better way doubt".split())


def hedged_universal_clash(pair: TextPair) -> Clash | None:
    """Return "almost any major" and "any major" if one text alone speaks of nearly all, or None."""
    if not pair.is_about_same_thing:
        return None
    said_phrases = _universals(pair.sentence.lower_text)
    checked_phrases = _universals(pair.statement.lower_text)
    for key, (is_said_hedged, said_span) in said_phrases.items():
        if key not in checked_phrases:
            continue
        is_checked_hedged, checked_span = checked_phrases[key]
        if is_said_hedged != is_checked_hedged:
            return Clash(
                pair.sentence.text[slice(*said_span)], pair.statement.text[slice(*checked_span)]
            )
    return None


def _universals(lower_text: str) -> dict[tuple[str, str], tuple[bool, tuple[int, int]]]:
    """Return each universal with the word after it: whether it is hedged, and where it stands.

    A universal that a text has with and without a hedge is left out.
    """
    universals: dict[tuple[str, str], tuple[bool, tuple[int, int]]] = {}
    ambiguous_keys = set()
    for match in _UNIVERSAL_PATTERN.finditer(lower_text):
        next_word = match["next"] or ""
        # "58 percent of all new income" speaks of a part of it.
        is_share = lower_text[: match.start()].endswith(" of ") and match["hedge"] is None
        if is_share or next_word in _WORDS_AFTER_NO_UNIVERSAL:
            continue
        key = (match["universal"], content_stem(next_word) if next_word else "")
        is_hedged = match["hedge"] is not None
        if universals.setdefault(key, (is_hedged, match.span()))[0] != is_hedged:
            ambiguous_keys.add(key)
    return {key: value for key, value in universals.items() if key not in ambiguous_keys}
