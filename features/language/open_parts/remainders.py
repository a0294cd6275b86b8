"""Remainders: whole phrases of a sentence that share no noun with another text.

"A client state" and "a state with a new governor" are such phrases. Each ends before a mark, before
a new clause, or before a phrase whose noun is in the other text. They may be paraphrases, so they
are looked for only in a sentence of which nothing else is uncovered. A source, "I read in the
Harbour Post", and a means, "by closing the pier", are remainders that cannot be paraphrases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from features.language.function_words import FUNCTION_WORDS
from features.language.open_parts.compared_words import has_word_or_part
from features.language.open_parts.lists import precedes_noun
from features.language.sentence_parts import has_finite_verb, looks_like_verb
from features.language.vocabulary import Vocabulary, content_words, vocabulary, word_topic

MIN_UNCOVERED_WORDS = 2  # words of a phrase that the other text lacks
MAX_REMAINDER_CHARACTERS = 90  # a longer phrase would be cut in the middle
MIN_GERUND_LETTERS = 6
MAX_FRACTION_IN_BOTH = 0.67  # share of the words of both texts, above which both may say the same

_WORD_OR_MARK_PATTERN = re.compile(r"[A-Za-z](?:[\w'’-]|\.(?=[A-Za-z]))*|\$?\d[\d.,%]*|--|[^\w\s]")
_PLURAL_OR_VERB_PATTERN = re.compile(r"[^sui]s$")
_PREPOSITIONS = frozenset(
    "of in on at by for with about against between into through to from over under upon across "
    "among around behind beyond during inside near onto outside toward towards within without "
    "after before until till like despite than".split()
)
# They say where, with whom or by which standard. Others belong to a noun or verb before them.
_OPENING_PREPOSITIONS = frozenset("in with against among across around despite than".split())
_CONJUNCTIONS = frozenset(("and", "or"))
_CLAUSE_OPENERS = frozenset(
    "who whom whose which that where when while because if although though since unless whether "
    "as but so yet instead what why how i you he she it we they there this these those is are was "
    "were am "
    "be been being has have had do does did will would can could should may might must shall not "
    "then".split()
)
_ARTICLES = frozenset("a an the our their his her its my your another".split())
_COPULAS = frozenset("is are was were".split())
# A phrase after one of them states no fact: a condition up to a comma, or a wish or duty.
_WORDS_OF_CONDITION = frozenset("if when unless whether suppose".split())
_WORDS_OF_NO_FACT = _WORDS_OF_CONDITION | frozenset(
    "should must ought let let's maybe think hope wish imagine look".split()
)
_STRONG_MARKS = frozenset((".", ";", ":", "!", "?", "—", "–", "--"))
_DASHES = frozenset(("—", "–", "--", "-"))
_WORDS_BEFORE_GERUND = frozenset(("by", "without", ",", "--", "—", "–"))
# Nouns that judge or announce, and state nothing that can be checked.
_NOUNS_OF_ANYTHING = frozenset(
    "way ways thing things time times reason reasons problem problems question questions order "
    "part parts lot lots people person point points bit line fact facts truth case idea ideas "
    "matter issue issues story mess disaster joke shame mistake mistakes blunder situation trouble "
    "deal deals answer side end beginning moment favor fashion addition view sense look job "
    "opportunity chance record contrary debate speech stage campaign".split()
)
_NO_GERUNDS = frozenset(
    "something anything everything nothing during according including morning evening regarding "
    "concerning depending considering following spring string talking speaking saying thinking "
    "looking having trying standing sitting running getting making taking putting coming becoming "
    "happening".split()
)
_RANK_PATTERN = re.compile(
    r"\b(?:[a-z]{3,}est|most|least|best|worst|no\. ?1|number one|top|leading|record)\b", re.I
)
_SOURCE_PATTERN = re.compile(
    r"\b(?:I|we|they|you|he|she|somebody|someone) (?:(?:just|also|even|actually|recently) )?"
    r"(?:read|saw|wrote|did|ran|published|released)\b"
    r"(?P<source>[^.,;:!?—–]{3,70}?) (?:that|which|where|saying|showing)\b",
    re.I,
)
_SOURCE_NOUN_PATTERN = re.compile(
    r"\b(?:article|story|report|study|poll|piece|interview|book|survey|column|analysis|editorial|"
    r"newspaper|paper|page|magazine|Journal|Times|Post|documentary|headline|memo|letter|website)\b"
)
_MEANS_PATTERN = re.compile(
    r"\b(?P<means>by (?P<gerund>[a-z]{3,}ing)(?: [\w'’-]+){1,5}?)"
    r"(?=$|[.,;:!?—–]| --| (?:and|or|that|which|who|in|on|at|for|to|from|with)\b)"
)
_OBJECT_PATTERN = re.compile(
    r" (?:the|an?|our|their|his|her|its|my|your|this|that|these|those|all|every|more)\b|[^sui]s$",
    re.I,
)
_OMISSION_PATTERN = re.compile(
    r"\bwithout [a-z]{3,}ing(?: (?!and\b|or\b|but\b|which\b|that\b|who\b)[\w'’-]+){1,6}"
)
_ANY_OMISSION_PATTERN = re.compile(
    r"\b(?:without|no|not|never|nothing|none|neither|lack\w*|fail\w*)\b|n['’]t\b", re.I
)
_NAMED_STANDARD_PATTERN = re.compile(
    r"\b(?:by )?(?:more|less|fewer|[a-z]{3,}er) than (?:in |under |the )?"
    r"(?P<name>[A-Z][\w.-]+)(?: [A-Z][\w.-]+)*(?: (?:did|does|has|had|proposes|proposed|wants))?"
)
_ANY_COMPARISON_PATTERN = re.compile(r"\b(?:than|as much|as many|compared|unlike)\b", re.I)
_ANY_MEANS_PATTERN = re.compile(r"\b(?:by|through) \w+ing\b", re.I)


class PhraseWord(NamedTuple):
    """A word, figure or mark of a sentence, and what it has to do with another text."""

    text: str
    lower: str  # in small letters, with plain apostrophes
    start: int
    end: int
    has_content: bool
    is_known: bool  # the other text has it in any form

    @property
    def is_new(self) -> bool:
        """Whether the word speaks of something of which the other text says nothing."""
        return self.has_content and not self.is_known


class WordSpan(NamedTuple):
    """A phrase as the positions of its first word and of the word after its last one."""

    start: int
    end: int


def uncovered_remainders(text: str, other_text: str, other_vocabulary: Vocabulary) -> list[str]:
    """Return the phrase of a text with most words that another text lacks, [] if there is none."""
    is_question = text.rstrip("\"'”’ ").endswith("?")
    if is_question or _may_say_the_same(text, other_vocabulary):
        return []
    text_words = _phrase_words(text, other_text.casefold(), other_vocabulary)
    other_text_ranks = _RANK_PATTERN.search(other_text) is not None
    best_phrase = ""
    most_new_words = 0
    for start in _phrase_starts(text_words):
        phrase_words = _phrase_words_at(text_words, start)
        if not phrase_words:
            continue
        phrase = text[phrase_words[0].start : phrase_words[-1].end].rstrip("-–—")
        # "The highest tolls" may be "No. 1 in tolls" there.
        if other_text_ranks and _RANK_PATTERN.search(phrase):
            continue
        new_words = {word.lower for word in phrase_words if word.is_new}
        # "One of the great escapes" ranks, with a single word that is new.
        min_new_words = 1 if phrase_words[0].lower == "one" else MIN_UNCOVERED_WORDS
        if len(new_words) < min_new_words or len(new_words) <= most_new_words:
            continue
        if len(phrase) <= MAX_REMAINDER_CHARACTERS and not has_finite_verb(phrase):
            best_phrase = phrase
            most_new_words = len(new_words)
    return [best_phrase] if best_phrase else []


def uncovered_sources(text: str, other_vocabulary: Vocabulary) -> Iterator[str]:
    """Yield "I read in the Harbour Post" of a text if another text lacks such a source."""
    source_match = _SOURCE_PATTERN.search(text)
    if source_match is None:
        return
    nouns = _SOURCE_NOUN_PATTERN.findall(source_match["source"])
    if nouns and not any(other_vocabulary.has(noun) for noun in nouns):
        yield text[source_match.start() : source_match.end("source")]


def _phrase_words_at(words: Sequence[PhraseWord], start: int) -> Sequence[PhraseWord]:
    """Return the words of the phrase that begins at a position, none if it is a clause."""
    phrase_span = _without_loose_end(words, WordSpan(start, _phrase_end(words, start)))
    if phrase_span.end == start or _is_clause(words, phrase_span):
        return ()
    return words[phrase_span.start : phrase_span.end]


def uncovered_means(text: str, other_text: str, other_vocabulary: Vocabulary) -> Iterator[str]:
    """Yield "by closing the pier" of a text if another text has no means and none of the words."""
    if _ANY_MEANS_PATTERN.search(other_text):
        return
    for means_match in _MEANS_PATTERN.finditer(text):
        means = means_match["means"]  # "by closing the pier"
        words_of_means = [match[0] for match in content_words(means)]
        is_too_short = len(words_of_means) < MIN_UNCOVERED_WORDS
        if is_too_short or means_match["gerund"] in _NO_GERUNDS:
            continue
        is_known = any(other_vocabulary.has(word) for word in words_of_means)
        # "By moving forward" has no object, and says nothing.
        has_object = _OBJECT_PATTERN.search(means) is not None
        if has_object and not is_known:
            yield means


def unsaid_omissions(statement: str, sentence: str) -> Iterator[str]:
    """Yield "without asking the pilots" of a statement if a sentence omits and denies nothing."""
    if "without " not in statement or _ANY_OMISSION_PATTERN.search(sentence):
        return
    said_words = vocabulary(sentence)
    for omission_match in _OMISSION_PATTERN.finditer(statement):
        omitted_words = [match[0] for match in content_words(omission_match[0])]
        is_said = any(said_words.has(word) for word in omitted_words)
        if len(omitted_words) >= MIN_UNCOVERED_WORDS and not is_said:
            yield omission_match[0].strip()


def unsaid_standards(statement: str, sentence: str) -> Iterator[str]:
    """Yield "more than Norway" of a statement if a sentence compares with nothing."""
    if " than " not in statement or _ANY_COMPARISON_PATTERN.search(sentence):
        return
    said_words = vocabulary(sentence)
    for standard_match in _NAMED_STANDARD_PATTERN.finditer(statement):
        # "More than the Reyes tax cuts" would be cut after the name.
        is_cut = precedes_noun(statement, standard_match.end())
        is_said = bool(said_words.shared_topics(standard_match[0]))
        if not is_cut and not is_said and not said_words.has(standard_match["name"]):
            yield standard_match[0].rstrip(".")


def _may_say_the_same(text: str, other_vocabulary: Vocabulary) -> bool:
    """Return whether a text and another share so many words that a phrase may be a paraphrase."""
    own = vocabulary(text)
    shared_topics = other_vocabulary.shared_topics(text)
    shared_fraction = len(shared_topics) / max(1, len(own.topics))
    other_fraction = len(shared_topics) / max(1, len(other_vocabulary.topics))
    return max(shared_fraction, other_fraction) > MAX_FRACTION_IN_BOTH


def _is_clause(words: Sequence[PhraseWord], span: WordSpan) -> bool:
    """Return whether a phrase has a verb, or only announces a clause: "the bottom line is"."""
    first_word = words[span.start].lower
    next_word = words[span.end].lower if span.end < len(words) else ""
    if first_word in _ARTICLES and next_word in _COPULAS:  # "the bottom line | is"
        return True
    if first_word not in ("a", "an"):
        return False
    # "A man flies into it": a singular noun does not end in s, so the last word is a verb.
    noun_phrase = next(_phrases(words[: span.end], span.start))
    final_word = words[noun_phrase.end - 1].lower
    return _PLURAL_OR_VERB_PATTERN.search(final_word) is not None


def _phrase_words(text: str, other_text: str, other_vocabulary: Vocabulary) -> list[PhraseWord]:
    """Return the words and marks of a text. ``other_text`` is in small letters."""
    words = []
    for start, end in _word_spans(text):
        word = text[start:end]
        lower_word = word.casefold().replace("’", "'")
        has_content = word[0].isalpha() and bool(word_topic(word))
        is_known = has_content and has_word_or_part(word, other_text, other_vocabulary)
        words.append(PhraseWord(word, lower_word, start, end, has_content, is_known))
    return words


@lru_cache(maxsize=1 << 10)
def _word_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the positions of the words and marks of a text; "a — a plan" has one article."""
    spans: list[tuple[int, int]] = []
    for match in _WORD_OR_MARK_PATTERN.finditer(text):
        if len(spans) > 1:
            previous_word, mark = [text[start:end] for start, end in spans[-2:]]
            # "a — a plan": the word comes again behind a dash.
            is_resumed = mark in _DASHES and previous_word.casefold() == match[0].casefold()
            if is_resumed:
                del spans[-2:]
        spans.append(match.span())
    return tuple(spans)


def _phrase_starts(words: Sequence[PhraseWord]) -> Iterator[int]:
    """Yield the positions at which a phrase that states something of its own may begin."""
    word_of_no_fact = ""  # the word since which no fact is stated
    for position, word in enumerate(words):
        ends_condition = word.lower == "," and word_of_no_fact in _WORDS_OF_CONDITION
        if word.lower in _STRONG_MARKS or ends_condition:
            word_of_no_fact = ""
        elif word.lower in _WORDS_OF_NO_FACT:
            word_of_no_fact = word.lower
        elif not word_of_no_fact and _opens_phrase(words, position):
            yield position


def _opens_phrase(words: Sequence[PhraseWord], position: int) -> bool:
    """Return whether a phrase of one of the kinds begins at a position."""
    word = words[position].lower
    previous_word = words[position - 1].lower if position else ""
    next_word = words[position + 1].lower if position + 1 < len(words) else ""
    if word in ("by", "without"):
        return _is_new_gerund(words, position + 1)
    if _is_new_gerund(words, position):
        return previous_word in _WORDS_BEFORE_GERUND
    if word in _OPENING_PREPOSITIONS:
        return next_word not in _PREPOSITIONS
    if word == "one":
        return next_word == "of"
    return word in _ARTICLES and previous_word not in _PREPOSITIONS


def _is_new_gerund(words: Sequence[PhraseWord], position: int) -> bool:
    """Return whether a form in -ing that the other text lacks stands at a position."""
    if position >= len(words):
        return False
    word = words[position]
    is_form = word.lower.endswith("ing") and len(word.lower) >= MIN_GERUND_LETTERS
    return is_form and word.is_new and word.lower not in _NO_GERUNDS


def _phrase_end(words: Sequence[PhraseWord], start: int) -> int:
    """Return the position after the phrases that begin at a start and have a new noun each."""
    # "a plan | for the pier | and the harbour | of Lorne": up to the harbour, if the other text
    # has Lorne.
    end = start
    for phrase in _phrases(words, start):
        if not _ends_with_new_noun(words, phrase) or _names_known_thing(words, phrase):
            return end
        # "In my lifetime | than every war" compares what stands before the phrase.
        if phrase.start > start and words[phrase.start].lower == "than":
            return end
        # "And Ann Lee is buying it" begins a clause.
        next_word = words[phrase.end].lower if phrase.end < len(words) else ""
        is_joined = words[phrase.start].lower in _CONJUNCTIONS and phrase.start > start
        if is_joined and next_word in _CLAUSE_OPENERS:
            return end
        end = phrase.end
    return end


def _ends_with_new_noun(words: Sequence[PhraseWord], phrase: WordSpan) -> bool:
    content_words_of_phrase = [
        word for word in words[phrase.start : phrase.end] if word.has_content
    ]
    if not content_words_of_phrase:
        return False
    noun = content_words_of_phrase[-1]
    return not noun.is_known and noun.lower not in _NOUNS_OF_ANYTHING


def _phrases(words: Sequence[PhraseWord], start: int) -> Iterator[WordSpan]:
    """Yield the phrases from a start up to the next mark or clause."""
    phrase_start = start
    has_noun = False  # whether the phrase has a word of content yet
    for position in range(start, len(words)):
        word = words[position]
        # "A pilot shunning the law": a verb that no lexicon has joins the two nouns.
        if has_noun and word.lower in _ARTICLES:
            return
        is_mark = not word.lower[0].isalpha()
        is_infinitive = word.lower == "to" and _precedes_verb(words, position)
        opens_clause = is_infinitive or word.lower in _CLAUSE_OPENERS
        if is_mark or (opens_clause and position > start):
            yield WordSpan(phrase_start, position)
            return
        # "a plan | for the pier | and the harbour"
        opens_phrase = word.lower in _PREPOSITIONS or word.lower in _CONJUNCTIONS
        if opens_phrase and has_noun:
            yield WordSpan(phrase_start, position)
            phrase_start = position
            has_noun = False
        has_noun = has_noun or word.has_content
    yield WordSpan(phrase_start, len(words))


def _precedes_verb(words: Sequence[PhraseWord], position: int) -> bool:
    """Return whether "to" stands before a verb: "a plan | to sell it"."""
    if position + 1 >= len(words):
        return False
    following = words[position + 1]
    return following.lower not in _ARTICLES and looks_like_verb(following.text)


def _names_known_thing(words: Sequence[PhraseWord], phrase: WordSpan) -> bool:
    """Return whether a phrase only says more on a name of both texts: "the F-35 fighter jet"."""
    phrase_words = words[phrase.start : phrase.end]
    is_definite = any(word.lower == "the" for word in phrase_words)
    return is_definite and any(word.is_known and word.text[0].isupper() for word in phrase_words)


def _without_loose_end(words: Sequence[PhraseWord], span: WordSpan) -> WordSpan:
    """Return a phrase without final words that need the words after it: "a plan made | by"."""
    end = span.end
    while end > span.start:
        word = words[end - 1]
        is_verb = looks_like_verb(word.text) or word.lower.endswith("ing")
        is_loose_word = word.lower in FUNCTION_WORDS or (word.has_content and is_verb)
        if not is_loose_word:
            break
        end -= 1
    return WordSpan(span.start, end)
