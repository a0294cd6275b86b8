"""Spelling of numbers in figures and words: "3.5", "two point four", "a hundred and twenty".

Each function returns the value that begins at a position of the words and the position after it,
or None. docs/research/numbers-and-dates.md compares four libraries with it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

WORDS_BELOW_TWENTY = dict(
    zip(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split(),
        range(20),
        strict=True,
    )
)
WORDS_FOR_TENS = {
    word: 10 * i
    for i, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
SCALE_OF_WORD = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "dozen": 12.0,
    "k": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "mil": 1e6,
    "b": 1e9,
    "bn": 1e9,
    "t": 1e12,
    "tn": 1e12,
}
SCALE_ABBREVIATIONS = frozenset("k m mn mil b bn t tn".split())
FRACTION_OF_WORD = {
    "half": 1 / 2,
    "halves": 1 / 2,
    "third": 1 / 3,
    "quarter": 1 / 4,
    "fourth": 1 / 4,
    "fifth": 1 / 5,
    "sixth": 1 / 6,
    "seventh": 1 / 7,
    "eighth": 1 / 8,
    "tenth": 1 / 10,
}
FRACTION_OF_WORD |= {
    f"{word}s": fraction
    for word, fraction in FRACTION_OF_WORD.items()
    if word not in ("half", "halves")
}
_YEAR_OF_CENTURY_WORD = {"eighteen": 1800, "nineteen": 1900, "twenty": 2000}
_TOKEN_PATTERN = re.compile(
    r"[$€£%+]|\d+(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+|[^\W\d_]+(?:['’][^\W\d_]+)*|[,;:.!?\"“”—]"
)
_PLAIN_SIGN_OF = {"’": "'", "‘": "'", "–": "-", "‑": "-"}


class Token(NamedTuple):
    """A word, figure or sign in small letters, and its position ``text[start:end]``.

    ``joins_previous``: no space before it.
    """

    word: str
    start: int
    end: int
    joins_previous: bool


def tokens(text: str) -> tuple[Token, ...]:
    """Split a text into words, figures and signs.

    "5-year" and "five-year" are two tokens, of which the second joins the first.
    """
    plain_text = text if text.isascii() else "".join(map(plain_character, text))
    text_tokens: list[Token] = []
    for match in _TOKEN_PATTERN.finditer(plain_text):
        word = match[0].casefold().removesuffix("'s")
        # A token joins the one before it if only a hyphen, or nothing, is between them.
        joins_previous = False
        if text_tokens:
            text_between = plain_text[text_tokens[-1].end : match.start()]
            joins_previous = text_between in ("", "-")
        text_tokens.append(Token(word, match.start(), match.end(), joins_previous))
    return tuple(text_tokens)


def plain_character(character: str) -> str:
    """Return the plain form of a character, unless it has several characters.

    So positions in the text stay valid.
    """
    plain = _PLAIN_SIGN_OF.get(character) or unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 else character


class ParsedNumber(NamedTuple):
    """A number in a list of words, and the position after it."""

    value: float
    end: int


def read_number(words: tuple[str, ...], position: int) -> ParsedNumber | None:
    """Return the number that begins at a position, with its scale, and the position after it."""
    number_and_end = _read_without_scale(words, position)
    if number_and_end is None:
        return None
    # A scale is a word such as "million".
    value, end = number_and_end
    value, end = _with_half_or_quarter(value, words, end)
    return _with_scale(value, words, end)


def _read_without_scale(words: tuple[str, ...], position: int) -> ParsedNumber | None:
    """Return a number in figures or in words, without its scale."""
    word = _word_at(words, position)
    next_word = _word_at(words, position + 1)
    is_decimal = word[:1] == "." and len(word) > 1  # such as ".5"
    if word[:1].isdecimal() or is_decimal:
        return ParsedNumber(float(word.replace(",", "")), position + 1)
    # "a million" is 1 million, but "a m" is nothing.
    if word in ("a", "an") and next_word in SCALE_OF_WORD and next_word not in SCALE_ABBREVIATIONS:
        return ParsedNumber(1.0, position + 1)
    if word not in WORDS_BELOW_TWENTY and word not in WORDS_FOR_TENS:
        return None
    value, end = _read_below_hundred(words, position)
    # "two point five"
    has_decimals = (
        _word_at(words, end) == "point" and _word_at(words, end + 1) in WORDS_BELOW_TWENTY
    )
    if has_decimals:
        return _with_decimals(value, words, end + 1)
    return ParsedNumber(value, end)


def _read_below_hundred(words: tuple[str, ...], position: int) -> ParsedNumber:
    """Read "twenty", "twenty five", "five" or a year ("twenty twelve", "nineteen eighty four")."""
    word = words[position]
    next_word = _word_at(words, position + 1)
    next_value = WORDS_BELOW_TWENTY.get(next_word, 0)
    continues_with_tens = next_word in WORDS_FOR_TENS or next_value >= 10
    if word in _YEAR_OF_CENTURY_WORD and continues_with_tens:
        # "nineteen eighty four"
        year_of_century, end = _read_below_hundred(words, position + 1)
        return ParsedNumber(_YEAR_OF_CENTURY_WORD[word] + year_of_century, end)
    if word in WORDS_BELOW_TWENTY:
        return ParsedNumber(float(WORDS_BELOW_TWENTY[word]), position + 1)
    tens = WORDS_FOR_TENS[word]
    unit_digit = next_value if next_value < 10 else 0
    if unit_digit:
        # "twenty five"
        return ParsedNumber(float(tens + unit_digit), position + 2)
    return ParsedNumber(float(tens), position + 1)


def _with_decimals(value: float, words: tuple[str, ...], position: int) -> ParsedNumber:
    """Add the digits that follow "point" to a value."""
    digits = ""
    while _word_at(words, position) in WORDS_BELOW_TWENTY:
        digits += str(WORDS_BELOW_TWENTY[words[position]])
        position += 1
    return ParsedNumber(float(f"{value:.0f}.{digits}"), position)


def _with_half_or_quarter(value: float, words: tuple[str, ...], position: int) -> ParsedNumber:
    """Add the half of "two and a half", the quarter of "two and a quarter"."""
    fraction = _word_at(words, position + 2)
    if words[position : position + 2] == ("and", "a") and fraction in ("half", "quarter"):
        return ParsedNumber(value + FRACTION_OF_WORD[fraction], position + 3)
    return ParsedNumber(value, position)


def _with_scale(value: float, words: tuple[str, ...], position: int) -> ParsedNumber:
    """Multiply a value by its scales and add the number below them.

    "a hundred and twenty thousand", "two thousand five". A small letter is a scale only after
    digits, as in "3.5 M".
    """
    # "2 million three hundred thousand": 2, then the scale, then the remainder
    while _word_at(words, position) in SCALE_OF_WORD:
        scale_word = words[position]
        follows_digits = words[position - 1][:1].isdecimal()
        if scale_word in SCALE_ABBREVIATIONS and not follows_digits:
            break
        value = value * SCALE_OF_WORD[scale_word]
        position += 1
        # "a billion and a half", but not "a billion and a half of the profits"
        fraction_of_scale, end = _with_half_or_quarter(0.0, words, position)
        if end > position and _word_at(words, end) != "of":
            value = value + fraction_of_scale * SCALE_OF_WORD[scale_word]
            position = end
        remainder_and_end = _read_remainder(words, position, SCALE_OF_WORD[scale_word])
        if remainder_and_end is not None:
            remainder, position = remainder_and_end
            value = value + remainder
    return ParsedNumber(value, position)


def _read_remainder(words: tuple[str, ...], position: int, scale: float) -> ParsedNumber | None:
    """Return the number that follows a scale and is below it: 20 in "a hundred and twenty"."""
    # "a hundred and twenty", but "a million and two" are two figures
    if _word_at(words, position) == "and" and scale <= 1e3:
        position += 1
    if scale not in (1e2, 1e3, 1e6, 1e9):
        return None
    first_word = _word_at(words, position)
    if first_word not in WORDS_BELOW_TWENTY and first_word not in WORDS_FOR_TENS:
        return None
    value, end = _read_below_hundred(words, position)
    if scale > 1e2:
        # "two thousand three hundred": the remainder has a smaller scale of its own.
        value, end = _with_scale(value, words, end)
    if 1 <= value < scale:
        return ParsedNumber(value, end)
    return None


def _word_at(words: tuple[str, ...], position: int) -> str:
    return words[position] if 0 <= position < len(words) else ""
