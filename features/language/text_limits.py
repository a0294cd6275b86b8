"""Limits of the texts that the rules of language read.

The rules compare one sentence with one statement. A longer text, or a table of figures, is neither.
Lectern says nothing about it, because a comparison of its first part alone may name a difference
that the rest explains.
"""

from __future__ import annotations

MAX_CHARACTERS = 2_000  # a longer text is more than one statement
MAX_FIGURES = 60  # a text with more figures is a table; statements have 17 at most
MAX_JOINTS = 150  # marks and joining words; a text with more is a list, and not a sentence
