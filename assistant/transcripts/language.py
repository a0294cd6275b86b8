"""Whether a transcript is English: what the file declares, and what its commonest words say.

Lectern's models read English only; another language is read all the same, with a warning.
"""

from __future__ import annotations

import re

MIN_WORDS = 12
ENGLISH_SHARE = 0.12  # English speech has .35 to .55 of these words, other languages under .08

_COMMON = frozenset(
    "the of and to in a is that for it was on are as with his they at be this have from or had by but not what all "
    "were we when your can said there an each which she do how their if will up about out many then them these so some "
    "her would make like him into time has you i he our who no my me people because just don't it's i'm".split()
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_UNKNOWN = frozenset({"", "und", "unknown", "auto", "multi", "mul", "zxx"})


def declared(code: object) -> list[str]:
    """Return a warning if a language code or name that the file declares is not English's."""
    name = str(code or "").strip()
    if name.lower() in _UNKNOWN or name.lower().startswith("en"):
        return []
    return [f"the file says that its language is {name}; Lectern compares English only"]


def sounds_foreign(text: str) -> bool:
    """Return whether a text long enough to tell has hardly any of English's commonest words."""
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text[:40_000])]
    return len(words) >= MIN_WORDS and sum(word in _COMMON for word in words) < ENGLISH_SHARE * len(words)


def guessed(text: str) -> list[str]:
    """Return a warning if the text does not look English."""
    if not sounds_foreign(text):
        return []
    return ["the text does not look like English; Lectern compares English only"]
