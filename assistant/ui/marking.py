"""What two sentences share and where they part: numbers, names, dates and negations get a strong mark.

Words are compared without their endings and regardless of order; only the marking is decided here, not the match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from features.figures.numbers import SPOKEN

SHARED, OTHER_WORD, PLAIN = "shared", "other", "plain"
NUMBER, DATE, NAME, NEGATION, WORD = "number", "date", "name", "negation", "word"

_TOKEN = re.compile(r"\$?\d[\d,.]*\d%?|\$?\d%?|[^\W\d_]+(?:['’\-][^\W_]+)*|\s+|.", re.UNICODE)
_MONTHS = frozenset(
    "january february march april june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday".split()
)
_NEGATIONS = frozenset("not no never none nobody nothing neither nor without cannot".split())
_TITLES = frozenset("mr mrs ms dr st".split())
_EMPTY = frozenset(
    "a an the and or but if of in on at to from by for with as is are was were be been being am do does did has "
    "have had will would can could should may might must shall it its this that these those there here he she "
    "they we you i me my your our their his her them us him who whom which what when where why how than then so "
    "very just also too more most mr mrs ms dr about into over under after before between again all any some such "
    "own same s t re ve ll d m".split()
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text with what it is (``kind``) and whether the other text has it (``standing``)."""

    text: str
    kind: str
    standing: str


@dataclass(frozen=True, slots=True)
class Compared:
    """Two texts in pieces, and the numbers, names and dates that they share or that only one has."""

    sentence: tuple[Piece, ...]
    statement: tuple[Piece, ...]
    shared: tuple[str, ...]
    only_sentence: tuple[str, ...]
    only_statement: tuple[str, ...]


def compare(sentence: str, statement: str) -> Compared:
    """Return both texts marked against each other."""
    tokens = [_tokens(sentence), _tokens(statement)]
    keys = [{_key(t) for t, k in side if k} for side in tokens]
    sides = [tuple(_piece(t, k, keys[1 - i]) for t, k in side) for i, side in enumerate(tokens)]
    facts = [_facts(side) for side in sides]
    return Compared(
        sentence=sides[0],
        statement=sides[1],
        shared=_distinct(t for t, standing in facts[0] if standing == SHARED),
        only_sentence=_distinct(t for t, standing in facts[0] if standing == OTHER_WORD),
        only_statement=_distinct(t for t, standing in facts[1] if standing == OTHER_WORD),
    )


def html(pieces: Sequence[Piece]) -> str:
    """Return pieces as HTML: shared words strong, differing ones underlined, differing facts in a ``mark``."""
    return "".join(_markup(p) for p in pieces)


def _markup(piece: Piece) -> str:
    text = escape(piece.text)
    if piece.standing == SHARED:
        return f"<b>{text}</b>"
    if piece.standing == OTHER_WORD and piece.kind != WORD:
        return f'<mark class="lx-differs" title="{piece.kind} only here">{text}</mark>'
    if piece.standing == OTHER_WORD:
        return f'<span class="lx-other-word">{text}</span>'
    return text


def _tokens(text: str) -> list[tuple[str, str]]:
    """Return every stretch of the text with its kind; ``""`` for space, punctuation and empty words."""
    found: list[tuple[str, str]] = []
    begins, last = True, ""
    for token in _TOKEN.findall(text):
        found.append((token, _kind(token, begins)))
        if not token.isspace():
            begins = token in '.!?:"“' and last.casefold() not in _TITLES
            last = token
    return found


def _kind(token: str, begins: bool) -> str:
    low = token.casefold().replace("’", "'")
    if token[0].isdigit() or token[0] == "$" and len(token) > 1:
        return DATE if re.fullmatch(r"(1[5-9]|20)\d\d", token) else NUMBER
    if low in _NEGATIONS or low.endswith("n't"):
        return NEGATION
    if low in _MONTHS or token == "May" and not begins:
        return DATE
    if not token[0].isalpha() or low.split("'")[0] in _EMPTY and low not in SPOKEN:
        return ""
    if low in SPOKEN:
        return NUMBER
    if token[0].isupper() and (not begins or token[1:].isupper() and len(token) > 1):
        return NAME
    return WORD


def _key(token: str) -> str:
    """Return what two spellings of a word have in common: no case, no commas, no English ending."""
    low = token.casefold().replace("’", "'").removesuffix("'s")
    if low in _NEGATIONS or low.endswith("n't"):
        return "not"
    if low[0].isdigit() or low[0] == "$":
        return low.replace(",", "").strip("$.")
    for ending in ("ations", "ation", "ings", "ing", "edly", "ies", "ied", "es", "ed", "ly", "s", "e", "y"):
        if low.endswith(ending) and len(low) - len(ending) >= 3:
            return low.removesuffix(ending)
    return low


def _piece(token: str, kind: str, other: set[str]) -> Piece:
    if not kind:
        return Piece(token, WORD, PLAIN)
    return Piece(token, kind, SHARED if _key(token) in other else OTHER_WORD)


def _facts(pieces: Sequence[Piece]) -> list[tuple[str, str]]:
    """Return the numbers, names and dates in order; neighbours of one kind and standing are one: ``1.5 million``."""
    found: list[tuple[str, str]] = []
    last: tuple[str, str] | None = None
    for piece in pieces:
        if piece.text.isspace() and last:
            continue
        this = (piece.kind, piece.standing) if piece.kind != WORD and piece.standing != PLAIN else None
        if this and this == last:
            found[-1] = (f"{found[-1][0]} {piece.text}", found[-1][1])
        elif this:
            found.append((piece.text, piece.standing))
        last = this
    return found


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
