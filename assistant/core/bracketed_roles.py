"""Roles in brackets behind a speaker's name: ``John Smith (Mayor)``, ``Jane Doe (D-NY)``.

Two people of one name are told apart by them. Brackets that say how or where something was said,
such as ``(voice-over)`` or ``(in Spanish)``, don't count as roles.
"""

from __future__ import annotations

import re
from functools import lru_cache

MAX_ROLE_CHARACTERS = 40
KEY_CACHE_SIZE = 1 << 12  # a text repeats its labels
_BRACKETS_PATTERN = re.compile(rf"\s*[\[(]([^\[\]()]{{1,{MAX_ROLE_CHARACTERS}}})[\])]")
_WORD_PATTERN = re.compile(r"[^\W\d_]+")
# Words of remarks on how or where something was said, and other marks
_WORDS_OF_REMARKS = frozenset(
    "voice voiceover vo v os oc o over off on camera screen mic microphone phone telephone zoom "
    "skype video audio remote remotely virtual virtually online satellite live tape taped recorded "
    "recording clip archive file cont contd continued translated translation translator interpreted "
    "interpreter via through by in to from at with aside inaudible unintelligible indiscernible "
    "crosstalk sic ph phonetic sp silent muted laughs laughter applause sings whispers shouts "
    "english french german spanish italian portuguese dutch russian ukrainian polish turkish arabic "
    "hebrew persian hindi urdu chinese mandarin cantonese japanese korean welsh irish he him his she "
    "her hers they them theirs host guest external unverified".split()
)


@lru_cache(maxsize=KEY_CACHE_SIZE)
def bracketed_roles(label: str) -> tuple[str, ...]:
    """Return the roles in brackets in a label: ``North Durham`` and ``Lab``."""
    return tuple(role for role in _BRACKETS_PATTERN.findall(label) if _is_role(role))


@lru_cache(maxsize=KEY_CACHE_SIZE)
def without_brackets(label: str) -> str:
    """Return a label without its brackets, the whole label if nothing is outside of them."""
    bare_label = _BRACKETS_PATTERN.sub("", label).strip()
    return bare_label if _WORD_PATTERN.search(bare_label) else label


def may_be_one_person(roles: tuple[str, ...], other_roles: tuple[str, ...]) -> bool:
    """Return whether roles can be of one person: none, or ``Mayor`` and ``Mayor of Lorne``.

    Words may be cut: ``Lab`` and ``Labour``.
    """
    fewer, more = sorted((_words(roles), _words(other_roles)), key=len)
    for word in fewer:
        if not any(word.startswith(other) or other.startswith(word) for other in more):
            return False
    return True


def _words(roles: tuple[str, ...]) -> list[str]:
    return _WORD_PATTERN.findall(" ".join(roles).casefold())


def _is_role(text: str) -> bool:
    words = _words((text,))
    if not words or not _WORDS_OF_REMARKS.isdisjoint(words):
        return False
    is_remark = words[0].endswith("ing")  # "laughing"
    has_digit = any(character.isdigit() for character in text)
    return text.strip()[0].isupper() and not is_remark and not has_digit
