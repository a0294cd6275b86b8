"""Context of a figure: the content words nearest to it, which show what it is a figure of."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from features.language.figures.spelling import Token
from features.language.function_words import WORDS_NEAR_ANY_FIGURE
from features.language.stems import topic

CONTEXT_WORDS = 5  # on each side


def contexts(tokens: Sequence[Token], spans: Sequence[tuple[int, int]]) -> list[frozenset[str]]:
    """Return the stems of the content words around each figure, given by its span in the text."""
    if not spans:
        return []
    # The figure of "unemployment fell to 5 percent in Ohio" has "unemployment", "fell", "Ohio".
    word_starts: list[int] = []
    stems: list[str] = []
    for token in _tokens_outside(tokens, spans):
        # Words such as "year" stand next to any figure and tell nothing about it.
        is_anywhere = token.word.removesuffix("s") in WORDS_NEAR_ANY_FIGURE
        stem = topic(token.word)
        if stem and not is_anywhere:
            word_starts.append(token.start)
            stems.append(stem)
    contexts_of_figures = []
    for figure_start, _ in spans:
        preceding_count = bisect_left(word_starts, figure_start)
        first_word = max(0, preceding_count - CONTEXT_WORDS)
        nearest_stems = stems[first_word : preceding_count + CONTEXT_WORDS]
        contexts_of_figures.append(frozenset(nearest_stems))
    return contexts_of_figures


def _tokens_outside(tokens: Sequence[Token], spans: Sequence[tuple[int, int]]) -> list[Token]:
    """Return the tokens that begin in none of the spans, which may overlap."""
    ordered_spans = sorted(spans)
    span_starts = [start for start, _ in ordered_spans]
    # For each span, the last end among it and the spans before it.
    last_ends = list(accumulate((end for _, end in ordered_spans), max))
    outside_tokens = []
    for token in tokens:
        begun_spans = bisect_right(span_starts, token.start)
        is_inside = begun_spans > 0 and token.start < last_ends[begun_spans - 1]
        if not is_inside:
            outside_tokens.append(token)
    return outside_tokens
