"""Quantifiers: "most pilots can swim", "some can" and "half of all can" are different claims.

"Only pilots can swim" differs from "pilots can swim", and "every pilot" from "every second pilot".
"""

from __future__ import annotations

import re

from features.language.stems import content_stem
from features.language.text_pairs import AnalysedText, TextPair
from features.language.word_clashes import Clash

_ALL = "all"
_MOST = "most"
_SOME = "some"
_PART = "part"
_ALL_BUT = "all but"
_EVERY_NTH = "every nth"
_PEOPLE = content_stem("people")
# Each quantifier before a noun, the narrower ones first
_QUANTIFIER_PATTERNS = tuple(
    (name, re.compile(rf"{pattern} (?:of )?(?:the |our |its |these |those )?(?P<noun>[a-z]+)"))
    for name, pattern in (
        (_ALL_BUT, r"\ball but (?:a few|one|two|three|four|five|\d+)(?: of)?"),
        (_PART, r"(?:\bhalf|\bthirds?|\bquarters?|percent|%|\bpart) of all"),
        (
            _EVERY_NTH,
            r"\bevery (?:other|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)",
        ),
        (_MOST, r"(?<!the )(?<!'s )\b(?:most|(?:a|the) majority of)"),
        (_SOME, r"\b(?:some|several|a (?:few|couple of))(?! \$?\d)"),
        (
            _ALL,
            r"(?<!not )(?<!almost )(?<!nearly )(?<!virtually )(?<!practically )(?<!about )"
            r"(?<! of )(?<!than )\b(?:all|every|each)",
        ),
    )
)
_EVERYBODY_PATTERN = re.compile(r"(?<!not )(?<!almost )(?<!nearly )\b(?:everybody|everyone)\b")
# "Only pilots can swim", "Lorne alone has a ferry"
_EXCLUSIVE_PATTERN = re.compile(
    r"^(?:and |but |so )?only (?:the |our )?(?!(?:when|if|because|in|after|at|by|then|one|a|an|about|"
    r"last|this|that|now|today|yesterday|recently|[a-z]+s (?:later|ago|before|after)|"
    r"two|three|four|five|six|seven|eight|nine|ten)\b)[a-z]+|"
    r"^[a-z' -]{1,40}?\b(?<!let )alone (?=(?:is|are|has|have|had|was|were|can|will|[a-z]+s)\b)"
)
_ANY_EXCLUSIVE_PATTERN = re.compile(
    r"\b(?:only|alone|lone|sole|solely|exclusively|single|just|no|nobody|none|not|never|nothing|"
    r"except|other|others|else|unlike)\b|n't\b"
)


def quantifier_clash(pair: TextPair) -> Clash | None:
    """Return "most pilots" and "some pilots" if the texts share no quantifier of a noun, or None."""
    if not pair.is_about_same_thing:
        return None
    said = _quantifiers(pair.sentence)
    claimed = _quantifiers(pair.statement)
    for noun in said.keys() & claimed.keys():
        names = said[noun].keys() | claimed[noun].keys()
        is_shared = bool(said[noun].keys() & claimed[noun].keys())
        if not is_shared and (_ALL in names or names == {_MOST, _SOME}):
            return Clash(next(iter(said[noun].values())), next(iter(claimed[noun].values())))
    return _exclusive_clash(pair)


def _quantifiers(text: AnalysedText) -> dict[str, dict[str, str]]:
    """Return the quantifiers of each noun with their words: {"pilot": {"some": "some pilots"}}."""
    words_by_noun: dict[str, dict[str, str]] = {}
    remaining_text = text.lower_text
    for name, pattern in _QUANTIFIER_PATTERNS:
        for match in pattern.finditer(remaining_text):
            noun = content_stem(match["noun"])
            if noun in text.words or noun == _PEOPLE:
                words = text.text[match.start() : match.end()]
                words_by_noun.setdefault(noun, {}).setdefault(name, words)
        # "All but two pilots" are not "all" of them.
        remaining_text = pattern.sub(lambda match: " " * len(match[0]), remaining_text)
    everybody = _EVERYBODY_PATTERN.search(text.lower_text)
    if everybody is not None:
        words_by_noun.setdefault(_PEOPLE, {})[_ALL] = text.text[slice(*everybody.span())]
    return words_by_noun


def _exclusive_clash(pair: TextPair) -> Clash | None:
    """Return "Only pilots" if the other text, a repetition, limits nothing, or None."""
    if not pair.is_repetition:
        return None
    for text, other, is_sentence_first in (
        (pair.sentence, pair.statement, True),
        (pair.statement, pair.sentence, False),
    ):
        exclusive = _EXCLUSIVE_PATTERN.search(text.lower_text)
        if exclusive is None or _ANY_EXCLUSIVE_PATTERN.search(other.lower_text):
            continue
        words = text.text[exclusive.start() : exclusive.end()].strip()
        return Clash(in_sentence=words) if is_sentence_first else Clash(in_statement=words)
    return None
