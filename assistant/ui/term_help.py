"""Explanations of Lectern's terms, shown on hover and on keyboard focus."""

from __future__ import annotations

import re

from assistant.ui.shown_text import escape

TERMS = {
    "check-worthy": "Says something that can be checked; greetings, questions and opinions are left out.",
    "likely": "Of such matches nine of ten settle what is said or a part of it, seven all of it. Read the article.",
    "possible": "May be the same claim, or only close to it: compare both texts before you use it.",
    "Stance": "Whether the sentence repeats the checked claim or says the opposite, as far as Lectern can tell.",
    "as of the event": "Only with what had been checked before the day of the event.",
}
_TERM_PATTERN = re.compile(rf"\b({'|'.join(TERMS)})\b")


def explained(text: str) -> str:
    """Return text as HTML in which each term explains itself on hover or focus."""
    return _TERM_PATTERN.sub(lambda match: term(match[1]), escape(text))


def term(word: str) -> str:
    """Return one term of ``TERMS`` with its explanation as HTML."""
    explanation = f'<span class="lx-tip" role="tooltip">{escape(TERMS[word])}</span>'
    return f'<span class="lx-term" tabindex="0">{escape(word)}{explanation}</span>'
