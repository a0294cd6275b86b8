"""Marks in a sentence and a statement what they share and where they differ, as HTML.

Numbers, names and dates are marked as ``features.language.agreement`` compares them, denials as
``features.language.conflicts`` does, and other words by their topic, so that no mark contradicts
the agreement and the conflicts of the match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from assistant.core.domain import Difference
from assistant.ui.shown_text import escape
from features.language import agreement
from features.language.conflicts import clashes
from features.language.denials import denials
from features.language.figures.spelling import plain_character
from features.language.stems import topic
from features.language.word_clashes import Clash

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
# The kind of words that differ, by the conflict or uncovered part that has them
KIND_OF_CONFLICT = {
    "figures": NUMBER,
    "years": DATE,
    "names": NAME,
    "direction": WORD,
    "bounds": WORD,
    "units": WORD,
    "ranks": WORD,
    "places": NAME,
    "groups": WORD,
    "things": WORD,
    "strength": WORD,
}
_STANDING_PRIORITY = (DIFFERS, SHARED, ONE_SIDED)  # the first counts if marks overlap
_LETTER_WORD_PATTERN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_TAGS = {SHARED: "<b>{}</b>", ONE_SIDED: '<span class="lx-other-word">{}</span>', PLAIN: "{}"}


class Span(NamedTuple):
    """The start and end of some characters of a text, with their kind and standing."""

    start: int
    end: int
    kind: str
    standing: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Some characters of a text, with their kind and standing.

    The standing says whether the other text shares them, has something else, or lacks them.
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
    sentence: str,
    statement: str,
    event_date: date | None = None,
    claim_date: date | None = None,
    differences: Iterable[Difference] = (),
) -> ComparedTexts:
    """Mark what both texts share and where they differ.

    "last year" counts from the day of the event or of the claim. ``differences`` are those that
    the notes of the match are made of.
    """
    event_day = event_date.toordinal() if event_date else 0  # 0: unknown
    claim_day = claim_date.toordinal() if claim_date else 0
    # the conflicts of both texts by their kind, such as "figures" or "denial"
    conflicts_by_kind = clashes(sentence, statement, event_day, claim_day)
    # one text denies what the other says
    is_denied = "denial" in conflicts_by_kind
    sentence_marks, statement_marks = agreement.marks(sentence, statement, event_day, claim_day)
    differences_to_mark = _differences_to_mark(conflicts_by_kind, differences)
    return ComparedTexts(
        _compared_pieces(
            sentence,
            statement,
            sentence_marks,
            is_denied,
            [(difference.conflict, difference.said) for difference in differences_to_mark],
        ),
        _compared_pieces(
            statement,
            sentence,
            statement_marks,
            is_denied,
            [(difference.conflict, difference.claimed) for difference in differences_to_mark],
        ),
    )


def _differences_to_mark(
    conflicts_by_kind: Mapping[str, Clash], differences: Iterable[Difference]
) -> list[Difference]:
    """Return the differences that have other words at one place of both texts."""
    all_differences = [
        Difference(name, clash.in_sentence, clash.in_statement)
        for name, clash in conflicts_by_kind.items()
    ]
    all_differences += differences
    marked_differences = []
    for name in KIND_OF_CONFLICT:
        for difference in all_differences:
            has_words_of_both = bool(difference.said and difference.claimed)
            is_other_word = difference.said.casefold() != difference.claimed.casefold()
            if difference.conflict == name and has_words_of_both and is_other_word:
                marked_differences.append(difference)
    return marked_differences


def _compared_pieces(
    text: str,
    other_text: str,
    agreement_marks: Iterable[agreement.Mark],
    is_denied: bool,
    clashing_words: Iterable[tuple[str, str]],
) -> tuple[Piece, ...]:
    """Split a text into pieces; of marks that overlap, differences come first.

    ``clashing_words`` are conflicts, each with its words in this text. Numbers, names and dates
    come before the words of conflicts, and these before denials and other words. A mark of a
    difference whose words both texts have is left out.
    """
    mark_spans = []
    for mark in agreement_marks:
        words = text[mark.start : mark.end]
        if mark.verdict == DIFFERS and _has_words(other_text, words):
            continue
        mark_spans.append(Span(mark.start, mark.end, PART_KINDS[mark.kind], mark.verdict))
    mark_spans.sort(key=lambda span: _STANDING_PRIORITY.index(span.standing))
    # Spans may overlap, and then the first one counts. The marks that differ come first.
    spans = [span for span in mark_spans if span.standing == DIFFERS]
    spans += _clash_spans(text, other_text, clashing_words)
    spans += mark_spans
    spans += _denial_spans(text, other_text, is_denied)
    spans += _word_spans(text, other_text)
    return tuple(_pieces(text, spans))


def pieces_html(pieces: Sequence[Piece]) -> str:
    """Return pieces as HTML.

    Shared words are bold, words of one text only underlined, and differences in a ``mark``.
    """
    return "".join(_piece_html(piece) for piece in pieces)


def _piece_html(piece: Piece) -> str:
    if piece.standing == DIFFERS:
        return f'<mark class="lx-differs" title="another {piece.kind}">{escape(piece.text)}</mark>'
    return _TAGS[piece.standing].format(escape(piece.text))


def _has_words(text: str, words: str) -> bool:
    """Return whether a text has these words as whole words: "15 percent" doesn't have "5 percent"."""
    pattern = rf"(?<!\w)(?<!\d[.,]){re.escape(words)}(?!\w)(?![.,]\d)"
    return re.search(pattern, text, re.IGNORECASE) is not None


def _clash_spans(
    text: str, other_text: str, clashing_words: Iterable[tuple[str, str]]
) -> Iterator[Span]:
    """Yield the first place of the words of each conflict, if the text has them as they are.

    Words that the other text has, too, are left out, in any form: "highest" beside "second
    highest", "visas" beside "visa".
    """
    other_topics = agreement.particulars(other_text).topics
    for conflict, phrase in clashing_words:
        start = text.find(phrase)
        kind = KIND_OF_CONFLICT[conflict]
        topics = agreement.particulars(phrase).topics
        is_in_both = _has_words(other_text, phrase)
        if kind == WORD and topics and topics <= other_topics:
            is_in_both = True
        if start >= 0 and not is_in_both:
            yield Span(start, start + len(phrase), kind, DIFFERS)


def _denial_spans(text: str, other_text: str, is_denied: bool) -> Iterator[Span]:
    if is_denied:
        standing = DIFFERS
    elif denials(other_text):
        standing = SHARED
    else:
        standing = ONE_SIDED
    for start, end in denials(text):
        yield Span(start, end, NEGATION, standing)


def _word_spans(text: str, other_text: str) -> Iterator[Span]:
    other_topics = agreement.particulars(other_text).topics
    # look-alike characters are replaced one for one, so the positions stay valid
    latin_text = "".join(map(plain_character, text))
    for match in _LETTER_WORD_PATTERN.finditer(latin_text):
        word_topic = topic(match[0].casefold().removesuffix("'s"))
        if not word_topic:
            standing = PLAIN
        elif word_topic in other_topics:
            standing = SHARED
        else:
            standing = ONE_SIDED
        yield Span(match.start(), match.end(), WORD, standing)


def _pieces(text: str, spans: Iterable[Span]) -> Iterator[Piece]:
    """Yield the whole text in pieces; of overlapping spans the first one counts."""
    # "rose by 5 percent" with a mark at "5 percent": "rose by " is plain, "5 percent" marked.
    yielded_until = 0  # the end of the text that was yielded
    for span in sorted(_without_overlaps(spans, len(text))):
        if yielded_until < span.start:
            yield Piece(text[yielded_until : span.start], WORD, PLAIN)
        yield Piece(text[span.start : span.end], span.kind, span.standing)
        yielded_until = span.end
    if yielded_until < len(text):
        yield Piece(text[yielded_until:], WORD, PLAIN)


def _without_overlaps(spans: Iterable[Span], text_length: int) -> list[Span]:
    """Return the spans that share no character with an earlier one."""
    is_covered = [False] * text_length  # per character
    disjoint_spans = []
    for span in spans:
        if not any(is_covered[span.start : span.end]):
            is_covered[span.start : span.end] = [True] * (span.end - span.start)
            disjoint_spans.append(span)
    return disjoint_spans
