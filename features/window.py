"""The window of a sentence: the sentences before and after it, as context for the search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Window(NamedTuple):
    """How many sentences before and after a sentence belong to its window."""

    before: int
    after: int

    def of(self, texts: Sequence[str], place: int) -> str:
        """Return a sentence with its window, in reading order; at either end of the texts there is less."""
        return " ".join(texts[max(0, place - self.before) : place + self.after + 1])

    def each(self, texts: Sequence[str]) -> list[str]:
        """Return ``of`` for every sentence, in order."""
        return [self.of(texts, place) for place in range(len(texts))]


FINISHED = Window(before=2, after=2)
LIVE = Window(before=2, after=0)  # what follows has not been said yet
