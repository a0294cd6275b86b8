"""Statements as spoken sentences: without the publisher's frame, quotation marks and insertions.

Numbers in words.

Texts in, texts out; English surface forms only. A statement that cannot be separated from its
frame gives nothing.
"""

from __future__ import annotations

import re

from bench.lexicon import lexicon

LEXICON = lexicon(__file__)
_FRAME, _ASIDE, _HIM = (
    re.compile(pattern, re.I) for pattern in (LEXICON.frame, LEXICON.aside, LEXICON.him)
)
SHORTEST = 6  # words
SMALL_NUMBERS = LEXICON.small_numbers
TENS = LEXICON.tens


def spoken(statement: str) -> str | None:
    """Return a statement as a spoken sentence, None where that is not safe.

    An aside, several sentences, too short.

    "Says he ..." becomes "I ...": the one who said it speaks.
    """
    text = statement.strip().replace("’", "'").replace("‘", "'")
    is_unfinished = text.endswith((":", "...")) or text.count("(") != text.count(")")
    if _ASIDE.match(text) or is_unfinished:
        return None
    # "Says that he ..." becomes "I ...".
    has_frame = bool(_FRAME.match(text))
    text = _FRAME.sub("", text)
    text = re.sub(LEXICON.marks, "", text)
    text = re.sub(r"\s*(?:\.\.\.|…)\s*", " ", text)
    text = re.sub(r"[()\[\]]", "", text)
    if has_frame:
        text = first_person(text)
    text = re.sub(r"\s+", " ", text).strip(" ,;:-–—")
    if len(text.split()) < SHORTEST or re.search(LEXICON.several, text):
        return None
    if text[-1] not in ".!?":
        text += "."
    return text[:1].upper() + text[1:]


def first_person(text: str) -> str:
    """Return a reported statement as its speaker says it, as far as its first words go."""

    def mine(match: re.Match[str]) -> str:
        aux = match["aux"]
        return LEXICON.mine[match["who"].lower()] + (
            f" {LEXICON.aux[aux.strip().lower()]}" if aux else ""
        )

    return _HIM.sub(mine, text)


def inside(text: str, names: frozenset[str]) -> str:
    """Return a sentence as it is written inside another.

    Its first letter small unless it begins with a name or "I".
    """
    text = text.rstrip(".!? ")
    first_word, second_word = (text.split() + [""])[:2]
    bare = re.sub(r"'.*|\W+$", "", first_word)
    keep = bare in ("I", "U.S") or bare in names or not bare.istitle() or second_word[:1].isupper()
    return text if keep and bare not in LEXICON.small else first_word[:1].lower() + text[1:]


def spelled(value: int) -> str:
    """Return a number below a trillion as one says it."""
    for size, name in (
        (10**9, "billion"),
        (10**6, "million"),
        (1000, "thousand"),
        (100, "hundred"),
    ):
        if value >= size:
            remainder = f" {spelled(value % size)}" if value % size else ""
            return f"{spelled(value // size)} {name}{remainder}"
    if value < 20:
        return SMALL_NUMBERS[value]
    return TENS[value // 10 - 2] + (f" {SMALL_NUMBERS[value % 10]}" if value % 10 else "")
