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
    ordered_spans = sorted(spans)
    span_starts = [start for start, _ in ordered_spans]
    # The last end of each span and of those before it, which may overlap.
    last_ends = list(accumulate((end for _, end in ordered_spans), max))
    word_starts: list[int] = []
    stems = []
    for token in tokens:
        begun_spans = bisect_right(span_starts, token.start)
        in_figure = begun_spans > 0 and token.start < last_ends[begun_spans - 1]
        # Words such as "year" stand next to any figure and tell nothing about it.
        word_topic = topic(token.word)
        is_anywhere = token.word.removesuffix("s") in WORDS_NEAR_ANY_FIGURE
        if word_topic and not is_anywhere and not in_figure:
            word_starts.append(token.start)
            stems.append(word_topic)
    contexts_of_figures = []
    for start, _ in spans:
        # As many words before the figure as behind it
        preceding_count = bisect_left(word_starts, start)
        first_word = max(0, preceding_count - CONTEXT_WORDS)
        nearest_stems = stems[first_word : preceding_count + CONTEXT_WORDS]
        contexts_of_figures.append(frozenset(nearest_stems))
    return contexts_of_figures
