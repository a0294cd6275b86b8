"""The words by which two texts differ."""

from __future__ import annotations

from typing import NamedTuple


class Clash(NamedTuple):
    """The words by which a sentence and a statement differ, "" if they cannot be named."""

    in_sentence: str = ""
    in_statement: str = ""
