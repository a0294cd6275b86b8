"""Makes text from outside safe: no characters that databases refuse, no endless marks."""

from __future__ import annotations

import re
import unicodedata

# Combining marks on one letter, as in the Stream-Safe Text Format of Unicode (UAX 15). The time to
# normalise more of them is quadratic.
MAX_MARKS = 30
# No mark is a letter, so only these runs may have too many.
_LONG_RUN_PATTERN = re.compile(rf"[^\x00-\u02ff\w\s]{{{MAX_MARKS + 1},}}")
# NUL and lone surrogates abort a transaction.
_REFUSED_PATTERN = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")

# Marks that change the text direction, so that a line looks like another one.
_DIRECTION_MARKS_PATTERN = re.compile("[\u202a-\u202e\u2066-\u2069]")
REPLACEMENT = "\ufffd"


def fewer_marks(text: str) -> str:
    """Remove combining marks after the 30th in a row, so that normalising takes linear time."""
    return _LONG_RUN_PATTERN.sub(lambda run: _without_excess_marks(run[0]), text)


def cleaned(text: str) -> str:
    """Remove characters that databases or screens cannot store: control, lone surrogates."""
    return fewer_marks(_REFUSED_PATTERN.sub("", text))


def without_direction_marks(text: str) -> str:
    """Replace marks that change the text direction by a sign that shows that they were there."""
    return _DIRECTION_MARKS_PATTERN.sub(REPLACEMENT, text)


def _without_excess_marks(characters: str) -> str:
    """Remove the combining marks of a run after the 30th on one letter."""
    remaining_characters = []
    combining_marks_in_row = 0
    for character in characters:
        if unicodedata.combining(character):
            combining_marks_in_row += 1
        else:
            combining_marks_in_row = 0
        if combining_marks_in_row <= MAX_MARKS:
            remaining_characters.append(character)
    return "".join(remaining_characters)
