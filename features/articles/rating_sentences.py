"""Rating sentences of a fact-checking article, and the beginning of its closing summary.

Evidence leaves them out: a sentence that names the verdict would give the answer away.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_HEADING_PATTERN = re.compile(
    r"^\W*(?:(?:our|the)\s*)?(?:final\s+)?(?:ruling|rating|conclusion|verdict)s?\b", re.IGNORECASE
)
_MAX_HEADING_WORDS = 7
_RATING = (
    r"(?:pants[- ]on[- ]fire|(?:mostly|barely|half)[- ](?:true|false)|(?:full|half|no)[- ]flip|"
    r"full[- ]flop|true|false|"
    r"correct|incorrect|misleading|unproven|\w+ pinocchios?)"
)
_ENDS_IN_RATING_PATTERN = re.compile(rf"\b{_RATING}\b[\W_]*$", re.IGNORECASE)
_RATES_CLAIM_PATTERN = re.compile(
    r"^\W*(?:(?:so|and|but|thus|therefore|overall|for (?:that|this|these|those)(?: "
    r"reasons?)?),?\s+)?"
    r"(?:we(?:['’]d|['’]ll| would| will| have)?\s+(?:rate|rated|rule|ruled|find|found|judge|call|"
    r"give)\b|"
    r"(?:our|the)\s+(?:ruling|rating|verdict)\b|"
    r"(?:this|that|the|his|her|their|it)\b[^,;]{0,60}\b(?:rates?|earns?|gets?|merits?|rated)\b|"
    r"(?:that|this|it)(?:['’]s|\s+is)\s+(?:a\s+)?)",
    re.IGNORECASE,
)
_REASON_PATTERN = re.compile(
    r"\b(?:because|since|but|although|though|while|however|as there|given that|despite)\b",
    re.IGNORECASE,
)
# What the Truth-O-Meter's ratings mean, in PolitiFact's own words: true of every claim with that
# rating.
_RATING_DEFINITION_PATTERN = re.compile(
    r"\b(?:accurate|true|correct|right) but (?:needs (?:clarification|additional|more|further|"
    r"some)|leaves out|"
    r"is missing|omits|lacks)\b|\belements? of truth,? but (?:it )?(?:ignores|leaves|omits)|"
    r"\bnothing significant (?:is )?missing\b",
    re.IGNORECASE,
)
_NAMES_RATING_PATTERN = re.compile(
    r"\b(?:pants[- ]on[- ]fire|truth-o-meter|(?:mostly|barely|half)[- ](?:true|false)|(?:full|"
    r"half|no)[- ]fl[io]p)\b|"
    r"\b(?:rat(?:e|ed|es|ing)|rul(?:e|ed|es|ing)|earns?|verdict)\b[^.]{0,80}\b(?:true|false|"
    r"correct|incorrect)\b|"
    r"\bour (?:ruling|rating|verdict)\b",
    re.IGNORECASE,
)
_RATING_CHARACTERS = 40  # characters
_MAX_BARE_RATING_WORDS = 4  # words: "Pants on Fire!"
MIN_EVIDENCE_WORDS = (
    4  # words of a sentence that can be evidence; a shorter one is a heading or a fragment
)


def is_bare_rating(sentence: str) -> bool:
    """Return whether a sentence states the rating, or its definition, and no reason.

    "We rate this claim False."

    A card shows the rating already, so a list of decisive sentences may leave such sentences out.
    """
    if _RATING_DEFINITION_PATTERN.search(sentence):
        return True
    ending = sentence[-_RATING_CHARACTERS:]
    is_question = sentence.rstrip().endswith("?")
    if is_question or not _ENDS_IN_RATING_PATTERN.search(ending):
        return False
    is_short = len(sentence.split()) <= _MAX_BARE_RATING_WORDS
    if is_short:
        # "That is not true" says more than a rating.
        is_denial = re.search(r"\bnot\b|n['’]t\b", sentence) is not None
        return not is_denial
    # "We rate this claim False", without a reason
    rates_claim = _RATES_CLAIM_PATTERN.match(sentence) is not None
    gives_reason = _REASON_PATTERN.search(sentence) is not None
    return rates_claim and not gives_reason


def reveals_rating(text: str) -> bool:
    """Return whether a sentence names the rating of a fact-check, this one's or another's."""
    return bool(_NAMES_RATING_PATTERN.search(text)) or is_bare_rating(text)


def body_end(sentences: Sequence[str]) -> int:
    """Return how many sentences precede the closing summary; all of them if there is none.

    The summary begins at its heading in the second half ("Our ruling"), or else with the bare
    ratings at the very end.
    """
    # The last heading of the second half: "Our ruling".
    middle = len(sentences) // 2
    for position in reversed(range(middle, len(sentences))):
        sentence = sentences[position]
        if _HEADING_PATTERN.match(sentence) and len(sentence.split()) <= _MAX_HEADING_WORDS:
            return position
    body_length = len(sentences)
    while body_length and is_bare_rating(sentences[body_length - 1]):
        body_length -= 1
    if body_length == 0:  # nothing but ratings
        return len(sentences)
    return body_length


def readable(sentences: Sequence[str]) -> list[int]:
    """Return the positions of an article's sentences that may serve as evidence, in order.

    The closing summary and every sentence that names a rating are left out.
    """
    readable_indices = []
    for index in range(body_end(sentences)):
        sentence = sentences[index]
        if len(sentence.split()) >= MIN_EVIDENCE_WORDS and not reveals_rating(sentence):
            readable_indices.append(index)
    return readable_indices
