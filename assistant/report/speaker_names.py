"""Names of speakers as a reader sees them: in title case, whatever case the transcript has."""

from __future__ import annotations

import re
from functools import lru_cache

# Small words of names, which stay small unless they begin one.
PARTICLES = frozenset(
    ("al", "bin", "da", "de", "del", "den", "der", "di", "du", "la", "le", "van", "von")
)
INITIALS_LETTERS = 3  # "JD", "CNN": a word as short and without a vowel stays in capitals
VOWELS = frozenset("AEIOUY")
REMEMBERED_NAMES = 4096
_CAPITAL_WORD_PATTERN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_PREFIX_PATTERN = re.compile(r"^(Mc|O['’]|D['’])(\w)")


@lru_cache(maxsize=REMEMBERED_NAMES)
def shown_name(speaker: str) -> str:
    """Return ``ELIZABETH MCDONALD-O'HARA`` as ``Elizabeth McDonald-O'Hara``; other names unchanged."""
    letters = [character for character in speaker if character.isalpha()]
    is_in_capitals = len(letters) > 1 and speaker.isupper()
    if not is_in_capitals:
        return speaker
    return _CAPITAL_WORD_PATTERN.sub(
        lambda word: _title_case(word[0], is_first=word.start() == 0), speaker
    )


def _title_case(word: str, *, is_first: bool) -> str:
    if not is_first and word.lower() in PARTICLES:
        return word.lower()
    if len(word) <= INITIALS_LETTERS and not VOWELS & set(word):
        return word
    titled = word[:1] + word[1:].lower()
    return _PREFIX_PATTERN.sub(lambda prefix: prefix[1] + prefix[2].upper(), titled)
