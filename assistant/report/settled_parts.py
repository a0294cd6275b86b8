"""Settled parts: which parts of a compound sentence its matches settle and which they leave open, in words.

A match settles the part that its claim is about, and every part that its claim repeats almost
whole. A sentence counts as settled only when every part of it that says anything has a *likely*
match: one half of a compound sentence does not answer the other, and what nobody can check is not
settled either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from assistant.core.domain import CheckedSentence, Tier
from features.language.conflicts import analyse_text
from features.language.sentence_parts import SentencePart, about, split

REPEATED = 0.6  # share of a part's words from which a claim repeats it
_ORDER = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_SAYS_NOTHING = re.compile(
    r"^(?:and |but |so )*(?:i|we) (?:think|believe|hope|feel|wish|want|love|like|would|will|am|tell|mean)\b|\?$|"
    r"^(?:and |but |so )*(?:thank|let's|let me|look at|believe me)\b",
    re.I,
)


def settles(sentence: str, statement: str) -> str:
    """Return which part of a sentence a claim is about: ``the second part: “he voted for it”``.

    "" for the whole.
    """
    parts = split(sentence)
    places = _partly(parts, statement)
    if not places:
        return ""
    names = " and ".join(f"the {_order(place)}" for place in places)
    return f"{names} part{'s' if len(places) > 1 else ''}: " + "; ".join(
        f"“{parts[place].text}”" for place in places
    )


def settled_parts(sentence: str, statement: str) -> tuple[SentencePart, ...]:
    """Return the parts of a sentence that a claim is about; () for the whole."""
    parts = split(sentence)
    return tuple(parts[place] for place in _partly(parts, statement))


def open_parts(checked: CheckedSentence) -> tuple[str, ...]:
    """Return the parts of a compound sentence that say something no likely match settles.

    () where it is one part.
    """
    likely = [match.claim.statement for match in checked.matches if match.tier is Tier.LIKELY]
    return left(checked.sentence.text, likely)


def left(sentence: str, statements: Iterable[str]) -> tuple[str, ...]:
    """Return the parts of a compound sentence that say something no statement settles.

    () where it is one part.
    """
    parts = split(sentence)
    if len(parts) < 2:
        return ()
    done = {place for statement in statements for place in _settled_by(parts, statement)}
    return tuple(
        part.text for place, part in enumerate(parts) if place not in done and _says_something(part)
    )


def left_open(checked: CheckedSentence) -> str:
    """Return in words what likely matches leave open in their sentence.

    "" where none is likely or nothing is left.
    """
    parts = open_parts(checked) if checked.tier is Tier.LIKELY else ()
    quoted = "; ".join(f"“{part}”" for part in parts)
    return f"Not settled as a whole; no likely match for: {quoted}" if quoted else ""


def _partly(parts: Sequence[SentencePart], statement: str) -> list[int]:
    """Return the places of the parts that a claim settles, none if it settles all of them."""
    places = _settled_by(parts, statement)
    return places if len(places) < len(parts) else []


def _settled_by(parts: Sequence[SentencePart], statement: str) -> list[int]:
    """Return the places of the parts that a claim settles.

    The one it is about, and those it repeats almost whole.
    """
    number = about(parts, statement)
    claimed = set(analyse_text(statement).words)
    places = {number - 1} if number else set()
    for place, part in enumerate(parts):
        words = set(analyse_text(part.text).words)
        if words and len(words & claimed) >= REPEATED * len(words):
            places.add(place)
    return sorted(places)


def _says_something(part: SentencePart) -> bool:
    return bool(analyse_text(part.filled).words) and not _SAYS_NOTHING.search(part.text)


def _order(place: int) -> str:
    return _ORDER[place] if place < len(_ORDER) else f"{place + 1}th"
