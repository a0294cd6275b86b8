"""Past states: "once had nine ferries" and "still has nine ferries" cannot both be said of today.

A text has a word for the past, such as "once", "used to" or "no longer", or a word for today, such
as "still" or "now". A text with both compares the past with today.
"""

from __future__ import annotations

import re

from features.language.denials import denies
from features.language.text_pairs import AnalysedText, TextPair
from features.language.word_clashes import Clash

# Not "once again", "once a week" and "once he had won", and not "is used to sail"
_PAST_STATE_PATTERN = re.compile(
    r"""
    \bonce\b(?![ ](?:again|more|and|an?|every|each|per|in|the|this|that|all|i|we|you|he|she|it|
        they|his|her|our|your|their)\b)(?<!\bat[ ]once)(?<!\bfor[ ]once)(?<!\bonly[ ]once)
        (?=[ ][a-z]+)
    |(?<!\bis[ ])(?<!\bare[ ])(?<!\bwas[ ])(?<!\bwere[ ])(?<!\bbe[ ])(?<!\bbeen[ ])(?<!\bget[ ])
        (?<!\bgot[ ])(?<!\bbeing[ ])\bused[ ]to\b
    |\b(?:formerly|previously|no[ ]longer|not[ ](?:\w+[ ]){1,6}any[ ]?more|back[ ]then|
        in[ ]those[ ]days|at[ ]one[ ]time)\b
    """,
    re.X,
)
_STATE_OF_TODAY_PATTERN = re.compile(
    r"""
    \bstill\b(?![ ](?:more|less|fewer|higher|lower|another|other|further)\b)(?<!\bbut[ ]still)
        (?<!\byet[ ]still)(?<!\band[ ]still)
    |\b(?:now|today|currently|nowadays|to[ ]this[ ]day|at[ ]present|continues?[ ]to)\b
    """,
    re.X,
)
_USED_TO_PATTERN = re.compile(r"\bused to (?P<verb>[a-z]+)\b")
# "The oil used to heat the harbor is from Norway"
_OTHER_VERB_PATTERN = re.compile(
    r"(?:(?!\b(?:and|but|when|while|that|which|who|where)\b)[^.,;:!?])*"
    r"\b(?:is|are|was|were|has|have|had|will|would|comes?|came|costs?)\b"
)
_END_OF_STATE_PATTERN = re.compile(r"no longer|not ")
_WORDS_OF_EVENTS = frozenset(["once", "formerly", "previously"])
_PRESENT_FORMS = {"have": "has|have", "be": "is|are|am"}


def past_state_clash(pair: TextPair) -> Clash | None:
    """Return "once had" and "still has", or "used to have" and "has", or None."""
    if not pair.is_about_same_thing:
        return None
    for text, other, is_sentence_first in (
        (pair.sentence, pair.statement, True),
        (pair.statement, pair.sentence, False),
    ):
        past = _PAST_STATE_PATTERN.search(text.lower_text)
        if past is None or _STATE_OF_TODAY_PATTERN.search(text.lower_text):
            continue
        # "No longer has one" and "has none today"
        is_denied_too = denies(other.lower_text) and _END_OF_STATE_PATTERN.match(past[0])
        if is_denied_too or _PAST_STATE_PATTERN.search(other.lower_text):
            continue
        today = _STATE_OF_TODAY_PATTERN.search(other.lower_text) or _present(text, other)
        # "He once said" and "today he said" tell of two days.
        is_day_of_event = today is not None and today[0] == "today" and past[0] in _WORDS_OF_EVENTS
        if today is None or is_day_of_event:
            continue
        words = (
            text.text[past.start() : past.end()],
            other.text[today.start() : today.end()],
        )
        return Clash(*words) if is_sentence_first else Clash(*words[::-1])
    return None


def _present(text: AnalysedText, other: AnalysedText) -> re.Match[str] | None:
    """Return the present of the verb after "used to" in the other text, or None."""
    used_to = _USED_TO_PATTERN.search(text.lower_text)
    if used_to is None or _OTHER_VERB_PATTERN.match(text.lower_text, used_to.end()):
        return None
    verb = used_to["verb"]
    present_forms = _PRESENT_FORMS.get(verb, rf"{verb}|{verb}e?s")
    return re.search(rf"(?<!to )\b(?:{present_forms})\b(?! been\b)", other.lower_text)
