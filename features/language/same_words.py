"""The words of a sentence in one spelling: two texts are the same if these are.

Case, punctuation, composed letters, abbreviations and the spelling of figures may differ: "30 %"
and "thirty percent", "1,000" and "1000", "U.S." and "US", "$5 million" and "5 million dollars".
Another sign, figure, currency or word makes another sentence: "-5" and "5", "$3" and "€3".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from features.language.figures.spelling import read_number

MAX_REMEMBERED_TEXTS = 32_768
_FRACTION_SIGN_PATTERN = re.compile(
    r"(?P<whole>\d{0,20})(?P<fraction>[\u00bc-\u00be\u2150-\u215e])"
)
_THOUSANDS_SPACE_PATTERN = re.compile(r"(?<=\d)[\u00a0\u2009\u202f'’](?=\d{3}(?!\d))")
_THOUSANDS_COMMA_PATTERN = re.compile(r"(?<=\d),(?=\d{3}(?!\d)|\d{2},\d)")
_DOTTED_ABBREVIATION_PATTERN = re.compile(r"(?<![\w.])(?:[^\W\d_]\.)+[^\W\d_](?!\w)\.?")
_INVISIBLE_CHARACTER_PATTERN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_MINUS_SIGN_PATTERN = re.compile(r"(?<![\w%)\]])[-\u2010-\u2015\u2212](?=[$£€¥₹]?\.?\d)")
_TOKEN_PATTERN = re.compile(
    r"\d+(?:st|nd|rd|th)\b|\d+(?:\.\d+)+|\.\d+|\d+|\x00|us\$|[$£€¥₹%&°]"
    r"|[^\W\d_]+(?:['’][^\W\d_]+)*",
)
_MINUS_TOKEN = "\x00"
_PLAIN_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "´": "'"})
_SPELLING_OF_WORD = {
    "percent": "%",
    "pct": "%",
    "&": "and",
    "°": "degrees",
    "minus": _MINUS_TOKEN,
    "negative": _MINUS_TOKEN,
}
_SIGN_OF_CURRENCY = {
    "$": "$",
    "dollar": "$",
    "dollars": "$",
    "us$": "us$",
    "usd": "us$",
    "€": "€",
    "eur": "€",
    "euro": "€",
    "euros": "€",
    "£": "£",
    "gbp": "£",
    "pound": "£",
    "pounds": "£",
    "¥": "¥",
    "jpy": "¥",
    "yen": "¥",
    "₹": "₹",
    "inr": "₹",
    "rupee": "₹",
    "rupees": "₹",
}
_WORDS_FOR_DOLLARS = ("dollar", "dollars")
_TOKEN_OF_ORDINAL = {
    word: f"th{position}"
    for position, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(),
        1,
    )
}
_ORDINAL_FIGURE_PATTERN = re.compile(r"(?P<digits>\d+)(?:st|nd|rd|th)")


@lru_cache(maxsize=MAX_REMEMBERED_TEXTS)
def same_words(text: str) -> str:
    """Return the words of a text in one spelling, with a space between them.

    The words of these words are themselves.
    """
    words = _in_one_spelling_of_figures(text)
    # A sign such as "…" or "ŉ" gives words that have a spelling of their own once they are plain.
    respelled_words = _in_one_spelling_of_figures(words)
    while respelled_words != words:
        words = respelled_words
        respelled_words = _in_one_spelling_of_figures(words)
    return words


def _in_one_spelling_of_figures(text: str) -> str:
    text_tokens = tuple(_normalised_tokens(text))
    normalised_words: list[str] = []
    position = 0
    while position < len(text_tokens):
        position = _append_word_or_figure(text_tokens, position, normalised_words)
    return " ".join(normalised_words)


def _normalised_tokens(text: str) -> list[str]:
    """Return the words, figures and signs of a text, folded."""
    plain_text = _INVISIBLE_CHARACTER_PATTERN.sub("", text.translate(_PLAIN_APOSTROPHES))
    # "10 000" becomes "10000".
    plain_text = _THOUSANDS_SPACE_PATTERN.sub("", plain_text)
    # "3½" becomes "3.5", before the folding, which would write ½ as 1⁄2.
    plain_text = _FRACTION_SIGN_PATTERN.sub(_as_decimal, plain_text)
    plain_text = unicodedata.normalize("NFKC", plain_text).casefold()
    plain_text = "".join(_latin_digit(character) for character in plain_text)
    # "10,000" becomes "10000", "u.s." becomes "us".
    plain_text = _THOUSANDS_COMMA_PATTERN.sub("", plain_text)
    plain_text = _DOTTED_ABBREVIATION_PATTERN.sub(
        lambda match: match[0].replace(".", ""), plain_text
    )
    plain_text = _MINUS_SIGN_PATTERN.sub(_MINUS_TOKEN, plain_text)
    return _in_one_spelling(_TOKEN_PATTERN.findall(plain_text.replace("per cent", "percent")))


def _in_one_spelling(tokens: Sequence[str]) -> list[str]:
    words = []
    for token in tokens:
        word = _SPELLING_OF_WORD.get(token, token)
        ordinal_match = _ORDINAL_FIGURE_PATTERN.fullmatch(word)
        if ordinal_match:
            word = f"th{int(ordinal_match['digits'])}"  # "3rd" and "third" become "th3"
        words.append(_TOKEN_OF_ORDINAL.get(word, word))
    return words


def _append_word_or_figure(
    text_tokens: tuple[str, ...], position: int, normalised_words: list[str]
) -> int:
    """Add the word or the figure at a position in one spelling; return the next position."""
    # A figure may have a minus and a currency before it, in either order: "-$5", "$-5".
    start = position
    is_negative = text_tokens[position] == _MINUS_TOKEN
    if is_negative:
        position += 1
    currency, position = _currency_at(text_tokens, position)
    if currency and not is_negative and text_tokens[position : position + 1] == (_MINUS_TOKEN,):
        is_negative = True
        position += 1
    number_and_end = (
        read_number(text_tokens, position) if _may_be_figure(text_tokens, position) else None
    )
    if number_and_end is None:
        # No figure follows: the word itself is added.
        if is_negative:
            normalised_words.append("minus")
            return start + 1
        if currency:
            normalised_words.append(currency)
            return max(start + 1, position)
        normalised_words.append(text_tokens[start])
        return start + 1
    number, end = number_and_end
    if is_negative:
        number = -number
    # "5 million dollars": the currency may also follow.
    currency_after, end_of_currency = _currency_at(text_tokens, end)
    if currency_after and currency in ("", currency_after):
        currency = currency_after
        end = end_of_currency
    normalised_words.append(f"{number:.15g}{currency}")
    return end


def _currency_at(text_tokens: tuple[str, ...], position: int) -> tuple[str, int]:
    """Return the currency named at a position, "" if none is, and the position after it."""
    if position >= len(text_tokens):
        return "", position
    # "us dollars", "$", "euros"
    next_word = text_tokens[position + 1] if position + 1 < len(text_tokens) else ""
    if text_tokens[position] == "us" and next_word in _WORDS_FOR_DOLLARS:
        return "us$", position + 2
    currency_sign = _SIGN_OF_CURRENCY.get(text_tokens[position], "")
    if not currency_sign:
        return "", position
    return currency_sign, position + 1


def _may_be_figure(words: tuple[str, ...], position: int) -> bool:
    """Return whether a figure may begin here, and not a version number such as 1.2.3."""
    return position < len(words) and words[position].count(".") <= 1


def _as_decimal(match: re.Match[str]) -> str:
    """Write 3½ as 3.5."""
    whole_number = float(match["whole"] or 0)
    value = whole_number + unicodedata.numeric(match["fraction"])
    return f"{value:.6g}"


def _latin_digit(character: str) -> str:
    """Return a decimal digit of any script as one of ours."""
    if character.isascii() or not character.isdecimal():
        return character
    return str(unicodedata.decimal(character))
