"""Marks in a sentence and a statement what they share and where they differ, as HTML.

Numbers, names and dates are marked as ``features.language.agreement`` compares them, denials as
``features.language.conflicts`` does, and other words by their topic, so that no mark contradicts
the agreement and the conflicts of the match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape

from features.language import agreement
from features.language.conflicts import conflicts, denials
from features.language.figures.spelling import one_for_one
from features.language.stems import topic

SHARED = agreement.SAME
DIFFERS = agreement.DIFFERENT
ONE_SIDED = agreement.MISSING
PLAIN = ""
NUMBER = "number"
DATE = "date"
NAME = "name"
NEGATION = "negation"
WORD = "word"
PART_KINDS = {"numbers": NUMBER, "names": NAME, "dates": DATE}
_PRIORITY = (DIFFERS, SHARED, ONE_SIDED)
_LETTER_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_TAGS = {SHARED: "<b>{}</b>", ONE_SIDED: '<span class="lx-other-word">{}</span>', PLAIN: "{}"}
Span = tuple[int, int, str, str]  # start, end, kind and standing


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, its kind, and its standing.

    Shared with the other text, different there, or one-sided.
    """

    text: str
    kind: str
    standing: str


@dataclass(frozen=True, slots=True)
class ComparedTexts:
    """Two texts in pieces."""

    sentence: tuple[Piece, ...]
    statement: tuple[Piece, ...]


def compare_texts(
    sentence: str, statement: str, event: date | None = None, said: date | None = None
) -> ComparedTexts:
    """Return both texts marked against each other.

    "last year" counts from the day of the event or of the claim.
    """
    days = event.toordinal() if event else 0, said.toordinal() if said else 0
    denied = "denial" in conflicts(sentence, statement, *days)
    texts = (sentence, statement)
    marks = agreement.marks(sentence, statement, *days)
    sides = []
    for side, text in enumerate(texts):
        particulars = [(m.start, m.end, PART_KINDS[m.part], m.verdict) for m in marks[side]]
        particulars.sort(key=lambda span: _PRIORITY.index(span[3]))
        other = texts[1 - side]
        sides.append(
            tuple(
                _pieces(
                    text,
                    (*particulars, *_denial_spans(text, other, denied), *_word_spans(text, other)),
                )
            )
        )
    return ComparedTexts(*sides)


def pieces_html(pieces: Sequence[Piece]) -> str:
    """Return pieces as HTML: shared words strong, one-sided ones underlined, what differs in a ``mark``."""
    return "".join(_piece_html(p) for p in pieces)


def _piece_html(piece: Piece) -> str:
    if piece.standing == DIFFERS:
        return f'<mark class="lx-differs" title="another {piece.kind}">{escape(piece.text)}</mark>'
    return _TAGS[piece.standing].format(escape(piece.text))


def _denial_spans(text: str, other: str, denied: bool) -> Iterator[Span]:
    standing = DIFFERS if denied else SHARED if denials(other) else ONE_SIDED
    return ((start, end, NEGATION, standing) for start, end in denials(text))


def _word_spans(text: str, other: str) -> Iterator[Span]:
    topics = agreement.particulars(other).topics
    for match in _LETTER_WORD.finditer("".join(map(one_for_one, text))):
        about = topic(match[0].casefold().removesuffix("'s"))
        yield *match.span(), WORD, PLAIN if not about else SHARED if about in topics else ONE_SIDED


def _pieces(text: str, spans: Iterable[Span]) -> Iterator[Piece]:
    """Yield the whole text in pieces; of spans that overlap the first is taken."""
    taken = bytearray(len(text))
    chosen = []
    for span in spans:
        start, end = span[:2]
        if not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            chosen.append(span)
    last = 0
    for start, end, kind, standing in sorted(chosen):
        if last < start:
            yield Piece(text[last:start], WORD, PLAIN)
        yield Piece(text[start:end], kind, standing)
        last = end
    if last < len(text):
        yield Piece(text[last:], WORD, PLAIN)
