"""Phrases of which another text has no word, whatever their kind.

The rules on uncovered parts look for figures, ranks, causes and the like. This module compares the
two texts word by word instead: it cuts each text into clauses and short phrases, and keeps the
longest rows of phrases without a word of the other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from features.language.agreement import particulars
from features.language.figures.numbers import RANK, Figure
from features.language.function_words import FUNCTION_WORDS
from features.language.open_parts.clauses import opens_no_statement
from features.language.open_parts.compared_words import ComparedWord, compared_words, known_figures
from features.language.sentence_parts import has_finite_verb, looks_like_verb

MAX_PHRASE_CHARACTERS = 110  # a longer phrase would be cut in the middle
MAX_KNOWN_FRACTION = 0.34  # share of known words in a short phrase that counts as new
MIN_WORDS_OF_PLAIN_PHRASE = 3  # words of a phrase with a single new word, neither figure nor name
MIN_NEW_WORDS_BESIDE_KNOWN = 2  # new words of such a phrase
MIN_INITIALS = 3  # letters of an abbreviation

_CLAUSE_MARKS = frozenset(", . ; : ? ! -- ... — – …".split())
_AUXILIARIES = frozenset(
    "is are was were am be been being has have had will would can could should may might must do "
    "does did isn't aren't wasn't weren't hasn't haven't hadn't won't wouldn't can't couldn't "
    "shouldn't don't doesn't didn't cannot".split()
)
_SUBORDINATING_WORDS = frozenset(
    "because if when while although though unless until since that which who whose where why how "
    "what whether so as".split()
)
_CONJUNCTIONS = frozenset(("and", "but", "or"))
PREPOSITIONS = frozenset(
    "in on at for by with from into about against among between after before during through under "
    "over across including except without within than like instead rather toward towards behind "
    "near beyond despite per nor".split()
)
_DETERMINERS = frozenset(
    "the a an our their his her its my your this these those every all any no".split()
)
_PHRASE_OPENERS = PREPOSITIONS | _SUBORDINATING_WORDS | _CONJUNCTIONS | _AUXILIARIES
_COMPARATIVES = frozenset("more less fewer".split())
_LEADING_WORDS = frozenset("and or but so well look now that then because".split())
_LOOSE_ENDS = frozenset("instead going getting doing".split())
_COPULAS = frozenset("is are was were be been being".split())
_OPENING_PATTERN = re.compile(
    r"^(?:(?:look at (?:that|this|it)|look at(?= that['’]s)|"
    r"and|but|so|or|well|look|now|yet|also|currently|right now|today|of course|in fact|"
    r"by the way|you know|I mean|frankly|as you know|again|unfortunately|however|"
    r"says?(?: that| of)?|(?:I|we)(?: do| really| just)? (?:believe|think|know|hope|say|said|mean|"
    r"guess|feel)(?: that)?|it is|that is|there (?:is|are|was|were|have been|"
    r"has been)(?: already)?|"
    r"I(?:['’]m| am) (?:glad|proud|sure)(?: that)?|governor|mr\.?|senator)(?=[\s,])[\s,]*)+",
    re.I,
)
# "The real question" and "as the case with ferries" lead up to a statement and say nothing.
_REMARK_OPENINGS = (
    r"(?:I|we) (?:don['’]t|do not|didn['’]t) (?:think|believe|know)",
    r"let['’]s",
    r"here (?:is|are)",
    r"the (?:real )?(?:question|point|reality|truth|fact|issue|problem|reason|bottom line|simple|"
    r"other thing|same thing)",
    r"just so",
    r"as (?:we|you|I) (?:speak|know|said)",
    r"as the case",
    r"you (?:understand|recognize)",
    r"which is (?:never|why)",
    r"is why",
    r"all I can say",
    r"in (?:my opinion|other words|addition|love)",
    r"as a (?:matter|consequence|result)",
    r"at the same time",
    r"at the end of the day",
    r"on top",
    r"(?:this|that) is (?:what|why|the)",
    r"throughout",
    r"for example",
    r"no question",
    r"what (?:this|that|it) is about",
    r"on the other hand",
    r"period",
    r"who knows",
    r"(?:of|to) (?:that|this|it)",
    r"by far",
    r"first",
    r"to the best of",
    r"all of a sudden",
    r"(?:something )?I want to (?:be|make) (?:it |that |this )?clear",
    r"(?:by )?moving forward",
)
# "I did an interview", "people hated the statement" and "you said look at it" speak of talk.
_TALK = (
    r"(?:I|we|you) (?:talk(?:ed)?|sp[eo]ak|spoke|said|sa[yw]|read|print(?:ed)?|would print|"
    r"get letters|(?:did|gave|had) an interview)"
)
_TALK_THING = (
    r"[^,;]*\b(?:hated|liked|loved|heard|criti\w+) (?:the|my|that|this) "
    r"(?:statement|speech|words?|line)"
)
# "Which was a disgraceful situation" and "that's a massive amount of money" are opinions.
_OPINION = (
    r"(?:which (?:is|was|are|were)|(?:that|this|it)(?: is| was|['’]s)) (?:a |an |the |so |very |"
    r"really |such an? )*[a-z]+"
    r"(?: (?:thing|things|situation|idea|shame|mistake|problem|disgrace|deal|story|"
    r"amount of money))?$"
)
_BARE_WORD = r"(?:who|which|that|what|how|why|where) [a-z]+$"
_REMARK_PATTERN = re.compile(
    rf"^(?:(?:{'|'.join((*_REMARK_OPENINGS, _TALK, _TALK_THING))})\b|{_OPINION}|{_BARE_WORD})", re.I
)
_NO_BRACKETS = str.maketrans("()[]", "    ")
# "I won", "Ann Lee wanted"
_BARE_PREDICATE_PATTERN = re.compile(
    r"(?:(?:I|[Ww]e|[Yy]ou|[Hh]e|[Ss]he|[Ii]t|[Tt]hey)(?:['’](?:m|s|re|ve|d|ll))? [a-z]+|"
    r"(?:[A-Z][\w.'’-]* )+[a-z]+ed)"
)


class _NewSpan(NamedTuple):
    """The positions of a row of new phrases among the words of a text, and of its clause."""

    start: int
    end: int
    clause_start: int
    clause_end: int


@dataclass(frozen=True, slots=True)
class LeftoverPhrase:
    """A phrase of which another text has no word."""

    text: str
    opening_word: str  # in small letters
    new_word_count: int
    has_figure: bool
    has_name: bool
    has_verb: bool
    is_name: bool  # has no new word but a name
    text_word_count: int  # words of content of the whole text


def leftover_phrases(text: str, other_text: str) -> list[LeftoverPhrase]:
    """Return the phrases of a text of which another text has no word, in their order."""
    shared_figures = known_figures(text, other_text)
    new_figures = [figure for figure in particulars(text).numbers if figure not in shared_figures]
    words = compared_words(text, other_text)
    phrases = []
    for span in _new_spans(words):
        phrase = _phrase(text, words, span, new_figures)
        if phrase is None or not _says_something(phrase):
            continue
        if phrase.is_name and _is_abbreviated(phrase.text, other_text):
            continue
        whole_phrase = _with_clause(phrase, text, words, span)
        if not is_remark(whole_phrase.text):
            phrases.append(whole_phrase)
    return phrases


def _phrase(
    text: str, words: Sequence[ComparedWord], span: _NewSpan, new_figures: Sequence[Figure]
) -> LeftoverPhrase | None:
    """Return the phrase of a row of new phrases, None if no new word is left of it."""
    span_words = words[span.start : span.end]
    quotation_span = _quotation_span(text, span_words)
    if quotation_span is None:
        return None
    start, end = quotation_span
    quotation = text[start:end]
    new_words = [word for word in span_words if word.is_new and start <= word.start < end]
    if not new_words:
        return None
    has_new_figure = any(
        start <= figure.start < end and figure.kind != RANK for figure in new_figures
    )
    return LeftoverPhrase(
        text=_as_one_line(quotation),
        opening_word=quotation.split()[0].casefold(),
        new_word_count=len({word.lower for word in new_words}),
        has_figure=has_new_figure or any(word.is_figure and not word.is_rank for word in new_words),
        has_name=any(word.text[0].isupper() and word.start > 0 for word in new_words),
        has_verb=has_finite_verb(quotation) or has_finite_verb(f"it {quotation}"),
        is_name=all(word.text[0].isupper() for word in new_words),
        text_word_count=sum(word.has_content for word in words),
    )


def _with_clause(
    phrase: LeftoverPhrase, text: str, words: Sequence[ComparedWord], span: _NewSpan
) -> LeftoverPhrase:
    """Return the whole clause, with subject and object, of a phrase with a verb if it is short."""
    clause_words = words[span.clause_start : span.clause_end]
    known_count = sum(word.has_content and word.is_known for word in clause_words)
    new_count = sum(word.is_new for word in clause_words)
    # "for sailors held in Bergen" has a participle, "for All is a plan" a predicate.
    has_auxiliary = any(word.lower in _AUXILIARIES for word in words[span.start : span.end])
    opens_with_preposition = phrase.opening_word in PREPOSITIONS
    has_predicate = phrase.has_verb and (has_auxiliary or not opens_with_preposition)
    if not has_predicate or known_count > new_count:
        return phrase
    clause_span = _quotation_span(text, clause_words)
    if clause_span is None:
        return phrase
    clause = _as_one_line(text[slice(*clause_span)])
    return replace(phrase, text=clause) if phrase.text in clause else phrase


def is_remark(quotation: str) -> bool:
    """Return whether a clause leads up to a statement, speaks of talk, or is a bare opinion."""
    return _REMARK_PATTERN.search(quotation) is not None


def _is_abbreviated(name: str, other_text: str) -> bool:
    """Return whether another text has the initials of a name: "Lorne Pilot Union", "LPU"."""
    initials = "".join(word[0] for word in name.split())
    if len(initials) < MIN_INITIALS or not initials.isupper():
        return False
    return re.search(rf"\b{initials}\b", other_text) is not None


def _as_one_line(quotation: str) -> str:
    """Return a quotation without brackets and with single spaces."""
    return " ".join(quotation.translate(_NO_BRACKETS).split())


def _says_something(phrase: LeftoverPhrase) -> bool:
    """Return whether a phrase is more than a remark, an opening or a bare "I won"."""
    quotation = phrase.text
    if is_remark(quotation) or _BARE_PREDICATE_PATTERN.fullmatch(quotation):
        return False
    if phrase.has_verb and opens_no_statement(quotation):
        return False
    # "Donald" and "25,000" leave open what is said of them.
    if " " not in quotation:
        return False
    if phrase.new_word_count > 1 or phrase.has_figure or phrase.has_name:
        return True
    # "The middle" and "show clearly" say little.
    return not phrase.has_verb and len(quotation.split()) >= MIN_WORDS_OF_PLAIN_PHRASE


def _new_spans(words: Sequence[ComparedWord]) -> Iterator[_NewSpan]:
    """Yield the longest rows of short phrases without known words, none across two clauses."""
    for clause in _clauses(words):
        clause_start, _ = clause[0]
        _, clause_end = clause[-1]
        # Rows of phrases that are all new, or all not
        for is_row, row in groupby(clause, key=lambda span: _is_new(words[slice(*span)])):
            spans = list(row)
            if is_row:
                yield _NewSpan(spans[0][0], spans[-1][1], clause_start, clause_end)


def _clauses(words: Sequence[ComparedWord]) -> Iterator[list[tuple[int, int]]]:
    """Yield the clauses of a text, each as starts and ends of its short phrases."""
    clause: list[tuple[int, int]] = []
    for start, end, opens_clause in _short_phrases(words):
        if opens_clause and clause:
            yield clause
            clause = []
        clause.append((start, end))
    if clause:
        yield clause


def _is_new(phrase: Sequence[ComparedWord]) -> bool:
    """Return whether a short phrase has no known word, or two new ones beside each known word."""
    content_count = sum(word.has_content for word in phrase)
    new_count = sum(word.is_new for word in phrase)
    known_count = content_count - new_count
    if not known_count:
        return True
    # "$2 trillion" in both texts shows that the words beside it are of the same thing.
    if any(word.is_figure and word.is_known for word in phrase):
        return False
    return (
        new_count >= MIN_NEW_WORDS_BESIDE_KNOWN
        and known_count <= MAX_KNOWN_FRACTION * content_count
    )


def _short_phrases(words: Sequence[ComparedWord]) -> Iterator[tuple[int, int, bool]]:
    """Yield start and end of each short phrase of a text, and whether it opens a clause."""
    start = 0
    follows_mark = False
    for position, word in enumerate(words):
        if word.is_mark and word.text in _CLAUSE_MARKS:
            if position > start:
                yield start, position, follows_mark or _opens_clause(words[start:position])
            start = position + 1
            follows_mark = True
        elif position > start and _opens_phrase(words, position):
            yield start, position, follows_mark or _opens_clause(words[start:position])
            start = position
            follows_mark = False
    if start < len(words):
        yield start, len(words), follows_mark or _opens_clause(words[start:])


def _opens_clause(phrase: Sequence[ComparedWord]) -> bool:
    """Return whether a short phrase opens a clause: "because ...", "and closed ..."."""
    opening_word = phrase[0].lower.partition("'")[0]  # "who's"
    if opening_word in _SUBORDINATING_WORDS:
        return True
    return opening_word in _CONJUNCTIONS and any(looks_like_verb(word.text) for word in phrase[1:3])


def _opens_phrase(words: Sequence[ComparedWord], position: int) -> bool:
    """Return whether a short phrase opens with a word: a preposition, a verb, a figure."""
    word = words[position]
    previous_word = words[position - 1]
    if word.is_mark:
        return False
    if word.lower == "to":
        return previous_word.has_content and _names_destination(words, position + 1)
    # "more | than 60 towns"
    if word.lower == "than" and previous_word.lower in _COMPARATIVES:
        return False
    opener, apostrophe, _ = word.lower.partition("'")
    if word.lower in _PHRASE_OPENERS or (apostrophe and opener in _SUBORDINATING_WORDS):
        return previous_word.lower not in _PHRASE_OPENERS
    if not previous_word.has_content:
        return False
    if word.lower in _DETERMINERS:
        return True
    if word.is_figure:
        return not previous_word.is_figure
    follows_plural = previous_word.lower.endswith("s")
    return follows_plural and word.has_content and looks_like_verb(word.text)


def _names_destination(words: Sequence[ComparedWord], position: int) -> bool:
    """Return whether a place or person follows "to", not a verb: "to the pier", "to Norway"."""
    if position >= len(words):
        return False
    word = words[position]
    return word.lower in _DETERMINERS or word.text[0].isupper()


def _quotation_span(text: str, words: Sequence[ComparedWord]) -> tuple[int, int] | None:
    """Return the positions of a phrase without loose words at its ends, None if none is left."""
    kept_words = list(words)
    while kept_words and _is_loose_end(kept_words[-1]):
        kept_words.pop()
    while kept_words and (kept_words[0].is_mark or kept_words[0].lower in _LEADING_WORDS):
        leading_word = kept_words.pop(0)
        # "Look | at the pier"
        if leading_word.lower == "look" and kept_words and kept_words[0].lower == "at":
            kept_words.pop(0)
    if kept_words and kept_words[0].lower in _COPULAS:
        kept_words.pop(0)
    if not kept_words:
        return None
    quotation = text[kept_words[0].start : kept_words[-1].end]
    plain_quotation = _OPENING_PATTERN.sub("", quotation)
    start = kept_words[0].start + len(quotation) - len(plain_quotation)
    plain_quotation = plain_quotation.rstrip(" '’)")
    if not plain_quotation or len(plain_quotation) > MAX_PHRASE_CHARACTERS:
        return None
    return start, start + len(plain_quotation)


def _is_loose_end(word: ComparedWord) -> bool:
    """Return whether a phrase cannot end in a word: "of", "the", "was"."""
    is_function_word = word.lower in FUNCTION_WORDS or word.lower in _AUXILIARIES
    return word.is_mark or is_function_word or word.lower in _LOOSE_ENDS
