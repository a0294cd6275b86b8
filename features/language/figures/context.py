"""The context of a figure: the content words nearest to it, which show what it is a figure of."""

from __future__ import annotations

from collections.abc import Sequence

from features.language.figures.spelling import Token
from features.language.function_words import ANYWHERE
from features.language.stems import topic

NEAREST = 5  # content words on each side


def contexts(words: Sequence[Token], spans: Sequence[tuple[int, int]]) -> list[frozenset[str]]:
    """Return for each figure, given by its span in the text, the stems of the content words around it."""
    content = [
        (token.start, about)
        for token in words
        if (about := topic(token.word))
        and token.word.removesuffix("s") not in ANYWHERE
        and not any(start <= token.start < end for start, end in spans)
    ]
    places = [place for place, _ in content]
    stems = [about for _, about in content]
    around = []
    for start, _ in spans:
        here = sum(place < start for place in places)
        around.append(frozenset(stems[max(0, here - NEAREST) : here + NEAREST]))
    return around
