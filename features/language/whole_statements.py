"""Whether a sentence says the whole of a statement, or a part or another version of it.

A claim is repeated by a sentence that says all of it. More that the sentence says takes nothing
from the claim.
"""

from __future__ import annotations

from functools import lru_cache

from features.language.partial_coverage import (
    FIGURES,
    PLAN,
    REMAINDER,
    STRENGTH,
    SUPPOSITION,
    UNCHECKED,
    UNSAID,
    uncovered_parts,
)
from features.language.same_words import same_words

MAX_CACHED_PAIRS = 16_384
_PARTS_OF_FIRST_TEXT = (UNCHECKED, REMAINDER)
_PARTS_OF_STATEMENT = (FIGURES, PLAN, STRENGTH, SUPPOSITION, UNSAID)


@lru_cache(maxsize=MAX_CACHED_PAIRS)
def says_whole_statement(sentence: str, statement: str) -> bool:
    """Return whether a sentence leaves nothing of a statement out and changes none of it."""
    if f" {same_words(statement)} " in f" {same_words(sentence)} ":
        return True
    for kind, _ in uncovered_parts(sentence, statement):
        if kind in _PARTS_OF_STATEMENT:
            return False
    # With the texts exchanged, the first one is the statement.
    exchanged_parts = uncovered_parts(statement, sentence)
    return not any(kind in _PARTS_OF_FIRST_TEXT for kind, _ in exchanged_parts)
