"""Makes text from outside safe to work on: characters that databases refuse, marks without end."""

from __future__ import annotations

import re
import unicodedata

MOST_MARKS = 30  # on one letter, as in the Stream-Safe Text Format of Unicode (UAX 15); normalising more is quadratic
_MARKS = re.compile(
    rf"[^\x00-\u02ff\w\s]{{{MOST_MARKS + 1},}}"
)  # no mark is a letter: long runs may have too many
_REFUSED = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]"
)  # NUL and lone surrogates end a transaction


def fewer_marks(text: str) -> str:
    """Return the text with no more than 30 combining marks in a row, so that it can be normalised in linear time."""
    return _MARKS.sub(lambda run: _fewer(run[0]), text)


def cleaned(text: str) -> str:
    """Return the text without what databases or screens cannot hold.

    Control characters, lone surrogates.
    """
    return fewer_marks(_REFUSED.sub("", text))


def _fewer(run: str) -> str:
    kept = []
    marks = 0
    for character in run:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)
