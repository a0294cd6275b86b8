"""Context of a figure: the content words nearest to it, which show what it is a figure of."""

from __future__ import annotations

from collections.abc import Sequence

from features.language.figures.spelling import Token
from features.language.function_words import ANYWHERE
from features.language.stems import topic

CONTEXT_WORDS = 5  # on each side


def contexts(tokens: Sequence[Token], spans: Sequence[tuple[int, int]]) -> list[frozenset[str]]:
    """Return the stems of the content words around each figure, given by its span in the text."""
    word_starts = []
    stems = []
    for token in tokens:
        in_figure = any(start <= token.start < end for start, end in spans)
        # Words such as "year" stand next to any figure and tell nothing about it.
        word_topic = topic(token.word)
        is_anywhere = token.word.removesuffix("s") in ANYWHERE
        if word_topic and not is_anywhere and not in_figure:
            word_starts.append(token.start)
            stems.append(word_topic)
    contexts_of_figures = []
    for start, _ in spans:
        preceding = sum(word_start < start for word_start in word_starts)
        nearest = stems[max(0, preceding - CONTEXT_WORDS) : preceding + CONTEXT_WORDS]
        contexts_of_figures.append(frozenset(nearest))
    return contexts_of_figures
