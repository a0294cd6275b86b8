"""The words by which two texts differ."""

from __future__ import annotations

from typing import NamedTuple


class Clash(NamedTuple):
    """The words by which a sentence and a statement differ, "" if they cannot be named."""

    in_sentence: str = ""
    in_statement: str = ""


def in_other_order(clash: Clash | None) -> Clash | None:
    """Return a clash with the words of both texts exchanged, None for None."""
    return Clash(clash.in_statement, clash.in_sentence) if clash else None
