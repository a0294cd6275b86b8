"""Multiples and shares of one base: "half the national average" and "twice the national average".

Multiples and shares are figures of different kinds, which the rules for figures don't compare.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from features.language.figures.numbers import MULTIPLE, PERCENT, Figure
from features.language.function_words import FUNCTION_WORDS
from features.language.role_exchange import is_restated_conversely
from features.language.stems import content_stem
from features.language.text_pairs import AnalysedText, TextPair
from features.language.word_clashes import Clash

MAX_DIFFERENCE = 0.1  # between equal factors, as a share of the larger one
_BASE_PATTERN = re.compile(
    r" (?:of )?(?:what (?P<clause>[^.,;:!?]+)|"
    r"(?:that of |as [a-z]+ as )?(?:the |our |its |their )?(?P<base>[a-z]+(?: [a-z]+)?))"
)
_COMPARISON_AFTER_PATTERN = re.compile(
    r" (?:as [a-z]+|more|less|fewer|higher|lower|larger|smaller|greater)\b"
)


class _Multiple(NamedTuple):
    """A figure that multiplies a base, such as "twice" before "the national average"."""

    figure: Figure
    factor: float
    base: tuple[str, ...]  # stems of the words of the base
    is_compared: bool  # "as much" or "more" follows


def multiple_clash(pair: TextPair) -> Clash | None:
    """Return the multiple of one text and the share of the other of the same base, or None.

    "Ten percent more" and "ten times as much" clash, too: the same number of another kind.
    """
    if not pair.is_about_same_subject:
        return None
    for said, claimed in product(_multiples(pair.sentence), _multiples(pair.statement)):
        if said.figure.kind == claimed.figure.kind:
            continue
        has_same_base = bool(said.base) and said.base == claimed.base
        has_same_number = said.figure.low == claimed.figure.low
        is_compared = said.is_compared and claimed.is_compared
        if not has_same_base and not (has_same_number and is_compared):
            continue
        if _have_same_factor(said, claimed):
            continue
        if not is_restated_conversely(pair):
            return Clash(said.figure.text, claimed.figure.text)
    return None


def is_said_as_other_kind(figure: Figure, pair: TextPair) -> bool:
    """Return whether the sentence has "twice the average" for "200 percent of the average"."""
    for said, claimed in product(_multiples(pair.sentence), _multiples(pair.statement)):
        has_same_base = bool(said.base) and said.base == claimed.base
        if claimed.figure == figure and has_same_base and _have_same_factor(said, claimed):
            return True
    return False


def _have_same_factor(multiple: _Multiple, other: _Multiple) -> bool:
    difference = abs(multiple.factor - other.factor)
    return difference <= MAX_DIFFERENCE * max(multiple.factor, other.factor)


def _stems_of_base(base: re.Match[str]) -> tuple[str, ...]:
    # In "triple what it was", all words of the base are function words.
    if base["clause"]:
        return tuple(map(content_stem, base["clause"].split()))
    words = base["base"].split()
    return tuple(content_stem(word) for word in words if word not in FUNCTION_WORDS)


def _multiples(text: AnalysedText) -> Iterator[_Multiple]:
    """Yield the multiples and shares of a text, each with the words of its base."""
    for figure in text.particulars.numbers:
        if figure.kind not in (MULTIPLE, PERCENT):
            continue
        base = _BASE_PATTERN.match(text.lower_text, figure.end)
        stems = () if base is None else _stems_of_base(base)
        factor = figure.low if figure.kind == MULTIPLE else figure.low / 100
        is_compared = _COMPARISON_AFTER_PATTERN.match(text.lower_text, figure.end) is not None
        yield _Multiple(figure, factor, stems, is_compared)
