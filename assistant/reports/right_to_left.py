"""Right-to-left words for a page that is drawn from left to right, letter by letter.

Arabic letters get the forms that join them (arabic-reshaper), and each run of right-to-left words
is put in the order in which it is drawn, with its numbers from left to right.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

# A longer run is broken into lines of its own, because the page breaks lines from left to right.
MAX_DRAWN_CHARACTERS = 40
NO_BREAK_SPACE = "\u00a0"
_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_RUN_PATTERN = re.compile(
    rf"[{_RIGHT_TO_LEFT}](?:[^A-Za-z\u00c0-\u024f\u0370-\u052f]*[{_RIGHT_TO_LEFT}])?"
)
_LEFT_TO_RIGHT_LETTER_PATTERN = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u052f]")
# A number is read from left to right, also among right-to-left words.
_NUMBER_IN_RUN_PATTERN = re.compile(r"\d+(?:[.,:/]\d+)*%?")
# A bracket that opens on the right is drawn as one that closes on the left.
_MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")
_DIRECTION_MARKS_PATTERN = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def in_drawing_order(text: str) -> str:
    """Return a line of text with each right-to-left run in the order in which it is drawn.

    A long run has a line break between its lines.
    """
    if not _RUN_PATTERN.search(text):
        return text
    without_direction_marks = _DIRECTION_MARKS_PATTERN.sub("", text)
    if not _LEFT_TO_RIGHT_LETTER_PATTERN.search(without_direction_marks):
        return _drawn_run(without_direction_marks)
    # Only the right-to-left words between others change.
    return _RUN_PATTERN.sub(lambda run: _drawn_run(run[0]), without_direction_marks)


def _drawn_run(run: str) -> str:
    """Return the lines of a right-to-left run, each in the order in which it is drawn."""
    # A drawn line must not be broken again, because its words stand in reverse order.
    lines: list[str] = []
    for word in run.split(" "):
        if lines and len(lines[-1]) + len(word) < MAX_DRAWN_CHARACTERS:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return "\n".join(_reversed_line(line) for line in lines)


def _reversed_line(line: str) -> str:
    """Return one line of right-to-left words in the order in which it is drawn."""
    joined_letters = _reshaper().reshape(line)
    # Letters one by one, but each number as one piece, which is not reversed.
    drawn_pieces = []
    copied_until = 0
    for number in _NUMBER_IN_RUN_PATTERN.finditer(joined_letters):
        drawn_pieces += _clusters(joined_letters[copied_until : number.start()])
        drawn_pieces.append(number[0])
        copied_until = number.end()
    drawn_pieces += _clusters(joined_letters[copied_until:])
    return "".join(reversed(drawn_pieces)).replace(" ", NO_BREAK_SPACE)


def _clusters(text: str) -> list[str]:
    """Return the letters of a text, each with the marks that are above or below it."""
    clusters: list[str] = []
    for character in text.translate(_MIRRORED):
        if clusters and unicodedata.combining(character):
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


@cache
def _reshaper() -> Any:
    """Return the joiner of Arabic letters; it keeps vowel marks."""
    from arabic_reshaper import ArabicReshaper

    return ArabicReshaper({"delete_harakat": False, "support_ligatures": True})
