"""Phrases of which another text has no word, whatever their kind, and the one that says most.

The rules on uncovered parts look for figures, ranks, causes and the like. This module compares the
two texts word by word instead: it cuts each text into clauses and short phrases, keeps the longest
rows of phrases without a word of the other text, and scores them. A phrase with a figure or with
many new words of a short sentence is likely the part that the other text leaves open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from features.language.abbreviations import spelled_like
from features.language.agreement import pair_figures, particulars
from features.language.figures.dates import DateMention
from features.language.figures.numbers import RANK, Figure
from features.language.function_words import FUNCTION_WORDS
from features.language.interchangeable_words import are_interchangeable
from features.language.open_parts.clauses import opens_no_statement
from features.language.sentence_parts import has_finite_verb, looks_like_verb
from features.language.verb_senses import are_synonyms
from features.language.vocabulary import Vocabulary, vocabulary, word_topic
from features.language.word_clashes import Clash

MAX_PHRASE_CHARACTERS = 110  # a longer phrase would be cut in the middle
MAX_KNOWN_FRACTION = 0.34  # share of known words in a short phrase that counts as new
# Other words of a statement that a sentence may say in words of its own, and shares of the words of
# either text that both have
MAX_PARAPHRASED_WORDS = 2
MAX_MORE_WORDS_OF_PARAPHRASE = 1
MAX_PARAPHRASED_WORDS_BESIDE_FIGURE = 4
MIN_KNOWN_FRACTION_OF_STATEMENT = 0.6
MIN_KNOWN_FRACTION_OF_SENTENCE = 0.5
MIN_KNOWN_FRACTION_BESIDE_FIGURE = 0.4
MIN_WORDS_OF_PLAIN_PHRASE = 3  # words of a phrase with a single new word, neither figure nor name
MIN_NEW_WORDS_BESIDE_KNOWN = 2  # new words of such a phrase
# Weights of a logistic regression that predicts whether a phrase is the open part. A language
# model labelled the open parts of 394 matches of 35 events before the phrases were known. Zero
# stands for a probability of 0.38.
SCORE_OF_ANY_PHRASE = 0.78
SCORE_OF_STATEMENT = -0.6  # for words that only the statement has
SCORE_OF_FIGURE_OF_STATEMENT = 1.25
SCORE_OF_VERB_OF_STATEMENT = 0.1
SCORE_OF_PREPOSITION = -0.25  # at the beginning of a phrase
SCORE_OF_RELATIVE_PRONOUN = -0.5  # at the beginning of a phrase
SCORE_OF_FIGURE = 1.6
SCORE_OF_NAME = 0.3
SCORE_OF_VERB = 0.65
SCORE_PER_NEW_WORD = 0.2
SCORE_OF_SINGLE_WORD = -0.25
SCORE_PER_WORD_OF_TEXT = -0.08
MAX_SCORED_NEW_WORDS = 5
MAX_SCORED_WORDS_OF_TEXT = 30

_WORD_OR_MARK_PATTERN = re.compile(
    r"\$?\d(?:[\d,.]*\d)?(?:%|(?:st|nd|rd|th|s)\b)?|[A-Za-z]\.(?:[A-Za-z]\.)+|"
    r"\b(?:Mr|Mrs|Ms|Dr|Sen|Gov|Rep|No|St|Jan|Feb|Aug|Sept|Oct|Nov|Dec)\.|"
    r"[A-Za-z]+(?:[-'’.][A-Za-z]+)*['’]?|--|\.\.\.|[^\sA-Za-z0-9]"
)
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
_RELATIVE_PRONOUNS = frozenset(("who", "which", "that"))
_CONJUNCTIONS = frozenset(("and", "but", "or"))
_PREPOSITIONS = frozenset(
    "in on at for by with from into about against among between after before during through under "
    "over across including except without within than like instead rather toward towards behind "
    "near beyond despite per nor".split()
)
_DETERMINERS = frozenset(
    "the a an our their his her its my your this these those every all any no".split()
)
_PHRASE_OPENERS = _PREPOSITIONS | _SUBORDINATING_WORDS | _CONJUNCTIONS | _AUXILIARIES
# Words that speak of nothing in particular elsewhere
_QUANTITIES = frozenset(
    "nothing nobody thousands hundreds millions billions trillions half worst worse best better".split()
)
_COMPARATIVES = frozenset("more less fewer".split())
_LEADING_WORDS = frozenset("and or but so well look now that then because".split())
_LOOSE_ENDS = frozenset("instead going getting doing".split())
_COPULAS = frozenset("is are was were be been being".split())
_OPENING_PATTERN = re.compile(
    r"^(?:(?:look at (?:that|this|it)|look at(?= that['’]s)|"
    r"and|but|so|or|well|look|now|yet|also|currently|right now|today|of course|in fact|"
    r"by the way|you know|I mean|frankly|as you know|again|unfortunately|however|"
    r"says?(?: that| of)?|(?:I|we)(?: do| really| just)? (?:believe|think|know|hope|say|said|mean|"
    r"guess|feel)(?: that)?|it is|that is|there (?:is|are|was|were|have been|has been)(?: already)?|"
    r"I(?:['’]m| am) (?:glad|proud|sure)(?: that)?|governor|mr\.?|senator)(?=[\s,])[\s,]*)+",
    re.I,
)
# "The real question" and "as the case with ferries" lead up to a statement and say nothing.
_REMARK_PATTERN = re.compile(
    r"^(?:(?:I|we) (?:don['’]t|do not|didn['’]t) (?:think|believe|know)|let['’]s|here (?:is|are)|"
    r"the (?:real )?(?:question|point|reality|truth|fact|issue|problem|reason|bottom line|simple|"
    r"other thing|same thing)|just so|as (?:we|you|I) (?:speak|know|said)|as the case|"
    r"you (?:understand|recognize)|which is (?:never|why)|is why|all I can say|"
    r"in (?:my opinion|other words|addition|love)|as a (?:matter|consequence|result)|"
    r"at the same time|at the end of the day|on top|(?:this|that) is (?:what|why|the)|throughout|"
    r"for example|no question|what (?:this|that|it) is about|on the other hand|period|who knows|"
    r"(?:of|to) (?:that|this|it)|by far|first|to the best of|all of a sudden|moving forward|by moving forward)\b|"
    r"^(?:who|which|that|what|how|why|where) [a-z]+$",
    re.I,
)
_WORD_OF_ORDINAL = {
    "1st": "first",
    "2nd": "second",
    "3rd": "third",
    "4th": "fourth",
    "5th": "fifth",
    "6th": "sixth",
    "7th": "seventh",
    "8th": "eighth",
    "9th": "ninth",
    "10th": "tenth",
}
_NO_BRACKETS = str.maketrans("()[]", "    ")
# "I won", "Ann Lee wanted"
_BARE_PREDICATE_PATTERN = re.compile(
    r"(?:(?:I|[Ww]e|[Yy]ou|[Hh]e|[Ss]he|[Ii]t|[Tt]hey)(?:['’](?:m|s|re|ve|d|ll))? [a-z]+|"
    r"(?:[A-Z][\w.'’-]* )+[a-z]+ed)"
)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word, figure or mark of a text: what it has to do with the other text."""

    text: str
    lower: str  # in small letters, with plain apostrophes
    start: int
    end: int
    is_mark: bool
    is_figure: bool
    has_content: bool
    is_known: bool  # the other text has it in any form

    @property
    def is_rank(self) -> bool:
        """Whether the word is an ordinal: "16th"."""
        return self.is_figure and self.lower.endswith(("st", "nd", "rd", "th"))

    @property
    def is_new(self) -> bool:
        """Whether the word speaks of something of which the other text says nothing."""
        return self.has_content and not self.is_known


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


def leftover_clash(sentence: str, statement: str) -> Clash | None:
    """Return the words that likely are the open part of a match, or None.

    They are of the sentence, of the statement, or of both if each gives another figure after the
    same preposition: "in 50 years" and "in 25 years".
    """
    if _may_be_paraphrase(sentence, statement):
        return None
    said_phrases = leftover_phrases(sentence, statement)
    checked_phrases = leftover_phrases(statement, sentence)
    scored_phrases = [(phrase_score(phrase, is_said=True), True, phrase) for phrase in said_phrases]
    for phrase in checked_phrases:
        if not phrase.is_name:
            scored_phrases.append((phrase_score(phrase, is_said=False), False, phrase))
    if not scored_phrases:
        return None
    best_score, is_said, best_phrase = max(scored_phrases, key=lambda scored: scored[0])
    if best_score < 0:
        return None
    if not is_said:
        return Clash(in_statement=best_phrase.text)
    return Clash(best_phrase.text, _counterpart(best_phrase, checked_phrases))


def _may_be_paraphrase(sentence: str, statement: str) -> bool:
    """Return whether a sentence may say the few other words of a statement in words of its own.

    "In 2010 a quake of magnitude nine set it off" has the date and the figure of "it began with a
    magnitude 9 earthquake in 2010". A statement without other words leaves the rest open.
    """
    new_count, known_fraction = _new_and_known(statement, sentence)
    own_count, known_fraction_of_sentence = _new_and_known(sentence, statement)
    # A sentence with more words of its own says something else, too.
    if new_count == 0 or own_count > new_count + MAX_MORE_WORDS_OF_PARAPHRASE:
        return False
    if _share_figure_or_date(sentence, statement):
        is_short = new_count <= MAX_PARAPHRASED_WORDS_BESIDE_FIGURE
        return is_short and known_fraction >= MIN_KNOWN_FRACTION_BESIDE_FIGURE
    are_close = (
        known_fraction >= MIN_KNOWN_FRACTION_OF_STATEMENT
        and known_fraction_of_sentence >= MIN_KNOWN_FRACTION_OF_SENTENCE
    )
    return are_close and new_count <= MAX_PARAPHRASED_WORDS


def _new_and_known(text: str, other_text: str) -> tuple[int, float]:
    """Return the number of new words of a text, and the share of its words that another has."""
    words = _words(text, other_text)
    content_count = sum(word.has_content for word in words)
    new_count = sum(word.is_new for word in words)
    return new_count, 1 - new_count / max(1, content_count)


def _share_figure_or_date(text: str, other_text: str) -> bool:
    """Return whether two texts have a figure or a date in common."""
    if _known_figures(text, other_text):
        return True
    periods = {mention.period for mention in particulars(text).dates}
    return any(mention.period in periods for mention in particulars(other_text).dates)


def likely_phrase(sentence: str, statement: str, quotation: str, min_score: float) -> str:
    """Return the best phrase of a sentence beside a quotation of either text, "" if none is good."""
    best_phrase = ""
    best_score = min_score
    for phrase in leftover_phrases(sentence, statement):
        overlaps = bool(quotation) and (quotation in phrase.text or phrase.text in quotation)
        score = phrase_score(phrase, is_said=True)
        if score > best_score and not overlaps:
            best_phrase = phrase.text
            best_score = score
    return best_phrase


def whole_phrase(text: str, other_text: str, quotation: str) -> str:
    """Return the phrase without a word of another text that has a quotation, "" if none has it."""
    for phrase in leftover_phrases(text, other_text):
        if quotation in phrase.text:
            return phrase.text
    return ""


def _counterpart(phrase: LeftoverPhrase, other_phrases: Sequence[LeftoverPhrase]) -> str:
    """Return the only phrase with a figure after the preposition of another one, "" if none is."""
    if not phrase.has_figure or phrase.opening_word not in _PREPOSITIONS:
        return ""
    counterparts = [
        other.text
        for other in other_phrases
        if other.has_figure and other.opening_word == phrase.opening_word
    ]
    return counterparts[0] if len(counterparts) == 1 else ""


def phrase_score(phrase: LeftoverPhrase, *, is_said: bool) -> float:
    """Return how likely a phrase is the open part, with zero for a probability of 0.38.

    ``is_said`` tells whether the sentence has it, not the statement.
    """
    score = SCORE_OF_ANY_PHRASE
    score += SCORE_PER_NEW_WORD * min(phrase.new_word_count, MAX_SCORED_NEW_WORDS)
    score += SCORE_PER_WORD_OF_TEXT * min(phrase.text_word_count, MAX_SCORED_WORDS_OF_TEXT)
    if not is_said:
        score += SCORE_OF_STATEMENT
    if phrase.new_word_count == 1:
        score += SCORE_OF_SINGLE_WORD
    if phrase.has_figure:
        score += SCORE_OF_FIGURE if is_said else SCORE_OF_FIGURE_OF_STATEMENT
    if phrase.has_name and is_said:
        score += SCORE_OF_NAME
    if phrase.has_verb:
        score += SCORE_OF_VERB if is_said else SCORE_OF_VERB_OF_STATEMENT
    if phrase.opening_word in _PREPOSITIONS:
        score += SCORE_OF_PREPOSITION
    if phrase.opening_word in _RELATIVE_PRONOUNS:
        score += SCORE_OF_RELATIVE_PRONOUN
    return score


def leftover_phrases(text: str, other_text: str) -> list[LeftoverPhrase]:
    """Return the phrases of a text of which another text has no word, in their order."""
    known_figures = _known_figures(text, other_text)
    new_figures = [figure for figure in particulars(text).numbers if figure not in known_figures]
    words = _words(text, other_text)
    text_word_count = sum(word.has_content for word in words)
    phrases = []
    for span in _new_spans(words):
        span_words = words[span.start : span.end]
        quotation_span = _quotation_span(text, span_words)
        if quotation_span is None:
            continue
        quotation_start, quotation_end = quotation_span
        quotation = text[quotation_start:quotation_end]
        new_words = [
            word
            for word in span_words
            if word.is_new and quotation_start <= word.start < quotation_end
        ]
        has_figure = any(
            quotation_start <= figure.start < quotation_end and figure.kind != RANK
            for figure in new_figures
        )
        phrase = LeftoverPhrase(
            text=_as_one_line(quotation),
            opening_word=quotation.split()[0].casefold(),
            new_word_count=len({word.lower for word in new_words}),
            has_figure=has_figure or any(word.is_figure and not word.is_rank for word in new_words),
            has_name=any(word.text[0].isupper() and word.start > 0 for word in new_words),
            has_verb=has_finite_verb(quotation) or has_finite_verb(f"it {quotation}"),
            is_name=all(word.text[0].isupper() for word in new_words),
            text_word_count=text_word_count,
        )
        if new_words and _says_something(phrase):
            phrases.append(_with_clause(phrase, text, words, span))
    return phrases


def _with_clause(
    phrase: LeftoverPhrase, text: str, words: Sequence[_Word], span: _NewSpan
) -> LeftoverPhrase:
    """Return a phrase with a verb in its whole clause, with subject and object, if that is short."""
    clause_words = words[span.clause_start : span.clause_end]
    known_count = sum(word.has_content and word.is_known for word in clause_words)
    new_count = sum(word.is_new for word in clause_words)
    # "for sailors held in Bergen" has a participle, "for All is a plan" a predicate.
    has_auxiliary = any(word.lower in _AUXILIARIES for word in words[span.start : span.end])
    opens_with_preposition = phrase.opening_word in _PREPOSITIONS
    has_predicate = phrase.has_verb and (has_auxiliary or not opens_with_preposition)
    if not has_predicate or known_count > new_count:
        return phrase
    clause_span = _quotation_span(text, clause_words)
    if clause_span is None:
        return phrase
    clause = _as_one_line(text[slice(*clause_span)])
    return replace(phrase, text=clause) if phrase.text in clause else phrase


def _as_one_line(quotation: str) -> str:
    """Return a quotation without brackets and with single spaces."""
    return " ".join(quotation.translate(_NO_BRACKETS).split())


def _says_something(phrase: LeftoverPhrase) -> bool:
    """Return whether a phrase is more than a remark, an opening or a bare "I won"."""
    quotation = phrase.text
    if _REMARK_PATTERN.search(quotation) or _BARE_PREDICATE_PATTERN.fullmatch(quotation):
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


def _known_figures(text: str, other_text: str) -> list[Figure]:
    """Return the figures of a text that another text has, too."""
    equal_pairs, _, _ = pair_figures(particulars(text).numbers, particulars(other_text).numbers)
    return [figure for figure, _, _ in equal_pairs]


def _known_dates(text: str, other_text: str) -> list[DateMention]:
    """Return the dates of a text that another text has, too: "in fifty-two" beside "in 1952"."""
    other_periods = {date_mention.period for date_mention in particulars(other_text).dates}
    return [
        date_mention
        for date_mention in particulars(text).dates
        if date_mention.is_calendar_date and date_mention.period in other_periods
    ]


@lru_cache(maxsize=16)
def _words(text: str, other_text: str) -> tuple[_Word, ...]:
    """Return the words and marks of a text, each with whether the other text has it."""
    known_values: list[Figure | DateMention] = [
        *_known_figures(text, other_text),
        *_known_dates(text, other_text),
    ]
    other_vocabulary = vocabulary(f"{other_text} {spelled_like(other_text, text)}")
    lower_other_text = other_text.casefold()
    words = []
    for match in _WORD_OR_MARK_PATTERN.finditer(text):
        word = match[0]
        is_figure = any(character.isdigit() for character in word)
        is_mark = not is_figure and not word[0].isalpha()
        lower_word = word.casefold().replace("’", "'")
        is_quantity = lower_word in _QUANTITIES
        has_content = is_figure or is_quantity or (not is_mark and bool(word_topic(word)))
        is_known = any(value.start <= match.start() < value.end for value in known_values)
        if is_figure:
            is_known = is_known or _has_figure(lower_other_text, word)
        elif is_quantity:
            is_known = is_known or re.search(rf"\b{lower_word}\b", lower_other_text) is not None
        elif has_content:
            is_known = is_known or _is_known_word(word, lower_other_text, other_vocabulary)
        words.append(
            _Word(
                word,
                lower_word,
                match.start(),
                match.end(),
                is_mark=is_mark,
                is_figure=is_figure,
                has_content=has_content,
                is_known=is_known,
            )
        )
    return tuple(words)


def _has_figure(lower_text: str, figure: str) -> bool:
    """Return whether a text has a figure in the same digits."""
    ordinal = _WORD_OF_ORDINAL.get(figure.casefold())
    if ordinal:
        return re.search(rf"\b(?:{figure}|{ordinal})\b", lower_text, re.I) is not None
    digits = re.escape(figure.strip("$%.,"))
    return re.search(rf"(?<![\d.,]){digits}(?!\d|[.,]\d)", lower_text) is not None


def _is_known_word(word: str, lower_other_text: str, other_vocabulary: Vocabulary) -> bool:
    """Return whether another text has a word, a part of it, or a word of the same meaning."""
    lower_word = word.casefold()
    if any(other_vocabulary.has(part) for part in word.split("-") if part):
        return True
    if "-" in word and lower_word in lower_other_text:
        return True
    return are_synonyms(lower_word, lower_other_text) or are_interchangeable(
        lower_word, lower_other_text
    )


def _new_spans(words: Sequence[_Word]) -> Iterator[_NewSpan]:
    """Yield the longest rows of short phrases without known words, none across two clauses."""
    for clause in _clauses(words):
        clause_start, _ = clause[0]
        _, clause_end = clause[-1]
        # Rows of phrases that are all new, or all not
        for is_row, row in groupby(clause, key=lambda span: _is_new(words[slice(*span)])):
            spans = list(row)
            if is_row:
                yield _NewSpan(spans[0][0], spans[-1][1], clause_start, clause_end)


def _clauses(words: Sequence[_Word]) -> Iterator[list[tuple[int, int]]]:
    """Yield the clauses of a text, each as starts and ends of its short phrases."""
    clause: list[tuple[int, int]] = []
    for start, end, opens_clause in _short_phrases(words):
        if opens_clause and clause:
            yield clause
            clause = []
        clause.append((start, end))
    if clause:
        yield clause


def _is_new(phrase: Sequence[_Word]) -> bool:
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


def _short_phrases(words: Sequence[_Word]) -> Iterator[tuple[int, int, bool]]:
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


def _opens_clause(phrase: Sequence[_Word]) -> bool:
    """Return whether a short phrase opens a clause: "because ...", "and closed ..."."""
    opening_word = phrase[0].lower.partition("'")[0]  # "who's"
    if opening_word in _SUBORDINATING_WORDS:
        return True
    return opening_word in _CONJUNCTIONS and any(looks_like_verb(word.text) for word in phrase[1:3])


def _opens_phrase(words: Sequence[_Word], position: int) -> bool:
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


def _names_destination(words: Sequence[_Word], position: int) -> bool:
    """Return whether a place or person follows "to", not a verb: "to the pier", "to Norway"."""
    if position >= len(words):
        return False
    word = words[position]
    return word.lower in _DETERMINERS or word.text[0].isupper()


def _quotation_span(text: str, words: Sequence[_Word]) -> tuple[int, int] | None:
    """Return the positions of a phrase without loose words at its ends, None if none is left."""
    kept_words = list(words)
    while kept_words and _is_loose_end(kept_words[-1]):
        kept_words.pop()
    while kept_words and (kept_words[0].is_mark or kept_words[0].lower in _LEADING_WORDS):
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


def _is_loose_end(word: _Word) -> bool:
    """Return whether a phrase cannot end in a word: "of", "the", "was"."""
    is_function_word = word.lower in FUNCTION_WORDS or word.lower in _AUXILIARIES
    return word.is_mark or is_function_word or word.lower in _LOOSE_ENDS
