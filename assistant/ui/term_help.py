"""Explanations of Lectern's terms, shown on hover and on keyboard focus."""

from __future__ import annotations

import re

from assistant.ui.match_strength import STRENGTHS, strength_help
from assistant.ui.shown_text import escape

TERMS = {
    **{strength: strength_help(strength) for strength in STRENGTHS},
    "skipped": "Says nothing that can be checked: greetings, questions and opinions.",
}
_TERM_PATTERN = re.compile(rf"\b({'|'.join(TERMS)})\b")


def explained(text: str) -> str:
    """Return text as HTML in which each term explains itself on hover or focus."""
    return _TERM_PATTERN.sub(lambda match: term(match[1]), escape(text))


def term(word: str) -> str:
    """Return one term of ``TERMS`` with its explanation as HTML."""
    return with_tip(word, TERMS[word])


def with_tip(words: str, explanation: str) -> str:
    """Return words that explain themselves on hover or focus, as HTML."""
    tip = f'<span class="lx-tip" role="tooltip">{escape(explanation)}</span>'
    return f'<span class="lx-term" tabindex="0">{escape(words)}{tip}</span>'
