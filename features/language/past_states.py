"""Past states: "once had nine ferries" and "still has nine ferries" cannot both be said of today.

A text has a word for the past, such as "once", "used to" or "no longer", or a word for today, such
as "still" or "now". A text with both compares the past with today.
"""

from __future__ import annotations

import re

from features.language.denials import denies, negative_forms
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
    |\b(?:formerly|previously|no[ ]longer(?![ ]than\b)|(?:not|\w+n't)[ ](?:\w+[ ]){1,6}any[ ]?more|back[ ]then|
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
_NO_LONGER = "no longer"
_END_OF_STATE_PATTERN = re.compile(rf"{_NO_LONGER}|not |\w+n't ")
_WORDS_OF_EVENTS = frozenset(["once", "formerly", "previously"])
# "Formerly had", "was once": a state, not an event
_PAST_OF_STATE_PATTERN = re.compile(
    r"\b(?:once|formerly|previously) (?:had|was|were)\b|"
    r"\b(?:had|was|were|been) (?:once|formerly|previously)\b"
)
_PRESENT_OF_STATE_PATTERN = re.compile(r"\b(?:is|are|has|have)\b")
_IRREGULAR_PRESENTS = {
    "have": r"\b(?:has|have)\b",
    # "She's a pilot", but not "the mayor's" and not "she's sailed"
    "be": r"\b(?:is|are|am)\b|\b(?:i|you|he|she|it|we|they|that|there)'(?:m|s|re)(?= (?:an?|the)\b)",
}


def past_state_clash(pair: TextPair) -> Clash | None:
    """Return "once had" and "still has", or "used to have" and "has", or None."""
    if not pair.is_about_same_thing or tell_of_same_past(pair):
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
        words_for_today = _words_for_today(text, past, other)
        if words_for_today is None and _ends_repeated_state(pair, text, past, other):
            words_for_today = ""
        if words_for_today is None:
            continue
        words = (text.text[past.start() : past.end()], words_for_today)
        return Clash(*words) if is_sentence_first else Clash(*words[::-1])
    return None


def ends_state(text: AnalysedText) -> bool:
    """Return whether a text says that something is "no longer" so."""
    past = _PAST_STATE_PATTERN.search(text.lower_text)
    return past is not None and past[0] == _NO_LONGER


def tell_of_same_past(pair: TextPair) -> bool:
    """Return whether one text says "used to make" and the other "don't make any more"."""
    states = []
    for text in (pair.sentence, pair.statement):
        past = _PAST_STATE_PATTERN.search(text.lower_text)
        if past is None:
            return False
        states.append(_END_OF_STATE_PATTERN.match(past[0]) is not None)
    return states[0] != states[1]


def _words_for_today(text: AnalysedText, past: re.Match[str], other: AnalysedText) -> str | None:
    """Return the words by which the other text speaks of today, or None."""
    today = _STATE_OF_TODAY_PATTERN.search(other.lower_text) or _present(text, other)
    if today is None or _is_day_of_event(text, past, other, today):
        return None
    return other.text[today.start() : today.end()]


def _ends_repeated_state(
    pair: TextPair, text: AnalysedText, past: re.Match[str], other: AnalysedText
) -> bool:
    """Return whether a text has "no longer owns" in its repetition of another one with "owns"."""
    if past[0] != _NO_LONGER or not pair.is_repetition or pair.is_opposite:
        return False
    # "No longer safe" is unsafe.
    if denies(other.lower_text) or negative_forms(other.lower_text, text.lower_text):
        return False
    words_before = text.lower_text[: past.start()].split()
    words_after = text.lower_text[past.end() :].split()
    # "Is no longer safe" and "is safe"
    is_of_be = bool(words_before) and words_before[-1] in ("is", "are")
    verb = "is|are" if is_of_be else re.escape((words_after or [""])[0])
    return bool(verb) and re.search(rf"\b(?:{verb})\b", other.lower_text) is not None


def _is_day_of_event(
    text: AnalysedText, past: re.Match[str], other: AnalysedText, today: re.Match[str]
) -> bool:
    """Return whether the texts tell of events on two days: "he once said", "today he said"."""
    if today[0] != "today" or past[0] not in _WORDS_OF_EVENTS:
        return False
    is_past_state = _PAST_OF_STATE_PATTERN.search(text.lower_text) is not None
    is_present_state = _PRESENT_OF_STATE_PATTERN.search(other.lower_text) is not None
    return not (is_past_state and is_present_state)


def _present(text: AnalysedText, other: AnalysedText) -> re.Match[str] | None:
    """Return the present of the verb after "used to" in the other text, or None."""
    used_to = _USED_TO_PATTERN.search(text.lower_text)
    if used_to is None or _OTHER_VERB_PATTERN.match(text.lower_text, used_to.end()):
        return None
    verb = used_to["verb"]
    present = _IRREGULAR_PRESENTS.get(verb, rf"\b(?:{verb}(?:e?s)?|{verb[:-1]}ies)\b")
    return re.search(rf"(?<!to )(?:{present})(?! been\b)", other.lower_text)
