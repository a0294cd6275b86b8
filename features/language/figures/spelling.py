"""Spelling of numbers in figures and words: "3.5", "two point four", "a hundred and twenty".

Tokens in, values out.

A reader returns the value that begins at a position of the tokens and the position after it, or
nothing. Compared with quantulum3, text2num, number-parser and dateparser in docs/figures.md.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

UNITS = dict(
    zip(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split(),
        range(20),
        strict=True,
    )
)
TENS = {
    word: 10 * i
    for i, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
SCALES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12.0,
    "k": 1e3, "m": 1e6, "mn": 1e6, "mil": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12, "tn": 1e12,
}  # fmt: skip
SHORT = frozenset("k m mn mil b bn t tn".split())
PARTS = {
    "half": 1 / 2, "halves": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fourth": 1 / 4, "fifth": 1 / 5, "sixth": 1 / 6,
    "seventh": 1 / 7, "eighth": 1 / 8, "tenth": 1 / 10,
}  # fmt: skip
PARTS |= {f"{word}s": part for word, part in PARTS.items() if word not in ("half", "halves")}
_CENTURIES = {"eighteen": 1800, "nineteen": 1900, "twenty": 2000}
_TOKEN = re.compile(
    r"[$€£%+]|\d+(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+|[^\W\d_]+(?:['’][^\W\d_]+)*|[,;:.!?\"“”—]"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, figure or sign in small letters, and its position ``text[start:end]``.

    ``tied``: no space before it.
    """

    word: str
    start: int
    end: int
    tied: bool


def tokens(text: str) -> tuple[Token, ...]:
    """Return the words, figures and signs of a text.

    "5-year" and "five-year" are two tokens, the second tied.
    """
    plain = text if text.isascii() else "".join(one_for_one(character) for character in text)
    read: list[Token] = []
    for match in _TOKEN.finditer(plain):
        word = match[0].casefold()
        tied = bool(read) and plain[read[-1].end : match.start()] in ("", "-")
        read.append(Token(word.removesuffix("'s"), match.start(), match.end(), tied))
    return tuple(read)


def one_for_one(character: str) -> str:
    """Return a character in its plain form if that is one character too, so that places in the text stay true."""
    plain = {"’": "'", "‘": "'", "–": "-", "‑": "-"}.get(character) or unicodedata.normalize(
        "NFKC", character
    )
    return plain if len(plain) == 1 else character


def number(words: tuple[str, ...], place: int) -> tuple[float, int] | None:
    """Return the number that begins at a place, with its scale, and the place after it."""
    bare = _bare(words, place)
    if bare is None:
        return None
    value, after = bare
    value, after = _and_a_half(value, words, after)
    return _scaled(value, words, after)


def _bare(words: tuple[str, ...], place: int) -> tuple[float, int] | None:
    word = _at(words, place)
    if word[:1].isdecimal() or word[:1] == "." and len(word) > 1:
        return float(word.replace(",", "")), place + 1
    if (
        word in ("a", "an")
        and _at(words, place + 1) in SCALES
        and _at(words, place + 1) not in SHORT
    ):
        return 1.0, place + 1
    if word not in UNITS and word not in TENS:
        return None
    value, after = _below_hundred(words, place)
    if _at(words, after) == "point" and _at(words, after + 1) in UNITS:
        return _decimals(value, words, after + 1)
    return value, after


def _below_hundred(words: tuple[str, ...], place: int) -> tuple[float, int]:
    """ "Twenty", "twenty five", "five"; "twenty twelve" and "nineteen eighty four" are years."""
    word = words[place]
    following = _at(words, place + 1)
    if word in _CENTURIES and (following in TENS or UNITS.get(following, 0) >= 10):
        rest, after = _below_hundred(words, place + 1)
        return _CENTURIES[word] + rest, after
    if word in UNITS:
        return float(UNITS[word]), place + 1
    if 0 < UNITS.get(following, 0) < 10:
        return float(TENS[word] + UNITS[following]), place + 2
    return float(TENS[word]), place + 1


def _decimals(value: float, words: tuple[str, ...], place: int) -> tuple[float, int]:
    digits = ""
    while _at(words, place) in UNITS:
        digits = digits + str(UNITS[words[place]])
        place = place + 1
    return float(f"{value:.0f}.{digits}"), place


def _and_a_half(value: float, words: tuple[str, ...], place: int) -> tuple[float, int]:
    """The half of "two and a half" and "3 and a half", the quarter of "two and a quarter"."""
    if words[place : place + 2] == ("and", "a") and _at(words, place + 2) in ("half", "quarter"):
        return value + PARTS[words[place + 2]], place + 3
    return value, place


def _scaled(value: float, words: tuple[str, ...], place: int) -> tuple[float, int]:
    """The value times its scales, and what is added below them.

    "a hundred and twenty thousand", "two thousand five".

    A small letter is a scale only after digits, as in "3.5 M".
    """
    last = 0.0
    while (word := _at(words, place)) in SCALES:
        if word in SHORT and not words[place - 1][:1].isdecimal():
            break
        last = SCALES[word]
        value = value * last
        place = place + 1
        rest = _rest(words, place, last)
        if rest is not None:
            value = value + rest[0]
            place = rest[1]
    return value, place


def _rest(words: tuple[str, ...], place: int, scale: float) -> tuple[float, int] | None:
    """What follows a scale in words and is less than it: the 20 of "a hundred and twenty"."""
    begin = place + (_at(words, place) == "and" and scale <= 1e3)
    if scale not in (1e2, 1e3, 1e6, 1e9) or (
        _at(words, begin) not in UNITS and _at(words, begin) not in TENS
    ):
        return None
    value, after = _below_hundred(words, begin)
    if scale > 1e2:
        value, after = _scaled(value, words, after)
    return (value, after) if 1 <= value < scale else None


def _at(words: tuple[str, ...], place: int) -> str:
    return words[place] if 0 <= place < len(words) else ""
