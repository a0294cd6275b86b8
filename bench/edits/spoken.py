"""Statements as spoken sentences: without the publisher's frame, quotation marks and insertions; numbers in words.

Texts in, texts out; English surface forms only. A statement that cannot be separated from its frame gives nothing.
"""

from __future__ import annotations

import re

_FRAME = re.compile(r"^Says?\b,? ?(?:that )?", re.I)
_SEVERAL = re.compile(
    r"(?<![A-Z])(?<!\b(?:Sen|Gov|Rep|Gen|Dem|Mrs))(?<!\b(?:Mr|Ms|Dr|St|No|vs|Jr))[.!?][\"”’']*\s+[A-Z]"
)
_ASIDE = re.compile(r"^(?:On|Of|Asked|When asked|Regarding|Claims?|Said|Photo|Video|Headline|Quotes?|Meme)\b", re.I)
_MARKS = re.compile(r"[\"“”]|(?<!\w)['‘’]|['‘’](?!\w)")
_HIM = re.compile(r"^(?P<who>he|she|his|her|they|their)\b(?P<aux> (?:is|was|has|were|are|have)\b)?", re.I)
_MINE = {"he": "I", "she": "I", "they": "we", "his": "my", "her": "my", "their": "our"}
_AUX = {"is": "am", "has": "have", "are": "are", "was": "was", "were": "were", "have": "have"}
SHORTEST = 6  # words
SMALL_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
SMALL = frozenset("A An The In At Under Since As Each Every Newly Recent Last".split())


def spoken(statement: str) -> str | None:
    """Return a statement as a spoken sentence, None where that is not safe: an aside, several sentences, too short.

    "Says he ..." becomes "I ...": the one who said it speaks.
    """
    text = statement.strip().replace("’", "'").replace("‘", "'")
    if _ASIDE.match(text) or text.endswith((":", "...")) or text.count("(") != text.count(")"):
        return None
    framed = bool(_FRAME.match(text))
    text = _MARKS.sub("", _FRAME.sub("", text))
    text = re.sub(r"[()\[\]]", "", re.sub(r"\s*(?:\.\.\.|…)\s*", " ", text))
    text = first_person(text) if framed else text
    text = re.sub(r"\s+", " ", text).strip(" ,;:-–—")
    if len(text.split()) < SHORTEST or _SEVERAL.search(text):
        return None
    return text[:1].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")


def first_person(text: str) -> str:
    """Return a reported statement as its speaker says it, as far as its first words go."""

    def mine(match: re.Match[str]) -> str:
        aux = match["aux"]
        return _MINE[match["who"].lower()] + (f" {_AUX[aux.strip().lower()]}" if aux else "")

    return _HIM.sub(mine, text)


def inside(text: str, names: frozenset[str]) -> str:
    """Return a sentence as it is written inside another: its first letter small unless it begins with a name or "I"."""
    text = text.rstrip(".!? ")
    first, second = (text.split() + [""])[:2]
    bare = re.sub(r"'.*|\W+$", "", first)
    keep = bare in ("I", "U.S") or bare in names or not bare.istitle() or second[:1].isupper()
    return text if keep and bare not in SMALL else first[:1].lower() + text[1:]


def spelled(value: int) -> str:
    """Return a number below a trillion as one says it."""
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if value >= size:
            rest = f" {spelled(value % size)}" if value % size else ""
            return f"{spelled(value // size)} {name}{rest}"
    if value < 20:
        return SMALL_NUMBERS[value]
    return TENS[value // 10 - 2] + (f" {SMALL_NUMBERS[value % 10]}" if value % 10 else "")
