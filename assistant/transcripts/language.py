"""Detects the language of a text by a small model of letter sequences.

Lectern's models read English only. A transcript in another language is read all the same, with a
warning.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from features.language.function_words import COMMON

# Languages that fact-checkers publish in; the model's other seventy only mistake names for Latin
# or Pidgin.
PUBLISHED = (
    "am ar az bg bn bs ca cs da de el en es et eu fa fi fil fr gl gu ha he hi hr hu hy id it "
    "ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl no or pa pl ps pt ro ru si sk sl "
    "so sq sr sv sw ta te th tl tr uk ur uz vi yo zh"
).split()
MIN_WORDS = 12  # a shorter text does not show its language
MIN_COMPARED_CHARACTERS = 40  # length of each text; Chinese has no spaces to count words by
MAX_SHOWN_CODE_CHARACTERS = 40
MAX_READ_CHARACTERS = 40_000
# Of English speech, 35 to 55% of the words are in COMMON; of other languages, less than 8%.
MIN_COMMON_SHARE = 0.12

# Letters, maybe with one apostrophe: don't
_ENGLISH_WORD_PATTERN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# Codes that declare no language
_UNDECLARED_LANGUAGES = frozenset({"", "und", "unknown", "auto", "multi", "mul", "zxx"})


def detect(text: str) -> str:
    """Return the ISO 639-1 code of the likeliest language of a text, "en" if it has no letters.

    Source: langid (Lui and Baldwin 2012), in the package py3langid; 0.1 ms a statement, about a
    second to load.
    """
    if not any(character.isalpha() for character in text):
        return "en"
    language_code, _ = _model().classify(text)
    return language_code


@cache
def _model() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    model = LanguageIdentifier.from_model_file(MODEL_FILE)
    model.set_languages([code for code in PUBLISHED if code in model.labels])
    return model


def declared(code: str) -> list[str]:
    """Return a warning if the language that a file declares, by code or name, is not English."""
    if code.lower() in _UNDECLARED_LANGUAGES or code.lower().startswith("en"):
        return []
    shown_code = code[:MAX_SHOWN_CODE_CHARACTERS]
    return [f"the file says that its language is {shown_code}; Lectern compares English only"]


def guessed(text: str) -> list[str]:
    """Return a warning if the text itself does not look English."""
    if not _is_foreign(text):
        return []
    return ["the text does not look like English; Lectern compares English only"]


def differ(text: str, translation: str) -> bool:
    """Return whether exactly one of two long texts is English.

    The model is asked only if common English words are rare in one of them.
    """
    shares = [_common_share(sample) for sample in (text, translation)]
    if min(shares) >= MIN_COMMON_SHARE or max(shares) < MIN_COMMON_SHARE:
        return False
    languages = [detect(sample[:MAX_READ_CHARACTERS].lower()) for sample in (text, translation)]
    return languages.count("en") == 1


def index_of_translation(first_text: str, second_text: str) -> int | None:
    """Return the index of the text to leave out, if they are in different languages, else None.

    The English one stays, or else the first.
    """
    if min(_common_share(first_text), _common_share(second_text)) >= MIN_COMMON_SHARE:
        return None  # both English
    if min(len(first_text), len(second_text)) < MIN_COMPARED_CHARACTERS:
        return None
    first_language = detect(first_text[:MAX_READ_CHARACTERS].lower())
    second_language = detect(second_text[:MAX_READ_CHARACTERS].lower())
    if first_language == second_language:
        return None
    # The English text stays: leave out the other one.
    is_second_english = second_language == "en"
    return 0 if is_second_english else 1


def _common_share(text: str) -> float:
    """Return the share of common English words in a text."""
    words = [
        word.lower().replace("’", "'")
        for word in _ENGLISH_WORD_PATTERN.findall(text[:MAX_READ_CHARACTERS])
    ]
    return sum(word in COMMON for word in words) / max(len(words), 1)


def _is_foreign(text: str) -> bool:
    """Return whether a text long enough to tell is not English.

    The model is used only if common English words are rare, so that an ordinary transcript never
    waits for it to load. It reads lower case, because it takes capitals for other languages.
    """
    sample_text = text[:MAX_READ_CHARACTERS]
    words = [word.lower().replace("’", "'") for word in _ENGLISH_WORD_PATTERN.findall(sample_text)]
    if len(words) < MIN_WORDS:
        return False
    common_count = sum(word in COMMON for word in words)
    has_common_words = common_count >= MIN_COMMON_SHARE * len(words)
    if has_common_words:
        return False
    return detect(sample_text.lower()) != "en"
